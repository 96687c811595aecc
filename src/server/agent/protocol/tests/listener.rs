//! Hears a recording as a process and the hub would, and writes down what came of it: one line per thing, for people to
//! read. Names that differ from run to run are numbered.

use super::super::{Protocol, Told, asking};
use super::recordings::{Recorded, Recording};
use crate::desk::{Desk, Effect, Event};
use crate::model::{
    Answer, Decision, PendingRequest, PermissionMode, PlanDecision, QuestionAnswers, RequestId,
    RequestType, Response, SessionId, Suggestion, ToolDecision, ToolInput, UnixTime,
};
use crate::server::agent::process::Heard;
use serde_json::Value;
use std::collections::BTreeMap;

/// Texts are cut here: it is about what was heard, not about all of it.
const LONGEST: usize = 120;

pub struct Listener {
    protocol: Protocol,
    /// The reply is the agent's own name of the request.
    desk: Desk<String>,
    session_id: SessionId,
    asked: BTreeMap<String, PendingRequest>,
    written: Vec<String>,
    being_written: String,
    last_state: String,
}

pub fn hear(recording: &Recording) -> String {
    let mut listener = Listener {
        protocol: Protocol::new(PermissionMode::Default),
        desk: Desk::default(),
        session_id: SessionId::random(),
        asked: BTreeMap::new(),
        written: Vec::new(),
        being_written: String::new(),
        last_state: String::new(),
    };
    let session_id = listener.session_id;
    listener.apply(Event::Started { session_id });
    for line in &recording.lines {
        match line {
            Recorded::FromAgent(line) => listener.hear(line),
            Recorded::FromHost(message) => listener.host(message),
            Recorded::Ended { code } => {
                listener.write(match code {
                    Some(code) => format!("ended with {code}"),
                    None => "ended".to_owned(),
                });
                let at = UnixTime(0.0);
                listener.apply(Event::Died { session_id, at });
            }
        }
    }
    listener.end_writing();
    let requests: Vec<RequestId> = listener
        .asked
        .values()
        .map(|asked| asked.request_id)
        .collect();
    numbered(&listener.written.join("\n"), &requests) + "\n"
}

impl Listener {
    fn hear(&mut self, line: &[u8]) {
        for told in self.protocol.read(line) {
            if let Told::Heard(Heard::Wrote { text, begins, .. }) = told {
                if begins {
                    self.end_writing();
                }
                self.being_written += &text;
                continue;
            }
            self.end_writing();
            if let Told::Heard(heard) = told {
                self.heard(heard);
            } else if let Told::Asks { cli_id, request } = told {
                let left_out = ["created_at", "digest"];
                self.write(format!("ASKED {}", fields(&*request, &left_out)));
                let cli_id = cli_id.to_string();
                self.asked.insert(cli_id.clone(), (*request).clone());
                self.apply(Event::Asked {
                    session_id: self.session_id,
                    request: *request,
                    reply: cli_id,
                });
            } else if let Told::Answer(line) = told {
                let line: Value = serde_json::from_str(&line).expect("JSON");
                self.write(match line["request"]["subtype"].as_str() {
                    Some(question) => format!("asked at once: {question}"),
                    None => format!("answered at once: {}", short(&line["response"])),
                });
            } else {
                self.write(cut(&format!("{told:?}")));
            }
        }
    }

    fn heard(&mut self, heard: Heard) {
        let session_id = self.session_id;
        match heard {
            Heard::Ready => {
                self.write("ready".to_owned());
                self.apply(Event::Ready { session_id });
            }
            Heard::TurnBegan => self.apply(Event::TurnBegan { session_id }),
            Heard::TurnFinished => self.apply(Event::TurnFinished { session_id }),
            Heard::Withdrew(request_id) => {
                let at = UnixTime(0.0);
                self.apply(Event::Withdrawn {
                    session_id,
                    request_id,
                    stopped: false,
                    at,
                });
            }
            Heard::Happened(entry) => self.write(fields(&entry, &["duration_ms"])),
            Heard::Doing(None) | Heard::Background(_) | Heard::Spent(_) => {}
            other => self.write(cut(&format!("{other:?}"))),
        }
    }

    /// What the host of the recording did, done by ours.
    fn host(&mut self, message: &Value) {
        match message["type"].as_str() {
            Some("user") => {
                self.write(format!(
                    "> message: {}",
                    short(&message["message"]["content"])
                ));
                self.protocol.began_turn();
                let session_id = self.session_id;
                self.apply(Event::TurnBegan { session_id });
            }
            Some("control_request") => {
                self.write(format!("> request: {}", short(&message["request"])));
            }
            Some("control_response") => self.answer(&message["response"]),
            _ => self.write(format!("> {}", short(message))),
        }
    }

    fn answer(&mut self, answer: &Value) {
        let payload = &answer["response"];
        let request = answer["request_id"]
            .as_str()
            .and_then(|id| self.asked.get(id));
        let Some((request, response)) =
            request.and_then(|request| Some((request.clone(), response(request, payload)?)))
        else {
            return self.write(format!("> not an answer of ours: {}", short(payload)));
        };
        self.write(format!(
            "> answer to {}: {}",
            request.request_id,
            short(payload)
        ));
        let answer = Answer::to(self.session_id, &request, response);
        self.apply(Event::Answered { answer });
    }

