//! A request is shown to everyone and answered by anyone.

use crate::support::{Server, allow};
use serde_json::json;

#[tokio::test]
async fn an_allowed_command_runs() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo hello > made.txt").await;
    let process = socket
        .process(&session, "a request", |process| {
            process.get("pending_request").is_some()
        })
        .await;
    assert_eq!(
        process["state"], "assistant_turn",
        "a request does not change the state"
    );
    assert_eq!(process["waiting_for_user"], true);
    let request = process["pending_request"].clone();
    assert_eq!(request["request_type"], "tool_approval");
    assert_eq!(request["tool_name"], "Bash");
    assert_eq!(request["tool_input"]["command"], "echo hello > made.txt");
    assert!(request["digest"].is_string());
    assert_eq!(process["pending_requests"], json!([request]));
    assert_eq!(
        server.place.project_file("made.txt"),
        None,
        "not before it is allowed"
    );

    server.respond(&session, &request, allow()).await.done();
    let resolved = socket.resolved(&request).await;
    assert_eq!(
        (&resolved["outcome"], &resolved["by"]),
        (&json!("allowed"), &json!("user"))
    );
    assert_eq!(resolved["session_id"], session.as_str());
    let process = socket.state(&session, "user_turn").await;
    assert!(
        process.get("pending_request").is_none(),
        "the key itself is absent"
    );
    assert!(process.get("pending_requests").is_none());
    assert_eq!(process["waiting_for_user"], false);
    assert_eq!(
        server.place.project_file("made.txt").as_deref(),
        Some("hello\n")
    );
}

#[tokio::test]
async fn an_answer_over_the_socket_does_the_same() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo hello > made.txt").await;
    let request = socket.pending(&session).await;
    socket.respond(&session, &request, allow()).await;
    assert_eq!(socket.resolved(&request).await["outcome"], "allowed");
    socket.state(&session, "user_turn").await;
    assert_eq!(
        server.place.project_file("made.txt").as_deref(),
        Some("hello\n")
    );
}

#[tokio::test]
async fn the_first_frame_has_every_process_and_what_it_asks() {
    let server = Server::start().await;
    let mut first = server.connect().await;
    assert_eq!(
        first.first,
        json!({"type": "active_processes", "processes": []})
    );
    let one = server.start_session("run: echo one").await;
    let of_one = first.pending(&one).await;
    let two = server.start_session("ask a question").await;
    let of_two = first.pending(&two).await;

    let late = server.connect().await;
    assert_eq!(late.first["type"], "active_processes");
    let processes = late.first["processes"].as_array().expect("a list");
    assert_eq!(processes.len(), 2);
    for (session, request) in [(&one, &of_one), (&two, &of_two)] {
        let process = processes
            .iter()
            .find(|process| process["session_id"] == session.as_str());
        assert_eq!(&process.expect("the session")["pending_request"], request);
    }
}

#[tokio::test]
async fn one_answer_closes_the_form_for_every_client() {
    let server = Server::start().await;
    let (mut here, mut there) = (server.connect().await, server.connect().await);
    let session = server.start_session("run: echo hello").await;
    let request = here.pending(&session).await;
    assert_eq!(there.pending(&session).await, request);
    here.respond(&session, &request, allow()).await;
    for socket in [&mut here, &mut there] {
        assert_eq!(socket.resolved(&request).await["outcome"], "allowed");
        let process = socket.process(&session, "the state after", |_| true).await;
        assert!(process.get("pending_request").is_none());
    }
}

#[tokio::test]
async fn what_is_edited_is_what_runs() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo mine > made.txt").await;
    let request = socket.pending(&session).await;
    let mut response = allow();
    response["updated_input"] = json!({"command": "echo yours > made.txt"});
    server.respond(&session, &request, response).await.done();
    socket.state(&session, "user_turn").await;
    assert_eq!(
        server.place.project_file("made.txt").as_deref(),
        Some("yours\n")
    );
}

#[tokio::test]
async fn a_remembered_rule_saves_the_next_question() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: touch one.txt").await;
    let request = socket.pending(&session).await;
    let suggestions = request["suggestions"].clone();
    let rule = suggestions
        .as_array()
        .and_then(|all| all.iter().find(|one| one["type"] == "addRules"));
    let mut response = allow();
    response["remember"] = json!([rule.expect("a rule is offered")]);
    server.respond(&session, &request, response).await.done();
    socket.state(&session, "user_turn").await;
    server.send(&session, "run: touch one.txt").await;
    socket.state(&session, "assistant_turn").await;
    let process = socket
        .process(&session, "the end, or a question", |process| {
            process["state"] == "user_turn" || process.get("pending_request").is_some()
        })
        .await;
    assert_eq!(process["state"], "user_turn", "it asked again: {process}");
}
