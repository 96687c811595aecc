//! "Yes, but …": allowed, and the note reaches the model in the same turn.

use crate::support::allow;
use crate::talk::Talk;
use serde_json::json;

#[tokio::test]
async fn a_note_is_read_right_after_the_call_that_it_came_with() {
    let mut talk = Talk::begin("[[bash echo 1 > one.txt]]").await;
    let mut response = allow();
    response["note"] = json!("And mind the gap.");
    talk.answer(response).await;
    talk.idle().await;
    assert_eq!(talk.file("one.txt").as_deref(), Some("1\n"));
    let seen = talk.claude.api.newest_texts();
    assert!(seen.contains("And mind the gap."), "{seen}");
    assert_eq!(talk.queued_and_read().await, 1);
}

#[tokio::test]
async fn the_model_reads_with_the_next_message_what_a_person_ran_by_themselves() {
    let mut talk = Talk::begin("[[say Hello]]").await;
    talk.idle().await;
    let asked = talk.claude.api.asked().len();
    let command = serde_json::json!({"command": "echo the harbour is open"});
    talk.call("run_command", command).await;
    assert_eq!(
        talk.claude.api.asked().len(),
        asked,
        "the agent was left alone"
    );
    talk.say("[[say I see]]").await;
    talk.socket.turn(&talk.session).await;
    let seen = talk.claude.api.newest_texts();
    assert!(
        seen.contains("I ran this myself: echo the harbour is open")
            && seen.contains("ended with code 0 and printed:\nthe harbour is open"),
        "{seen}"
    );
}
