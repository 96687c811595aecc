//! Where a conversation stands: which prompt it follows, how often the model has answered since, what its tools said.

use super::ToolResult;
use serde_json::{Value, json};
use std::path::PathBuf;

pub struct Conversation {
    /// The last message with a script in it; without one, the last that a person wrote.
    pub prompt: String,
    /// The pictures and documents that came with it.
    pub attached: Vec<Value>,
    /// How many answers of the model came after it.
    pub round: usize,
    /// What its tools came to since, oldest first.
    pub results: Vec<ToolResult>,
    /// The calls of each of those answers, with what they came to.
    pub rounds: Vec<Vec<Called>>,
    /// Where the plan of this session is to be written, if the model was told.
    pub plan_file: Option<String>,
    /// The directory that the CLI works in; empty if the model was not told.
    pub project: PathBuf,
}

/// A call of the model that is over.
#[derive(Clone, Debug)]
pub struct Called {
    pub input: Value,
    pub text: String,
    pub is_error: bool,
}

impl Conversation {
    pub fn read(body: &Value) -> Self {
        let messages = body["messages"].as_array().map_or(&[][..], Vec::as_slice);
        let scripted = messages.iter().enumerate().rev().find_map(|(at, message)| {
            let text = texts(message)
                .into_iter()
                .rev()
                .find(|text| text.contains("[["))?;
            is_spoken_to(message, &text).then_some((at, text))
        });
        let (at, prompt) = scripted
            .or_else(|| last_words(messages))
            .unwrap_or((0, String::new()));
        let after = messages.get(at + 1..).unwrap_or_default();
        let rounds = rounds(after);
        Self {
            prompt,
            attached: messages.get(at).map(attached).unwrap_or_default(),
            round: rounds.len(),
            results: after.iter().flat_map(results).collect(),
            rounds,
            plan_file: messages
                .iter()
                .rev()
                .flat_map(texts)
                .find_map(|text| plan_file(&text)),
            project: [&body["system"]]
                .into_iter()
                .flat_map(|system| texts(&json!({"content": system})))
                .chain(messages.iter().flat_map(texts))
                .find_map(|text| project(&text))
                .unwrap_or_default(),
        }
    }

    pub fn is_scripted(&self) -> bool {
        self.prompt.contains("[[")
    }
}

/// What a person wrote last: reminders, notices and remarks of the CLI are in brackets of one kind or the other.
fn last_words(messages: &[Value]) -> Option<(usize, String)> {
    messages.iter().enumerate().rev().find_map(|(at, message)| {
        let is_said = |text: &String| is_spoken_to(message, text) && !text.starts_with(['<', '[']);
        match texts(message).into_iter().rev().find(is_said) {
            Some(text) => Some((at, text)),
            // a picture may come without a word
            None => (!attached(message).is_empty()).then(|| (at, String::new())),
        }
    })
}

fn rounds(messages: &[Value]) -> Vec<Vec<Called>> {
    let told: Vec<ToolResult> = messages.iter().flat_map(results).collect();
    let called = |block: &Value| {
        let id = block["id"].as_str().unwrap_or_default();
        let result = told.iter().find(|result| result.tool_use_id == id)?;
        Some(Called {
            input: block["input"].clone(),
            text: result.text.clone(),
            is_error: result.is_error,
        })
    };
    let answers = messages
        .iter()
        .filter(|message| message["role"] == "assistant");
    answers
        .map(|answer| {
            let blocks = answer["content"].as_array().into_iter().flatten();
            let calls = blocks.filter(|block| block["type"] == "tool_use");
            calls.filter_map(called).collect()
        })
        .collect()
}

/// A message that comes while the model works is handed to it as one of the system.
fn is_spoken_to(message: &Value, text: &str) -> bool {
    match message["role"].as_str() {
        Some("user") => true,
        Some("system") => text.starts_with("The user sent a new message"),
        _ => false,
    }
}

pub fn user_texts(body: &Value) -> Vec<String> {
    let messages = body["messages"].as_array().map_or(&[][..], Vec::as_slice);
    messages
        .iter()
        .filter(|message| {
            texts(message)
                .iter()
                .any(|text| is_spoken_to(message, text))
        })
        .flat_map(texts)
        .collect()
}

fn texts(message: &Value) -> Vec<String> {
    match &message["content"] {
        Value::String(text) => vec![text.clone()],
        Value::Array(blocks) => blocks
            .iter()
            .filter_map(|block| block["text"].as_str().map(str::to_owned))
            .collect(),
        _ => Vec::new(),
    }
}

fn attached(message: &Value) -> Vec<Value> {
    let blocks = message["content"].as_array().into_iter().flatten();
    blocks
        .filter(|block| block["type"] == "image" || block["type"] == "document")
        .cloned()
        .collect()
}

fn results(message: &Value) -> Vec<ToolResult> {
    let blocks = message["content"].as_array();
    blocks
        .into_iter()
        .flatten()
        .filter(|block| block["type"] == "tool_result")
        .map(|block| ToolResult {
            tool_use_id: block["tool_use_id"].as_str().unwrap_or_default().to_owned(),
            text: texts(block).join("\n"),
            is_error: block["is_error"].as_bool().unwrap_or(false),
        })
        .collect()
}

/// The CLI names the file in its reminder of plan mode.
fn plan_file(text: &str) -> Option<String> {
    let middle = text.find("/plans/")?;
    let is_edge = |c: char| c.is_whitespace() || matches!(c, '"' | '`' | '\'' | '(');
    let start = text[..middle].rfind(is_edge).map_or(0, |at| at + 1);
    let end = middle + text[middle..].find(".md")? + ".md".len();
    Some(text[start..end].to_owned())
}

/// The CLI names the directory in what it says about its surroundings.
fn project(text: &str) -> Option<PathBuf> {
    let (_, after) = text.split_once("orking directory: ")?;
    after.lines().next().map(|line| PathBuf::from(line.trim()))
}
