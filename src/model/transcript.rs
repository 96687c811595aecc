//! What happened in a session, one numbered event after the other: the stored form and the wire form.
//! [`super::conversation`] folds them into what the page shows.

use super::by_value::read_by_value;
use super::{
    AskingAgent, Attachment, MessageId, Outcome, PendingRequest, RequestId, ResolvedBy, Response,
    ToolInput, ToolUseId, UnixTime,
};
use serde::{Deserialize, Serialize};

read_by_value!(Event, Entry);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Event {
    /// 1, 2, 3 … per session, without gaps.
    pub seq: u64,
    pub at: UnixTime,
    #[serde(flatten)]
    pub entry: Entry,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Entry {
    /// A person wrote to the agent.
    MessageSent {
        message_id: MessageId,
        text: String,
        /// The agent was busy: it takes the message later.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        queued: bool,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        attachments: Vec<Attachment>,
    },
    /// The agent took a message.
    MessageTaken {
        message_id: MessageId,
    },
    /// A queued message was taken back before the agent had it.
    MessageCancelled {
        message_id: MessageId,
    },
    /// The process ended before it took the message.
    MessageNotRead {
        message_id: MessageId,
    },
    /// The agent has forgotten everything above.
    ConversationCleared,
    /// A person went back to before this message of theirs.
    Rewound {
        before: MessageId,
        /// The agent has forgotten it and all that came after it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        conversation: bool,
        /// That are as they were then.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        files: Vec<String>,
    },
    /// The conversation was compacted: what the agent knows of it from here on.
    Summarised {
        text: String,
    },
    TextWritten {
        text: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent: Option<AskingAgent>,
    },
    Thought {
        text: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent: Option<AskingAgent>,
    },
    ToolCalled {
        tool_use_id: ToolUseId,
        tool_name: String,
        tool_input: ToolInput,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent: Option<AskingAgent>,
    },
    ToolFinished {
        tool_use_id: ToolUseId,
        text: String,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_error: bool,
        /// It was ended before it was done.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        stopped: bool,
        /// Pictures among the result.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        images: Vec<Attachment>,
    },
    Asked {
        request: PendingRequest,
    },
    Resolved {
        request_id: RequestId,
        outcome: Outcome,
        by: ResolvedBy,
        /// Seconds it waited.
        waited: f64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        response: Option<Response>,
    },
    TurnFinished {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        interrupted: bool,
        duration_ms: u64,
        /// Nobody had sent a message: work in the background came to an end.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        unasked: bool,
    },
    /// A person ran a command by themselves. The agent reads of it with their next message.
    CommandRun {
        command: String,
        output: String,
        /// Without one it did not end by itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<i32>,
    },
    /// A sentence from us or from the agent's program, not from the model.
    Noticed {
        level: Level,
        text: String,
    },
    /// A person trusts the folder: what its own settings allow counts.
    FolderTrusted,
    ProcessStarted {
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        resumed: bool,
    },
    ProcessEnded {
        reason: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    Info,
    Warning,
    Error,
}
