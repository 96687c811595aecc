//! How much an agent may do without asking can be changed while it runs.

use crate::support::{Server, allow};
use serde_json::json;

#[tokio::test]
async fn a_changed_mode_counts_at_once() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("write one.txt: first").await;
    let request = socket.pending(&session).await;
    server.respond(&session, &request, allow()).await.done();
    socket.state(&session, "user_turn").await;
    let mode = json!({"session_id": session, "mode": "acceptEdits"});
    server.call("set_permission_mode", mode).await.done();
    socket
        .process(&session, "the mode", |process| {
            process["permission_mode"] == "acceptEdits"
        })
        .await;
    server.send(&session, "write two.txt: second").await;
    let process = socket
        .process(&session, "the end, or a question", |process| {
            process.get("pending_request").is_some()
                || server.place.project_file("two.txt").is_some()
        })
        .await;
    assert!(
        process.get("pending_request").is_none(),
        "edits need no question any more"
    );
}

#[tokio::test]
async fn a_mode_that_is_unknown_or_not_permitted_is_refused_in_words() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo hello").await;
    socket.pending(&session).await;
    for mode in ["anything", "bypassPermissions"] {
        let arguments = json!({"session_id": session, "mode": mode});
        let reply = server.call("set_permission_mode", arguments).await;
        assert_eq!(
            (reply.status, &reply.body["code"]),
            (400, &json!("invalid_request")),
            "{reply:?}"
        );
        assert!(
            reply.body["message"]
                .as_str()
                .is_some_and(|text| text.contains(mode)),
            "{reply:?}"
        );
    }
    let process = server.process(&session).await.expect("a process");
    assert_eq!(process["permission_mode"], "default");
}
