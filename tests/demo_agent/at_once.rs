//! Many questions at the same time.

use crate::agent::Agent;
use crate::home::Home;
use crate::lines::{assert_says, content, length};
use serde_json::{Value, json};

/// What it told of its state, in order.
fn states(agent: &Agent) -> Vec<&str> {
    let is_change = |line: &&Value| line["subtype"] == "session_state_changed";
    let changes = agent.heard.iter().filter(is_change);
    changes.filter_map(|line| line["state"].as_str()).collect()
}

#[test]
fn three_questions_at_once_are_answered_in_any_order() {
    let home = Home::new();
    let mut agent = home.start_with(&[], &[("CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS", "1")]);
    agent.say("three things at once");
    let asks = [agent.ask(), agent.ask(), agent.ask()];
    let reply = agent.initialize();
    let open = &reply["pending_permission_requests"];
    assert_eq!(*open, json!(asks), "what is open can be asked for again");
    assert_eq!(reply["response"]["session_state"], "requires_action");
    agent.allow(&asks[2]);
    agent.tool_result(&asks[2]);
    agent.deny(&asks[0], "not this one");
    assert_eq!(content(&agent.tool_result(&asks[0])), "not this one");
    let waits = "requires_action";
    assert_eq!(states(&agent), ["running", waits, waits, waits]);
    agent.allow(&asks[1]);
    let result = agent.result();
    assert_eq!(length(&result["permission_denials"]), Some(1));
    assert_says(&result["result"], "read 2");
    assert_says(&result["result"], "not this one");
    agent.hear(json!({"subtype": "session_state_changed", "state": "idle"}));
    assert_eq!(states(&agent)[4..], ["running", "idle"]);
}

#[test]
fn fifty_at_once() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    agent.say("50 at once");
    let asks: Vec<Value> = (0..50).map(|_| agent.ask()).collect();
    for ask in asks.iter().rev() {
        agent.allow(ask);
    }
    assert_says(&agent.result()["result"], "All 50");
}
