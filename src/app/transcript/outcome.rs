//! How a request ended, in one line of words. Pure: the same words here, in the history and in a test.
//! Only what a person did is said to be done by "you"; silence is never told as a refusal.

use crate::model::conversation::Resolution;
use crate::model::{Outcome, RequestType, ResolvedBy, Response};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Good,
    Bad,
    Quiet,
}

/// "Allowed once · by you · 12 s".
pub fn words(kind: RequestType, resolution: &Resolution) -> String {
    let mut parts = vec![what(kind, resolution)];
    parts.extend(who(resolution.outcome, resolution.by).map(str::to_owned));
    parts.extend(reason(resolution).map(|reason| format!("“{reason}”")));
    parts.extend(additions(resolution));
    if resolution.by == ResolvedBy::User {
        parts.push(duration(resolution.waited));
    }
    parts.join(" · ")
}

pub fn tone(kind: RequestType, outcome: Outcome) -> Tone {
    match outcome {
        Outcome::Denied if kind == RequestType::PlanApproval => Tone::Quiet,
        Outcome::Allowed | Outcome::Answered | Outcome::AllowedByRule => Tone::Good,
        Outcome::Denied | Outcome::DeniedByRule | Outcome::TimedOut => Tone::Bad,
        Outcome::Cancelled | Outcome::Withdrawn | Outcome::ProcessEnded => Tone::Quiet,
    }
}

fn what(kind: RequestType, resolution: &Resolution) -> String {
    let is_plan = kind == RequestType::PlanApproval;
    let words = match resolution.outcome {
        Outcome::Allowed if is_plan => "Plan approved",
        Outcome::Allowed if remembers(resolution) => "Allowed and remembered",
        Outcome::Allowed => "Allowed once",
        Outcome::Denied if is_plan => "Kept planning",
        Outcome::Denied if stops(resolution) => "Denied and stopped",
        Outcome::Denied => "Denied",
        Outcome::Answered => "Answered",
        Outcome::Cancelled if resolution.by != ResolvedBy::User => "Not answered",
        Outcome::Cancelled => "Skipped",
        Outcome::TimedOut => "Nobody answered · timed out",
        Outcome::Withdrawn if resolution.by == ResolvedBy::User => "Stopped",
        Outcome::Withdrawn => "Withdrawn by the agent",
        Outcome::ProcessEnded => "Process ended",
        Outcome::AllowedByRule => "Allowed by a rule",
        Outcome::DeniedByRule => "Denied by a rule",
    };
    words.to_owned()
}

/// Left out where the outcome says it already.
fn who(outcome: Outcome, by: ResolvedBy) -> Option<&'static str> {
    match (outcome, by) {
        (Outcome::TimedOut, ResolvedBy::Timeout)
        | (Outcome::Withdrawn, ResolvedBy::Agent)
        | (Outcome::ProcessEnded, ResolvedBy::Process)
        | (Outcome::AllowedByRule | Outcome::DeniedByRule, ResolvedBy::Rule) => None,
        (_, ResolvedBy::User) => Some("by you"),
        (_, ResolvedBy::Agent) => Some("by the agent"),
        (_, ResolvedBy::Timeout) => Some("nobody answered in time"),
        (_, ResolvedBy::Process) => Some("the process went away"),
        (_, ResolvedBy::Disconnect) => Some("nobody was connected"),
        (_, ResolvedBy::ModeChange) => Some("the mode was changed"),
        (_, ResolvedBy::Shutdown) => Some("the server was stopped"),
        (_, ResolvedBy::Rule) => Some("by a rule"),
    }
}

fn reason(resolution: &Resolution) -> Option<&str> {
    match resolution.response.as_ref()? {
        Response::ToolApproval(decision) => decision.message.as_deref(),
        Response::PlanApproval(decision) => decision.message.as_deref(),
        Response::AskUserQuestion(_) => None,
    }
}

