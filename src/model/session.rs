//! Conversations and the projects they belong to, with or without a running process.

use super::by_value::read_by_value;
use super::{AgentDescription, AttachmentLimits, ProcessInfo, ProjectId, SessionId, UnixTime};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

read_by_value!(SessionSummary, Boot);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct SessionSummary {
    pub session_id: SessionId,
    pub project_id: ProjectId,
    pub title: String,
    pub created_at: UnixTime,
    /// Last activity.
    pub updated_at: UnixTime,
    /// The running process, or how the last one ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<ProcessInfo>,
}

impl SessionSummary {
    pub fn is_archived(&self) -> bool {
        let process = self.process.as_ref();
        process.is_some_and(|process| process.archived_at.is_some())
    }
}

/// A conversation that the agent keeps and that is no session yet: it was held elsewhere, perhaps in a terminal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptConversation {
    pub conversation_id: Uuid,
    pub title: String,
    /// How it begins, where its title says something else: before and after `/clear` it has the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begins: Option<String>,
    pub updated_at: UnixTime,
}

/// A directory that is offered for new sessions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Project {
    pub project_id: ProjectId,
    pub name: String,
}

/// Everything a page needs for its first picture; rendered on the server and handed to the browser with the HTML.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Boot {
    pub agent: AgentDescription,
    pub projects: Vec<Project>,
    pub sessions: Vec<SessionSummary>,
    /// The server's time when the page was made: ages are first shown relative to it.
    pub now: UnixTime,
    #[serde(default)]
    pub attachments: AttachmentLimits,
    /// How many sessions were put away; they are not among the others.
    #[serde(default)]
    pub archived: usize,
}
