//! Lines as the CLI writes them, and what we make of them.

mod again;
mod heard;
mod listener;
mod mutations;
mod recordings;

use super::*;
use crate::desk::Verdict;
use crate::model::{RequestType, ToolInput};
use serde_json::json;

fn protocol() -> Protocol {
    Protocol::new(PermissionMode::Default)
}

fn read(protocol: &mut Protocol, line: Value) -> Vec<Told> {
    protocol.read(line.to_string().as_bytes())
}

fn ask(id: &str, tool: &str, input: Value) -> Value {
    json!({"type": "control_request", "request_id": id, "request": {
        "subtype": "can_use_tool", "tool_name": tool, "input": input, "tool_use_id": "toolu_1",
        "description": "words", "blocked_path": "/w/x", "decision_reason": "outside",
        "permission_suggestions": [{"type": "setMode", "mode": "acceptEdits", "destination": "session"}]}})
}

fn only_request(told: Vec<Told>) -> (String, PendingRequest) {
    match <[Told; 1]>::try_from(told) {
        Ok([Told::Asks { cli_id, request }]) => (cli_id, *request),
        other => panic!("one request, not {other:?}"),
    }
}

#[test]
fn an_ask_keeps_every_field() {
    let (cli_id, request) = only_request(read(
        &mut protocol(),
        ask("r1", "Bash", json!({"command": "ls"})),
    ));
    assert_eq!(cli_id, "r1");
    assert_eq!(request.request_type, RequestType::ToolApproval);
    assert_eq!(request.tool_input.text("command"), Some("ls"));
    assert_eq!(request.description.as_deref(), Some("words"));
    assert_eq!(request.blocked_path.as_deref(), Some("/w/x"));
    assert_eq!(request.decision_reason.as_deref(), Some("outside"));
    assert_eq!(request.suggestions.len(), 1);
    assert!(request.digest.is_some());
}

#[test]
fn the_digest_follows_what_will_run() {
    let digest = |tool: &str, input| {
        only_request(read(&mut protocol(), ask("r", tool, input)))
            .1
            .digest
    };
    assert_eq!(
        digest("Bash", json!({"command": "ls"})),
        digest("Bash", json!({"command": "ls"}))
    );
    assert_ne!(
        digest("Bash", json!({"command": "ls"})),
        digest("Bash", json!({"command": "ls "}))
    );
    assert_ne!(
        digest("Bash", json!({"command": "ls"})),
        digest("Read", json!({"command": "ls"}))
    );
}

#[test]
fn questions_and_plans_are_kinds_of_their_own() {
    let kind = |tool: &str| {
        only_request(read(&mut protocol(), ask("r", tool, json!({}))))
            .1
            .request_type
    };
    assert_eq!(kind("AskUserQuestion"), RequestType::AskUserQuestion);
    assert_eq!(kind("ExitPlanMode"), RequestType::PlanApproval);
    assert_eq!(kind("mcp__demo__greet"), RequestType::ToolApproval);
}

#[test]
fn a_bare_ask_is_still_shown() {
    let line = json!({"type": "control_request", "request_id": 7, "request": {"subtype": "can_use_tool", "input": "x"}});
    let (_, request) = only_request(read(&mut protocol(), line));
    assert_eq!(request.tool_input.text("value"), Some("x"));
}

#[test]
fn a_cancel_withdraws_its_request_once() {
    let mut protocol = protocol();
    let (_, request) = only_request(read(&mut protocol, ask("r1", "Bash", json!({}))));
    let cancel = json!({"type": "control_cancel_request", "request_id": "r1"});
    assert!(
        matches!(read(&mut protocol, cancel.clone())[..], [Told::Heard(Heard::Withdrew(id))] if id == request.request_id)
    );
    assert!(read(&mut protocol, cancel).is_empty());
}

