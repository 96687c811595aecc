//! What a process reports, in our words.

use crate::desk::Verdict;
use crate::model::{
    Capabilities, Entry, MessageId, PendingRequest, PermissionMode, RequestId, Spent, ToolUseId,
};
use crate::server::attached::Attached;
use std::path::PathBuf;
use std::time::Duration;
use tokio::sync::oneshot;
use uuid::Uuid;

#[derive(Debug)]
pub enum Heard {
    Ready,
    TurnBegan,
    TurnFinished,
    Happened(Entry),
    /// Pictures that the next entry names.
    Brought(Vec<Attached>),
    Wrote {
        thinking: bool,
        text: String,
        begins: bool,
    },
    Asked {
        request: PendingRequest,
        /// Of all that is in it.
        bytes: usize,
        reply: oneshot::Sender<Verdict>,
    },
    /// As much as may wait to be written: to be told when all of it is.
    SaidMuch {
        written: oneshot::Sender<()>,
    },
    /// It said something that means nothing here: it is alive.
    Stirred,
    /// Others had their turn since something was asked.
    GaveWay,
    Withdrew(RequestId),
    MessageTaken(MessageId),
    /// It rests and does not say what it takes: whatever was queued is taken.
    QueueTaken,
    MessageCancelled(MessageId),
    /// The turn was stopped before it took this one.
    MessageGivenBack(MessageId),
    /// What it can do, told when it greets.
    Can(Capabilities),
    /// The id under which it keeps the conversation now.
    Keeps(Uuid),
    ModeIs(PermissionMode),
    ModelIs(String),
    /// That applies; none when the model knows none.
    EffortIs(Option<String>),
    /// By a message.
    EffortChosen(Option<String>),
    TitleIs(String),
    /// What the conversation has used up.
    Spent(Spent),
    /// It would not start: the conversation that was to begin is there already, or the one to resume is not.
    ConversationIs {
        there: bool,
    },
    Doing(Option<String>),
    /// The API failed; the agent asks it again.
    TriesAgain {
        why: String,
        after: Option<Duration>,
    },
    /// All that runs in the background now.
    Background(Vec<InBackground>),
    TaskEnded(TaskEnd),
    Died {
        reason: Option<String>,
        error: Option<String>,
    },
}

/// How something that went on in the background ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskEnd {
    pub call: ToolUseId,
    pub summary: String,
    pub failed: bool,
    pub stopped: bool,
    /// Where what it wrote is kept.
    pub output: Option<PathBuf>,
}

/// Work that goes on when its turn is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InBackground {
    /// The agent's own.
    pub words: String,
    /// That began it.
    pub call: Option<ToolUseId>,
}