    fn apply(&mut self, event: Event<String>) {
        match self.desk.apply(event) {
            Ok(effects) => {
                for effect in effects {
                    self.carry_out(effect);
                }
            }
            Err(refusal) => self.write(format!("  refused: {refusal}")),
        }
    }

    fn carry_out(&mut self, effect: Effect<String>) {
        match effect {
            Effect::Record {
                session_id,
                request_id,
                ..
            } => {
                let at = UnixTime(0.0);
                self.apply(Event::Recorded {
                    session_id,
                    request_id,
                    at,
                });
            }
            Effect::Deliver { reply, verdict } => {
                let input = self
                    .asked
                    .get(&reply)
                    .map(|request| request.tool_input.clone());
                let line = asking::verdict(&super::id(reply), &input.unwrap_or_default(), verdict);
                let line = line.and_then(|line| serde_json::from_str::<Value>(&line).ok());
                if let Some(line) = line {
                    self.write(format!(
                        "  we send {}",
                        short(&line["response"]["response"])
                    ));
                }
            }
            Effect::AwaitStoring | Effect::Confirm => {
                self.write("  answered before".to_owned());
            }
            Effect::Settle(settled) => {
                self.write(format!("  {} is {:?}", settled.request_id, settled.outcome))
            }
            Effect::Publish { session_id } => {
                let state = self
                    .desk
                    .state(session_id)
                    .map_or("none".to_owned(), |state| format!("{state:?}"));
                let state = format!(
                    "  = {state}, {} waiting",
                    self.desk.pending(session_id).count()
                );
                if state != self.last_state {
                    self.last_state.clone_from(&state);
                    self.write(state);
                }
            }
        }
    }

    fn write(&mut self, line: String) {
        self.written.push(line);
    }

    fn end_writing(&mut self) {
        let text = std::mem::take(&mut self.being_written);
        if !text.is_empty() {
            self.write(format!(
                "writing: {}",
                cut(&text.escape_debug().to_string())
            ));
        }
    }
}

/// The recorded answer in our words, if we could give it.
fn response(request: &PendingRequest, payload: &Value) -> Option<Response> {
    let decision = match payload["behavior"].as_str()? {
        "allow" => Decision::Allow,
        "deny" => Decision::Deny,
        _ => return None,
    };
    let message = payload["message"].as_str().map(str::to_owned);
    let updates = payload["updatedPermissions"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let updated = payload["updatedInput"].as_object();
    Some(match request.request_type {
        RequestType::AskUserQuestion if decision == Decision::Deny => {
            Response::AskUserQuestion(QuestionAnswers {
                cancelled: true,
                ..QuestionAnswers::default()
            })
        }
        RequestType::AskUserQuestion => {
            let answers = updated?.get("answers")?.as_object()?;
            let text = |(question, answer): (&String, &Value)| {
                Some((question.clone(), answer.as_str()?.to_owned()))
            };
            Response::AskUserQuestion(QuestionAnswers {
                answers: answers.iter().filter_map(text).collect(),
                cancelled: false,
                ..QuestionAnswers::default()
            })
        }
        RequestType::PlanApproval => Response::PlanApproval(PlanDecision {
            decision,
            message,
            plan: updated
                .and_then(|input| input.get("plan")?.as_str())
                .map(str::to_owned),
            mode: updates
                .iter()
                .find_map(|update| update["mode"].as_str())
                .map(PermissionMode::from_word),
        }),
        RequestType::ToolApproval => Response::ToolApproval(ToolDecision {
            decision,
            message,
            interrupt: payload["interrupt"] == true,
            updated_input: updated.cloned().map(ToolInput),
            remember: updates.into_iter().map(Suggestion).collect(),
            note: None,
        }),
    })
}

/// `kind  name: value, name: value`, without those that are left out.
fn fields(value: &impl serde::Serialize, left_out: &[&str]) -> String {
    let value = serde_json::to_value(value).expect("JSON");
    let kind = value["kind"].as_str().unwrap_or_default().to_owned();
    let mut line = kind;
    for (name, value) in value.as_object().into_iter().flatten() {
        if name != "kind" && !left_out.contains(&name.as_str()) {
            line += &format!("  {name}: {}", short(value));
        }
    }
    line.trim_start().to_owned()
}

fn short(value: &Value) -> String {
    match value {
        Value::String(text) => cut(&text.escape_debug().to_string()),
        other => cut(&other.to_string()),
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Every name that is random is given a number of its sort, the same one wherever it stands.
fn numbered(text: &str, requests: &[RequestId]) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '…');
    let mut known: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut result = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_part) {
        let length = rest[start..].find(|c| !is_part(c));
        let (word, after) = rest[start..].split_at(length.unwrap_or(rest.len() - start));
        result += &rest[..start];
        let sort = match word.parse::<RequestId>() {
            Ok(id) if requests.contains(&id) => Some("request"),
            Ok(_) => Some("id"),
            Err(_) if word.starts_with("toolu_") && !word.ends_with('…') => Some("call"),
            Err(_) => None,
        };
        match sort {
            Some(sort) => {
                let names = known.entry(sort).or_default();
                let at = names.iter().position(|name| *name == word);
                let at = at.unwrap_or_else(|| {
                    names.push(word);
                    names.len() - 1
                });
                result += &format!("<{sort} {}>", at + 1);
            }
            None => result += word,
        }
        rest = after;
    }
    result + rest
}
