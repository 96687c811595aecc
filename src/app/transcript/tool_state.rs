//! How a tool call stands, and its line in words. Pure.

use crate::app::pending::mcp;
use crate::model::conversation::{ToolItem, ToolResult};
use crate::model::todo::keeps_a_list;
use crate::model::{Outcome, RequestType, ToolInput};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolState {
    Running,
    /// For a person.
    Waiting,
    Done,
    Failed,
    /// Denied, skipped, timed out, withdrawn.
    Refused,
    /// A plan to be worked on.
    SentBack,
    /// It never came to a result.
    Unfinished,
    /// A person ended it before it was done.
    Stopped,
    /// Its turn comes after one that waits for a person.
    NotBegun,
}

impl ToolState {
    pub fn of(tool: &ToolItem, is_at_work: bool) -> Self {
        let decided = tool
            .resolution
            .as_ref()
            .map(|resolution| resolution.outcome);
        let is_plan = tool
            .request
            .as_ref()
            .is_some_and(|request| request.request_type == RequestType::PlanApproval);
        match (decided, &tool.result) {
            (Some(Outcome::Denied), _) if is_plan => ToolState::SentBack,
            (Some(outcome), _) if !lets_it_run(outcome) => ToolState::Refused,
            (_, Some(result)) if result.stopped => ToolState::Stopped,
            (_, Some(result)) if result.is_error => ToolState::Failed,
            (_, Some(_)) => ToolState::Done,
            _ if tool.interrupted => ToolState::Unfinished,
            (None, None) if tool.request.is_some() => ToolState::Waiting,
            _ if is_at_work => ToolState::Running,
            _ => ToolState::Unfinished,
        }
    }

    /// Class, sign, and the word a screen reader says.
    pub fn mark(self) -> (&'static str, &'static str, &'static str) {
        match self {
            ToolState::Running => ("mark running", "", "running"),
            ToolState::Waiting => ("mark waiting", "", "waiting for you"),
            ToolState::Done => ("mark ok", "✓", "done"),
            ToolState::Failed => ("mark no", "✗", "failed"),
            ToolState::Refused => ("mark no", "✗", "not run"),
            ToolState::SentBack => ("mark", "↺", "sent back"),
            ToolState::Unfinished => ("mark", "–", "not finished"),
            ToolState::Stopped => ("mark", "–", "stopped"),
            ToolState::NotBegun => ("mark", "·", "not begun"),
        }
    }
}

fn lets_it_run(outcome: Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Allowed | Outcome::Answered | Outcome::AllowedByRule
    )
}

/// What the call is named in the line: our word for what is no tool to a person.
pub fn name(tool: &ToolItem) -> String {
    let kind = tool.request.as_ref().map(|request| request.request_type);
    match (kind, tool.tool_name.as_str()) {
        (Some(RequestType::AskUserQuestion), _) | (_, "AskUserQuestion") => "Question".to_owned(),
        (Some(RequestType::PlanApproval), _) | (_, "ExitPlanMode") => "Plan".to_owned(),
        (None, _) if keeps_a_list(tool) => "To do".to_owned(),
        (_, name) => match mcp(None, name) {
            (Some(server), tool) => format!("{tool} ({server})"),
            (None, name) => name.to_owned(),
        },
    }
}

/// The result in a few words: itself if it is one short line, else how long it is.
pub fn result_words(result: &ToolResult) -> String {
    const LONGEST: usize = 100;
    let mut lines = result.text.lines().filter(|line| !is_blank(line));
    let first = lines.next().unwrap_or_default().trim();
    let more = lines.count();
    let short = |line: &str| match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    };
    match more {
        _ if first.is_empty() && !result.images.is_empty() => match result.images.len() {
            1 => "1 picture".to_owned(),
            count => format!("{count} pictures"),
        },
        _ if first.is_empty() => "no output".to_owned(),
        _ if result.is_error => short(first),
        0 => short(first),
        more => format!("{} lines", more + 1),
    }
}

/// So long that one wonders.
pub fn takes_long(seconds: f64) -> bool {
    const LONG: f64 = 5.0;
    seconds >= LONG
}

/// Also when it has only its number: a file that is read ends with such a line.
fn is_blank(line: &str) -> bool {
    let after = line.trim_start_matches(|character: char| character.is_ascii_digit());
    line.trim().is_empty() || after.len() < line.len() && after == "\t"
}

