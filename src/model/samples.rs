//! A plain request and a plain process, for tests to change what they are about.

use super::{
    PendingRequest, ProcessInfo, ProcessState, ProjectId, RequestId, RequestType, SessionId,
    ToolInput, UnixTime,
};
use uuid::Uuid;

pub fn plain_request() -> PendingRequest {
    PendingRequest {
        request_id: RequestId(Uuid::from_u128(2)),
        request_type: RequestType::ToolApproval,
        tool_name: "Bash".to_owned(),
        tool_input: ToolInput::from_value(serde_json::json!({"command": "touch x"})),
        created_at: UnixTime(1000.5),
        tool_use_id: None,
        agent: None,
        description: None,
        decision_reason: None,
        blocked_path: None,
        suggestions: Vec::new(),
        mcp_server: None,
        grounds: Default::default(),
        expires_at: None,
        digest: None,
    }
}

pub fn plain_process() -> ProcessInfo {
    ProcessInfo {
        session_id: SessionId(Uuid::from_u128(1)),
        project_id: ProjectId::from("/home/ada/api"),
        state: ProcessState::UserTurn,
        started_at: UnixTime(1000.0),
        state_changed_at: UnixTime(1001.25),
        memory: None,
        error: None,
        kill_reason: None,
        permission_mode: None,
        model: None,
        effort: None,
        cwd: None,
        title: None,
        queued_messages: 0,
        may_bypass: false,
        activity: None,
        tries_again_at: None,
        own_command: None,
        turn_failed: false,
        spent: None,
        background_calls: Vec::new(),
        held_by: None,
        archived_at: None,
        cut_off: Vec::new(),
        pending_requests: Vec::new(),
    }
}