fn additions(resolution: &Resolution) -> impl Iterator<Item = String> {
    let response = resolution.response.as_ref();
    let edited = response.is_some_and(|response| match response {
        Response::ToolApproval(decision) => decision.updated_input.is_some(),
        Response::PlanApproval(decision) => decision.plan.is_some(),
        Response::AskUserQuestion(_) => false,
    });
    // the words themselves are the message that follows
    let noted = response.and_then(Response::note).is_some();
    [(edited, "edited"), (noted, "with a note")]
        .into_iter()
        .filter(|(is_so, _)| *is_so)
        .map(|(_, words)| words.to_owned())
}

fn remembers(resolution: &Resolution) -> bool {
    matches!(&resolution.response, Some(Response::ToolApproval(decision)) if !decision.remember.is_empty())
}

fn stops(resolution: &Resolution) -> bool {
    matches!(&resolution.response, Some(Response::ToolApproval(decision)) if decision.interrupt)
}

/// "4 s", "2 min", "1 h 5 min": how long it waited or took.
pub fn duration(seconds: f64) -> String {
    let seconds = seconds.max(0.0).round() as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, 0) => "< 1 s".to_owned(),
        (0, 0, s) => format!("{s} s"),
        (0, m, s) if m < 10 && s > 0 => format!("{m} min {s} s"),
        (0, m, _) => format!("{m} min"),
        (h, 0, _) => format!("{h} h"),
        (h, m, _) => format!("{h} h {m} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{
        Decision, PlanDecision, QuestionAnswers, Suggestion, ToolDecision, ToolInput,
    };

    const OUTCOMES: [Outcome; 9] = [
        Outcome::Allowed,
        Outcome::Denied,
        Outcome::Answered,
        Outcome::Cancelled,
        Outcome::TimedOut,
        Outcome::Withdrawn,
        Outcome::ProcessEnded,
        Outcome::AllowedByRule,
        Outcome::DeniedByRule,
    ];
    const RESOLVERS: [ResolvedBy; 8] = [
        ResolvedBy::User,
        ResolvedBy::Agent,
        ResolvedBy::Timeout,
        ResolvedBy::Process,
        ResolvedBy::Disconnect,
        ResolvedBy::ModeChange,
        ResolvedBy::Shutdown,
        ResolvedBy::Rule,
    ];
    const KINDS: [RequestType; 3] = [
        RequestType::ToolApproval,
        RequestType::AskUserQuestion,
        RequestType::PlanApproval,
    ];

    fn ended(outcome: Outcome, by: ResolvedBy, response: Option<Response>) -> Resolution {
        Resolution {
            outcome,
            by,
            waited: 12.2,
            response,
        }
    }

    fn tool(change: impl FnOnce(&mut ToolDecision), decision: Decision) -> Option<Response> {
        let mut answer = ToolDecision {
            decision,
            message: None,
            interrupt: false,
            updated_input: None,
            remember: Vec::new(),
            note: None,
        };
        change(&mut answer);
        Some(Response::ToolApproval(answer))
    }

    #[test]
    fn only_a_person_is_called_you_and_silence_is_no_refusal() {
        for kind in KINDS {
            for outcome in OUTCOMES {
                for by in RESOLVERS {
                    let line = words(kind, &ended(outcome, by, None));
                    let case = format!("{kind:?} {outcome:?} {by:?}: {line}");
                    assert_eq!(line.contains("by you"), by == ResolvedBy::User, "{case}");
                    assert_eq!(line.ends_with("12 s"), by == ResolvedBy::User, "{case}");
                    if by == ResolvedBy::Timeout {
                        assert!(line.to_lowercase().contains("nobody answered"), "{case}");
                    }
                    assert!(!line.contains("·  ·") && !line.is_empty(), "{case}");
                }
            }
        }
    }

    #[test]
    fn the_usual_endings_read_as_a_person_would_say_them() {
        use Outcome::*;
        let table = [
            (Allowed, ResolvedBy::User, "Allowed once · by you · 12 s"),
            (Denied, ResolvedBy::User, "Denied · by you · 12 s"),
            (Answered, ResolvedBy::User, "Answered · by you · 12 s"),
            (Cancelled, ResolvedBy::User, "Skipped · by you · 12 s"),
            (
                Cancelled,
                ResolvedBy::Disconnect,
                "Not answered · nobody was connected",
            ),
            (
                Cancelled,
                ResolvedBy::ModeChange,
                "Not answered · the mode was changed",
            ),
            (TimedOut, ResolvedBy::Timeout, "Nobody answered · timed out"),
            (Withdrawn, ResolvedBy::Agent, "Withdrawn by the agent"),
            (ProcessEnded, ResolvedBy::Process, "Process ended"),
            (
                ProcessEnded,
                ResolvedBy::Shutdown,
                "Process ended · the server was stopped",
            ),
            (AllowedByRule, ResolvedBy::Rule, "Allowed by a rule"),
            (DeniedByRule, ResolvedBy::Rule, "Denied by a rule"),
            (
                Denied,
                ResolvedBy::Timeout,
                "Denied · nobody answered in time",
            ),
        ];
        for (outcome, by, expected) in table {
            let line = words(RequestType::ToolApproval, &ended(outcome, by, None));
            assert_eq!(line, expected);
        }
    }

    #[test]
    fn what_the_person_added_is_in_the_line() {
        let line = |response| {
            words(
                RequestType::ToolApproval,
                &ended(Outcome::Allowed, ResolvedBy::User, response),
            )
        };
        let edited = tool(
            |answer| answer.updated_input = Some(ToolInput::default()),
            Decision::Allow,
        );
        assert_eq!(line(edited), "Allowed once · by you · edited · 12 s");
        let noted = tool(
            |answer| answer.note = Some("then stop".to_owned()),
            Decision::Allow,
        );
        assert_eq!(line(noted), "Allowed once · by you · with a note · 12 s");
        let remembered = tool(
            |answer| answer.remember.push(Suggestion(Default::default())),
            Decision::Allow,
        );
        assert_eq!(line(remembered), "Allowed and remembered · by you · 12 s");

        let denied = |response| {
            words(
                RequestType::ToolApproval,
                &ended(Outcome::Denied, ResolvedBy::User, response),
            )
        };
        let reason = tool(
            |answer| answer.message = Some("not in production".to_owned()),
            Decision::Deny,
        );
        assert_eq!(
            denied(reason),
            "Denied · by you · “not in production” · 12 s"
        );
        let stopped = tool(|answer| answer.interrupt = true, Decision::Deny);
        assert_eq!(denied(stopped), "Denied and stopped · by you · 12 s");
    }

    #[test]
    fn a_plan_is_approved_or_planned_on() {
        let plan = |outcome, message: Option<&str>| {
            let answer = PlanDecision {
                decision: Decision::Deny,
                message: message.map(str::to_owned),
                plan: None,
                mode: None,
            };
            let response = Some(Response::PlanApproval(answer));
            words(
                RequestType::PlanApproval,
                &ended(outcome, ResolvedBy::User, response),
            )
        };
        assert_eq!(
            plan(Outcome::Allowed, None),
            "Plan approved · by you · 12 s"
        );
        assert_eq!(
            plan(Outcome::Denied, Some("smaller steps")),
            "Kept planning · by you · “smaller steps” · 12 s"
        );
    }

    #[test]
    fn answers_are_not_repeated_in_the_line() {
        let response = Some(Response::AskUserQuestion(QuestionAnswers::default()));
        assert_eq!(
            words(
                RequestType::AskUserQuestion,
                &ended(Outcome::Answered, ResolvedBy::User, response)
            ),
            "Answered · by you · 12 s"
        );
    }

    #[test]
    fn durations_are_short() {
        for (seconds, expected) in [
            (0.2, "< 1 s"),
            (-5.0, "< 1 s"),
            (4.4, "4 s"),
            (61.0, "1 min 1 s"),
            (120.0, "2 min"),
            (1234.0, "20 min"),
            (3600.0, "1 h"),
            (3900.0, "1 h 5 min"),
        ] {
            assert_eq!(duration(seconds), expected);
        }
    }
}
