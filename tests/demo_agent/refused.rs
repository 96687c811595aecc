//! Commands that do not run: denied, stopped with the turn, or without an answer that can be read.

use crate::agent::Agent;
use crate::home::Home;
use crate::lines::{assert_has, assert_says, content, part, text};
use serde_json::{Value, json};

#[test]
fn a_denied_command_does_not_run_and_the_reason_is_heard() {
    let home = Home::new();
    let (mut agent, ask) = home.asked("run: touch made.txt");
    assert_eq!(ask["request"]["input"]["command"], "touch made.txt");
    agent.deny(&ask, "Please use printf instead.");
    let told = agent.tool_result(&ask);
    assert_eq!(content(&told), "Please use printf instead.");
    assert_eq!(part(&told)["is_error"], true);
    let decision = &told["tool_result_meta"][0]["permission_decision"];
    assert_eq!(decision["source"], "user_reject");
    let result = agent.result();
    assert_has(&result, json!({"subtype": "success", "is_error": false}));
    let denied = &result["permission_denials"][0]["tool_use_id"];
    assert_eq!(*denied, ask["request"]["tool_use_id"]);
    assert_says(&result["result"], "Please use printf instead.");
    assert_eq!(home.file("made.txt"), None);
}

#[test]
fn deny_and_interrupt_ends_the_turn_and_takes_the_other_questions_back() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    let uuid = agent.say("three things");
    let asks = [agent.ask(), agent.ask(), agent.ask()];
    agent.deny_and_stop(&asks[1], "Stop now.");
    agent.cancelled(&asks[0]);
    agent.cancelled(&asks[2]);
    agent.hear_one("the interruption", |line| {
        part(line)["text"] == "[Request interrupted by user for tool use]"
    });
    let rejection = "The user doesn't want to proceed";
    let told = agent.heard.iter().filter_map(|line| content(line).as_str());
    let refused = told.filter(|text| text.starts_with(rejection)).count();
    assert_eq!(
        refused, 3,
        "the message is dropped and all siblings are rejected"
    );
    assert_has(
        &agent.result(),
        json!({"subtype": "error_during_execution", "terminal_reason": "aborted_tools", "is_error": true}),
    );
    agent.lifecycle(&uuid, "cancelled");
    let next = agent.done("stream markdown");
    assert_eq!(next["is_error"], false, "the session is usable at once");
}

#[test]
fn answers_that_are_no_answers() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    let mut told = |send: &dyn Fn(&mut Agent, &Value)| {
        let ask = agent.asked("run: touch made.txt");
        send(&mut agent, &ask);
        let told = content(&agent.tool_result(&ask)).clone();
        agent.result();
        told
    };
    let invalid = told(&|agent, ask| agent.answer(ask, json!({"behavior": "maybe"})));
    assert_says(&invalid, "returned an invalid permission result");
    let misfit = told(&|agent, ask| agent.allow_with(ask, json!({"command": 7})));
    assert_says(&misfit, "failed schema validation");
    let failed = told(&|agent, ask| {
        agent.send(&json!({"type": "control_response", "response": {
            "subtype": "error", "request_id": ask["request_id"], "error": "host exploded"}}));
    });
    let expected = "Tool permission request failed: Error: host exploded";
    assert_eq!(text(&failed), expected);
    let first_wins = told(&|agent, ask| {
        let unknown = json!({"request_id": "00000000-dead-beef-0000-000000000000"});
        agent.answer(&unknown, json!({"behavior": "allow"}));
        agent.deny(ask, "first");
        agent.answer(ask, json!({"behavior": "allow"}));
    });
    assert_eq!(text(&first_wins), "first");
    assert_eq!(home.file("made.txt"), None);
}
