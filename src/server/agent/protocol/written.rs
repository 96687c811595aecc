//! A conversation as the agent wrote it down for itself, also one that was held elsewhere: its lines in our words.

use super::{content, list, readable, replayed, speech, word};
use crate::model::{Entry, MessageId, UnixTime};
use crate::server::agent::process::Heard;
use crate::server::agent::protocol::Told;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use uuid::Uuid;

/// What one line tells.
pub struct Written {
    pub at: UnixTime,
    /// Who had started the program that wrote it.
    pub entrypoint: Option<String>,
    pub heard: Vec<Heard>,
}

impl Written {
    /// The message that a person wrote with it.
    pub fn said(&self) -> Option<MessageId> {
        self.heard.iter().find_map(|heard| match heard {
            Heard::Happened(Entry::MessageSent { message_id, .. }) => Some(*message_id),
            _ => None,
        })
    }
}

/// The lines that lead to the newest one. What a person took back is a branch beside it; calls that were made at once are
/// branches, too, and stay.
pub fn conversation(lines: impl Iterator<Item = String>) -> Vec<Written> {
    let lines: Vec<Value> = lines
        .filter_map(|line| readable::read(line.as_bytes()).ok())
        .collect();
    let spoken = |line: &&Value| {
        matches!(word(line, "type"), "user" | "assistant") && (!is_aside(line) || is_summary(line))
    };
    // the way also leads over lines that nobody is shown
    let by_id: HashMap<&str, &Value> = lines
        .iter()
        .filter(|line| line["isSidechain"] != true)
        .map(|line| (word(line, "uuid"), line))
        .filter(|(id, _)| !id.is_empty())
        .collect();
    let mut leading = HashSet::new();
    let mut next = None;
    for line in &lines {
        if spoken(&line) {
            next = Some(line);
        } else if line["rewound"] == true {
            // who went back and has said nothing since
            next = by_id.get(word(line, "leafUuid")).copied();
        }
    }
    while let Some(line) = next {
        // a line that leads to itself must not hold us up
        if !leading.insert(word(line, "uuid")) {
            break;
        }
        let before = ["parentUuid", "logicalParentUuid"]
            .into_iter()
            .find_map(|field| line[field].as_str());
        next = before.and_then(|id| by_id.get(id).copied());
    }
    let in_the_same_answer: HashSet<&str> = lines
        .iter()
        .filter(spoken)
        .filter(|line| leading.contains(word(line, "uuid")))
        .map(|line| word(&line["message"], "id"))
        .filter(|id| !id.is_empty())
        .collect();
    let belongs = |line: &&Value| {
        leading.contains(word(line, "uuid"))
            || in_the_same_answer.contains(word(&line["message"], "id"))
    };
    let calls: HashSet<&str> = lines
        .iter()
        .filter(spoken)
        .filter(belongs)
        .flat_map(|line| list(&line["message"]["content"]))
        .map(|block| word(block, "id"))
        .filter(|id| !id.is_empty())
        .collect();
    let is_result = |line: &Value| {
        let blocks = list(&line["message"]["content"]).iter();
        let mut of = blocks.map(|block| word(block, "tool_use_id"));
        of.any(|call| calls.contains(call))
    };
    lines
        .iter()
        .filter(spoken)
        .filter(|line| belongs(line) || is_result(line))
        .filter_map(written)
        .collect()
}

/// What a person would call it: the name they gave it, or how it began. And how it began, if that is something else.
pub fn title(lines: impl Iterator<Item = String>) -> Option<(String, Option<String>)> {
    let lines: Vec<Value> = lines
        .filter_map(|line| serde_json::from_str(&line).ok())
        .collect();
    let named = |field: &str| {
        let names = lines
            .iter()
            .rev()
            .map(|line| word(line, field).trim().to_owned());
        names.into_iter().find(|name| !name.is_empty())
    };
    let said = lines
        .iter()
        .filter(|line| word(line, "type") == "user" && !is_aside(line));
    let mut said = said.filter_map(said_in).peekable();
    // what it was cleared with says nothing of it, unless there is nothing else
    let cleared = said.next_if(|first| first == "/clear");
    let begins = said.next().or(cleared);
    match named("customTitle").or_else(|| named("aiTitle")) {
        Some(name) => {
            let begins = begins.filter(|begins| *begins != name);
            Some((name, begins))
        }
        None => Some((begins?, None)),
    }
}

