//! "Yes, but …": allowed, and the agent reads a note right after.

use crate::support::{Server, allow, deny};
use serde_json::{Value, json};

fn allow_with(note: &str) -> Value {
    let mut response = allow();
    response["note"] = json!(note);
    response
}

async fn messages(server: &Server, session: &str) -> Vec<Value> {
    let mut events = server.events(session).await;
    events.retain(|event| event["kind"] == "message_sent");
    events
}

#[tokio::test]
async fn the_call_runs_and_the_note_is_the_persons_next_message() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo one > one.txt").await;
    let request = socket.pending(&session).await;
    socket.subscribe(&session, None).await;
    let response = allow_with("  run: echo two > two.txt\n");
    server.respond(&session, &request, response).await.done();
    let sent = socket
        .event("the note", |event| event["kind"] == "message_sent")
        .await;
    assert_eq!(sent["text"], "run: echo two > two.txt");
    assert_eq!(sent["queued"], true, "the agent is still at work: {sent}");
    let taken = socket
        .event("it reads the note", |event| {
            event["kind"] == "message_taken"
        })
        .await;
    assert_eq!(taken["message_id"], sent["message_id"]);
    let next = socket
        .process(&session, "what the note asks for", |process| {
            process["pending_request"]["tool_input"]["command"] == "echo two > two.txt"
        })
        .await;
    assert_eq!(next["queued_messages"], 0);
    assert_eq!(
        server.place.project_file("one.txt").as_deref(),
        Some("one\n")
    );
}

#[tokio::test]
async fn the_note_is_kept_with_the_decision() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo one").await;
    let request = socket.pending(&session).await;
    socket
        .respond(&session, &request, allow_with("Only this once."))
        .await;
    socket.resolved(&request).await;
    let filter = json!({"filter": {"text": "only this once"}});
    let found = server.call("history", filter).await.done();
    let response = &found["entries"][0]["response"];
    assert_eq!(response["note"], "Only this once.", "{found}");
    let events = server.events(&session).await;
    let end = events.iter().find(|event| event["kind"] == "resolved");
    assert_eq!(end.expect("its end")["response"]["note"], "Only this once.");
}

#[tokio::test]
async fn a_note_of_an_answer_that_is_refused_is_not_sent() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo one").await;
    let request = socket.pending(&session).await;
    let mut wrong = allow_with("run: echo two");
    wrong["updated_input"] = json!({"command": ""});
    let refused = server.respond(&session, &request, wrong).await;
    refused.is_refused(400, "invalid_request");
    server.respond(&session, &request, allow()).await.done();
    let late = server.respond(&session, &request, allow_with("run: echo three"));
    late.await.is_refused(409, "already_resolved");
    socket.state(&session, "user_turn").await;
    let sent = messages(&server, &session).await;
    assert_eq!(sent.len(), 1, "only the prompt: {sent:?}");
}

#[tokio::test]
async fn a_blank_note_is_none_and_a_denial_takes_its_words_as_a_reason() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo one").await;
    let request = socket.pending(&session).await;
    let mut response = deny("Not now");
    response["note"] = json!("And another thing.");
    let refused = server.respond(&session, &request, response).await;
    refused.is_refused(400, "invalid_request");
    server
        .respond(&session, &request, allow_with(" \n "))
        .await
        .done();
    socket.state(&session, "user_turn").await;
    assert_eq!(messages(&server, &session).await.len(), 1);
}

#[tokio::test]
async fn a_note_to_a_process_that_ends_before_it_reads_can_be_sent_again() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    // the note waits behind a command that takes its time
    let session = server.start_session("run: sleep 60").await;
    let request = socket.pending(&session).await;
    socket.subscribe(&session, None).await;
    let response = allow_with("run: echo two");
    server.respond(&session, &request, response).await.done();
    let sent = socket
        .event("the note", |event| event["kind"] == "message_sent")
        .await;
    server.kill(&session).await;
    let unread = socket
        .event("that it was not read", |event| {
            event["kind"] == "message_not_read"
        })
        .await;
    assert_eq!(unread["message_id"], sent["message_id"]);
}
