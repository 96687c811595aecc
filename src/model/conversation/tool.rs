//! A tool call: what was asked about it, what was decided, and its result.

use crate::model::todo::Todo;
use crate::model::{
    AskingAgent, Attachment, Outcome, PendingRequest, ResolvedBy, Response, ToolInput, ToolUseId,
    UnixTime,
};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolItem {
    pub tool_use_id: Option<ToolUseId>,
    pub tool_name: String,
    pub tool_input: ToolInput,
    pub agent: Option<AskingAgent>,
    pub request: Option<PendingRequest>,
    pub resolution: Option<Resolution>,
    pub result: Option<ToolResult>,
    /// The process ended before the call did.
    pub interrupted: bool,
    /// The list as it was after this call, if it keeps one.
    pub todos: Vec<Todo>,
}

impl ToolItem {
    /// When it began to run, of one that was called then: not before a person had decided.
    pub fn began_at(&self, called_at: UnixTime) -> UnixTime {
        match (&self.request, &self.resolution) {
            (Some(request), Some(resolution)) => UnixTime(request.created_at.0 + resolution.waited),
            _ => called_at,
        }
    }

    /// What ran or will run: as a person edited it, else as the agent asked.
    pub fn effective_input(&self) -> &ToolInput {
        let response = self
            .resolution
            .as_ref()
            .and_then(|one| one.response.as_ref());
        match response {
            Some(Response::ToolApproval(decision)) => {
                decision.updated_input.as_ref().unwrap_or(&self.tool_input)
            }
            _ => &self.tool_input,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Resolution {
    pub outcome: Outcome,
    pub by: ResolvedBy,
    pub waited: f64,
    pub response: Option<Response>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ToolResult {
    pub text: String,
    pub is_error: bool,
    /// It was ended before it was done.
    pub stopped: bool,
    pub images: Vec<Attachment>,
}