/// Who had started the program that wrote the last of these lines.
pub fn last_by(lines: impl DoubleEndedIterator<Item = String>) -> Option<String> {
    let mut lines = lines
        .rev()
        .filter_map(|line| serde_json::from_str::<Value>(&line).ok());
    lines.find_map(|line| line["entrypoint"].as_str().map(str::to_owned))
}

/// Where it was held, if one of these lines says so. Of a subagent's own file: nowhere.
pub fn directory(lines: impl Iterator<Item = String>) -> Option<String> {
    let mut lines = lines.filter_map(|line| serde_json::from_str::<Value>(&line).ok());
    let first = lines.find(|line| line["cwd"].is_string())?;
    (!is_aside(&first)).then(|| word(&first, "cwd").to_owned())
}

/// Of a subagent, or for the model only.
fn is_aside(line: &Value) -> bool {
    ["isSidechain", "isMeta", "isCompactSummary"]
        .into_iter()
        .any(|field| line[field] == true)
}

/// What the agent knows from here on instead of what was said before.
fn is_summary(line: &Value) -> bool {
    line["isCompactSummary"] == true && line["isSidechain"] != true
}

fn written(line: &Value) -> Option<Written> {
    let at = OffsetDateTime::parse(word(line, "timestamp"), &Rfc3339).ok()?;
    let told = match word(line, "type") {
        "assistant" => speech::spoken(line, None),
        _ if is_summary(line) => {
            let text = replayed::summary_in(line)?;
            vec![Told::Heard(Heard::Happened(Entry::Summarised { text }))]
        }
        _ => speech::tool_results(line),
    };
    let mut heard: Vec<Heard> = told
        .into_iter()
        .filter_map(|told| match told {
            Told::Heard(heard) => Some(heard),
            _ => None,
        })
        .collect();
    if heard.is_empty() && word(line, "type") == "user" {
        heard = by_a_person(line);
    }
    Some(Written {
        at: moment(at),
        entrypoint: line["entrypoint"].as_str().map(str::to_owned),
        heard,
    })
}

fn moment(at: OffsetDateTime) -> UnixTime {
    #[expect(
        clippy::cast_precision_loss,
        reason = "seconds are counted exactly for longer than there are calendars"
    )]
    let seconds = at.unix_timestamp() as f64;
    UnixTime(seconds + f64::from(at.nanosecond()) / 1e9)
}

fn by_a_person(line: &Value) -> Vec<Heard> {
    let Some(text) = said_in(line) else {
        return Vec::new();
    };
    if text.starts_with("[Request interrupted by user") {
        return vec![Heard::Happened(Entry::TurnFinished {
            error: None,
            interrupted: true,
            duration_ms: 0,
            unasked: false,
        })];
    }
    let pictures = content::pictures(&line["message"]["content"]);
    let said = Entry::MessageSent {
        message_id: word(line, "uuid")
            .parse::<Uuid>()
            .map_or_else(|_| MessageId::random(), MessageId),
        text,
        queued: false,
        attachments: pictures
            .iter()
            .map(|picture| picture.about.clone())
            .collect(),
    };
    let brought = (!pictures.is_empty()).then_some(Heard::Brought(pictures));
    brought.into_iter().chain([Heard::Happened(said)]).collect()
}

/// The words of a person. What the program puts into their mouth is none: it is all in angle brackets, but for a command.
fn said_in(line: &Value) -> Option<String> {
    let text = match &line["message"]["content"] {
        Value::String(text) => text.clone(),
        blocks => {
            let texts = list(blocks)
                .iter()
                .filter(|block| word(block, "type") == "text");
            let texts: Vec<&str> = texts.map(|block| word(block, "text")).collect();
            texts.join("\n")
        }
    };
    let text = text.trim();
    if let Some(name) = between(text, "<command-name>", "</command-name>") {
        let arguments = between(text, "<command-args>", "</command-args>").unwrap_or_default();
        return Some(format!("{name} {arguments}").trim().to_owned());
    }
    (!text.is_empty() && !text.starts_with('<') && !text.starts_with("Caveat:"))
        .then(|| text.to_owned())
}

fn between<'a>(text: &'a str, begin: &str, end: &str) -> Option<&'a str> {
    let (_, after) = text.split_once(begin)?;
    Some(after.split_once(end)?.0.trim())
}
