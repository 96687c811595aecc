//! Frames that cannot be taken are answered with a code, and the socket stays open.

use crate::support::{Server, is_a_sentence};
use serde_json::json;

const NOBODY: &str = "00000000-0000-4000-8000-000000000000";

#[tokio::test]
async fn a_frame_that_is_not_ours_is_an_invalid_message() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let deep = "[".repeat(100_000);
    for frame in [
        "",
        "not JSON",
        "{",
        "{}",
        "[]",
        "null",
        "42",
        "\"ping\"",
        r#"{"type":null}"#,
        r#"{"type":7}"#,
        r#"{"type":"nonsense"}"#,
        r#"{"type":"process_state"}"#,
        r#"{"Type":"ping"}"#,
        &deep,
    ] {
        socket.send_text(frame).await;
        let error = socket.error().await;
        assert_eq!(error["code"], "invalid_message", "{frame:.40}: {error}");
        assert!(
            error["message"].as_str().is_some_and(is_a_sentence),
            "{error}"
        );
    }
    socket.send_bytes(br#"{"type":"ping"}"#).await;
    assert_eq!(socket.error().await["code"], "invalid_message");
    socket.is_open().await;
}

#[tokio::test]
async fn a_frame_of_ours_with_a_bad_field_is_an_invalid_request() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let answer = |changes: serde_json::Value| {
        let mut frame = json!({
            "type": "pending_request_response", "session_id": NOBODY, "request_id": NOBODY,
            "request_type": "tool_approval", "decision": "allow",
        });
        for (name, value) in changes.as_object().expect("changes") {
            frame[name] = value.clone();
        }
        frame
    };
    for frame in [
        json!({"type": "subscribe"}),
        json!({"type": "subscribe", "session_id": 7}),
        json!({"type": "subscribe", "session_id": "not-an-id"}),
        json!({"type": "subscribe", "session_id": NOBODY, "after": -1}),
        json!({"type": "subscribe", "session_id": NOBODY, "after": "the last"}),
        json!({"type": "unsubscribe"}),
        json!({"type": "pending_request_response"}),
        answer(json!({"session_id": "not-an-id"})),
        answer(json!({"request_type": "nonsense"})),
        answer(json!({"decision": "perhaps"})),
        answer(json!({"decision": null})),
        answer(json!({"interrupt": "yes"})),
        answer(json!({"updated_input": []})),
    ] {
        socket.send(&frame).await;
        let error = socket.error().await;
        assert_eq!(error["code"], "invalid_request", "{frame}: {error}");
        assert_eq!(
            error.get("request_id"),
            frame.get("request_id"),
            "it says what it was about"
        );
        assert!(
            error["message"].as_str().is_some_and(is_a_sentence),
            "{error}"
        );
    }
    socket.is_open().await;
}

#[tokio::test]
async fn unknown_fields_are_ignored_and_unknown_sessions_are_named() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    socket
        .send(&json!({"type": "subscribe", "session_id": NOBODY, "colour": "green"}))
        .await;
    assert_eq!(socket.error().await["code"], "unknown_session");
    socket
        .send(&json!({"type": "unsubscribe", "session_id": NOBODY}))
        .await;
    socket
        .send(&json!({"type": "ping", "colour": "green"}))
        .await;
    let answer = socket.until("an answer", |_| true).await;
    assert_eq!(answer, json!({"type": "pong"}));
}

#[tokio::test]
async fn a_frame_that_is_too_large_is_refused_in_words_and_the_socket_stays_open() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    socket.send_text(&"x".repeat(3 * 1024 * 1024)).await;
    let error = socket.error().await;
    assert_eq!(error["code"], "too_large");
    assert!(
        error["message"].as_str().is_some_and(is_a_sentence),
        "{error}"
    );
    socket.is_open().await;
}

#[tokio::test]
async fn a_frame_that_is_much_too_large_ends_the_socket_and_nothing_else() {
    let server = Server::start().await;
    let (mut large, mut other) = (server.connect().await, server.connect().await);
    let session = server.start_session("run: echo hello").await;
    let request = other.pending(&session).await;
    let _ = large.try_send_text(&"x".repeat(17 * 1024 * 1024)).await;
    large.is_closed().await;
    other.is_open().await;
    other
        .respond(&session, &request, crate::support::allow())
        .await;
    other.resolved(&request).await;
}

#[tokio::test]
async fn a_socket_is_closed_with_the_reason() {
    let server = Server::start().await;
    // a farewell is answered
    let socket = server.connect().await;
    assert_eq!(socket.leave().await, Some(1005));
    // reserved bits are set: no frame of a WebSocket
    let mut socket = server.connect().await;
    socket.send_raw(&[0xf1, 0x80, 0, 0, 0, 0]).await;
    assert_eq!(socket.closed_with().await, Some(1002));
    // text that is not UTF-8, unmasked by a mask of zeros
    let mut socket = server.connect().await;
    socket.send_raw(&[0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe]).await;
    assert_eq!(socket.closed_with().await, Some(1007));
    // the head of a frame of a terabyte
    let mut socket = server.connect().await;
    let mut head = vec![0x81, 0xff];
    head.extend((1u64 << 40).to_be_bytes());
    head.extend([0; 4]);
    socket.send_raw(&head).await;
    assert_eq!(socket.closed_with().await, Some(1009));
}

#[tokio::test]
async fn a_server_that_stops_says_so_after_everything_else() {
    let mut server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo hello").await;
    let request = socket.pending(&session).await;
    server.signal(rustix::process::Signal::TERM);
    assert_eq!(socket.resolved(&request).await["by"], "shutdown");
    assert_eq!(socket.closed_with().await, Some(1001));
    assert_eq!(server.ended().await.code(), Some(0));
}
