//! Lines as the CLI writes them, and what we make of them.

mod again;
mod effort;
mod heard;
mod listener;
mod mutations;
mod recordings;
mod unreadable;

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

fn id(id: impl Into<Value>) -> CliId {
    CliId::of(&id.into()).expect("a name")
}

fn only_request(told: Vec<Told>) -> (CliId, PendingRequest) {
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
    assert_eq!(cli_id.to_string(), "r1");
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
    assert!(matches!(
        told[..],
        [
            Told::Heard(Heard::TurnFinished),
            Told::Heard(Heard::QueueTaken)
        ]
    ));
}

fn line(verdict_given: Verdict) -> Value {
    let input = ToolInput::from_value(json!({"command": "ls"}));
    serde_json::from_str(&verdict(&id("r1"), &input, verdict_given).expect("a line")).expect("json")
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
    assert_eq!(
        verdict(&id("r1"), &ToolInput::default(), Verdict::Nothing),
        None
    );
}

#[test]
fn a_denial_that_stops_says_so() {
    let line = line(Verdict::Deny {
        message: "no".to_owned(),
        interrupt: true,
    });
    assert_eq!(line["response"]["response"]["interrupt"], json!(true));
    assert_eq!(line["response"]["response"]["message"], json!("no"));
    assert_eq!(
        line["response"]["response"]["decisionClassification"],
        json!("user_reject")
    );
}

