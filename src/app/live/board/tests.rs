//! Frames in, the state of a tab out.

use super::*;
use crate::model::samples;
use crate::model::{Outcome, ProcessState, RequestId, ResolvedBy};

fn request(created_at: f64) -> PendingRequest {
    PendingRequest {
        request_id: RequestId::random(),
        created_at: UnixTime(created_at),
        ..samples::plain_request()
    }
}

fn process(session_id: SessionId, changed_at: f64) -> ProcessInfo {
    ProcessInfo {
        session_id,
        project_id: ProjectId::from("/code/api"),
        state: ProcessState::AssistantTurn,
        started_at: UnixTime(1.0),
        state_changed_at: UnixTime(changed_at),
        title: Some("Rate limits".to_owned()),
        ..samples::plain_process()
    }
}

fn waiting_process(id: SessionId, created_at: &[f64]) -> ProcessInfo {
    ProcessInfo {
        pending_requests: created_at.iter().map(|at| request(*at)).collect(),
        ..process(id, 1.0)
    }
}

fn summary(session_id: SessionId, updated_at: f64) -> SessionSummary {
    SessionSummary {
        session_id,
        project_id: ProjectId::from("/code/api"),
        title: "Old title".to_owned(),
        created_at: UnixTime(0.0),
        updated_at: UnixTime(updated_at),
        process: None,
    }
}

fn active(processes: &[ProcessInfo]) -> ServerMessage {
    ServerMessage::ActiveProcesses {
        processes: processes.to_vec(),
        archived: 0,
    }
}

#[test]
fn a_process_of_an_unknown_session_adds_the_session() {
    let mut board = Board::default();
    let id = SessionId::random();
    assert!(board.apply(&ServerMessage::ProcessState(process(id, 5.0))));
    let session = board.session(id).expect("added");
    assert_eq!(session.title, "Rate limits");
    assert_eq!(session.project_id.name(), "api");
    assert_eq!(session.updated_at, UnixTime(5.0));
}

#[test]
fn the_same_frame_twice_changes_nothing() {
    let mut board = Board::default();
    let frame = ServerMessage::ProcessState(process(SessionId::random(), 5.0));
    assert!(board.apply(&frame));
    assert!(!board.apply(&frame));
}

#[test]
fn a_process_state_replaces_the_process_and_moves_the_session_up() {
    let (quiet, busy) = (SessionId::random(), SessionId::random());
    let mut board = Board::new(vec![summary(quiet, 20.0), summary(busy, 10.0)], 0);
    assert_eq!(board.sessions()[0].session_id, quiet);
    board.apply(&ServerMessage::ProcessState(process(busy, 30.0)));
    assert_eq!(board.sessions()[0].session_id, busy);
    assert_eq!(board.sessions()[0].title, "Rate limits");
}

#[test]
fn active_processes_replace_what_was_known_to_run() {
    let (gone, stays) = (SessionId::random(), SessionId::random());
    let mut board = Board::default();
    board.apply(&active(&[
        waiting_process(gone, &[3.0]),
        process(stays, 2.0),
    ]));
    assert_eq!(board.waiting().len(), 1);
    board.apply(&active(&[process(stays, 2.0)]));
    assert_eq!(board.waiting().len(), 0);
    assert!(
        board
            .session(gone)
            .expect("session stays")
            .process
            .is_none()
    );
    assert!(
        board
            .session(stays)
            .expect("session stays")
            .process
            .is_some()
    );
}

#[test]
fn how_a_process_ended_is_not_forgotten_on_reconnect() {
    let id = SessionId::random();
    let mut board = Board::default();
    board.apply(&ServerMessage::ProcessState(ProcessInfo {
        state: ProcessState::Dead,
        error: Some("exit code 1".to_owned()),
        ..process(id, 2.0)
    }));
    board.apply(&active(&[]));
    let process = board
        .session(id)
        .and_then(|session| session.process.as_ref());
    assert_eq!(
        process.and_then(|process| process.error.as_deref()),
        Some("exit code 1")
    );
}

#[test]
fn requests_of_all_sessions_wait_oldest_first_with_their_place() {
    let (a, b) = (SessionId::random(), SessionId::random());
    let mut board = Board::default();
    board.apply(&active(&[
        waiting_process(a, &[10.0, 30.0]),
        waiting_process(b, &[20.0]),
    ]));
    let order: Vec<_> = board
        .waiting()
        .iter()
        .map(|one| {
            (
                one.request.created_at.0,
                one.session_id,
                one.position,
                one.of,
            )
        })
        .collect();
    assert_eq!(order, [(10.0, a, 1, 2), (20.0, b, 1, 1), (30.0, a, 2, 2)]);
}

