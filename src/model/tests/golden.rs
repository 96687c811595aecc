//! What other clients rely on: processes, requests and responses.

use super::*;
use std::collections::BTreeMap;

#[test]
fn a_process_without_a_request_has_no_such_key() {
    is_written(&plain_process(), plain_process_json());
}

#[test]
fn a_process_with_requests_has_the_oldest_also_by_itself() {
    let second = PendingRequest {
        request_id: RequestId(Uuid::from_u128(9)),
        ..plain_request()
    };
    let process = ProcessInfo {
        state: ProcessState::AssistantTurn,
        pending_requests: vec![plain_request(), second],
        ..plain_process()
    };
    let mut other = plain_request_json();
    other["request_id"] = json!("00000000-0000-0000-0000-000000000009");
    let mut golden = plain_process_json();
    golden["state"] = json!("assistant_turn");
    golden["waiting_for_user"] = json!(true);
    golden["pending_request"] = plain_request_json();
    golden["pending_requests"] = json!([plain_request_json(), other]);
    is_written(&process, golden);
    assert_eq!(process.pending_request(), Some(&plain_request()));
}

#[test]
fn a_process_that_names_only_its_oldest_request_is_understood() {
    let mut given = plain_process_json();
    given["pending_request"] = plain_request_json();
    let process: ProcessInfo = serde_json::from_value(given).expect("a process");
    assert_eq!(process.pending_requests, [plain_request()]);
}

#[test]
fn a_process_of_which_everything_is_known() {
    let process = ProcessInfo {
        state: ProcessState::Dead,
        memory: Some(1024),
        error: Some("It fell.".to_owned()),
        kill_reason: Some("Ended by you.".to_owned()),
        permission_mode: Some(PermissionMode::AcceptEdits),
        model: Some("a-model".to_owned()),
        effort: Some("high".to_owned()),
        cwd: Some("/home/ada/api".to_owned()),
        title: Some("Fix it".to_owned()),
        queued_messages: 2,
        may_bypass: false,
        activity: Some("Compacting".to_owned()),
        tries_again_at: Some(UnixTime(12.5)),
        own_command: Some("ls".to_owned()),
        turn_failed: true,
        spent: Some(Spent {
            context_percent: Some(38),
            cost_usd: Some(1.5),
        }),
        background_calls: vec![ToolUseId("toolu_1".to_owned())],
        ..plain_process()
    };
    let mut golden = plain_process_json();
    for (name, value) in [
        ("state", json!("dead")),
        ("memory", json!(1024)),
        ("error", json!("It fell.")),
        ("kill_reason", json!("Ended by you.")),
        ("permission_mode", json!("acceptEdits")),
        ("model", json!("a-model")),
        ("effort", json!("high")),
        ("cwd", json!("/home/ada/api")),
        ("title", json!("Fix it")),
        ("queued_messages", json!(2)),
        ("activity", json!("Compacting")),
        ("tries_again_at", json!(12.5)),
        ("own_command", json!("ls")),
        ("turn_failed", json!(true)),
        ("spent", json!({"context_percent": 38, "cost_usd": 1.5})),
        ("background_calls", json!(["toolu_1"])),
    ] {
        golden[name] = value;
    }
    is_written(&process, golden);
    assert!(!process.is_alive());
}

