//! How much the model is to think: told to the program, asked back from it, and kept for its next process.

use crate::support::{Claude, allow, until};
use crate::talk::Talk;
use serde_json::{Value, json};

/// What the model was told with its newest call.
fn told_last(talk: &Talk) -> Value {
    let asked = talk.claude.api.asked();
    asked.last().expect("a call")["output_config"]["effort"].clone()
}

/// What everyone is shown, also of a process that has ended.
async fn shows(talk: &Talk, effort: &str) {
    until(&format!("effort \"{effort}\""), async || {
        let process = talk.server.process(&talk.session).await?;
        let shown = process["effort"].as_str();
        (shown.unwrap_or_default() == effort).then_some(())
    })
    .await;
}

async fn ended(talk: &mut Talk) -> Value {
    talk.call("kill", json!({})).await;
    talk.socket.state(&talk.session, "dead").await
}

#[tokio::test]
async fn an_effort_applies_at_once_is_shown_and_outlives_the_process() {
    let mut talk = Talk::begin("[[say One]]").await;
    shows(&talk, "medium").await;
    talk.socket.text("One").await;
    assert_eq!(told_last(&talk), "medium", "what is shown is what applies");
    talk.idle().await;
    talk.call("set_effort", json!({"effort": "high"})).await;
    shows(&talk, "high").await;
    talk.say("[[say Two]]").await;
    talk.socket.text("Two").await;
    assert_eq!(told_last(&talk), "high");
    talk.idle().await;
    assert_eq!(ended(&mut talk).await["effort"], "high");
    talk.say("[[say Three]]").await;
    talk.socket.text("Three").await;
    assert_eq!(told_last(&talk), "high", "also in its next process");
    talk.idle().await;
    ended(&mut talk).await;
    talk.call("set_effort", json!({"effort": "max"})).await;
    shows(&talk, "max").await;
    talk.say("[[say Four]]").await;
    talk.socket.text("Four").await;
    assert_eq!(told_last(&talk), "max", "it was chosen when none ran");
    talk.call("set_effort", json!({"effort": "default"})).await;
    shows(&talk, "medium").await;
}

#[tokio::test]
async fn an_effort_that_a_message_asks_for_is_shown_and_kept_too() {
    let mut talk = Talk::begin("[[say One]]").await;
    talk.whole_turn().await;
    talk.say("/effort low").await;
    shows(&talk, "low").await;
    talk.say("/effort silly").await;
    talk.socket.text("Invalid argument").await;
    ended(&mut talk).await;
    talk.say("[[say Two]]").await;
    talk.socket.text("Two").await;
    assert_eq!(told_last(&talk), "low");
    talk.idle().await;
    let cannot_be_told = json!({"model": "claude-3-5-haiku-20241022"});
    talk.call("set_model", cannot_be_told).await;
    shows(&talk, "").await;
    talk.call("set_model", json!({"model": "sonnet"})).await;
    shows(&talk, "low").await;
    talk.say("/effort auto").await;
    shows(&talk, "medium").await;
}

#[tokio::test]
async fn an_effort_and_what_was_granted_for_the_session_leave_each_other_alone() {
    let mut talk = Talk::begin("[[bash touch one.txt]]").await;
    let request = talk.pending().await;
    talk.call("set_effort", json!({"effort": "xhigh"})).await;
    shows(&talk, "xhigh").await;
    talk.respond(&request, allow()).await;
    talk.idle().await;
    assert_eq!(told_last(&talk), "medium", "a turn goes on as it began");
    let folder = talk.claude.place.root().join("elsewhere");
    std::fs::create_dir_all(&folder).expect("a folder");
    talk.call("add_folder", json!({"path": folder})).await;
    talk.say("[[say Two]]").await;
    talk.socket.text("Two").await;
    assert_eq!(told_last(&talk), "xhigh", "the folder came after it");
    talk.idle().await;
    talk.call("set_effort", json!({"effort": "low"})).await;
    let about = talk.call("about_session", json!({})).await;
    let folder = folder.display().to_string();
    assert!(about.to_string().contains(&folder), "{about}");
}

#[tokio::test]
async fn an_effort_that_is_none_or_is_overruled_is_refused_in_words() {
    let claude = Claude::new().await;
    let server = claude.server().variable("CLAUDE_CODE_EFFORT_LEVEL", "low");
    let server = server.start().await;
    let mut talk = Talk::begin_on(server, claude, "[[say One]]", json!({"effort": "high"})).await;
    talk.whole_turn().await;
    shows(&talk, "low").await;
    for (effort, words) in [
        ("silly", "Choose low, medium, high, xhigh, max or default."),
        ("high", "The effort stays low"),
    ] {
        let arguments = json!({"session_id": talk.session, "effort": effort});
        let reply = talk.server.call("set_effort", arguments).await;
        assert_eq!(reply.status, 400, "{reply:?}");
        let message = reply.body["message"].as_str().unwrap_or_default();
        assert!(message.contains(words), "{message}");
    }
}

#[tokio::test]
async fn a_session_begins_with_an_effort_and_its_copy_keeps_it() {
    let more = json!({"effort": "max"});
    let mut talk = Talk::begin_in(Claude::new().await, "[[say One]]", more).await;
    talk.socket.text("One").await;
    assert_eq!(told_last(&talk), "max");
    talk.idle().await;
    talk.claude.has_kept("One").await;
    let fork = talk.call("fork_session", json!({})).await;
    talk.session = fork["session_id"].as_str().expect("an id").to_owned();
    talk.socket
        .send(&json!({"type": "subscribe", "session_id": talk.session}))
        .await;
    talk.say("[[say Two]]").await;
    talk.socket.text("Two").await;
    assert_eq!(told_last(&talk), "max");
}
