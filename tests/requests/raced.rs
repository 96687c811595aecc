//! Many answers, one winner.

use crate::support::{ASKS_ONCE, Place, Server, allow, deny, scripted_agent};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

#[tokio::test]
async fn a_second_answer_is_refused_and_changes_nothing() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo hello > made.txt").await;
    let request = socket.pending(&session).await;
    server.respond(&session, &request, allow()).await.done();
    let late = server.respond(&session, &request, deny("Too late")).await;
    late.is_refused(409, "already_resolved");
    assert!(
        late.body["message"]
            .as_str()
            .is_some_and(|text| text.contains("allowed")),
        "{late:?}"
    );
    socket.respond(&session, &request, deny("Too late")).await;
    let error = socket.error().await;
    assert_eq!(error["code"], "already_resolved");
    assert_eq!(error["request_id"], request["request_id"]);
    socket.state(&session, "user_turn").await;
    assert_eq!(
        server.place.project_file("made.txt").as_deref(),
        Some("hello\n")
    );
    server
        .respond(&session, &request, deny("Much too late"))
        .await
        .is_refused(409, "already_resolved");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_hundred_answers_at_once_exactly_one_wins() {
    let place = Place::new();
    let agent = scripted_agent(&place, "agent", ASKS_ONCE);
    let server = Arc::new(place.server().agent(agent).start().await);
    let mut socket = server.connect().await;
    let session = server.start_session("go").await;
    let request = socket.pending(&session).await;
    let mut answers = Vec::new();
    for number in 0..100 {
        let (server, session, request) = (server.clone(), session.clone(), request.clone());
        answers.push(tokio::spawn(async move {
            let reason = format!("answer {number}");
            (
                reason.clone(),
                server.respond(&session, &request, deny(&reason)).await,
            )
        }));
    }
    let mut by_status: BTreeMap<u16, Vec<(String, Value)>> = BTreeMap::new();
    for answer in answers {
        let (reason, reply) = answer.await.expect("a reply");
        by_status
            .entry(reply.status)
            .or_default()
            .push((reason, reply.body));
    }
    let counts: Vec<(u16, usize)> = by_status
        .iter()
        .map(|(status, all)| (*status, all.len()))
        .collect();
    assert_eq!(counts, [(200, 1), (409, 99)], "{by_status:?}");
    assert!(
        by_status[&409]
            .iter()
            .all(|(_, body)| body["code"] == "already_resolved")
    );
    socket.state(&session, "user_turn").await;
    let heard = place.project_file("heard.jsonl").expect("an answer");
    let heard: Vec<Value> = heard
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(heard.len(), 1, "the agent hears one answer");
    assert_eq!(
        heard[0]["response"]["response"]["message"],
        json!(by_status[&200][0].0),
        "that of the winner"
    );
}
