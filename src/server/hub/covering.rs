//! What else a rule would have allowed: a person who remembers one is offered to answer those too.

use super::{Hub, unknown_session};
use crate::desk::rules::{self, Around};
use crate::model::{PendingRequest, Refusal, RequestId, RequestType, SessionId, Suggestion};

impl Hub {
    /// The other requests that wait and that one of these rules covers, where it will be kept.
    pub fn covered(
        &self,
        session_id: SessionId,
        request_id: RequestId,
        remember: &[Suggestion],
    ) -> Result<Vec<RequestId>, Refusal> {
        let state = self.lock();
        let record = state
            .sessions
            .get(&session_id)
            .ok_or_else(unknown_session)?;
        let project = &record.session.project_id;
        let home = std::env::var("HOME").unwrap_or_default();
        let holds_in =
            |suggestion: &Suggestion, other: SessionId, other_project| match suggestion.place() {
                "session" => other == session_id,
                "localSettings" | "projectSettings" => other_project == project,
                "userSettings" => true,
                _ => false,
            };
        let mut found = Vec::new();
        for (other, record) in &state.sessions {
            let around = Around {
                directory: record.session.project_id.as_str(),
                home: &home,
            };
            let covers = |request: &&PendingRequest| {
                remember.iter().any(|suggestion| {
                    holds_in(suggestion, *other, &record.session.project_id)
                        && suggestion.allows()
                        && suggestion.trouble().is_none()
                        && suggestion.grants().iter().any(|written| {
                            rules::covers(written, &request.tool_name, &request.tool_input, around)
                        })
                })
            };
            let others = state.desk.pending(*other).filter(|request| {
                request.request_type == RequestType::ToolApproval
                    && request.request_id != request_id
            });
            found.extend(others.filter(covers).map(|request| request.request_id));
        }
        Ok(found)
    }
}
