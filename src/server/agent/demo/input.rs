//! Owns stdin: reads lines, and says what each one means — including which ones the CLI dies of.

use std::io::{self, BufRead};
use std::thread;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use tokio::sync::mpsc;
use uuid::Uuid;

use crate::model::attachment::size;

#[derive(Debug, PartialEq)]
pub enum Incoming {
    User(UserMessage),
    Request {
        id: String,
        request: Value,
    },
    Response {
        id: String,
        response: Value,
    },
    Ignored,
    /// The CLI exits with 1 on such a line; the text goes to stderr.
    Fatal(String),
}

#[derive(Clone, Debug, PartialEq)]
pub struct UserMessage {
    pub uuid: String,
    pub content: Value,
    pub text: String,
    /// Each in a few words.
    pub attachments: Vec<String>,
    /// `false`: the message is only kept, nobody answers.
    pub should_query: bool,
    /// `priority:"now"`: ends the running turn.
    pub now: bool,
    /// The text is no slash command, whatever it starts with.
    pub client_composed: bool,
}

impl UserMessage {
    pub fn is_slash_command(&self) -> bool {
        !self.client_composed && self.text.trim_start().starts_with('/')
    }
}

/// Lines from stdin; the channel closes at end of file.
pub fn start() -> io::Result<mpsc::UnboundedReceiver<Vec<u8>>> {
    let (sender, receiver) = mpsc::unbounded_channel();
    // a thread, because a read of stdin cannot be given up and would hold the runtime back at exit
    thread::Builder::new().name("stdin".into()).spawn(move || {
        let mut stdin = io::stdin().lock();
        loop {
            let mut line = Vec::new();
            match stdin.read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) => {
                    if sender.send(line).is_err() {
                        return;
                    }
                }
            }
        }
    })?;
    Ok(receiver)
}

pub fn interpret(line: &[u8]) -> Incoming {
    let trimmed = line.trim_ascii();
    if trimmed.is_empty() {
        return Incoming::Ignored;
    }
    let fatal = |reason: &str| {
        let shown: String = String::from_utf8_lossy(trimmed).chars().take(200).collect();
        Incoming::Fatal(format!(
            "Error parsing streaming input line: {shown}: {reason}"
        ))
    };
    let message: Value = match serde_json::from_slice(trimmed) {
        Ok(Value::Null) => return fatal("null is not a message"),
        Ok(message) => message,
        Err(error) => return fatal(&error.to_string()),
    };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match message["type"].as_str() {
        Some("user") => match message["message"]["role"].as_str() {
            Some("user") => Incoming::User(user_message(&message)),
            role => fatal(&format!(
                "Expected message role 'user', got '{}'",
                role.unwrap_or("undefined")
            )),
        },
        Some("control_request") if !message["request"].is_object() => {
            fatal("Missing request on control_request")
        }
        Some("control_request") => Incoming::Request {
            id: text(&message["request_id"]),
            request: message["request"].clone(),
        },
        Some("control_response") => Incoming::Response {
            id: text(&message["response"]["request_id"]),
            response: message["response"].clone(),
        },
        _ => Incoming::Ignored,
    }
}

fn user_message(message: &Value) -> UserMessage {
    let content = message["message"]["content"].clone();
    let (text, attachments) = match &content {
        Value::String(text) => (text.clone(), Vec::new()),
        Value::Array(blocks) => {
            let texts: Vec<&str> = blocks
                .iter()
                .filter_map(|block| block["text"].as_str())
                .collect();
            let others = blocks.iter().filter(|block| block["type"] != "text");
            (texts.join("\n"), others.map(attachment).collect())
        }
        _ => (String::new(), Vec::new()),
    };
    UserMessage {
        uuid: message["uuid"]
            .as_str()
            .map_or_else(|| Uuid::new_v4().to_string(), ToOwned::to_owned),
        content,
        text,
        attachments,
        should_query: message["shouldQuery"] != false,
        now: message["priority"] == "now",
        client_composed: message["client_composed"] == true,
    }
}

/// What it is, and how large.
fn attachment(block: &Value) -> String {
    let source = &block["source"];
    let data = source["data"].as_str().unwrap_or_default();
    let media_type = source["media_type"].as_str().unwrap_or("unknown type");
    let size = match source["type"].as_str() {
        Some("base64") => STANDARD
            .decode(data)
            .map_or_else(|_| "broken".to_owned(), |bytes| size(bytes.len())),
        _ => format!("{} lines", data.lines().count()),
    };
    match block["title"].as_str() {
        Some(title) => format!("{title} ({media_type}, {size})"),
        None => format!("a picture ({media_type}, {size})"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Incoming, interpret};

    #[test]
    fn lines_the_cli_dies_of() {
        for line in [
            "not json",
            "null",
            r#"{"type":"user"}"#,
            r#"{"type":"user","message":{"role":"assistant","content":"x"}}"#,
            r#"{"type":"control_request","request_id":"1"}"#,
        ] {
            assert!(
                matches!(interpret(line.as_bytes()), Incoming::Fatal(_)),
                "{line}"
            );
        }
    }

    #[test]
    fn lines_the_cli_passes_over() {
        for line in [
            "",
            "   ",
            "[]",
            "7",
            "{}",
            r#"{"type":"banana"}"#,
            r#"{"type":"keep_alive"}"#,
        ] {
            assert_eq!(interpret(line.as_bytes()), Incoming::Ignored, "{line}");
        }
    }

    #[test]
    fn text_is_gathered_from_blocks_and_attachments_are_named() {
        let line = r#"{"type":"user","uuid":"u","message":{"role":"user","content":[
            {"type":"text","text":"a"},
            {"type":"image","source":{"type":"base64","media_type":"image/gif","data":"R0lGODlhOw=="}},
            {"type":"document","title":"n.txt","source":{"type":"text","media_type":"text/plain","data":"1\n2"}},
            {"type":"text","text":"b"}]}}"#;
        let Incoming::User(message) = interpret(line.replace('\n', "").as_bytes()) else {
            panic!("not read as a user message");
        };
        assert_eq!(message.text, "a\nb");
        assert_eq!(message.uuid, "u");
        assert_eq!(
            message.attachments,
            [
                "a picture (image/gif, 7 bytes)",
                "n.txt (text/plain, 2 lines)"
            ]
        );
    }
}
