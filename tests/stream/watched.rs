//! Watching a session.

use crate::support::{Server, allow};
use serde_json::{Value, json};

fn numbers(events: &[Value]) -> Vec<u64> {
    events
        .iter()
        .filter_map(|event| event["seq"].as_u64())
        .collect()
}

#[tokio::test]
async fn events_come_in_order_and_each_once() {
    let server = Server::start().await;
    let (mut socket, mut other) = (server.connect().await, server.connect().await);
    let session = server.start_session("run: echo hello").await;
    let mut events = socket.subscribe(&session, None).await;
    let request = other.pending(&session).await;
    server.respond(&session, &request, allow()).await.done();
    socket
        .until("the end of the turn", |frame| {
            collect(frame, &mut events);
            events.iter().any(|event| event["kind"] == "turn_finished")
        })
        .await;
    assert_eq!(
        numbers(&events),
        (1..=events.len() as u64).collect::<Vec<_>>()
    );
    let kinds: Vec<&str> = events
        .iter()
        .filter_map(|event| event["kind"].as_str())
        .collect();
    for kind in [
        "process_started",
        "message_sent",
        "tool_called",
        "asked",
        "resolved",
        "tool_finished",
        "text_written",
    ] {
        assert!(kinds.contains(&kind), "{kind}: {kinds:?}");
    }
    assert_eq!(
        server.events(&session).await[..events.len()],
        events,
        "who comes later is told the same"
    );
}

fn collect(frame: &Value, events: &mut Vec<Value>) {
    if frame["type"] == "session_events" {
        assert!(frame.get("reset").is_none(), "nothing was missed");
        events.extend(frame["events"].as_array().cloned().unwrap_or_default());
    }
}

#[tokio::test]
async fn who_begins_to_watch_while_much_happens_is_told_each_event_once() {
    let server = Server::start().await;
    let mut sockets = Vec::new();
    for _ in 0..24 {
        sockets.push(server.connect().await);
    }
    let session = server.start_session("ask three things at once").await;
    let watching = sockets.into_iter().map(async |mut socket| {
        let mut events = socket.subscribe(&session, None).await;
        while events
            .iter()
            .filter(|event| event["kind"] == "asked")
            .count()
            < 3
        {
            let frame = socket.next_events(&session).await;
            collect(&frame, &mut events);
        }
        numbers(&events)
    });
    for numbers in futures::future::join_all(watching).await {
        assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn who_names_the_last_event_gets_only_what_follows() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("stream markdown").await;
    socket.turn(&session).await;
    let all = server.events(&session).await;
    let last = all.len() as u64;
    assert!(last > 3);
    for (after, expected, reset) in [
        (None, &all[..], true),
        (Some(0), &all[..], false),
        (Some(2), &all[2..], false),
        (Some(last), &all[all.len()..], false),
        // numbers from another life of the store
        (Some(last + 1), &all[..], true),
        (Some(u64::MAX), &all[..], true),
    ] {
        let mut message = json!({"type": "subscribe", "session_id": session});
        if let Some(after) = after {
            message["after"] = json!(after);
        }
        socket.send(&message).await;
        let frame = socket.next_events(&session).await;
        assert_eq!(
            frame["events"].as_array().map(Vec::as_slice),
            Some(expected),
            "after {after:?}"
        );
        assert_eq!(frame.get("reset").is_some(), reset, "after {after:?}");
    }
}

#[tokio::test]
async fn only_who_watches_a_session_is_told_of_it() {
    let server = Server::start().await;
    let (mut watching, mut other) = (server.connect().await, server.connect().await);
    let session = server.start_session("stream markdown").await;
    watching.turn(&session).await;
    other.turn(&session).await;
    watching.subscribe(&session, None).await;
    server.send(&session, "run: echo hello").await;
    watching
        .event("the question", |event| event["kind"] == "asked")
        .await;
    let frame = other
        .until("a request, or an event", |frame| {
            frame["type"] != "process_state" || frame.get("pending_request").is_some()
        })
        .await;
    assert_eq!(
        frame["type"], "process_state",
        "no events for one who does not watch"
    );

    watching
        .send(&json!({"type": "unsubscribe", "session_id": session}))
        .await;
    watching.is_open().await;
    server.kill(&session).await;
    let frame = watching
        .until("the end, or an event", |frame| {
            frame["type"] == "session_events" || frame["state"] == "dead"
        })
        .await;
    assert_eq!(frame["state"], "dead", "nor for one who watches no more");
}
