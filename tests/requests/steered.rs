//! Denying is more than no: the agent hears the reason, and may be stopped.

use crate::support::{Server, deny};
use serde_json::json;

#[tokio::test]
async fn the_reason_of_a_denial_reaches_the_agent() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo hello > made.txt").await;
    let request = socket.pending(&session).await;
    socket.subscribe(&session, None).await;
    server
        .respond(&session, &request, deny("Use the other folder"))
        .await
        .done();
    let text = socket.text("Use the other folder").await;
    assert!(text.contains("I did not run the command"), "{text}");
    socket.state(&session, "user_turn").await;
    assert_eq!(server.place.project_file("made.txt"), None);
}

#[tokio::test]
async fn a_denial_without_a_reason_is_a_denial() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo hello > made.txt").await;
    let request = socket.pending(&session).await;
    let response = json!({"request_type": "tool_approval", "decision": "deny"});
    server.respond(&session, &request, response).await.done();
    assert_eq!(socket.resolved(&request).await["outcome"], "denied");
    socket.state(&session, "user_turn").await;
    assert_eq!(server.place.project_file("made.txt"), None);
}

#[tokio::test]
async fn deny_and_stop_ends_the_turn() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server
        .start_session("run: echo one > one.txt then run: echo two > two.txt")
        .await;
    let request = socket.pending(&session).await;
    socket.subscribe(&session, None).await;
    let mut response = deny("Stop here");
    response["interrupt"] = json!(true);
    server.respond(&session, &request, response).await.done();
    let end = socket
        .event("the end of the turn", |event| {
            event["kind"] == "turn_finished"
        })
        .await;
    assert_eq!(end["interrupted"], true, "{end}");
    let process = socket.state(&session, "user_turn").await;
    assert!(
        process.get("pending_request").is_none(),
        "the second command is not asked for"
    );
    assert_eq!(server.place.project_file("one.txt"), None);
    assert_eq!(server.place.project_file("two.txt"), None);

    server.send(&session, "run: echo three").await;
    let request = socket.pending(&session).await;
    assert_eq!(
        request["tool_input"]["command"], "echo three",
        "the process goes on"
    );
}

#[tokio::test]
async fn a_message_sent_while_it_asks_is_queued_and_then_taken() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo one").await;
    let request = socket.pending(&session).await;
    socket.subscribe(&session, None).await;
    server.send(&session, "run: echo two").await;
    let sent = socket
        .event("the message", |event| event["kind"] == "message_sent")
        .await;
    assert_eq!(sent["queued"], true);
    let process = socket
        .process(&session, "a queued message", |process| {
            process["queued_messages"] == 1
        })
        .await;
    assert_eq!(process["pending_request"], request, "the request stays");
    server
        .respond(&session, &request, deny("Not that one"))
        .await
        .done();
    let taken = socket
        .event("it takes the message", |event| {
            event["kind"] == "message_taken"
        })
        .await;
    assert_eq!(taken["message_id"], sent["message_id"]);
    let next = socket
        .process(&session, "the next request", |process| {
            process["pending_request"]["tool_input"]["command"] == "echo two"
        })
        .await;
    assert_eq!(next["queued_messages"], 0);
}

#[tokio::test]
async fn the_same_message_sent_twice_runs_once() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("stream markdown").await;
    socket.turn(&session).await;
    let message = json!({
        "session_id": session, "text": "run: echo once >> made.txt", "message_id": "6f2c2a39-6c9c-4b53-8d54-0a3a5b7f3f10",
    });
    server.call("send_message", message.clone()).await.done();
    server.call("send_message", message.clone()).await.done();
    let request = socket.pending(&session).await;
    server.call("send_message", message).await.done();
    server
        .respond(&session, &request, crate::support::allow())
        .await
        .done();
    socket.state(&session, "user_turn").await;
    server.send(&session, "run: echo last").await;
    let next = socket.pending(&session).await;
    assert_eq!(
        next["tool_input"]["command"], "echo last",
        "nothing in between"
    );
    assert_eq!(
        server.place.project_file("made.txt").as_deref(),
        Some("once\n")
    );
    let sent = server
        .events(&session)
        .await
        .into_iter()
        .filter(|event| event["kind"] == "message_sent");
    assert_eq!(sent.count(), 3);
}
