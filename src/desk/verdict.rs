//! What the waiting agent is told.

use super::GivenUp;
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
    /// Not run either, but nobody decided against it: nothing may take this for a person's refusal.
    Undecided { message: String, interrupt: bool },
    /// Nobody waits for an answer any more.
    Nothing,
}

impl Verdict {
    pub fn nobody_answered(and_stop: bool) -> Self {
        Verdict::Undecided {
            message:
                "Nobody answered this request in time, so it was not run. The user has not decided \
                      against it: do not take this as a refusal."
                    .to_owned(),
            interrupt: and_stop,
        }
    }

    pub fn given_up(why: &GivenUp) -> Self {
        let message = match why {
            GivenUp::NobodyConnected => {
                "Nobody is there to answer this request, so it was not run. The user has not decided against it: do \
                 not take this as a refusal."
                    .to_owned()
            }
            GivenUp::ModeChanged(mode) => format!(
                "The user changed the permission mode to \"{}\" while this request waited, so it was not run. They have \
                 not decided against it: go on under the new mode.",
                mode.word()
            ),
        };
        Verdict::Undecided {
            message,
            interrupt: false,
        }
    }

    pub fn shutting_down() -> Self {
        Verdict::Undecided {
            message: "Countersign is being stopped, so this request was not run. The user has not decided \
                      against it."
                .to_owned(),
            interrupt: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_without_a_decision_is_told_as_none() {
        for verdict in [
            Verdict::nobody_answered(false),
            Verdict::nobody_answered(true),
            Verdict::given_up(&GivenUp::NobodyConnected),
            Verdict::given_up(&GivenUp::ModeChanged(PermissionMode::Plan)),
            Verdict::shutting_down(),
        ] {
            let Verdict::Undecided { message, .. } = verdict else {
                panic!("not run")
            };
            assert!(message.contains("not decided against it"), "{message}");
        }
    }
}
