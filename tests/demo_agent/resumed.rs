//! Conversations that are taken up again.

use crate::home::Home;
use crate::lines::{assert_begins, assert_has, content, part, text};
use serde_json::json;
use uuid::Uuid;

#[test]
fn a_session_that_is_not_there_cannot_be_resumed() {
    let home = Home::new();
    let mut agent = home.start(&["--resume=99999999-2222-4333-8444-555555555555"]);
    assert_eq!(agent.exit(), Some(1));
    let text = "No conversation found with session ID: 99999999-2222-4333-8444-555555555555";
    assert_eq!(agent.heard.len(), 1);
    assert_has(&agent.heard[0], json!({"type": "result", "errors": [text]}));
    assert_eq!(agent.complaint(), text);
}

#[test]
fn a_killed_session_closes_its_open_call_when_it_goes_on() {
    let home = Home::new();
    let session = Uuid::new_v4().to_string();
    let as_new = format!("--session-id={session}");
    let mut agent = home.start(&[&as_new]);
    let ask = agent.asked("run: touch made.txt");
    agent.kill();
    let mut agent = home.start(&[&format!("--resume={session}")]);
    let reply = agent.initialize();
    let open = &reply["pending_permission_requests"];
    assert_eq!(*open, json!([]), "the question is gone");
    let uuid = agent.say("stream markdown");
    let expected = json!({"is_error": false, "session_id": session});
    assert_has(&agent.result(), expected);
    let mut told = agent.heard.iter().map(part);
    assert!(
        !told.any(|part| part["type"] == "tool_result"),
        "the closing result is written to disk only"
    );
    let lines = home.recorded(&session);
    let call = &ask["request"]["tool_use_id"];
    let mut parts = lines.iter().map(part);
    let closed = parts
        .position(|part| part["tool_use_id"] == *call)
        .expect("a result for the dangling call");
    assert_begins(
        content(&lines[closed]),
        "[Tool call interrupted: the session ended before this call's result was recorded",
    );
    let next = part(&lines[closed + 1]);
    assert_eq!(next["text"], "No response requested.");
    assert_eq!(lines[closed + 2]["uuid"], json!(uuid));
    assert_eq!(home.file("made.txt"), None);
    let mut taken = home.start(&[&as_new]);
    assert_eq!(taken.exit(), Some(1), "an id in use is refused");
}

#[test]
fn continue_and_fork() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    let session = agent.done("stream markdown")["session_id"].clone();
    agent.leave();
    let mut agent = home.start(&["--continue"]);
    assert_eq!(agent.done("todo")["session_id"], session);
    agent.leave();
    let recorded = || home.recorded(text(&session)).len();
    let before = recorded();
    let mut agent = home.start(&["--continue", "--fork-session"]);
    let forked = agent.done("todo")["session_id"].clone();
    assert_ne!(forked, session);
    assert_eq!(recorded(), before, "the old file is left alone");
    let copy = home.recorded(text(&forked));
    assert!(copy.iter().all(|line| line["sessionId"] == forked));
}
