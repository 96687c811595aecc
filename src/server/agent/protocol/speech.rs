//! What the model and its tools say, as entries of the transcript.

use super::{Told, content, list, notice, word};
use crate::model::transcript::Level;
use crate::model::{AskingAgent, Entry, ToolInput, ToolUseId};
use crate::server::agent::process::Heard;
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
            "text" => Some(Entry::TextWritten { text: word(block, "text").to_owned(), agent: agent.cloned() }),
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
                let finished = Entry::ToolFinished {
                    tool_use_id: ToolUseId(word(block, "tool_use_id").to_owned()),
                    text: content::words(&block["content"], pictures.len()),
                    is_error: block["is_error"].as_bool().unwrap_or(false),
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

fn local_output(text: &str) -> Option<Told> {
    let inner = ["local-command-stdout", "local-command-stderr"]
        .into_iter()
        .find_map(|tag| {
            text.strip_prefix(&format!("<{tag}>"))?
                .strip_suffix(&format!("</{tag}>"))
        })?;
    let inner = inner.trim();
    (!inner.is_empty()).then(|| notice(Level::Info, inner))
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

/// A "success" that is an error is an error.
pub fn turn_finished(message: &Value) -> Entry {
    let interrupted = word(message, "terminal_reason").starts_with("aborted");
    let is_error = message["is_error"].as_bool().unwrap_or(false)
        || word(message, "subtype").starts_with("error");
    let error = (is_error && !interrupted).then(|| {
        let errors: Vec<&str> = list(&message["errors"])
            .iter()
            .filter_map(Value::as_str)
            .collect();
        match (
            word(message, "result"),
            word(message, "subtype"),
            errors.as_slice(),
        ) {
            ("", "error_max_turns", _) => {
                "The limit of turns was reached. Send a message to go on.".to_owned()
            }
            ("", subtype, []) => format!("The turn failed ({subtype})."),
            ("", _, errors) => errors.join(" "),
            (text, _, _) => text.to_owned(),
        }
    });
    Entry::TurnFinished {
        error,
        interrupted,
        duration_ms: message["duration_ms"].as_u64().unwrap_or(0),
    }
}

pub fn retry(message: &Value) -> String {
    let what = match word(message, "error") {
        "authentication_failed" => "The API does not accept the login".to_owned(),
        "rate_limit" => "The API limits the rate".to_owned(),
        "overloaded" => "The API is overloaded".to_owned(),
        "server_error" => "The API has an error of its own".to_owned(),
        _ => "The API could not be reached".to_owned(),
    };
    let status = message["error_status"]
        .as_u64()
        .map(|status| format!(" ({status})"))
        .unwrap_or_default();
    let seconds = message["retry_delay_ms"]
        .as_u64()
        .unwrap_or(0)
        .div_ceil(1000);
    let attempt = message["attempt"].as_u64().unwrap_or(1);
    let most = message["max_retries"].as_u64().unwrap_or(0);
    format!("{what}{status}. Trying again in {seconds} s, attempt {attempt} of {most}")
}
