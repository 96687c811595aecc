//! The CLI's wire, and the only folder that knows its names. Lines in, our words out. A line that cannot be read never
//! stops the others: each is taken on its own.

pub mod about;
mod aside;
mod asking;
mod awaited;
mod cli_id;
mod content;
mod effort;
mod greeting;
mod grounds;
mod names;
mod outcome;
mod outgoing;
mod questions;
mod readable;
mod replayed;
pub mod rewind;
mod scan;
mod so_far;
mod speech;
mod spending;
mod tasks;
#[cfg(test)]
mod tests;
pub mod trust;
mod unreadable;
pub mod written;

pub use aside::in_words;
pub use asking::verdict;
pub use cli_id::CliId;
pub use outgoing::initialize;
pub use questions::{Answered, Question};
pub use so_far::so_far;

use super::process::Heard;
use crate::model::transcript::Level;
use crate::model::{
    AskingAgent, Entry, MessageId, PendingRequest, PermissionMode, RequestId, ToolUseId,
};
use awaited::Awaited;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// What a line means to the process that reads it.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "most of what is told is heard; none is kept"
)]
pub enum Told {
    Heard(Heard),
    /// It wants a verdict under its own id.
    Asks {
        cli_id: CliId,
        request: Box<PendingRequest>,
    },
    /// A line to be sent back.
    Answer(String),
    /// Of the program, in its words.
    Version(String),
    /// There is no use in going on; the sentence says why and what to do.
    Unusable(String),
}

pub struct Protocol {
    /// Open requests by the CLI's id.
    asks: HashMap<CliId, Ask>,
    /// What we asked the CLI and await.
    awaited: HashMap<String, Awaited>,
    next_id: u64,
    /// Subagents by their task id.
    subagents: HashMap<String, AskingAgent>,
    /// Which subagent works inside which tool call.
    subagent_of_call: HashMap<String, String>,
    /// The tasks that run in the background, as it told them last.
    background: Value,
    /// It tells its state by itself; then a result does not end the turn.
    tells_state: bool,
    in_turn: bool,
    mode: PermissionMode,
    /// How many lines could not be read, and how many more were too long.
    unreadable: u32,
    too_long: u32,
    first_unreadable: Option<String>,
    replayed: replayed::Replayed,
    /// It was greeted, and has not answered yet.
    greeting: bool,
    /// How often it was asked again what it waits for.
    asked_again: u32,
    /// It says which messages it takes.
    tells_messages: bool,
    names: names::Names,
    spending: spending::Spending,
    /// Tasks that went on in the background, and whose end was not told yet.
    went_on: HashSet<String>,
    /// What was asked of it is answered; it may still be at work in the background.
    turn_is_over: bool,
    /// The version was told already.
    told_version: bool,
    /// Under which it keeps the conversation.
    conversation: Option<Uuid>,
    /// The conversation was compacted in this turn.
    compacted: bool,
    effort: effort::Effort,
}

/// An open request of the CLI, with the call it is about.
struct Ask {
    request_id: RequestId,
    call: Option<ToolUseId>,
}

impl Protocol {
    pub fn new(mode: PermissionMode) -> Self {
        Self {
            asks: HashMap::new(),
            awaited: HashMap::new(),
            next_id: 0,
            subagents: HashMap::new(),
            subagent_of_call: HashMap::new(),
            background: Value::Null,
            tells_state: false,
            in_turn: false,
            mode,
            unreadable: 0,
            too_long: 0,
            first_unreadable: None,
            replayed: replayed::Replayed::default(),
            greeting: true,
            asked_again: 0,
            tells_messages: false,
            names: names::Names::default(),
            spending: spending::Spending::default(),
            went_on: HashSet::new(),
            turn_is_over: true,
            told_version: false,
            conversation: None,
            compacted: false,
            effort: effort::Effort::default(),
        }
    }

    pub fn is_in_turn(&self) -> bool {
        self.in_turn
    }

    pub fn began_turn(&mut self) {
        self.in_turn = true;
        self.turn_is_over = false;
    }

    pub fn read(&mut self, line: &[u8]) -> Vec<Told> {
        if line.iter().all(u8::is_ascii_whitespace) {
            return Vec::new();
        }
        match readable::read(line) {
            Ok(message) => self.understand(&message),
            Err(why) => self.unreadable(line, &why),
        }
    }

