//! An agent that says more than can be written down.

use crate::support::{Place, scripted_agent, until};
use rustix::process::Signal;
use std::time::{Duration, Instant};

const SAID: &str = r#"{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"on and on and on and on and on"}]}}"#;

#[tokio::test]
async fn a_flood_fills_no_memory_and_is_stopped_in_time() {
    let place = Place::new();
    let body = format!("ready; hear; yes '{SAID}'");
    let agent = scripted_agent(&place, "agent", &body);
    let mut server = place.server().agent(agent).start().await;
    let session = server.start_session("hello").await;
    until("much of it is written", async || {
        let last = place.last_stored(&session).unwrap_or_default();
        (last > 100_000).then_some(())
    })
    .await;
    let memory = server.memory() / (1024 * 1024);
    assert!(memory < 300, "{memory} MB");
    let began = Instant::now();
    server.signal(Signal::TERM);
    assert_eq!(server.ended().await.code(), Some(0));
    let took = began.elapsed();
    assert!(took < Duration::from_secs(10), "it took {took:?}");
    assert_eq!(place.processes(), [], "nothing runs any more");
}

#[tokio::test]
async fn a_request_that_is_withdrawn_before_a_flood_is_withdrawn_before_it_is_over() {
    let place = Place::new();
    let body = format!(
        "ready; hear; ask q 'touch x'; cancel q; yes '{SAID}' | head -n 10000; until [ -e go.txt ]; do sleep 0.01; done; finish; hear"
    );
    let agent = scripted_agent(&place, "agent", &body);
    let server = place.server().agent(agent).start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("hello").await;
    let is_end = |frame: &serde_json::Value| frame["type"] == "request_resolved";
    let resolved = socket.until("the end of the request", is_end).await;
    assert_eq!(resolved["outcome"], "withdrawn");
    std::fs::write(place.project().join("go.txt"), "").expect("written");
    socket.turn(&session).await;
    until("all of it is written", async || {
        let said = place.stored_events(&session, "text_written");
        (said == 10_000).then_some(())
    })
    .await;
}
