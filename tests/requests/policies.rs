//! Who may answer, what a session has of its own, and requests that end without anybody's decision.

use crate::support::{Place, Server, allow};
use serde_json::{Value, json};

const HERE: &str = "11111111-1111-4111-8111-111111111111";
const THERE: &str = "22222222-2222-4222-8222-222222222222";

async fn start_with(settings: &str) -> Server {
    Place::new().server().settings(settings).start().await
}

#[tokio::test]
async fn only_the_client_that_holds_the_session_answers_and_another_takes_over() {
    let server = start_with("[requests]\nanswer_from = \"active\"\n").await;
    let (mut here, mut there) = (
        server.connect_as(HERE).await,
        server.connect_as(THERE).await,
    );
    let session = server.start_session("run: echo hello > made.txt").await;
    here.subscribe(&session, None).await;
    let process = there
        .process(&session, "a request that is held", |process| {
            process.get("pending_request").is_some() && process["held_by"] == HERE
        })
        .await;
    let request = process["pending_request"].clone();

    there.respond(&session, &request, allow()).await;
    let error = there.error().await;
    assert_eq!(
        (&error["code"], &error["request_id"]),
        (&json!("session_taken"), &request["request_id"])
    );
    let call = server.respond(&session, &request, allow()).await;
    call.is_refused(409, "session_taken");
    assert_eq!(server.place.project_file("made.txt"), None);

    there
        .send(&json!({"type": "take_over", "session_id": session}))
        .await;
    here.process(&session, "that it was taken over", |process| {
        process["held_by"] == THERE
    })
    .await;
    here.respond(&session, &request, allow()).await;
    assert_eq!(here.error().await["code"], "session_taken");
    there.respond(&session, &request, allow()).await;
    assert_eq!(there.resolved(&request).await["outcome"], "allowed");
}

#[tokio::test]
async fn a_tab_whose_socket_is_gone_for_the_moment_answers_by_a_call_in_its_own_name() {
    let server = start_with("[requests]\nanswer_from = \"active\"\n").await;
    let mut here = server.connect_as(HERE).await;
    let session = server.start_session("three things at once").await;
    here.subscribe(&session, None).await;
    let requests = here.all_pending(&session, 3).await;
    let by = |client: &str| json!({"client": client});
    let call = server.respond_with(&session, &requests[0], allow(), by(THERE));
    call.await.is_refused(409, "session_taken");
    let call = server.respond_with(&session, &requests[0], allow(), by(HERE));
    call.await.done();
    let _there = server.connect_as(THERE).await;
    let over = json!({"session_id": session, "client": THERE});
    server.call("take_over", over).await.done();
    here.process(&session, "that it was taken over", |process| {
        process["held_by"] == THERE
    })
    .await;
    let call = server.respond_with(&session, &requests[1], allow(), by(THERE));
    call.await.done();
}

#[tokio::test]
async fn a_session_whose_holder_has_left_is_free_and_a_script_can_take_over() {
    let server = start_with("[requests]\nanswer_from = \"active\"\n").await;
    let mut watcher = server.connect().await;
    let mut holder = server.connect_as(HERE).await;
    let session = server.start_session("three things at once").await;
    holder.subscribe(&session, None).await;
    let requests = watcher.all_pending(&session, 3).await;
    let call = server.respond(&session, &requests[0], allow()).await;
    call.is_refused(409, "session_taken");
    let arguments = json!({"session_id": session});
    server.call("take_over", arguments).await.done();
    let call = server.respond(&session, &requests[0], allow());
    call.await.done();
    holder.respond(&session, &requests[1], allow()).await;
    assert_eq!(holder.error().await["code"], "session_taken");
    holder
        .send(&json!({"type": "take_over", "session_id": session}))
        .await;
    watcher
        .process(&session, "the holder", |process| process["held_by"] == HERE)
        .await;
    drop(holder);
    watcher
        .process(&session, "that nobody holds it", |process| {
            process.get("held_by").is_none()
        })
        .await;
    watcher.respond(&session, &requests[1], allow()).await;
    assert_eq!(watcher.resolved(&requests[1]).await["outcome"], "allowed");
}

