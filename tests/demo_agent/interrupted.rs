//! Questions that are taken back, and turns that are interrupted.

use crate::agent::wait_for;
use crate::home::Home;
use crate::lines::{assert_has, assert_says};
use serde_json::json;
use std::process::{Command, Stdio};

#[test]
fn a_withdrawn_question_cannot_be_answered_any_more() {
    let home = Home::new();
    let (mut agent, ask) = home.asked("withdraw");
    agent.cancelled(&ask);
    agent.allow(&ask);
    let result = agent.result();
    assert_eq!(result["is_error"], false);
    assert_says(&result["result"], "took the request back");
}

#[test]
fn an_interrupt_while_asking() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    let uuid = agent.say("run: touch made.txt");
    let ask = agent.ask();
    let waiting = agent.say("stream markdown");
    agent.lifecycle(&waiting, "queued");
    let reply = agent.interrupt();
    assert_eq!(reply["response"]["still_queued"], json!([waiting]));
    let cancel = agent.position(json!({"type": "control_cancel_request"}));
    let answered = agent.position(json!({"type": "control_response"}));
    assert!(cancel < answered, "the cancel comes first");
    agent.tool_result(&ask);
    let result = agent.result();
    assert_has(
        &result,
        json!({"subtype": "error_during_execution", "terminal_reason": "aborted_tools"}),
    );
    assert_eq!(result["user_message_uuids"], json!([uuid]));
    agent.lifecycle(&uuid, "cancelled");
    agent.allow(&ask);
    let next = agent.result();
    let taken = &next["user_message_uuids"];
    assert_eq!(*taken, json!([waiting]), "what was queued survives");
    assert_eq!(home.file("made.txt"), None, "a late answer does nothing");
}

#[test]
fn an_interrupt_can_drop_what_is_queued() {
    let home = Home::new();
    let (mut agent, _) = home.asked("run: touch made.txt");
    let (dropped, taken_back) = (agent.say("stream markdown"), agent.say("todo"));
    agent.lifecycle(&taken_back, "queued");
    let take_back = json!({"subtype": "cancel_async_message", "message_uuid": taken_back});
    let reply = agent.request(take_back);
    assert_eq!(reply["response"], json!({"cancelled": true}));
    let reply = agent.request(json!({"subtype": "interrupt", "cancel_queued": true}));
    let expected = json!({"still_queued": [], "cancelled": [dropped]});
    assert_eq!(reply["response"], expected);
    agent.result();
    assert_eq!(agent.leave(), Some(1), "the last result was an error");
    assert_eq!(agent.count(json!({"type": "result"})), 1);
}

#[test]
fn an_interrupt_kills_a_running_command_and_its_children() {
    let home = Home::new();
    let (mut agent, ask) = home.asked("run: echo $$ > pid.txt; sleep 300 & wait");
    agent.allow(&ask);
    let pid = wait_for(|| home.file("pid.txt").filter(|text| text.ends_with('\n')));
    let reply = agent.interrupt();
    assert_eq!(reply["response"]["still_queued"], json!([]));
    assert_eq!(agent.result()["terminal_reason"], "aborted_tools");
    let group = format!("-{}", pid.trim());
    wait_for(|| {
        let alive = Command::new("kill")
            .args(["-0", "--", &group])
            .stderr(Stdio::null())
            .status()
            .expect("kill runs");
        (!alive.success()).then_some(())
    });
}
