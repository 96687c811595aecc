//! Messages sent while the agent is busy: queued, taken, taken back, or never read.

use crate::support::{Place, Server, allow, scripted_agent};
use serde_json::{Value, json};

fn kinds_of<'a>(events: &'a [Value], id: &str) -> Vec<&'a str> {
    events
        .iter()
        .filter(|event| event["message_id"] == id)
        .filter_map(|event| event["kind"].as_str())
        .collect()
}

async fn queue(server: &Server, session: &str, text: &str, id: &str) {
    let message = json!({"session_id": session, "text": text, "message_id": id});
    server.call("send_message", message).await.done();
}

const ONE: &str = "6a1f9a52-4a0e-4a5c-9a3f-0f6f6d3c1b11";
const TWO: &str = "7b1f9a52-4a0e-4a5c-9a3f-0f6f6d3c1b12";

#[tokio::test]
async fn a_queued_message_can_be_taken_back_and_is_never_run() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo one > one.txt").await;
    let request = socket.pending(&session).await;
    queue(&server, &session, "run: echo two > two.txt", ONE).await;
    socket
        .process(&session, "a queue", |process| {
            process["queued_messages"] == 1
        })
        .await;
    let cancel = json!({"session_id": session, "message_id": ONE});
    server.call("cancel_message", cancel.clone()).await.done();
    socket
        .process(&session, "no queue", |process| {
            process["queued_messages"] == 0
        })
        .await;
    server.respond(&session, &request, allow()).await.done();
    socket.state(&session, "user_turn").await;
    assert_eq!(server.place.project_file("two.txt"), None);
    let events = server.events(&session).await;
    assert_eq!(
        kinds_of(&events, ONE),
        ["message_sent", "message_cancelled"]
    );
    server
        .call("cancel_message", cancel)
        .await
        .is_refused(409, "already_resolved");
}

#[tokio::test]
async fn a_message_behind_one_that_an_agent_has_not_taken_yet_is_queued_and_taken_later() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo one > one.txt").await;
    // the agent is still starting
    queue(&server, &session, "run: echo two > two.txt", ONE).await;
    let events = server.events(&session).await;
    let sent = events.iter().find(|event| event["message_id"] == ONE);
    assert_eq!(sent.expect("it was sent")["queued"], true, "{events:?}");
    for name in ["one", "two"] {
        let request = socket.pending(&session).await;
        let command = format!("echo {name} > {name}.txt");
        assert_eq!(request["tool_input"]["command"], command);
        server.respond(&session, &request, allow()).await.done();
        socket.resolved(&request).await;
    }
    let events = server.events(&session).await;
    assert_eq!(kinds_of(&events, ONE), ["message_sent", "message_taken"]);
}

#[tokio::test]
async fn what_was_queued_when_the_process_died_is_said_to_be_unread_and_can_be_sent_again() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo one").await;
    socket.pending(&session).await;
    queue(&server, &session, "run: echo two > two.txt", ONE).await;
    server.kill(&session).await;
    socket.state(&session, "dead").await;
    let events = server.events(&session).await;
    assert_eq!(kinds_of(&events, ONE), ["message_sent", "message_not_read"]);
    let first = events
        .iter()
        .find(|event| event["kind"] == "message_sent")
        .expect("a message");
    let first = first["message_id"].as_str().expect("an id");
    assert_eq!(
        kinds_of(&events, first),
        ["message_sent", "message_taken"],
        "this one was read"
    );

    queue(&server, &session, "run: echo two > two.txt", ONE).await;
    let request = socket.pending(&session).await;
    assert_eq!(request["tool_input"]["command"], "echo two > two.txt");
    server.respond(&session, &request, allow()).await.done();
    socket.state(&session, "user_turn").await;
    // a second press came late
    queue(&server, &session, "run: echo two > two.txt", ONE).await;
    let events = server.events(&session).await;
    assert_eq!(
        kinds_of(&events, ONE),
        [
            "message_sent",
            "message_not_read",
            "message_sent",
            "message_taken"
        ]
    );
}

#[tokio::test]
async fn what_was_queued_when_the_server_was_cut_off_is_said_to_be_unread() {
    let place = Place::new();
    let server = place.server().start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo one").await;
    socket.pending(&session).await;
    queue(&server, &session, "run: echo two", ONE).await;
    server.cut_off().await;

    let server = place.server().start().await;
    let events = server.events(&session).await;
    assert_eq!(kinds_of(&events, ONE), ["message_sent", "message_not_read"]);
    assert_eq!(
        events
            .iter()
            .filter(|event| event["kind"] == "message_not_read")
            .count(),
        1,
        "the first one was read"
    );
}

#[tokio::test]
async fn an_agent_that_does_not_say_what_it_takes_has_taken_all_when_it_rests() {
    let place = Place::new();
    let body = "ready; hear; say one; [ -e go ] || until [ -e go ]; do sleep 0.05; done; finish; hear; say two; finish; while :; do hear; done";
    let agent = scripted_agent(&place, "agent", body);
    let server = place.server().agent(agent).start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("hello").await;
    socket.state(&session, "assistant_turn").await;
    queue(&server, &session, "more", TWO).await;
    socket
        .process(&session, "a queue", |process| {
            process["queued_messages"] == 1
        })
        .await;
    std::fs::write(place.project().join("go"), "").expect("written");
    socket
        .process(&session, "no queue", |process| {
            process["queued_messages"] == 0
        })
        .await;
    let events = server.events(&session).await;
    assert_eq!(kinds_of(&events, TWO), ["message_sent", "message_taken"]);
}
