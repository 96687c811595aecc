//! An archived session is still the session of its conversation; a deleted one leaves the conversation to be taken up anew.

use crate::talk::Talk;
use serde_json::{Value, json};

#[tokio::test]
async fn an_archived_conversation_is_not_offered_and_a_deleted_one_is() {
    let mut talk = Talk::begin("[[say The gate is green.]]").await;
    talk.whole_turn().await;
    talk.claude.has_kept("The gate is green.").await;
    let project = json!({"project": talk.server.project()});
    let offered = async |talk: &Talk| -> Vec<Value> {
        let listed = talk.server.call("list_conversations", project.clone());
        let listed = listed.await.done();
        listed.as_array().cloned().unwrap_or_default()
    };
    talk.call("archive_session", json!({})).await;
    assert_eq!(offered(&talk).await, [] as [Value; 0]);
    let taken_up = json!({"project": talk.server.project(), "conversation_id": talk.session});
    talk.server
        .call("take_up", taken_up.clone())
        .await
        .is_refused(400, "invalid_request");

    talk.call("delete_session", json!({})).await;
    let listed = offered(&talk).await;
    assert_eq!(listed.len(), 1, "{listed:?}");
    assert_eq!(listed[0]["conversation_id"], json!(talk.session));
    let again = talk.server.call("take_up", taken_up).await.done();
    talk.session = again["session_id"].as_str().expect("an id").to_owned();
    let said = talk.events("text_written").await;
    assert_eq!(said[0]["text"], "The gate is green.");
    talk.say("[[say And it opens.]]").await;
    talk.whole_turn().await;
    let asked = talk.claude.api.asked().last().expect("a call").to_string();
    assert!(asked.contains("The gate is green."), "the model knows it");
}

#[tokio::test]
async fn a_message_to_an_archived_session_resumes_its_conversation() {
    let mut talk = Talk::begin("[[bash echo one > one.txt]]").await;
    talk.pending().await;
    talk.call("archive_session", json!({})).await;
    let registered = talk.claude.place.running("--session-id");
    assert_eq!(registered, Vec::<i32>::new(), "nothing of it runs");
    talk.say("[[say I remember.]]").await;
    talk.whole_turn().await;
    let asked = talk.claude.api.asked().last().expect("a call").to_string();
    assert!(
        asked.contains("[[bash echo one > one.txt]]"),
        "the same conversation"
    );
}
