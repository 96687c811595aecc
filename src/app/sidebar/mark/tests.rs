//! Which mark a session wears.

use super::*;
use crate::model::samples;
use crate::model::{ProjectId, RequestId, SessionId, UnixTime};

fn process(state: ProcessState, error: Option<&str>, asks: &[RequestType]) -> ProcessInfo {
    let request = |kind: &RequestType| PendingRequest {
        request_id: RequestId::random(),
        request_type: *kind,
        created_at: UnixTime(0.0),
        ..samples::plain_request()
    };
    ProcessInfo {
        session_id: SessionId::random(),
        project_id: ProjectId::from("/code/api"),
        state,
        started_at: UnixTime(0.0),
        state_changed_at: UnixTime(0.0),
        error: error.map(str::to_owned),
        pending_requests: asks.iter().map(request).collect(),
        ..samples::plain_process()
    }
}

#[test]
fn every_state_has_a_mark_of_its_own() {
    let states = [
        (ProcessState::Starting, None),
        (ProcessState::AssistantTurn, None),
        (ProcessState::UserTurn, None),
        (ProcessState::Dead, None),
        (ProcessState::Dead, Some("exit code 1")),
    ];
    let dots = states.map(|(state, error)| mark(Some(&process(state, error, &[]))).dot);
    for (index, dot) in dots.iter().enumerate() {
        assert!(!dots[..index].contains(dot), "{dot}");
    }
    assert_eq!(mark(None).dot, "dot dead");
    let mut failed = process(ProcessState::UserTurn, None, &[]);
    failed.turn_failed = true;
    assert!(!dots.contains(&mark(Some(&failed)).dot));
    failed.state = ProcessState::AssistantTurn;
    assert_eq!(mark(Some(&failed)).words, "working", "it tries again");
}

#[test]
fn waiting_comes_before_running_and_shows_the_kind_of_the_oldest() {
    let asks = [RequestType::AskUserQuestion, RequestType::ToolApproval];
    let mark = mark(Some(&process(ProcessState::AssistantTurn, None, &asks)));
    assert_eq!(mark.dot, "dot ask");
    assert_eq!(mark.words, "waiting for you");
    assert_eq!(mark.waiting, Some(("ask", 2)));
}
