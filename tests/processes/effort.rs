//! How much the model is to think can be changed while an agent runs, and before it is started again.

use crate::support::{Place, Server, until};
use serde_json::{Value, json};

/// As everyone is shown it, also of a process that has ended.
async fn effort(server: &Server, session: &str) -> Value {
    server.process(session).await.expect("a process")["effort"].clone()
}

async fn shows(server: &Server, session: &str, expected: Value) {
    until(&format!("the effort {expected}"), async || {
        (effort(server, session).await == expected).then_some(())
    })
    .await;
}

#[tokio::test]
async fn an_effort_is_shown_as_it_applies_and_outlives_process_and_server() {
    let place = Place::new();
    let server = place.server().start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("help").await;
    shows(&server, &session, json!("medium")).await;
    socket.turn(&session).await;
    let choose = |effort: &str| json!({"session_id": session, "effort": effort});
    server.call("set_effort", choose("high")).await.done();
    assert_eq!(effort(&server, &session).await, "high");
    // who reads the history finds all that was noted on the disk
    server.call("history", json!({})).await.done();
    server.cut_off().await;
    let server = place.server().start().await;
    assert_eq!(effort(&server, &session).await, "high");
    server.call("set_effort", choose("LOW")).await.done();
    assert_eq!(effort(&server, &session).await, "low", "for the next one");
    server.send(&session, "/effort max").await;
    shows(&server, &session, json!("max")).await;
    server.call("set_effort", choose("default")).await.done();
    assert_eq!(effort(&server, &session).await, "medium");
}

#[tokio::test]
async fn a_model_that_cannot_be_told_has_no_effort_and_a_word_that_is_none_is_refused() {
    let server = Server::start().await;
    let session = server.start_session("help").await;
    shows(&server, &session, json!("medium")).await;
    let choose = |effort: &str| json!({"session_id": session, "effort": effort});
    let refused = server.call("set_effort", choose("silly")).await;
    let words = refused.body["message"].as_str().unwrap_or_default();
    assert!(
        words.contains("Choose low, medium, high, xhigh, max or default."),
        "{words}"
    );
    refused.is_refused(400, "invalid_request");
    let model = json!({"session_id": session, "model": "quick"});
    server.call("set_model", model).await.done();
    shows(&server, &session, Value::Null).await;
    server
        .call("set_effort", choose("high"))
        .await
        .is_refused(400, "invalid_request");
    let nobody = json!({"session_id": "00000000-0000-4000-8000-000000000000", "effort": "high"});
    server
        .call("set_effort", nobody)
        .await
        .is_refused(404, "unknown_session");
}
