//! What a session's mark says: which dot, which words, how many wait. Pure.

use crate::model::{PendingRequest, ProcessInfo, ProcessState, RequestType};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Class of the dot.
    pub dot: &'static str,
    /// For those who do not see the dot.
    pub words: &'static str,
    /// Class of the kind of the oldest request, and how many wait.
    pub waiting: Option<(&'static str, usize)>,
}

/// Waiting comes before everything else: it is the one state that needs a person.
pub fn mark(process: Option<&ProcessInfo>) -> Mark {
    let (dot, words) = match process {
        None => ("dot dead", ""),
        Some(process) => {
            if let Some(oldest) = process.pending_request() {
                return waiting(oldest, process.pending_requests.len());
            }
            match process.state {
                ProcessState::Starting => ("dot starting", "starting"),
                ProcessState::AssistantTurn => ("dot run", "working"),
                ProcessState::UserTurn if process.turn_failed => {
                    ("dot failed", "the last turn failed")
                }
                ProcessState::UserTurn => ("dot", "ready"),
                ProcessState::Dead if process.error.is_some() => ("dot dead failed", "failed"),
                ProcessState::Dead => ("dot dead", "ended"),
            }
        }
    };
    Mark {
        dot,
        words,
        waiting: None,
    }
}

fn waiting(oldest: &PendingRequest, count: usize) -> Mark {
    let kind = kind_class(oldest.request_type);
    let dot = match oldest.request_type {
        RequestType::ToolApproval => "dot act",
        RequestType::AskUserQuestion => "dot ask",
        RequestType::PlanApproval => "dot plan",
    };
    Mark {
        dot,
        words: "waiting for you",
        waiting: Some((kind, count)),
    }
}

/// The class of a kind of request: amber asks for permission, blue has a question, violet has a plan.
pub fn kind_class(kind: RequestType) -> &'static str {
    match kind {
        RequestType::ToolApproval => "act",
        RequestType::AskUserQuestion => "ask",
        RequestType::PlanApproval => "plan",
    }
}

#[cfg(test)]
mod tests;