    fn understand(&mut self, message: &Value) -> Vec<Told> {
        if self.replayed.is_known(message) {
            return Vec::new();
        }
        match word(message, "type") {
            "control_request" => self.control_request(message),
            "control_response" => self.control_response(message),
            "control_cancel_request" => {
                let id = CliId::of(&message["request_id"]);
                let withdrawn = id.and_then(|id| self.asks.remove(&id));
                withdrawn
                    .map(|ask| Told::Heard(Heard::Withdrew(ask.request_id)))
                    .into_iter()
                    .collect()
            }
            "system" => self.system(message),
            "assistant" => self.assistant(message),
            // after compacting it tells once more what it keeps: all of that is known
            "user" if self.compacted && message["isReplay"] == true => Vec::new(),
            "user" => {
                if let Some(text) = self.replayed.summary(message) {
                    return vec![Told::Heard(Heard::Happened(Entry::Summarised { text }))];
                }
                let mut told = speech::tool_results(message);
                told.extend(self.forget_finished(&told));
                told
            }
            "stream_event" => speech::partial(message).into_iter().collect(),
            "result" => self.result(message),
            "command_lifecycle" => self.lifecycle(message),
            "conversation_reset" => {
                // the new id comes with the next turn
                self.conversation = None;
                vec![Told::Heard(Heard::Happened(Entry::ConversationCleared))]
            }
            other => {
                tracing::debug!(kind = other, "a message of the agent is not used");
                Vec::new()
            }
        }
    }

    fn control_request(&mut self, message: &Value) -> Vec<Told> {
        let request = &message["request"];
        let Some(cli_id) = CliId::of(&message["request_id"]) else {
            return vec![notice(
                Level::Warning,
                "The agent asked for something without giving it a name, so no answer would reach it. It was skipped.",
            )];
        };
        match word(request, "subtype") {
            "can_use_tool" => self.asked(cli_id, request).into_iter().collect(),
            // never left without an answer, and never passed over in silence
            other => vec![
                Told::Answer(outgoing::refuse(&cli_id, other)),
                notice(
                    Level::Warning,
                    &format!(
                        "The agent asked for something Countersign does not know (\"{other}\"). It was told so."
                    ),
                ),
            ],
        }
    }

    fn asked(&mut self, cli_id: CliId, request: &Value) -> Option<Told> {
        if self.asks.contains_key(&cli_id) {
            return None;
        }
        let agent = request["agent_id"].as_str().map(|id| self.subagent(id));
        let request = asking::pending_request(request, agent);
        let ask = Ask {
            request_id: request.request_id,
            call: request.tool_use_id.clone(),
        };
        self.asks.insert(cli_id.clone(), ask);
        Some(Told::Asks {
            cli_id,
            request: Box::new(request),
        })
    }

    /// It was answered at once, and never waited.
    pub fn forget(&mut self, cli_id: &CliId) {
        self.asks.remove(cli_id);
    }

    /// A call with a result waits for nobody any more. Who still thinks so, for somebody else decided, is told.
    fn forget_finished(&mut self, told: &[Told]) -> Vec<Told> {
        let finished = |call: &ToolUseId| {
            told.iter().any(|told| {
                matches!(told, Told::Heard(Heard::Happened(Entry::ToolFinished { tool_use_id, .. })) if tool_use_id == call)
            })
        };
        self.asks
            .extract_if(|_, ask| ask.call.as_ref().is_some_and(finished))
            .map(|(_, ask)| Told::Heard(Heard::Withdrew(ask.request_id)))
            .collect()
    }

    /// Where a message of a person is on its way through the agent.
    fn lifecycle(&mut self, message: &Value) -> Vec<Told> {
        self.tells_messages = true;
        let Ok(id) = word(message, "command_uuid").parse().map(MessageId) else {
            return Vec::new();
        };
        match word(message, "state") {
            // one that it had already is not taken a second time, only completed
            state @ ("started" | "completed") => {
                let id = self.names.ours(id);
                let after = (state == "completed").then(|| self.effort_after(id));
                let taken = Told::Heard(Heard::MessageTaken(id));
                [taken].into_iter().chain(after.flatten()).collect()
            }
            _ => Vec::new(),
        }
    }