#[test]
fn a_request_is_written_with_what_is_known_of_it() {
    is_written(&plain_request(), plain_request_json());
    let rule =
        json!({"type": "addRules", "rules": [{"toolName": "Bash", "ruleContent": "touch *"}]});
    let full = PendingRequest {
        request_type: RequestType::AskUserQuestion,
        tool_use_id: Some(ToolUseId::from("toolu_1")),
        agent: Some(AskingAgent {
            id: "a1".to_owned(),
            label: "Count the files".to_owned(),
            call: None,
        }),
        description: Some("Makes a file".to_owned()),
        decision_reason: Some("outside".to_owned()),
        blocked_path: Some("/etc".to_owned()),
        suggestions: vec![Suggestion(rule.clone())],
        mcp_server: Some("demo".to_owned()),
        grounds: Box::new(Grounds {
            decision_reason_type: Some("rule".to_owned()),
            matched_ask_rule: Some(MatchedRule {
                source: "userSettings".to_owned(),
                tool_name: "Bash".to_owned(),
                rule_content: None,
            }),
            classifier_approvable: Some(false),
            default_to_no: true,
            extra: input(json!({"new_field": [1]})).0,
            ..Grounds::default()
        }),
        expires_at: Some(UnixTime(1300.5)),
        digest: Some(Digest::from("abc")),
        ..plain_request()
    };
    let mut golden = plain_request_json();
    for (name, value) in [
        ("request_type", json!("ask_user_question")),
        ("tool_use_id", json!("toolu_1")),
        ("agent", json!({"id": "a1", "label": "Count the files"})),
        ("description", json!("Makes a file")),
        ("decision_reason", json!("outside")),
        ("blocked_path", json!("/etc")),
        ("suggestions", json!([rule])),
        ("mcp_server", json!("demo")),
        ("decision_reason_type", json!("rule")),
        (
            "matched_ask_rule",
            json!({"source": "userSettings", "tool_name": "Bash"}),
        ),
        ("classifier_approvable", json!(false)),
        ("default_to_no", json!(true)),
        ("extra", json!({"new_field": [1]})),
        ("expires_at", json!(1300.5)),
        ("digest", json!("abc")),
    ] {
        golden[name] = value;
    }
    is_written(&full, golden);
}

#[test]
fn every_kind_of_response_has_its_form() {
    let tool = json!({"request_type": "tool_approval", "decision": "allow"});
    is_written(&Response::allow(), tool);
    let reason = json!({"request_type": "tool_approval", "decision": "deny", "message": "No"});
    is_written(&Response::deny(Some("No".to_owned())), reason);
    let full = Response::ToolApproval(ToolDecision {
        decision: Decision::Deny,
        message: Some("No".to_owned()),
        interrupt: true,
        updated_input: Some(input(json!({"command": "ls"}))),
        remember: vec![Suggestion(json!({"type": "setMode", "mode": "plan"}))],
        note: Some("But".to_owned()),
    });
    is_written(
        &full,
        json!({
            "request_type": "tool_approval", "decision": "deny", "message": "No", "interrupt": true,
            "updated_input": {"command": "ls"}, "remember": [{"type": "setMode", "mode": "plan"}],
            "note": "But",
        }),
    );
    let answers = BTreeMap::from([("Which?".to_owned(), "A, B".to_owned())]);
    is_written(
        &Response::AskUserQuestion(QuestionAnswers {
            answers,
            cancelled: false,
            ..QuestionAnswers::default()
        }),
        json!({"request_type": "ask_user_question", "answers": {"Which?": "A, B"}}),
    );
    let cancelled = json!({"request_type": "ask_user_question", "cancelled": true});
    let read: Response = serde_json::from_value(cancelled).expect("without answers");
    assert_eq!(read.outcome(), Outcome::Cancelled);
    is_written(
        &Response::PlanApproval(PlanDecision {
            decision: Decision::Allow,
            message: None,
            plan: Some("1. Less".to_owned()),
            mode: Some(PermissionMode::AcceptEdits),
        }),
        json!({"request_type": "plan_approval", "decision": "allow", "plan": "1. Less", "mode": "acceptEdits"}),
    );
}

#[test]
fn a_response_says_how_its_request_ends() {
    let plan = |decision| {
        Response::PlanApproval(PlanDecision {
            decision,
            message: None,
            plan: None,
            mode: None,
        })
    };
    for (response, outcome) in [
        (Response::allow(), Outcome::Allowed),
        (Response::deny(None), Outcome::Denied),
        (plan(Decision::Allow), Outcome::Allowed),
        (plan(Decision::Deny), Outcome::Denied),
        (
            Response::AskUserQuestion(QuestionAnswers::default()),
            Outcome::Answered,
        ),
    ] {
        assert_eq!(response.outcome(), outcome, "{response:?}");
    }
}