#[test]
fn what_nobody_decided_is_no_refusal_of_a_person() {
    let line = line(Verdict::nobody_answered(false));
    assert_eq!(line["response"]["response"]["behavior"], json!("deny"));
    let classified = line["response"]["response"].get("decisionClassification");
    assert_eq!(classified, None);
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

#[test]
fn every_ground_of_an_ask_is_kept_also_the_unknown_ones() {
    let line = json!({"type": "control_request", "request_id": "r", "request": {
        "subtype": "can_use_tool", "tool_name": "mcp__srv__hello", "display_name": "Hello", "input": {}, "title": "T",
        "decision_reason_type": "hook", "decision_reason_rule_source": "userSettings",
        "decision_reason_hook_event": "PreToolUse", "decision_reason_hook_source": "projectSettings",
        "classifier_approvable": false, "suppress_always_allow_rule": true, "requires_user_interaction": true,
        "default_to_no": true, "server_policy_ask_only": true,
        "matched_ask_rule": {"source": "localSettings", "tool_name": "Bash", "rule_content": "git push *"},
        "mcp_server": {"name": "srv", "source": "project"},
        "permission_suggestions": [{"type": "setMode", "mode": "acceptEdits", "destination": "session"}],
        "brand_new": {"a": [1, 2]}, "huge": "x".repeat(100_000)}});
    let (_, request) = only_request(read(&mut protocol(), line));
    let grounds = request.grounds;
    assert_eq!(grounds.display_name.as_deref(), Some("Hello"));
    assert_eq!(grounds.title.as_deref(), Some("T"));
    assert_eq!(grounds.decision_reason_type.as_deref(), Some("hook"));
    assert_eq!(
        grounds.decision_reason_rule_source.as_deref(),
        Some("userSettings")
    );
    assert_eq!(
        grounds.decision_reason_hook_event.as_deref(),
        Some("PreToolUse")
    );
    assert_eq!(
        grounds.decision_reason_hook_source.as_deref(),
        Some("projectSettings")
    );
    assert_eq!(grounds.classifier_approvable, Some(false));
    assert!(
        grounds.suppress_always_allow_rule
            && grounds.requires_user_interaction
            && grounds.default_to_no
    );
    let rule = grounds.matched_ask_rule.expect("a rule");
    assert_eq!(
        (rule.source.as_str(), rule.written().as_str()),
        ("localSettings", "Bash(git push *)")
    );
    assert_eq!(request.mcp_server.as_deref(), Some("srv"));
    assert_eq!(grounds.mcp_server_source.as_deref(), Some("project"));
    assert!(request.suggestions.is_empty(), "none may be offered");
    let extra: Vec<&String> = grounds.extra.keys().collect();
    assert_eq!(extra, ["brand_new"], "what is too large is left out");
}

fn greeted(protocol: &mut Protocol, response: Value) -> Vec<Told> {
    let line = json!({"type": "control_response", "response": {
        "subtype": "success", "request_id": outgoing::INITIALIZE, "response": response}});
    read(protocol, line)
}

#[test]
fn after_a_bad_line_the_agent_is_asked_once_what_it_waits_for() {
    let mut protocol = protocol();
    assert!(
        !protocol
            .read(b"garbage")
            .iter()
            .any(|told| matches!(told, Told::Answer(_))),
        "the first greeting is still to be answered"
    );
    greeted(&mut protocol, json!({}));
    let told = protocol.read(b"{\"type\":\"control_req");
    let asked: Vec<Value> = told
        .iter()
        .filter_map(|told| match told {
            Told::Answer(line) => serde_json::from_str(line).ok(),
            _ => None,
        })
        .collect();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0]["request"]["subtype"], "initialize");
    assert!(
        protocol
            .read(b"more")
            .iter()
            .all(|told| !matches!(told, Told::Answer(_)))
    );

    only_request(read(&mut protocol, ask("known", "Bash", json!({}))));
    let line = json!({"type": "control_response", "response": {
        "subtype": "success", "request_id": outgoing::INITIALIZE, "response": {},
        "pending_permission_requests": [ask("known", "Bash", json!({})), ask("hidden", "Write", json!({}))]}});
    let told = read(&mut protocol, line);
    let recovered: Vec<String> = told
        .iter()
        .filter_map(|told| match told {
            Told::Asks { cli_id, .. } => Some(cli_id.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(recovered, ["hidden"], "what is known is not asked twice");
}

#[test]
fn the_greeting_tells_what_the_agent_can_do_and_its_version_once() {
    let mut protocol = protocol();
    let told = greeted(
        &mut protocol,
        json!({
        "claude_code_version": "2.1.325",
        "models": [{"value": "opus", "resolvedModel": "claude-opus-5-5", "displayName": "Opus", "description": "best"}],
        "commands": [{"name": "clear", "description": "Start over", "argumentHint": "", "builtin": true}, 7]}),
    );
    let Some(Told::Version(version)) = told.first() else {
        panic!("{told:?}");
    };
    assert_eq!(version, "2.1.325");
    let can = told.iter().find_map(|told| match told {
        Told::Heard(Heard::Can(can)) => Some(can),
        _ => None,
    });
    let can = can.expect("capabilities");
    assert_eq!(can.models[0].resolved.as_deref(), Some("claude-opus-5-5"));
    assert_eq!(can.commands[0].name, "clear");
    let init = json!({"type": "system", "subtype": "init", "claude_code_version": "2.1.325"});
    assert!(
        !read(&mut protocol, init)
            .iter()
            .any(|told| matches!(told, Told::Version(_)))
    );
}

#[test]
fn an_older_agent_tells_its_version_at_the_head_of_a_turn() {
    let mut protocol = protocol();
    greeted(&mut protocol, json!({}));
    let init = json!({"type": "system", "subtype": "init", "claude_code_version": "2.1.197"});
    assert!(
        read(&mut protocol, init)
            .iter()
            .any(|told| matches!(told, Told::Version(version) if version == "2.1.197"))
    );
}

#[test]
fn without_a_login_there_is_no_use_in_going_on() {
    let line = json!({"type": "result", "subtype": "success", "is_error": true, "terminal_reason": "api_error",
        "result": "Not logged in · Please run /login"});
    let told = read(&mut protocol(), line);
    let Some(Told::Unusable(sentence)) = told.iter().find(|told| matches!(told, Told::Unusable(_)))
    else {
        panic!("{told:?}");
    };
    assert!(sentence.contains("/login") && sentence.contains("ANTHROPIC_API_KEY"));
}

#[test]
fn one_result_serves_several_messages_and_one_of_background_work_serves_none() {
    let ids = [MessageId::random(), MessageId::random()];
    let told = read(
        &mut protocol(),
        json!({"type": "result", "subtype": "success", "is_error": false, "user_message_uuids": ids}),
    );
    let served: Vec<MessageId> = told
        .iter()
        .filter_map(|told| match told {
            Told::Heard(Heard::MessageTaken(id)) => Some(*id),
            _ => None,
        })
        .collect();
    assert_eq!(served, ids);
    let told = read(
        &mut protocol(),
        json!({"type": "result", "subtype": "success", "is_error": false, "origin": {"kind": "task-notification"}}),
    );
    assert!(told.iter().any(|told| matches!(
        told,
        Told::Heard(Heard::Happened(Entry::TurnFinished { unasked: true, .. }))
    )));
}

#[test]
fn a_status_of_the_api_is_said_in_words() {
    let error = |status: u64| {
        let line = json!({"type": "result", "subtype": "success", "is_error": true, "result": "API Error: x", "api_error_status": status});
        let told = read(&mut protocol(), line);
        told.into_iter().find_map(|told| match told {
            Told::Heard(Heard::Happened(Entry::TurnFinished { error, .. })) => error,
            _ => None,
        })
    };
    for (status, words) in [
        (429, "limits the rate"),
        (529, "overloaded"),
        (500, "error of its own"),
        (401, "login"),
    ] {
        let said = error(status).expect("an error");
        assert!(
            said.contains(words) && said.contains("API Error: x"),
            "{said}"
        );
    }
}

#[test]
fn another_conversation_is_told_once_also_by_an_agent_that_only_changes_its_id() {
    let cleared = |told: &[Told]| {
        let is_it = |told: &&Told| {
            matches!(
                told,
                Told::Heard(Heard::Happened(Entry::ConversationCleared))
            )
        };
        told.iter().filter(is_it).count()
    };
    let init =
        |id: u128| json!({"type": "system", "subtype": "init", "session_id": Uuid::from_u128(id)});
    let mut protocol = protocol();
    assert_eq!(cleared(&read(&mut protocol, init(1))), 0, "the first one");
    assert_eq!(cleared(&read(&mut protocol, init(1))), 0, "the same one");
    assert_eq!(cleared(&read(&mut protocol, init(2))), 1, "without a word");
    let reset = json!({"type": "conversation_reset", "new_conversation_id": Uuid::from_u128(9)});
    assert_eq!(cleared(&read(&mut protocol, reset)), 1);
    let told = read(&mut protocol, init(3));
    assert_eq!(cleared(&told), 0, "it was told already");
    assert!(
        told.iter()
            .any(|told| matches!(told, Told::Heard(Heard::Keeps(id)) if *id == Uuid::from_u128(3)))
    );
}
