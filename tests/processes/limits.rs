//! One server per data directory, so many agents per server, and what they weigh.

use crate::support::{Place, Server, scripted_agent};
use serde_json::json;

#[tokio::test]
async fn a_second_server_on_the_same_data_directory_is_refused_in_one_sentence() {
    let place = Place::new();
    let first = place.server().start().await;
    let (code, stdout, stderr) = place.server().refused().await;
    assert_eq!(code, Some(2), "{stderr}");
    assert_eq!(stdout, "");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(
        stderr.contains("Another Countersign")
            && stderr.contains(&place.data().display().to_string()),
        "{stderr}"
    );

    let mut socket = first.connect().await;
    let session = first.start_session("run: echo hello").await;
    socket.pending(&session).await;
}

#[tokio::test]
async fn the_memory_of_a_process_and_its_children_is_told() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo hello").await;
    let process = socket
        .process(&session, "its memory", |process| {
            process.get("memory").is_some()
        })
        .await;
    let bytes = process["memory"].as_u64().expect("bytes");
    assert!((1_000_000..2_000_000_000).contains(&bytes), "{bytes}");
    server.kill(&session).await;
    assert!(socket.state(&session, "dead").await.get("memory").is_none());
}

#[tokio::test]
async fn one_agent_too_many_is_refused_and_its_message_may_be_sent_again() {
    let place = Place::new();
    let agent = scripted_agent(
        &place,
        "agent",
        "ready; hear; finish; while :; do hear; say heard; finish; done",
    );
    let server = place
        .server()
        .agent(agent)
        .settings("[limits]\nprocesses = 1\n")
        .start()
        .await;
    let mut socket = server.connect().await;
    let first = server.start_session("hello").await;
    socket.turn(&first).await;
    server.kill(&first).await;
    socket.state(&first, "dead").await;
    let second = server.start_session("hello").await;
    socket.turn(&second).await;

    let arguments = json!({"project": server.project(), "prompt": "hello"});
    server
        .call("start_session", arguments)
        .await
        .is_refused(429, "too_many");
    let message = json!({"session_id": first, "text": "again", "message_id": "53a7a1f6-7a2e-4ba1-8c40-d8a0f0b7f0aa"});
    server
        .call("send_message", message.clone())
        .await
        .is_refused(429, "too_many");
    server.kill(&second).await;
    socket.state(&second, "dead").await;
    server.call("send_message", message).await.done();
    socket.turn(&first).await;
    let sessions = server.call("list_sessions", json!({})).await.done();
    assert_eq!(
        sessions.as_array().map(Vec::len),
        Some(2),
        "the refused one left nothing"
    );
}
