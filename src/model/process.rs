//! The running agent of a session, as every client sees it.

use super::by_value::read_by_value;
use super::{
    ClientId, PendingRequest, PermissionMode, ProjectId, SessionId, Spent, ToolUseId, UnixTime,
};
use serde::{Deserialize, Serialize};

read_by_value!(OnTheWire);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProcessState {
    Starting,
    AssistantTurn,
    UserTurn,
    Dead,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "OnTheWire", into = "OnTheWire")]
pub struct ProcessInfo {
    pub session_id: SessionId,
    pub project_id: ProjectId,
    pub state: ProcessState,
    pub started_at: UnixTime,
    pub state_changed_at: UnixTime,
    /// Resident bytes of the whole process tree.
    pub memory: Option<u64>,
    pub error: Option<String>,
    pub kill_reason: Option<String>,
    pub permission_mode: Option<PermissionMode>,
    pub model: Option<String>,
    /// How much the model thinks, in the agent's word: what applies while it runs, else what was chosen.
    pub effort: Option<String>,
    pub cwd: Option<String>,
    pub title: Option<String>,
    pub queued_messages: u32,
    /// The process was launched so that it may be switched to doing everything without asking.
    pub may_bypass: bool,
    /// What happens right now, in words, when it is not plain work: an API retry, compacting …
    pub activity: Option<String>,
    /// What failed is tried again then.
    pub tries_again_at: Option<UnixTime>,
    /// A command that a person runs by themselves beside it.
    pub own_command: Option<String>,
    /// The last turn ended with an error.
    pub turn_failed: bool,
    /// What the conversation has used up, as of its last turn.
    pub spent: Option<Spent>,
    /// The calls whose work goes on in the background.
    pub background_calls: Vec<ToolUseId>,
    /// Where answers come from one client at a time: the one that may answer.
    pub held_by: Option<ClientId>,
    /// Its session was put away by a person then: it is in no list.
    pub archived_at: Option<UnixTime>,
    /// What it asked when the server stopped, as long as nobody has seen that it was cut off. Oldest first.
    pub cut_off: Vec<PendingRequest>,
    /// Oldest first.
    pub pending_requests: Vec<PendingRequest>,
}

impl ProcessInfo {
    pub fn pending_request(&self) -> Option<&PendingRequest> {
        self.pending_requests.first()
    }

    pub fn is_alive(&self) -> bool {
        self.state != ProcessState::Dead
    }
}

/// "312 MB"
pub fn size_words(bytes: u64) -> String {
    let mebibytes = bytes / (1024 * 1024);
    match mebibytes {
        0..1024 => format!("{mebibytes} MB"),
        _ => format!("{:.1} GB", mebibytes as f64 / 1024.0),
    }
}

/// The wire has the oldest request also on its own, and says whether someone is waited for.
#[derive(Clone, Serialize, Deserialize)]
#[serde(remote = "Self")]
struct OnTheWire {
    session_id: SessionId,
    project_id: ProjectId,
    state: ProcessState,
    started_at: UnixTime,
    state_changed_at: UnixTime,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    memory: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kill_reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    permission_mode: Option<PermissionMode>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    effort: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cwd: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(default)]
    waiting_for_user: bool,
    #[serde(default)]
    queued_messages: u32,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    may_bypass: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    activity: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tries_again_at: Option<UnixTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    own_command: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    turn_failed: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    spent: Option<Spent>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    background_calls: Vec<ToolUseId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    held_by: Option<ClientId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    archived_at: Option<UnixTime>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    cut_off: Vec<PendingRequest>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pending_request: Option<PendingRequest>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pending_requests: Vec<PendingRequest>,
}

impl From<ProcessInfo> for OnTheWire {
    fn from(info: ProcessInfo) -> Self {
        OnTheWire {
            waiting_for_user: !info.pending_requests.is_empty(),
            pending_request: info.pending_requests.first().cloned(),
            session_id: info.session_id,
            project_id: info.project_id,
            state: info.state,
            started_at: info.started_at,
            state_changed_at: info.state_changed_at,
            memory: info.memory,
            error: info.error,
            kill_reason: info.kill_reason,
            permission_mode: info.permission_mode,
            model: info.model,
            effort: info.effort,
            cwd: info.cwd,
            title: info.title,
            queued_messages: info.queued_messages,
            may_bypass: info.may_bypass,
            activity: info.activity,
            tries_again_at: info.tries_again_at,
            own_command: info.own_command,
            turn_failed: info.turn_failed,
            spent: info.spent,
            background_calls: info.background_calls,
            held_by: info.held_by,
            archived_at: info.archived_at,
            cut_off: info.cut_off,
            pending_requests: info.pending_requests,
        }
    }
}

impl From<OnTheWire> for ProcessInfo {
    fn from(wire: OnTheWire) -> Self {
        let mut pending_requests = wire.pending_requests;
        if pending_requests.is_empty() {
            pending_requests.extend(wire.pending_request);
        }
        ProcessInfo {
            session_id: wire.session_id,
            project_id: wire.project_id,
            state: wire.state,
            started_at: wire.started_at,
            state_changed_at: wire.state_changed_at,
            memory: wire.memory,
            error: wire.error,
            kill_reason: wire.kill_reason,
            permission_mode: wire.permission_mode,
            model: wire.model,
            effort: wire.effort,
            cwd: wire.cwd,
            title: wire.title,
            queued_messages: wire.queued_messages,
            may_bypass: wire.may_bypass,
            activity: wire.activity,
            tries_again_at: wire.tries_again_at,
            own_command: wire.own_command,
            turn_failed: wire.turn_failed,
            spent: wire.spent,
            background_calls: wire.background_calls,
            held_by: wire.held_by,
            archived_at: wire.archived_at,
            cut_off: wire.cut_off,
            pending_requests,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::size_words;

    #[test]
    fn memory_is_said_in_round_numbers() {
        assert_eq!(size_words(312 * 1024 * 1024 + 5), "312 MB");
        assert_eq!(size_words(1536 * 1024 * 1024), "1.5 GB");
    }
}
