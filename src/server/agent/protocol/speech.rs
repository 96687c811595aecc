//! What the model and its tools say, as entries of the transcript.

use super::{Told, content, list, notice, word};
use crate::model::transcript::Level;
use crate::model::{AskingAgent, Entry, ToolInput, ToolUseId};
use crate::server::agent::process::Heard;
use crate::server::terminal;
use serde_json::Value;

/// The blocks of an assistant message. One that only carries an API error is left to the end of the turn, which has it too.
pub fn spoken(message: &Value, agent: Option<&AskingAgent>) -> Vec<Told> {
    let is_error = message.get("error").is_some_and(|error| !error.is_null())
        || message["is_api_error_message"].as_bool().unwrap_or(false);
    if is_error {
        return Vec::new();
    }
    list(&message["message"]["content"])
        .iter()
        .filter_map(|block| match word(block, "type") {
            "text" => Some(Entry::TextWritten { text: said_in(message, word(block, "text")), agent: agent.cloned() }),
            "thinking" => Some(Entry::Thought { text: word(block, "thinking").to_owned(), agent: agent.cloned() }),
            "tool_use" | "server_tool_use" => Some(Entry::ToolCalled {
                tool_use_id: ToolUseId(word(block, "id").to_owned()),
                tool_name: word(block, "name").to_owned(),
                tool_input: ToolInput::from_value(block["input"].clone()),
                agent: agent.cloned(),
            }),
            _ => None,
        })
        .filter(|entry| !matches!(entry, Entry::TextWritten { text, .. } | Entry::Thought { text, .. } if text.trim().is_empty()))
        .map(|entry| Told::Heard(Heard::Happened(entry)))
        .collect()
}

/// What a command of the program answers is said like an answer of the model, but may be coloured for a terminal.
fn said_in(message: &Value, text: &str) -> String {
    match message["local_command_source"].is_string() {
        true => terminal::as_seen(text),
        false => text.to_owned(),
    }
}

/// Results of tools, and the output of local commands. A person's own prompts are known already.
pub fn tool_results(message: &Value) -> Vec<Told> {
    if message["isSynthetic"].as_bool().unwrap_or(false) {
        return Vec::new();
    }
    match &message["message"]["content"] {
        Value::String(text) => local_output(text).into_iter().collect(),
        blocks => list(blocks)
            .iter()
            .filter(|block| word(block, "type") == "tool_result")
            .flat_map(|block| {
                let pictures = content::pictures(&block["content"]);
                let text = content::words(&block["content"], pictures.len());
                let stopped = was_stopped(message, word(block, "tool_use_id"), &text);
                let finished = Entry::ToolFinished {
                    tool_use_id: ToolUseId(word(block, "tool_use_id").to_owned()),
                    // what it says then is for the model
                    text: match stopped {
                        true => "Stopped before it was done.".to_owned(),
                        false if is_of_a_command(message) => terminal::as_seen(&for_a_person(text)),
                        false => for_a_person(text),
                    },
                    is_error: block["is_error"].as_bool().unwrap_or(false),
                    stopped,
                    images: pictures
                        .iter()
                        .map(|picture| picture.about.clone())
                        .collect(),
                };
                let brought = (!pictures.is_empty()).then_some(Heard::Brought(pictures));
                brought
                    .into_iter()
                    .chain([Heard::Happened(finished)])
                    .map(Told::Heard)
            })
            .collect(),
    }
}

/// Written for a terminal. A file that was read is shown with all that is in it: what a terminal would write over, too.
fn is_of_a_command(message: &Value) -> bool {
    let details = ["tool_use_result", "toolUseResult"].map(|name| &message[name]);
    details.iter().any(|detail| detail["stdout"].is_string())
}

/// A person ended the turn while it ran. An older one says so in words only.
fn was_stopped(message: &Value, call: &str, text: &str) -> bool {
    let mut told = list(&message["tool_result_meta"]).iter();
    let told = told.find(|told| word(told, "id") == call);
    told.is_some_and(|told| word(told, "non_execution_kind") == "interrupted")
        || text.starts_with("The user doesn't want to proceed with this tool use.")
}

fn local_output(text: &str) -> Option<Told> {
    let inner = ["local-command-stdout", "local-command-stderr"]
        .into_iter()
        .find_map(|tag| {
            text.strip_prefix(&format!("<{tag}>"))?
                .strip_suffix(&format!("</{tag}>"))
        })?;
    let inner = for_reading(inner.trim());
    (!inner.is_empty()).then(|| notice(Level::Info, &inner))
}

/// It was written for a terminal: colours are left out, and what is marked as code is quoted.
fn for_reading(text: &str) -> String {
    let quoted = |line: &str| {
        // one mark alone is only itself
        if line.matches('`').count() % 2 == 1 || line.contains("``") {
            return line.to_owned();
        }
        let mut parts = line.split('`');
        let mut quoted = parts.next().unwrap_or_default().to_owned();
        while let (Some(inside), Some(after)) = (parts.next(), parts.next()) {
            quoted += &format!("\u{201c}{inside}\u{201d}{after}");
        }
        quoted
    };
    let seen = terminal::as_seen(text);
    seen.lines().map(quoted).collect::<Vec<_>>().join("\n")
}

/// Text that is being written. Subagents write none.
pub fn partial(message: &Value) -> Option<Told> {
    if !message["parent_tool_use_id"].is_null() {
        return None;
    }
    let event = &message["event"];
    let (block, begins) = match word(event, "type") {
        "content_block_start" => (&event["content_block"], true),
        "content_block_delta" => (&event["delta"], false),
        _ => return None,
    };
    let (thinking, text) = match word(block, "type") {
        "text" | "text_delta" => (false, word(block, "text")),
        "thinking" | "thinking_delta" => (true, word(block, "thinking")),
        _ => return None,
    };
    Some(Told::Heard(Heard::Wrote {
        thinking,
        text: text.to_owned(),
        begins,
    }))
}

/// Marks around an error are for the model.
fn for_a_person(text: String) -> String {
    let inside = text
        .strip_prefix("<tool_use_error>")
        .and_then(|rest| rest.strip_suffix("</tool_use_error>"));
    inside.map(str::to_owned).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_for_a_terminal_reads_well() {
        for (written, read) in [
            (
                "Set model to `opus (claude-opus-5-5)`",
                "Set model to “opus (claude-opus-5-5)”",
            ),
            ("Set model to \u{1b}[1mOpus\u{1b}[22m", "Set model to Opus"),
            ("`a` and `b`", "“a” and “b”"),
            ("one ` alone\n`two`", "one ` alone\n“two”"),
            ("```\ncode\n```", "```\ncode\n```"),
            ("plain", "plain"),
        ] {
            assert_eq!(for_reading(written), read);
        }
    }
}