#[test]
fn requests_of_the_same_moment_keep_their_order() {
    let id = SessionId::random();
    let mut board = Board::default();
    let process = waiting_process(id, &[10.0, 10.0, 10.0]);
    let asked: Vec<_> = process
        .pending_requests
        .iter()
        .map(|request| request.request_id)
        .collect();
    board.apply(&ServerMessage::ProcessState(process));
    let shown: Vec<_> = board
        .waiting()
        .iter()
        .map(|one| one.request.request_id)
        .collect();
    assert_eq!(shown, asked);
}

#[test]
fn a_resolved_request_leaves_at_once_and_only_it() {
    let id = SessionId::random();
    let process = waiting_process(id, &[10.0, 20.0]);
    let answered = process.pending_requests[0].request_id;
    let mut board = Board::default();
    board.apply(&ServerMessage::ProcessState(process));
    let resolved = ServerMessage::RequestResolved {
        session_id: id,
        request_id: answered,
        outcome: Outcome::Allowed,
        by: ResolvedBy::User,
        at: UnixTime(30.0),
        answer_id: None,
    };
    assert!(board.apply(&resolved));
    assert!(!board.apply(&resolved));
    let left = board.waiting();
    assert_eq!(left.len(), 1);
    assert_eq!((left[0].position, left[0].of), (1, 1));
}

#[test]
fn a_list_of_sessions_adds_and_renames_but_leaves_processes_to_the_socket() {
    let (known, new) = (SessionId::random(), SessionId::random());
    let mut board = Board::default();
    board.apply(&ServerMessage::ProcessState(waiting_process(
        known,
        &[10.0],
    )));
    let listed = SessionSummary {
        process: Some(process(known, 1.0)),
        ..summary(known, 5.0)
    };
    assert!(board.learn(vec![listed, summary(new, 7.0)]));
    assert_eq!(
        board.session(known).map(|session| session.title.as_str()),
        Some("Old title")
    );
    assert_eq!(board.waiting().len(), 1);
    assert!(board.session(new).is_some());
}

fn ended(session_id: SessionId, archived_at: Option<f64>) -> ProcessInfo {
    ProcessInfo {
        state: ProcessState::Dead,
        archived_at: archived_at.map(UnixTime),
        ..process(session_id, 2.0)
    }
}

fn shown(board: &Board) -> Vec<SessionId> {
    let sessions = board.sessions();
    sessions.iter().map(|session| session.session_id).collect()
}

#[test]
fn an_archived_session_is_in_no_list_until_it_is_brought_back() {
    let (id, other) = (SessionId::random(), SessionId::random());
    let mut board = Board::new(vec![summary(id, 1.0), summary(other, 2.0)], 0);
    assert!(board.apply(&ServerMessage::ProcessState(ended(id, Some(3.0)))));
    board.apply(&ServerMessage::Archive {
        archived: 1,
        deleted: None,
    });
    assert_eq!((shown(&board), board.archived()), (vec![other], 1));
    assert!(
        board.session(id).is_some_and(SessionSummary::is_archived),
        "its page stays"
    );
    board.apply(&ServerMessage::ProcessState(ended(id, None)));
    assert_eq!(shown(&board).len(), 2);

    let never_seen = ended(SessionId::random(), Some(3.0));
    assert!(!board.apply(&ServerMessage::ProcessState(never_seen)));
    assert_eq!(shown(&board).len(), 2, "one that is archived is not added");
    board.apply(&ServerMessage::Archive {
        archived: 0,
        deleted: Some(id),
    });
    assert_eq!((shown(&board), board.session(id)), (vec![other], None));
}

#[test]
fn after_a_time_without_a_socket_what_is_not_listed_has_been_put_away() {
    let [gone, back, kept, begun] = [(); 4].map(|()| SessionId::random());
    let mut board = Board::new([gone, back, kept].map(|id| summary(id, 1.0)).into(), 0);
    board.apply(&ServerMessage::ProcessState(ended(back, Some(3.0))));
    board.apply(&ServerMessage::ProcessState(process(begun, 4.0)));
    let listed = |id, process| SessionSummary {
        process: Some(process),
        ..summary(id, 5.0)
    };
    let cut_off = ProcessInfo {
        cut_off: vec![request(4.5)],
        ..ended(kept, None)
    };
    assert!(board.learn_all(vec![listed(back, ended(back, None)), listed(kept, cut_off)]));
    let mut now = shown(&board);
    now.sort();
    let mut expected = vec![back, kept, begun];
    expected.sort();
    assert_eq!(now, expected);
    let told = board.cut_off();
    assert_eq!(told.len(), 1);
    assert_eq!((told[0].session_id, board.waiting()), (kept, Vec::new()));
}
