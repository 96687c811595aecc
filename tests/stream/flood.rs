//! An agent that talks without end.

use crate::support::{Place, allow, scripted_agent, until};
use serde_json::json;
use std::time::{Duration, Instant};

#[tokio::test]
async fn a_request_taken_back_in_front_of_ten_thousand_lines_is_gone_at_once() {
    let place = Place::new();
    let body = r#"
ready; hear; finish; hear
ask id 'touch x'; cancel id
number=0
while [ $number -lt 10000 ]; do
  line '{"type":"system","subtype":"noise","number":'$number'}'
  number=$((number + 1))
done
say behind; ask second 'touch y'; answered; say answered; finish; hear"#;
    let agent = scripted_agent(&place, "agent", body);
    let server = place.server().agent(agent).start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("hello").await;
    socket.turn(&session).await;
    socket.subscribe(&session, None).await;
    server.send(&session, "go").await;
    let request = socket.pending(&session).await;
    let asked = Instant::now();
    let resolved = socket.resolved(&request).await;
    let took = asked.elapsed();
    assert_eq!(resolved["outcome"], "withdrawn");
    assert!(took < Duration::from_secs(1), "it took {took:?}");
    socket.text("behind").await;
    let second = socket.pending(&session).await;
    assert_eq!(
        second["tool_input"]["command"], "touch y",
        "and the lines hide nothing"
    );
    server
        .respond(&session, &request, allow())
        .await
        .is_refused(410, "withdrawn");
    server.respond(&session, &second, allow()).await.done();
    socket.state(&session, "user_turn").await;
    let heard = place.project_file("heard.jsonl").expect("an answer");
    let heard: Vec<serde_json::Value> = heard
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(heard.len(), 1, "no answer to what was taken back");
    assert_eq!(heard[0]["response"]["request_id"], json!("second"));
}

#[tokio::test]
async fn a_long_session_that_has_just_ended_is_complete() {
    let place = Place::new();
    let body = r#"
ready; hear
number=0
while [ $number -lt 1500 ]; do say "$number"; number=$((number + 1)); done
exit 0"#;
    let agent = scripted_agent(&place, "agent", body);
    let server = place.server().agent(agent).start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("hello").await;
    // asked for, not waited for: so many frames at once may make a client fall behind
    until("its end", async || {
        let process = server.process(&session).await;
        process.filter(|process| process["state"] == "dead")
    })
    .await;
    let events = socket.subscribe(&session, None).await;
    assert_eq!(events.len(), 1000, "the newest page");
    let numbers: Vec<u64> = events
        .iter()
        .filter_map(|event| event["seq"].as_u64())
        .collect();
    assert!(
        numbers.windows(2).all(|pair| pair[0] + 1 == pair[1]),
        "without a gap"
    );
    assert_eq!(numbers.last(), Some(&1503), "up to the last");
    assert_eq!(
        events.last().map(|event| &event["kind"]),
        Some(&json!("process_ended"))
    );
}
