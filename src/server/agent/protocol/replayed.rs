//! After a compaction the CLI sends again what it kept of the conversation. It was told when it happened.

use super::{list, word};
use serde_json::Value;
use std::collections::HashSet;

#[derive(Default)]
pub struct Replayed {
    /// What the last compaction kept, by the CLI's name of the line.
    kept: HashSet<String>,
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
                false
            }
            "assistant" | "user" => self.kept.contains(word(message, "uuid")),
            _ => false,
        }
    }
}
