//! What the waiting agent is told.

use crate::model::{PermissionMode, Suggestion, ToolInput};

#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    Allow {
        /// Absent = exactly as asked.
        updated_input: Option<ToolInput>,
        remember: Vec<Suggestion>,
        mode: Option<PermissionMode>,
    },
    Deny {
        /// Never empty: the agent reads it as the result of the call.
        message: String,
        interrupt: bool,
    },
    /// Nobody waits for an answer any more.
    Nothing,
}

impl Verdict {
    pub fn nobody_answered(and_stop: bool) -> Self {
        Verdict::Deny {
            message:
                "Nobody answered this request in time, so it was not run. The user has not decided \
                      against it: do not take this as a refusal."
                    .to_owned(),
            interrupt: and_stop,
        }
    }

    pub fn shutting_down() -> Self {
        Verdict::Deny {
            message: "Countersign is being stopped, so this request was not run. The user has not decided \
                      against it."
                .to_owned(),
            interrupt: true,
        }
    }
}