/// Added and removed lines of a change to a file, where counting is cheap.
pub fn change_size(tool_name: &str, input: &ToolInput) -> Option<(usize, Option<usize>)> {
    const LONGEST: usize = 20_000;
    match tool_name {
        // in how many places is not in the call
        "Edit" if input.flag("replace_all") => None,
        "Edit" => {
            let (old, new) = (input.text("old_string")?, input.text("new_string")?);
            let (added, removed) = (old.len() + new.len() <= LONGEST)
                .then(|| crate::app::pending::payload::change_size(old, new))?;
            Some((added, Some(removed)))
        }
        // what was in its place is not in the call
        "Write" => Some((input.text("content")?.lines().count(), None)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::conversation::Resolution;
    use crate::model::samples;
    use crate::model::{PendingRequest, RequestId, ResolvedBy, UnixTime};

    fn asked() -> ToolItem {
        ToolItem {
            request: Some(PendingRequest {
                request_id: RequestId::random(),
                created_at: UnixTime(0.0),
                ..samples::plain_request()
            }),
            ..ToolItem::default()
        }
    }

    fn decided(mut tool: ToolItem, outcome: Outcome) -> ToolItem {
        tool.resolution = Some(Resolution {
            outcome,
            by: ResolvedBy::User,
            waited: 1.0,
            response: None,
        });
        tool
    }

    fn finished(mut tool: ToolItem, is_error: bool) -> ToolItem {
        tool.result = Some(ToolResult {
            text: "x".to_owned(),
            is_error,
            stopped: false,
            images: Vec::new(),
        });
        tool
    }

    #[test]
    fn a_call_goes_from_running_to_its_end() {
        let plain = ToolItem::default();
        assert_eq!(ToolState::of(&plain, true), ToolState::Running);
        assert_eq!(ToolState::of(&plain, false), ToolState::Unfinished);
        assert_eq!(ToolState::of(&asked(), true), ToolState::Waiting);
        assert_eq!(
            ToolState::of(&decided(asked(), Outcome::Allowed), true),
            ToolState::Running
        );
        assert_eq!(
            ToolState::of(&finished(plain.clone(), false), true),
            ToolState::Done
        );
        assert_eq!(
            ToolState::of(&finished(plain, true), true),
            ToolState::Failed
        );
    }

    #[test]
    fn it_runs_from_when_it_was_allowed() {
        let called_at = UnixTime(100.0);
        assert_eq!(ToolItem::default().began_at(called_at), called_at);
        let mut waited = decided(asked(), Outcome::Allowed);
        waited.request.as_mut().expect("a request").created_at = UnixTime(130.0);
        assert_eq!(waited.began_at(called_at), UnixTime(131.0));
    }

    #[test]
    fn a_refused_call_is_not_told_as_a_failure_of_the_tool() {
        let refused = finished(decided(asked(), Outcome::Denied), true);
        assert_eq!(ToolState::of(&refused, true), ToolState::Refused);
    }

    #[test]
    fn a_call_whose_process_ended_waits_for_nobody() {
        let mut tool = asked();
        tool.interrupted = true;
        assert_eq!(ToolState::of(&tool, false), ToolState::Unfinished);
    }

    #[test]
    fn a_result_is_told_in_a_few_words() {
        let words = |text: &str, is_error| {
            result_words(&ToolResult {
                text: text.to_owned(),
                is_error,
                stopped: false,
                images: Vec::new(),
            })
        };
        assert_eq!(words("", false), "no output");
        assert_eq!(words("ok\n", false), "ok");
        assert_eq!(words("a\nb\n\nc", false), "3 lines");
        assert_eq!(words("No such file\nat x", true), "No such file");
        assert_eq!(words(&"ä".repeat(500), false).chars().count(), 101);
    }

    #[test]
    fn a_file_has_as_many_lines_as_have_something_in_them() {
        let read = |text: &str| {
            result_words(&ToolResult {
                text: text.to_owned(),
                is_error: false,
                stopped: false,
                images: Vec::new(),
            })
        };
        assert_eq!(read("1\ta\n2\tb\n3\tc\n4\t"), "3 lines");
        assert_eq!(read("1\ta\n2\t"), "1\ta");
        assert_eq!(read("1\n2\n"), "2 lines");
    }

    #[test]
    fn the_size_of_a_change_is_counted() {
        let input = ToolInput::from_json(r#"{"old_string":"a\nb","new_string":"a\nc\nd"}"#);
        assert_eq!(
            change_size("Edit", &input.expect("json")),
            Some((2, Some(1)))
        );
        assert_eq!(change_size("Bash", &ToolInput::default()), None);
    }
}
