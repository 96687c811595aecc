//! After a compaction the CLI sends again what it kept of the conversation. It was told when it happened.

use super::{content, list, word};
use serde_json::Value;
use std::collections::HashSet;

#[derive(Default)]
pub struct Replayed {
    /// What the last compaction kept, by the CLI's name of the line.
    kept: HashSet<String>,
    /// It was compacted, and what it goes on with was not told yet.
    summary_is_next: bool,
}

impl Replayed {
    /// The line was told before.
    pub fn is_known(&mut self, message: &Value) -> bool {
        match word(message, "type") {
            "system" if word(message, "subtype") == "compact_boundary" => {
                let names = list(&message["compact_metadata"]["preserved_messages"]["uuids"]);
                self.kept = names
                    .iter()
                    .filter_map(|name| name.as_str().map(str::to_owned))
                    .collect();
                self.summary_is_next = true;
                false
            }
            "assistant" | "user" => self.kept.contains(word(message, "uuid")),
            _ => false,
        }
    }

    /// What the agent knows from here on instead of what was said. Other lines in the person's place are not for people.
    pub fn summary(&mut self, message: &Value) -> Option<String> {
        if !self.summary_is_next || message["isSynthetic"] != true {
            return None;
        }
        self.summary_is_next = false;
        summary_in(message)
    }
}

/// The words of a summary, without what is for the model only.
pub fn summary_in(message: &Value) -> Option<String> {
    let text = content::words(&message["message"]["content"], 0);
    let text = without_reminders(&text);
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// What the program says to the model only.
fn without_reminders(text: &str) -> String {
    let (begin, end) = ("<system-reminder>", "</system-reminder>");
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(begin) {
        kept += before;
        rest = after.split_once(end).map_or("", |(_, after)| after);
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_for_the_model_only_is_left_out() {
        let text = "a<system-reminder>x\ny</system-reminder> b <system-reminder>open";
        assert_eq!(without_reminders(text), "a b ");
        assert_eq!(without_reminders("plain < text"), "plain < text");
    }
}
