//! Messages that are told piece by piece.

use crate::home::Home;
use crate::lines::part;
use serde_json::{Value, json};

#[test]
fn pieces_make_up_the_message() {
    let home = Home::new();
    let mut agent = home.start(&["--include-partial-messages"]);
    let ask = agent.asked("run: true");
    agent.allow(&ask);
    agent.result();
    let call = agent.position_of("the call", |line| part(line)["type"] == "tool_use");
    let id = &agent.heard[call]["message"]["id"];
    let lines = agent.heard.iter();
    let pieces = lines.filter(|line| line["api_message_id"] == *id);
    let events: Vec<&Value> = pieces.map(|line| &line["event"]).collect();
    let kinds = events.iter().filter_map(|event| event["type"].as_str());
    let kinds: Vec<&str> = kinds.collect();
    assert_eq!(kinds.first(), Some(&"message_start"));
    assert_eq!(kinds.last(), Some(&"message_stop"));
    let input: String = events
        .iter()
        .filter_map(|event| event["delta"]["partial_json"].as_str())
        .collect();
    let input: Option<Value> = serde_json::from_str(&input).ok();
    assert_eq!(input.as_ref(), Some(&ask["request"]["input"]));
    let end_of_block = json!({"type": "content_block_stop", "index": 1});
    let stop = agent.position(json!({"api_message_id": id, "event": end_of_block}));
    assert!(
        call < stop,
        "the complete line comes before the end of its block"
    );
}

#[test]
fn an_interrupt_while_words_arrive_keeps_what_was_said() {
    let home = Home::new();
    let mut agent = home.start_with(
        &["--include-partial-messages"],
        &[("COUNTERSIGN_DEMO_SPEED", "4")],
    );
    let uuid = agent.say("think long");
    for kind in ["thinking_delta", "text_delta"] {
        agent.hear(json!({"event": {"delta": {"type": kind}}}));
    }
    agent.interrupt();
    let partial = agent.hear(json!({"type": "assistant", "aborted": true}));
    let said: String = agent
        .heard
        .iter()
        .filter_map(|line| line["event"]["delta"]["text"].as_str())
        .collect();
    assert_eq!(part(&partial)["text"], json!(said));
    let result = agent.result();
    assert_eq!(result["terminal_reason"], "aborted_streaming");
    agent.position(json!({"abandoned_blocks": {"from_block_index": 2}}));
    agent.lifecycle(&uuid, "cancelled");
}
