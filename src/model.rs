//! The words that server and browser share, and nothing else: plain types with their wire form.
//! No I/O, no clock, no async. What may be *done* with them is decided in [`crate::desk`].

pub mod about;
pub mod agent;
pub mod attachment;
mod by_value;
pub mod calendar;
pub mod capabilities;
pub mod conversation;
pub mod error;
pub mod grounds;
pub mod history;
pub mod id;
pub mod input;
pub mod insight;
pub mod login_failure;
pub mod pending;
pub mod policy;
pub mod process;
pub mod question;
pub mod response;
pub mod rewind;
#[cfg(test)]
pub mod samples;
pub mod session;
pub mod slash;
pub mod so_far;
pub mod spent;
#[cfg(test)]
mod tests;
pub mod text;
pub mod todo;
pub mod transcript;
pub mod unread;
pub mod wire;

pub use about::{
    AboutPart, AboutRow, AllowedBy, Behavior, FileAction, FolderTrust, MemoryText, PermissionRule,
    RulePlace, ServerAction,
};
pub use agent::{AgentDescription, PermissionMode};
pub use attachment::{Attachment, AttachmentLimits, MediaType, NewAttachment};
pub use calendar::Day;
pub use capabilities::{Capabilities, Model, SlashCommand};
pub use error::{Code, Refusal};
pub use grounds::{Grounds, MatchedRule};
pub use history::{HistoryEntry, HistoryFilter, HistoryPage};
pub use id::{
    AnswerId, AttachmentId, ClientId, Digest, MessageId, ProjectId, RequestId, SessionId,
    ToolUseId, UnixTime,
};
pub use input::ToolInput;
pub use insight::Insight;
pub use login_failure::LoginFailure;
pub use pending::{AskingAgent, Outcome, PendingRequest, RequestType, ResolvedBy, Suggestion};
pub use process::{ProcessInfo, ProcessState};
pub use question::{Choice, Question};
pub use response::{Answer, Decision, PlanDecision, QuestionAnswers, Response, ToolDecision};
pub use rewind::RewindPreview;
pub use session::{Boot, KeptConversation, Project, SessionSummary};
pub use so_far::SoFar;
pub use spent::Spent;
pub use transcript::{Entry, Event};
pub use wire::{ClientMessage, Delta, ServerMessage};
