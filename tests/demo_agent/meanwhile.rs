//! Messages that come while it works, or come twice.

use crate::home::Home;
use crate::lines::{assert_has, assert_says, part, text};
use serde_json::json;

#[test]
fn a_message_while_asking_joins_the_turn() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    let first = agent.say("run: echo hi");
    let ask = agent.ask();
    let second = agent.say("please also say hello");
    agent.lifecycle(&second, "queued");
    agent.never_said(json!({"command_uuid": second, "state": "started"}));
    agent.allow(&ask);
    agent.tool_result(&ask);
    agent.lifecycle(&second, "started");
    agent.lifecycle(&second, "completed");
    let result = agent.result();
    assert_eq!(result["user_message_uuids"], json!([first, second]));
    assert_says(&result["result"], "please also say hello");
    agent.lifecycle(&first, "completed");
    agent.leave();
    let results = agent.count(json!({"type": "result"}));
    assert_eq!(results, 1, "no result of its own");
}

#[test]
fn the_same_message_twice_is_one_message_also_after_resume() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    let uuid = agent.say("stream markdown");
    let session = agent.result()["session_id"].clone();
    agent.say_as("stream markdown", &uuid);
    let next = agent.done("todo");
    let read = &next["user_message_uuid"];
    assert_ne!(*read, json!(uuid), "the repetition got no turn");
    assert_eq!(agent.leave(), Some(0));
    let mut agent = home.start(&[&format!("--resume={}", text(&session))]);
    agent.say_as("stream markdown", &uuid);
    let new = agent.say("stream markdown");
    let result = agent.result();
    assert_eq!(result["user_message_uuids"], json!([new]));
    assert_eq!(result["session_id"], session);
    let welcome = agent.position_of("a welcome", |line| {
        let text = part(line)["text"].as_str();
        text.is_some_and(|text| text.starts_with("Welcome back"))
    });
    assert!(agent.heard[welcome].to_string().contains("2 messages"));
}

#[test]
fn a_message_with_priority_takes_the_turn() {
    let home = Home::new();
    let (mut agent, ask) = home.asked("run: touch made.txt");
    agent.send(&json!({"type": "user", "uuid": "urgent", "priority": "now",
        "message": {"role": "user", "content": "stream markdown"}}));
    agent.cancelled(&ask);
    assert_has(
        &agent.result(),
        json!({"subtype": "success", "is_error": false, "terminal_reason": "aborted_tools", "result": ""}),
    );
    assert_eq!(agent.result()["user_message_uuids"], json!(["urgent"]));
}
