//! Everything that happened can be read, page by page, also when it is long.

use crate::support::{Place, Server, scripted_agent};
use serde_json::json;

/// Says 1,300 things for every message.
const TALKS: &str = "ready; while hear; do i=0; while [ $i -lt 1300 ]; do i=$((i+1)); say \"word $i\"; done; finish; done";

async fn before(server: &Server, session: &str, seq: u64) -> Vec<u64> {
    let arguments = json!({"session_id": session, "seq": seq});
    let events = server.call("events_before", arguments).await.done();
    let events = events.as_array().expect("a list");
    events
        .iter()
        .map(|event| event["seq"].as_u64().expect("a number"))
        .collect()
}

#[tokio::test]
async fn older_events_come_page_by_page_without_a_gap() {
    let place = Place::new();
    let agent = scripted_agent(&place, "talks", TALKS);
    let server = place.server().agent(agent).start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("go").await;
    socket.turn(&session).await;
    let newest = server.events(&session).await;
    let first = newest[0]["seq"].as_u64().expect("a number");
    assert!(newest.len() == 1000 && first > 1, "{first}");
    let mut seen = Vec::new();
    let mut next = first;
    while next > 1 {
        let page = before(&server, &session, next).await;
        assert!(!page.is_empty() && page.len() <= 500);
        assert_eq!(page.last().copied(), Some(next - 1), "right before");
        next = page[0];
        seen.splice(..0, page);
    }
    assert_eq!(seen, (1..first).collect::<Vec<_>>());
    assert_eq!(before(&server, &session, 1).await, Vec::<u64>::new());
    assert_eq!(before(&server, &session, 0).await, Vec::<u64>::new());
    server
        .call(
            "events_before",
            json!({"session_id": "00000000-0000-4000-8000-000000000000", "seq": 9}),
        )
        .await
        .is_refused(404, "unknown_session");
}
