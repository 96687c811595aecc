//! What a rule would have allowed: the request it is given with, if it fits it, and others that wait, which a person who
//! remembers it is offered to answer too.

use super::{Hub, unknown_session};
use crate::desk::rules::{self, Around};
use crate::model::{PendingRequest, Refusal, RequestId, RequestType, SessionId, Suggestion};

impl Hub {
    /// The requests that wait and that one of these rules covers, where it will be kept; among them the one it is given
    /// with, unless the rule would not have covered that.
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
                if *other == session_id && request.request_id == request_id {
                    let mut rules = remember.iter();
                    return rules.any(|rule| rules::covers_its_own(request, rule, around));
                }
                remember.iter().any(|suggestion| {
                    holds_in(suggestion, *other, &record.session.project_id)
                        && suggestion.allows()
                        && suggestion.trouble().is_none()
                        && suggestion.grants().iter().any(|written| {
                            rules::covers(written, &request.tool_name, &request.tool_input, around)
                        })
                })
            };
            let waiting = state
                .desk
                .pending(*other)
                .filter(|request| request.request_type == RequestType::ToolApproval);
            found.extend(waiting.filter(covers).map(|request| request.request_id));
        }
        Ok(found)
    }
}