#[tokio::test]
async fn without_the_policy_nobody_holds_anything() {
    let server = Server::start().await;
    let (mut here, mut there) = (server.connect().await, server.connect().await);
    let session = server.start_session("run: echo hello").await;
    here.subscribe(&session, None).await;
    let process = there
        .process(&session, "a request", |process| {
            process.get("pending_request").is_some()
        })
        .await;
    assert_eq!(process.get("held_by"), None);
    let request = process["pending_request"].clone();
    there.respond(&session, &request, allow()).await;
    assert_eq!(here.resolved(&request).await["outcome"], "allowed");
}

#[tokio::test]
async fn a_changed_mode_answers_what_was_asked_before_and_says_why() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server
        .start_session("run: echo hello > made.txt then ask a question")
        .await;
    let request = socket.pending(&session).await;
    socket.subscribe(&session, None).await;
    let set = |mode: &'static str| {
        let arguments = json!({"session_id": session, "mode": mode});
        server.call("set_permission_mode", arguments)
    };
    set("default").await.done();
    assert_eq!(
        server.process(&session).await.expect("a process")["pending_request"],
        request,
        "the same mode changes nothing"
    );
    set("acceptEdits").await.done();
    let end = socket.resolved(&request).await;
    assert_eq!(
        (&end["outcome"], &end["by"]),
        (&json!("cancelled"), &json!("mode_change"))
    );
    let told = socket.text("permission mode").await;
    assert!(
        told.contains("acceptEdits") && told.contains("not decided against it"),
        "{told}"
    );
    let late = server.respond(&session, &request, allow()).await;
    late.is_refused(409, "already_resolved");
    let why = late.body["message"].as_str().unwrap_or_default();
    assert!(why.contains("mode was changed"), "{why}");
    assert_eq!(server.place.project_file("made.txt"), None);

    let question = socket
        .process(&session, "the question", |process| {
            process["pending_request"]["request_type"] == "ask_user_question"
        })
        .await;
    set("default").await.done();
    let process = server.process(&session).await.expect("a process");
    assert_eq!(
        process["pending_request"], question["pending_request"],
        "no mode decides a question"
    );
}

fn own(values: Value) -> Value {
    json!({"own": values, "settings": {
        "timeout_seconds": 0, "question_timeout_seconds": 0, "on_timeout": "deny", "on_disconnect": "keep", "answer_from": "any",
    }})
}

#[tokio::test]
async fn a_session_has_policies_of_its_own_and_keeps_them() {
    let place = Place::new();
    let server = place.server().start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("help").await;
    socket.turn(&session).await;
    let get = json!({"session_id": session});
    let found = server.call("policies", get.clone()).await.done();
    assert_eq!(found, own(json!({})));
    let chosen =
        json!({"timeout_seconds": 300, "on_disconnect": "deny_after:30", "answer_from": "active"});
    let set = json!({"session_id": session, "own": chosen});
    server.call("set_policies", set).await.done();
    server.send(&session, "run: echo hello").await;
    let request = socket.pending(&session).await;
    let seconds = |name: &str| request[name].as_f64().expect("a time");
    assert_eq!(seconds("expires_at") - seconds("created_at"), 300.0);

    let other = server.start_session("run: echo hello").await;
    let plain = socket.pending(&other).await;
    assert_eq!(plain.get("expires_at"), None, "only of its own session");
    server.cut_off().await;
    let server = place.server().start().await;
    let found = server.call("policies", get).await.done();
    assert_eq!(found, own(chosen));
}

#[tokio::test]
async fn policies_that_make_no_sense_are_refused_in_words() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("help").await;
    socket.turn(&session).await;
    for wrong in [
        json!({"timeout_seconds": 99_999_999_999_u64}),
        json!({"on_disconnect": "deny_after"}),
        json!({"on_timeout": "allow"}),
    ] {
        let arguments = json!({"session_id": session, "own": wrong});
        let refused = server.call("set_policies", arguments).await;
        refused.is_refused(400, "invalid_request");
    }
    let nowhere = json!({"session_id": "6f2c2a39-6c9c-4b53-8d54-0a3a5b7f3f10", "own": {}});
    let refused = server.call("set_policies", nowhere).await;
    refused.is_refused(404, "unknown_session");
}
