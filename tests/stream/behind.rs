//! Clients that do not read.

use crate::support::{Place, Server, Socket, allow, scripted_agent};
use futures::future::join_all;
use serde_json::{Value, json};

/// Writes 24 MB of text in 3,000 pieces, then asks.
const FLOOD: &str = r#"
ready; hear; finish; hear
text=$(head -c 8000 /dev/zero | tr '\000' x)
number=0
while [ $number -lt 3000 ]; do
  line '{"type":"stream_event","parent_tool_use_id":null,"event":{"type":"content_block_start","content_block":{"type":"text","text":"'"$text"'"}}}'
  number=$((number + 1))
done
say flooded; ask id 'touch x'; answered; say answered; finish; hear"#;

async fn ready(place: &Place) -> (Server, String) {
    let agent = scripted_agent(place, "agent", FLOOD);
    let server = place.server().agent(agent).start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("hello").await;
    socket.turn(&session).await;
    (server, session)
}

/// The request behind the flood, as a change or, for one who fell behind, in a new snapshot.
async fn flooded(socket: &mut Socket) -> Value {
    let mut request = None;
    socket
        .until("the request behind the flood", |frame| {
            let process = match frame["type"].as_str() {
                Some("process_state") => frame,
                Some("active_processes") => &frame["processes"][0],
                _ => return false,
            };
            request = process.get("pending_request").cloned();
            request.is_some()
        })
        .await;
    request.expect("just seen")
}

#[tokio::test]
async fn a_client_that_never_reads_holds_up_nobody_and_little_memory() {
    let place = Place::new();
    let (server, session) = ready(&place).await;
    let mut frozen = Socket::open_with_little_room(server.host()).await;
    frozen.subscribe(&session, None).await;
    let mut reading = Vec::new();
    for _ in 0..3 {
        let mut socket = server.connect().await;
        socket.subscribe(&session, None).await;
        reading.push(socket);
    }
    let before = server.memory();
    server.send(&session, "go").await;
    let requests = join_all(reading.iter_mut().map(flooded)).await;
    let grown = server.memory().saturating_sub(before);
    assert!(grown < 64 * 1024 * 1024, "it has grown by {grown} bytes");
    server.respond(&session, &requests[0], allow()).await.done();
    for socket in &mut reading {
        assert_eq!(socket.resolved(&requests[0]).await["outcome"], "allowed");
        socket.text("answered").await;
    }
    drop(frozen);
}

#[tokio::test]
async fn a_client_that_was_too_slow_gets_everything_anew() {
    let place = Place::new();
    let (server, session) = ready(&place).await;
    let mut slow = Socket::open_with_little_room(server.host()).await;
    slow.subscribe(&session, None).await;
    let mut other = server.connect().await;
    other.subscribe(&session, None).await;
    server.send(&session, "go").await;
    let request = flooded(&mut other).await;

    // it reads again: first what was on its way, then a new beginning
    let snapshot = slow
        .until("a new snapshot", |frame| {
            frame["type"] == "active_processes"
        })
        .await;
    assert_eq!(
        snapshot["processes"][0]["pending_request"], request,
        "complete as of now"
    );
    let frame = slow.next_events(&session).await;
    assert_eq!(frame["reset"], true, "these replace what it has");
    assert_eq!(
        frame["events"].as_array(),
        Some(&server.events(&session).await)
    );
    server.respond(&session, &request, allow()).await.done();
    slow.text("answered").await;
    slow.send(&json!({"type": "ping"})).await;
    slow.is_open().await;
}
