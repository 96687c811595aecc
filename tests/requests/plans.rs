//! A plan is approved, with or without a mode, or sent back.

use crate::support::{Server, Socket};
use serde_json::{Value, json};

async fn proposed(server: &Server, socket: &mut Socket) -> (String, Value) {
    let session = server.start_session("make a plan").await;
    let request = plan(socket, &session).await;
    socket.subscribe(&session, None).await;
    (session, request)
}

/// Whatever else is asked on the way is not what these tests are about.
async fn plan(socket: &mut Socket, session: &str) -> Value {
    let process = socket
        .process(session, "a plan", |process| {
            process["pending_request"]["request_type"] == "plan_approval"
        })
        .await;
    process["pending_request"].clone()
}

#[tokio::test]
async fn an_approved_plan_goes_on_in_the_mode_that_was_chosen() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let (session, request) = proposed(&server, &mut socket).await;
    assert!(
        request["tool_input"]["plan"]
            .as_str()
            .is_some_and(|plan| plan.contains("# A kinder README"))
    );
    let response =
        json!({"request_type": "plan_approval", "decision": "allow", "mode": "acceptEdits"});
    server.respond(&session, &request, response).await.done();
    socket
        .text("Edits inside the project need no further question")
        .await;
    let process = socket.state(&session, "user_turn").await;
    assert_eq!(process["permission_mode"], "acceptEdits");
}

#[tokio::test]
async fn an_approved_plan_alone_turns_no_permission_off() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let (session, request) = proposed(&server, &mut socket).await;
    let response =
        json!({"request_type": "plan_approval", "decision": "allow", "mode": "bypassPermissions"});
    server
        .respond(&session, &request, response)
        .await
        .is_refused(400, "invalid_request");
    let response = json!({"request_type": "plan_approval", "decision": "allow"});
    server.respond(&session, &request, response).await.done();
    socket.text("I will still ask before each change").await;
    let process = socket.state(&session, "user_turn").await;
    assert_eq!(process["permission_mode"], "default");
}

#[tokio::test]
async fn a_plan_sent_back_comes_again_with_the_words_worked_in() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let (session, request) = proposed(&server, &mut socket).await;
    let response = json!({"request_type": "plan_approval", "decision": "deny", "message": "Keep the pictures"});
    server.respond(&session, &request, response).await.done();
    assert_eq!(socket.resolved(&request).await["outcome"], "denied");
    let second = plan(&mut socket, &session).await;
    assert_ne!(second["request_id"], request["request_id"]);
    assert!(
        second["tool_input"]["plan"]
            .as_str()
            .is_some_and(|plan| plan.contains("> Keep the pictures"))
    );
}

#[tokio::test]
async fn an_edited_plan_is_the_one_the_agent_goes_by() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let (session, request) = proposed(&server, &mut socket).await;
    let response = json!({"request_type": "plan_approval", "decision": "allow", "plan": "# Mine\n\n1. Nothing\n"});
    server.respond(&session, &request, response).await.done();
    socket.text("You rewrote the plan").await;
}
