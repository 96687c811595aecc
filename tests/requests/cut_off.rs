//! What was asked when the server stopped is told until somebody has seen it.

use crate::support::{Place, Server, until};
use rustix::process::Signal;
use serde_json::{Value, json};

async fn cut_off(server: &Server, session: &str) -> Vec<Value> {
    let process = server.process(session).await.expect("a process");
    let cut_off = process["cut_off"].as_array();
    cut_off.cloned().unwrap_or_default()
}

#[tokio::test]
async fn a_request_that_the_server_left_open_is_told_until_it_is_dismissed() {
    let place = Place::new();
    let server = place.server().start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo one").await;
    let request = socket.pending(&session).await;
    assert_eq!(cut_off(&server, &session).await, [] as [Value; 0]);
    server.cut_off().await;

    let server = place.server().start().await;
    let told = cut_off(&server, &session).await;
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0]["request_id"], request["request_id"]);
    assert!(
        server
            .page("/")
            .await
            .contains("Cut off when the server stopped")
    );
    // that nobody looked is still so for the next server
    server.cut_off().await;
    let server = place.server().start().await;
    assert_eq!(cut_off(&server, &session).await.len(), 1);

    let mut socket = server.connect().await;
    let unknown = json!({"session_id": "00000000-0000-4000-8000-000000000000"});
    let refused = server.call("dismiss_cut_off", unknown).await;
    refused.is_refused(404, "unknown_session");
    server.call("dismiss_cut_off", json!({})).await.done();
    let is_seen = |frame: &Value| frame["cut_off"].is_null();
    socket.process(&session, "seen", is_seen).await;
    assert_eq!(cut_off(&server, &session).await, [] as [Value; 0]);
    until("it is on disk", async || {
        let query = "SELECT count(*) FROM requests WHERE cut_off = 1";
        let left = place
            .database()
            .query_row(query, [], |row| row.get::<_, i64>(0));
        (left == Ok(0)).then_some(())
    })
    .await;
    server.cut_off().await;
    let server = place.server().start().await;
    assert_eq!(cut_off(&server, &session).await, [] as [Value; 0]);
}

#[tokio::test]
async fn so_is_one_that_it_ended_when_it_was_stopped_and_a_message_is_enough() {
    let place = Place::new();
    let mut server = place.server().start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("ask a question").await;
    socket.pending(&session).await;
    server.signal(Signal::TERM);
    server.ended().await;
    drop(server);

    let server = place.server().start().await;
    let told = cut_off(&server, &session).await;
    assert_eq!(told.len(), 1, "{told:?}");
    let mut socket = server.connect().await;
    server.send(&session, "run: echo two").await;
    socket.pending(&session).await;
    assert_eq!(cut_off(&server, &session).await, [] as [Value; 0]);
}

#[tokio::test]
async fn what_was_answered_is_not_cut_off() {
    let place = Place::new();
    let server = place.server().start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo one").await;
    let request = socket.pending(&session).await;
    let answer = crate::support::deny("No.");
    server.respond(&session, &request, answer).await.done();
    server.cut_off().await;
    let server = place.server().start().await;
    assert_eq!(cut_off(&server, &session).await, [] as [Value; 0]);
}
