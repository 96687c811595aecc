//! Answers that cannot be accepted say why, in words and in a code; the request stays.

use crate::support::{Server, Socket, allow, deny};
use serde_json::{Value, json};

const NOBODY: &str = "00000000-0000-4000-8000-000000000000";

async fn waiting() -> (Server, Socket, String, Value) {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo hello > made.txt").await;
    let request = socket.pending(&session).await;
    (server, socket, session, request)
}

async fn still_waits(server: &Server, session: &str, request: &Value) {
    let process = server.process(session).await.expect("a process");
    assert_eq!(&process["pending_request"], request);
    assert_eq!(server.place.project_file("made.txt"), None);
}

#[tokio::test]
async fn an_answer_to_something_else_than_what_is_shown_is_refused() {
    let (server, mut socket, session, request) = waiting().await;
    let mut other = request.clone();
    other["digest"] = json!("of something else");
    server
        .respond(&session, &other, allow())
        .await
        .is_refused(409, "content_changed");
    let mut response = allow();
    response["digest"] = json!("of something else");
    socket.respond(&session, &request, response).await;
    assert_eq!(socket.error().await["code"], "content_changed");
    still_waits(&server, &session, &request).await;
}

#[tokio::test]
async fn unknown_sessions_and_requests_are_told_apart() {
    let (server, mut socket, session, request) = waiting().await;
    let stranger = json!({"request_id": NOBODY});
    server
        .respond(NOBODY, &request, allow())
        .await
        .is_refused(404, "unknown_session");
    server
        .respond(&session, &stranger, allow())
        .await
        .is_refused(404, "unknown_request");
    socket.respond(NOBODY, &request, allow()).await;
    assert_eq!(socket.error().await["code"], "unknown_session");
    socket.respond(&session, &stranger, allow()).await;
    let error = socket.error().await;
    assert_eq!(
        (&error["code"], &error["request_id"]),
        (&json!("unknown_request"), &json!(NOBODY))
    );
    for (name, arguments) in [
        (
            "send_message",
            json!({"session_id": NOBODY, "text": "hello"}),
        ),
        ("interrupt", json!({"session_id": NOBODY})),
        ("kill", json!({"session_id": NOBODY})),
        (
            "set_permission_mode",
            json!({"session_id": NOBODY, "mode": "plan"}),
        ),
    ] {
        server
            .call(name, arguments)
            .await
            .is_refused(404, "unknown_session");
    }
    still_waits(&server, &session, &request).await;
}

#[tokio::test]
async fn an_answer_of_another_kind_is_refused() {
    let (server, mut socket, session, request) = waiting().await;
    for response in [
        json!({"request_type": "ask_user_question", "answers": {"Which?": "A"}}),
        json!({"request_type": "plan_approval", "decision": "allow"}),
        json!({"request_type": "something_new", "decision": "allow"}),
        json!({"request_type": "tool_approval"}),
        json!({"request_type": "tool_approval", "decision": "perhaps"}),
        json!({"request_type": "tool_approval", "decision": "allow", "updated_input": {}}),
        json!({"request_type": "tool_approval", "decision": "allow", "updated_input": "rm"}),
        json!({"request_type": "tool_approval", "decision": "allow", "remember": [{"type": "setMode", "mode": "bypassPermissions", "destination": "session"}]}),
    ] {
        server
            .respond(&session, &request, response.clone())
            .await
            .is_refused(400, "invalid_request");
        socket.respond(&session, &request, response).await;
        assert_eq!(socket.error().await["code"], "invalid_request");
    }
    still_waits(&server, &session, &request).await;
}

#[tokio::test]
async fn an_answer_that_is_too_large_is_refused_and_the_request_stays() {
    let (server, _socket, session, request) = waiting().await;
    let reason = "x".repeat(1_100_000);
    server
        .respond(&session, &request, deny(&reason))
        .await
        .is_refused(413, "too_large");
    still_waits(&server, &session, &request).await;
}

#[tokio::test]
async fn an_empty_or_endless_message_is_refused() {
    let (server, _socket, session, request) = waiting().await;
    let send = async |text: &str| {
        server
            .call("send_message", json!({"session_id": session, "text": text}))
            .await
    };
    send("  \n ").await.is_refused(400, "invalid_request");
    send(&"x".repeat(1_100_000))
        .await
        .is_refused(413, "too_large");
    still_waits(&server, &session, &request).await;
}

#[tokio::test]
async fn an_edited_input_is_checked_again_by_its_fields_and_by_the_persons_own_rules() {
    let server = Server::start().await;
    let settings = server.place.project().join(".claude");
    std::fs::create_dir_all(&settings).expect("a folder");
    let rules = json!({"permissions": {"deny": ["Bash(rm *)"]}});
    std::fs::write(settings.join("settings.json"), rules.to_string()).expect("written");
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo one > one.txt").await;
    let request = socket.pending(&session).await;
    let edited = |input: serde_json::Value| json!({"request_type": "tool_approval", "decision": "allow", "updated_input": input});
    for (input, words) in [
        (json!({"command": ""}), "is empty"),
        (json!({"command": 7}), "is not a text"),
        (json!({"description": "nothing else"}), "lacks \"command\""),
        (
            json!({"command": "true && sudo rm -rf one.txt"}),
            "Bash(rm *)",
        ),
    ] {
        let reply = server.respond(&session, &request, edited(input)).await;
        reply.is_refused(400, "invalid_request");
        let message = reply.body["message"].as_str().unwrap_or_default();
        assert!(message.contains(words), "no {words:?} in {message:?}");
    }
    // it still waits, and another edit is taken
    let fine = edited(json!({"command": "echo two > two.txt"}));
    server.respond(&session, &request, fine).await.done();
    socket.state(&session, "user_turn").await;
    assert_eq!(
        server.place.project_file("two.txt").as_deref(),
        Some("two\n")
    );
    assert_eq!(server.place.project_file("one.txt"), None);
}