    fn system(&mut self, message: &Value) -> Vec<Told> {
        match word(message, "subtype") {
            "init" => {
                self.turn_is_over = false;
                let mut told = self.begin();
                told.extend(self.version_is(message["claude_code_version"].as_str()));
                told.extend(self.kept_as(word(message, "session_id")));
                if let Some(model) = message["model"].as_str() {
                    told.extend(self.model_is(model));
                }
                told.extend(
                    message["permissionMode"]
                        .as_str()
                        .and_then(|mode| self.mode_is(PermissionMode::from_word(mode))),
                );
                told
            }
            "status" => {
                let doing = (word(message, "status") == "compacting")
                    .then(|| "Compacting the conversation".to_owned());
                let mut told = vec![Told::Heard(Heard::Doing(doing))];
                told.extend(
                    message["permissionMode"]
                        .as_str()
                        .and_then(|mode| self.mode_is(PermissionMode::from_word(mode))),
                );
                told
            }
            "session_state_changed" => {
                self.tells_state = true;
                match word(message, "state") {
                    "idle" => self.finish(),
                    _ => self.begin(),
                }
            }
            "api_retry" => vec![Told::Heard(outcome::retry(message))],
            "session_title_changed" => {
                let title = word(message, "title").trim();
                match title.is_empty() {
                    true => Vec::new(),
                    false => vec![Told::Heard(Heard::TitleIs(title.to_owned()))],
                }
            }
            "task_started" => self.task_started(message),
            "task_notification" => self.task_ended(message),
            "background_tasks_changed" => self.background_changed(message),
            "permission_denied" => vec![notice(
                Level::Warning,
                &format!(
                    "{} was refused without asking: {}",
                    word(message, "tool_name"),
                    outcome::why_refused(message)
                ),
            )],
            "compact_boundary" => {
                self.compacted = true;
                self.spending.forget_context();
                vec![notice(Level::Info, "The conversation was compacted.")]
            }
            "informational" => vec![notice(Level::Info, word(message, "content"))],
            _ => Vec::new(),
        }
    }

    /// Another id than before is another conversation; older programs do not say so otherwise.
    fn kept_as(&mut self, id: &str) -> Vec<Told> {
        let Ok(id) = id.parse::<Uuid>() else {
            return Vec::new();
        };
        let mut told = Vec::new();
        match self.conversation.replace(id) {
            Some(before) if before == id => return told,
            Some(_) => {
                self.spending.forget_context();
                told.push(Told::Heard(Heard::Happened(Entry::ConversationCleared)));
            }
            None => {}
        }
        told.push(Told::Heard(Heard::Keeps(id)));
        told
    }

    fn assistant(&mut self, message: &Value) -> Vec<Told> {
        let agent = match message["parent_tool_use_id"].as_str() {
            Some(call) => Some(match self.subagent_of_call.get(call).cloned() {
                Some(id) => self.subagent(&id),
                None => AskingAgent {
                    call: Some(ToolUseId(call.to_owned())),
                    ..self.subagent(message["agent_id"].as_str().unwrap_or(call))
                },
            }),
            None => {
                self.turn_is_over = false;
                self.spending.read(message);
                None
            }
        };
        speech::spoken(message, agent.as_ref())
    }

    fn result(&mut self, message: &Value) -> Vec<Told> {
        self.compacted = false;
        self.turn_is_over = true;
        let spent = self.spending.until(message);
        let mut told = vec![
            Told::Heard(Heard::Doing(None)),
            Told::Heard(Heard::Spent(spent)),
        ];
        // one result may be for several messages, also for some that were never said to be taken
        let served = list(&message["user_message_uuids"]).iter();
        let served = served.filter_map(|id| id.as_str()?.parse().ok());
        let taken = |id| Told::Heard(Heard::MessageTaken(self.names.ours(MessageId(id))));
        told.extend(served.map(taken));
        told.push(Told::Heard(Heard::Happened(outcome::turn_finished(
            message,
        ))));
        if let Some(sentence) = outcome::login_is_missing(message) {
            told.push(Told::Unusable(sentence));
        }
        if !self.tells_state {
            told.extend(self.finish());
        }
        told
    }

    fn begin(&mut self) -> Vec<Told> {
        self.in_turn = true;
        vec![Told::Heard(Heard::TurnBegan)]
    }

    fn finish(&mut self) -> Vec<Told> {
        self.in_turn = false;
        let mut told = vec![Told::Heard(Heard::TurnFinished)];
        if !self.tells_messages {
            told.push(Told::Heard(Heard::QueueTaken));
        }
        told
    }

    fn mode_is(&mut self, mode: PermissionMode) -> Option<Told> {
        if self.mode == mode {
            return None;
        }
        self.mode = mode.clone();
        Some(Told::Heard(Heard::ModeIs(mode)))
    }

    fn subagent(&self, id: &str) -> AskingAgent {
        self.subagents
            .get(id)
            .cloned()
            .unwrap_or_else(|| AskingAgent {
                id: id.to_owned(),
                label: "subagent".to_owned(),
                call: None,
            })
    }
}

fn notice(level: Level, text: &str) -> Told {
    Told::Heard(Heard::Happened(Entry::Noticed {
        level,
        text: text.to_owned(),
    }))
}

/// What its last words say about the conversation, if that is why it did not start.
pub fn conversation_is_there(last_words: &str) -> Option<bool> {
    if last_words.contains("is already in use") {
        Some(true)
    } else if last_words.contains("No conversation found") {
        Some(false)
    } else {
        None
    }
}

/// A text field, or nothing.
fn word<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
