//! Questions to the agent that are no part of the conversation: it answers them at any time, also while it works or
//! waits. What it answers goes to whoever asked.

use super::{Awaited, Protocol, outgoing, word};
use crate::model::{MessageId, Suggestion, ToolUseId};
use crate::server::agent::granted;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::sync::oneshot;

#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// The end of what a call has written that runs now, or that goes on in the background.
    OutputOf(ToolUseId),
    /// What it says of itself: its version, account, model.
    Status,
    /// The rules by which it asks or does not ask, and where they are kept.
    PermissionRules,
    /// The MCP servers, and whether they are there.
    Servers,
    /// What its window is filled with.
    Context,
    Hooks,
    /// Something that a person wants to know by the way.
    Aside(String),
    /// The files that it reads before everything else, and those that it would.
    Memory,
    /// All that was granted for this session, instead of what it was told before.
    Grant(Vec<Suggestion>),
    Reconnect(String),
    /// Whether an MCP server is to be used.
    Switch {
        server: String,
        on: bool,
    },
    /// Puts the files back as they were before a message; unless `really`, only tells which.
    RewindFiles {
        before: MessageId,
        really: bool,
    },
    /// Forgets a message and all after it, of which `last` is the newest message.
    RewindConversation {
        before: MessageId,
        last: MessageId,
    },
}

impl Question {
    /// An agent that hangs must not keep a person waiting for ever; a model may think for long.
    pub fn patience(&self) -> Duration {
        match self {
            Question::Aside(_) => Duration::from_secs(300),
            _ => Duration::from_secs(60),
        }
    }
}

/// Where the agent's answer goes; an error is in its words.
pub type Answered = oneshot::Sender<Result<Value, String>>;

impl Protocol {
    pub fn ask_about(&mut self, question: &Question, answer: Answered) -> Option<String> {
        let Some(request) = self.request(question) else {
            let _ = answer.send(Ok(Value::Null));
            return None;
        };
        let id = self.next_request();
        let line = outgoing::control(&id, &request);
        self.awaited.insert(id, Awaited::Question(answer));
        Some(line)
    }

    /// None: there is nothing to ask about yet.
    fn request(&self, question: &Question) -> Option<Value> {
        Some(match question {
            Question::OutputOf(call) => {
                // a command that runs is told of some seconds after it began
                let task = self.subagent_of_call.get(&call.0)?;
                json!({"subtype": "get_task_output", "task_id": task})
            }
            Question::Status => json!({"subtype": "get_status"}),
            Question::PermissionRules => json!({"subtype": "list_permission_rules"}),
            Question::Servers => json!({"subtype": "mcp_status"}),
            // the other kind of detail asks the API
            Question::Context => json!({"subtype": "get_context_usage", "detail": "summary"}),
            Question::Hooks => json!({"subtype": "get_hooks_listing"}),
            Question::Aside(question) => json!({"subtype": "side_question", "question": question}),
            Question::Memory => json!({"subtype": "get_memory_dialog"}),
            Question::Grant(granted) => json!({
                "subtype": "apply_flag_settings",
                "settings": granted::settings(granted),
            }),
            Question::Reconnect(server) => {
                json!({"subtype": "mcp_reconnect", "serverName": server})
            }
            Question::Switch { server, on } => {
                json!({"subtype": "mcp_toggle", "serverName": server, "enabled": on})
            }
            Question::RewindFiles { before, really } => json!({
                "subtype": "rewind_files",
                "user_message_id": self.names.agents(*before),
                "dry_run": !really,
            }),
            Question::RewindConversation { before, last } => json!({
                "subtype": "rewind_conversation",
                "target_message_uuid": self.names.agents(*before),
                "last_seen_user_message_uuid": self.names.agents(*last),
            }),
        })
    }
}

/// What it answered, or why not. One that does not know a question says so by a code.
pub(super) fn answered(response: &Value) -> Result<Value, String> {
    match (word(response, "subtype"), word(response, "error_code")) {
        ("error", "unsupported_request") => {
            Err("this version of the agent cannot do it".to_owned())
        }
        ("error", _) => Err(word(response, "error").to_owned()),
        _ => Ok(response["response"].clone()),
    }
}
