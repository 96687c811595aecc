//! Requests that end without an answer.

use crate::support::{Server, allow};
use serde_json::json;

#[tokio::test]
async fn a_withdrawn_request_leaves_every_client_and_a_late_answer_is_told_so() {
    let server = Server::start().await;
    let (mut here, mut there) = (server.connect().await, server.connect().await);
    let session = server.start_session("withdraw").await;
    let request = here.pending(&session).await;
    for socket in [&mut here, &mut there] {
        let resolved = socket.resolved(&request).await;
        assert_eq!(
            (&resolved["outcome"], &resolved["by"]),
            (&json!("withdrawn"), &json!("agent"))
        );
        let process = socket.state(&session, "user_turn").await;
        assert!(process.get("pending_request").is_none());
    }
    server
        .respond(&session, &request, allow())
        .await
        .is_refused(410, "withdrawn");
    here.respond(&session, &request, allow()).await;
    assert_eq!(here.error().await["code"], "withdrawn");
}

#[tokio::test]
async fn killing_a_process_that_asks_takes_its_request_along() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo hello > made.txt").await;
    let request = socket.pending(&session).await;
    server.kill(&session).await;
    let resolved = socket.resolved(&request).await;
    assert_eq!(
        (&resolved["outcome"], &resolved["by"]),
        (&json!("process_ended"), &json!("process"))
    );
    let process = socket.state(&session, "dead").await;
    assert!(process.get("pending_request").is_none() && process.get("pending_requests").is_none());
    assert_eq!(process["waiting_for_user"], false);
    assert_eq!(process["kill_reason"], "Ended by you.");
    assert!(process.get("error").is_none());
    server
        .respond(&session, &request, allow())
        .await
        .is_refused(410, "withdrawn");
    assert_eq!(server.place.project_file("made.txt"), None);
}

#[tokio::test]
async fn an_agent_that_crashes_while_it_asks_takes_its_request_along() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("crash while asking").await;
    let request = socket.pending(&session).await;
    assert_eq!(socket.resolved(&request).await["outcome"], "process_ended");
    let process = socket.state(&session, "dead").await;
    assert!(process.get("pending_request").is_none());
    assert!(
        process["error"]
            .as_str()
            .is_some_and(|error| error.contains("crashed because it was asked to"))
    );
}

#[tokio::test]
async fn interrupting_while_it_asks_withdraws_the_request_and_keeps_the_process() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo hello > made.txt").await;
    let request = socket.pending(&session).await;
    server
        .call("interrupt", json!({"session_id": session}))
        .await
        .done();
    let resolved = socket.resolved(&request).await;
    assert_eq!(
        (&resolved["outcome"], &resolved["by"]),
        (&json!("withdrawn"), &json!("user"))
    );
    let process = socket.state(&session, "user_turn").await;
    assert!(process.get("pending_request").is_none());
    assert_eq!(server.place.project_file("made.txt"), None);
}
