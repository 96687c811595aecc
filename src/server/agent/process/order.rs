//! What a process can be told to do.

use crate::model::{MessageId, PermissionMode, ToolUseId};
use crate::server::agent::protocol::{Answered, Question};
use crate::server::attached::Attached;
use std::time::Duration;
use tokio::sync::oneshot;

#[derive(Debug)]
pub enum Order {
    Say {
        message_id: MessageId,
        text: String,
        files: Vec<Attached>,
    },
    Interrupt,
    SetMode {
        mode: PermissionMode,
        done: Done,
    },
    SetModel {
        /// None: the agent's own choice.
        model: Option<String>,
        done: Done,
    },
    SetEffort {
        /// None: the agent's own choice.
        effort: Option<String>,
        done: Applies,
    },
    /// Take back a message that it has not taken yet. The answer: whether that was in time.
    CancelMessage {
        message_id: MessageId,
        done: oneshot::Sender<Result<bool, String>>,
    },
    /// Call the conversation this.
    Rename(String),
    /// End what a call began and what goes on in the background.
    StopTask {
        call: ToolUseId,
        done: Done,
    },
    /// A call that runs goes on in the background; the turn goes on without its result.
    ToBackground {
        call: ToolUseId,
        done: Done,
    },
    /// A question that is no part of the conversation.
    Ask {
        question: Question,
        answer: Answered,
    },
    /// End the turn, then the process, giving it time to put things in order.
    Stop {
        reason: String,
    },
    /// End it now: it was not ready in time.
    GiveUp {
        waited: Duration,
    },
    /// End it now.
    Kill {
        reason: String,
    },
}

/// Where the agent's answer to an order goes: the error is in its words.
pub type Done = oneshot::Sender<Result<(), String>>;
/// The same, with the effort that applies then.
pub type Applies = oneshot::Sender<Result<Option<String>, String>>;
