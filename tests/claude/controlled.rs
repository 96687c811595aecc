//! What a person does with a session besides answering: another model, a message taken back, a copy of the conversation.

use crate::support::allow;
use crate::talk::Talk;
use serde_json::{Value, json};

fn models_asked(talk: &Talk) -> Vec<String> {
    let name = |call: &Value| call["model"].as_str().map(str::to_owned);
    talk.claude.api.asked().iter().filter_map(name).collect()
}

#[tokio::test]
async fn another_model_is_asked_from_then_on() {
    let mut talk = Talk::begin("[[say One]]").await;
    talk.whole_turn().await;
    let first = models_asked(&talk).pop().expect("a call");
    let able = talk.call("capabilities", json!({})).await;
    let models = able["models"].as_array().expect("models");
    let other = models
        .iter()
        .filter_map(|model| model["value"].as_str())
        .find(|value| *value != "default" && !first.contains(value))
        .expect("another model");
    talk.call("set_model", json!({"model": other})).await;
    talk.say("[[say Two]]").await;
    talk.socket.text("Two").await;
    let now = models_asked(&talk).pop().expect("a call");
    assert_ne!(now, first, "{other} was chosen");
}

#[tokio::test]
async fn a_queued_message_that_is_taken_back_never_reaches_the_model() {
    let mut talk = Talk::begin("[[bash echo 1 > one.txt]]").await;
    let request = talk.pending().await;
    talk.say("And mind the gap.").await;
    let queued = |count: u64| move |process: &Value| process["queued_messages"] == count;
    talk.socket
        .process(&talk.session, "a queued message", queued(1))
        .await;
    let sent = talk.events("message_sent").await;
    let message = sent.last().expect("a message")["message_id"].clone();
    talk.call("cancel_message", json!({"message_id": message}))
        .await;
    talk.socket
        .process(&talk.session, "no queued message", queued(0))
        .await;
    talk.respond(&request, allow()).await;
    talk.idle().await;
    let seen = talk.claude.api.newest_texts();
    assert!(!seen.contains("mind the gap"), "{seen}");
    assert_eq!(talk.events("message_cancelled").await.len(), 1);
}

#[tokio::test]
async fn a_fork_knows_what_was_said_and_the_first_session_does_not_learn_of_it() {
    let mut talk = Talk::begin("[[say Of apples]]").await;
    talk.whole_turn().await;
    talk.claude.has_kept("Of apples").await;
    let fork = talk.call("fork_session", json!({})).await;
    let fork = fork["session_id"].as_str().expect("an id").to_owned();
    assert_ne!(fork, talk.session);
    talk.socket
        .send(&json!({"type": "subscribe", "session_id": fork}))
        .await;
    talk.server.send(&fork, "[[say Of pears]]").await;
    talk.socket.text("Of pears").await;
    let seen = |talk: &Talk| {
        let asked = talk.claude.api.asked();
        asked.last().expect("a call")["messages"].to_string()
    };
    assert!(seen(&talk).contains("Of apples"), "{}", seen(&talk));
    talk.say("[[say Of plums]]").await;
    talk.socket.text("Of plums").await;
    assert!(!seen(&talk).contains("Of pears"), "{}", seen(&talk));
    assert!(seen(&talk).contains("Of apples"), "{}", seen(&talk));
}