#[test]
fn an_unknown_control_request_is_answered_and_shown() {
    let line =
        json!({"type": "control_request", "request_id": "r9", "request": {"subtype": "dance"}});
    let told = read(&mut protocol(), line);
    let [
        Told::Answer(answer),
        Told::Heard(Heard::Happened(Entry::Noticed { .. })),
    ] = &told[..]
    else {
        panic!("{told:?}");
    };
    let answer: Value = serde_json::from_str(answer).expect("json");
    assert_eq!(answer["response"]["subtype"], "error");
    assert_eq!(answer["response"]["request_id"], "r9");
}

#[test]
fn bad_lines_hide_nothing() {
    let mut protocol = protocol();
    for line in [
        &b"\xff\xfe"[..],
        b"{\"type\":\"assis",
        b"null",
        b"[1]",
        b"{}",
        b"  ",
        b"\0\0",
    ] {
        protocol.read(line);
    }
    only_request(read(&mut protocol, ask("r1", "Bash", json!({}))));
}

#[test]
fn deep_nesting_is_survived() {
    let mut protocol = protocol();
    let deep = format!(
        "{{\"type\":\"assistant\",\"message\":{}{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    protocol.read(deep.as_bytes());
    only_request(read(&mut protocol, ask("r1", "Bash", json!({}))));
}

#[test]
fn an_error_called_success_is_an_error() {
    let line = json!({"type": "result", "subtype": "success", "is_error": true, "result": "API Error: 500", "terminal_reason": "api_error"});
    let told = read(&mut protocol(), line);
    assert!(told.iter().any(|told| matches!(told,
        Told::Heard(Heard::Happened(Entry::TurnFinished { error: Some(error), interrupted: false, .. })) if error == "API Error: 500")));
    assert!(
        told.iter()
            .any(|told| matches!(told, Told::Heard(Heard::TurnFinished)))
    );
}

#[test]
fn a_result_does_not_end_the_turn_of_an_agent_that_tells_its_state() {
    let mut protocol = protocol();
    read(
        &mut protocol,
        json!({"type": "system", "subtype": "session_state_changed", "state": "running"}),
    );
    let told = read(
        &mut protocol,
        json!({"type": "result", "subtype": "success", "is_error": false}),
    );
    assert!(
        !told
            .iter()
            .any(|told| matches!(told, Told::Heard(Heard::TurnFinished)))
    );
    let told = read(
        &mut protocol,
        json!({"type": "system", "subtype": "session_state_changed", "state": "idle"}),
    );
    assert!(matches!(told[..], [Told::Heard(Heard::TurnFinished)]));
}

fn line(verdict_given: Verdict) -> Value {
    let input = ToolInput::from_value(json!({"command": "ls"}));
    serde_json::from_str(&verdict("r1", &input, verdict_given).expect("a line")).expect("json")
}

#[test]
fn an_unchanged_input_is_not_sent_back() {
    let same = Some(ToolInput::from_value(json!({"command": "ls"})));
    for updated_input in [None, same] {
        let line = line(Verdict::Allow {
            updated_input,
            remember: vec![],
            mode: None,
        });
        assert_eq!(
            line["response"]["response"],
            json!({"behavior": "allow", "decisionClassification": "user_temporary"})
        );
    }
}

#[test]
fn a_withdrawn_request_is_not_answered() {
    assert_eq!(verdict("r1", &ToolInput::default(), Verdict::Nothing), None);
}

#[test]
fn a_denial_that_stops_says_so() {
    let line = line(Verdict::Deny {
        message: "no".to_owned(),
        interrupt: true,
    });
    assert_eq!(line["response"]["response"]["interrupt"], json!(true));
    assert_eq!(line["response"]["response"]["message"], json!("no"));
}

#[test]
fn a_call_with_a_result_is_forgotten() {
    let mut protocol = protocol();
    only_request(read(&mut protocol, ask("r1", "Bash", json!({}))));
    let finished = json!({"type": "user", "message": {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "toolu_1", "content": "done"}]}});
    read(&mut protocol, finished);
    assert!(protocol.asks.is_empty());
}
