//! Many answers, one winner.

use crate::support::{ASKS_ONCE, Place, Server, allow, deny, scripted_agent, until};
use futures::StreamExt;
use futures::stream::FuturesUnordered;
use serde_json::{Value, json};

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

#[tokio::test]
async fn of_a_hundred_answers_at_once_exactly_one_wins_and_is_stored_before_the_agent_hears_it() {
    let place = Place::new();
    let agent = scripted_agent(&place, "agent", ASKS_ONCE);
    let server = place.server().agent(agent).start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("go").await;
    let request = socket.pending(&session).await;
    until("it is on disk", async || {
        (place.stored_events(&session, "asked") == 1).then_some(())
    })
    .await;

    // nothing can be stored while the test holds the database: the first answer waits, and all others come meanwhile
    let database = place.database();
    database.execute_batch("BEGIN IMMEDIATE").expect("held");
    let answer = async |number: usize| {
        let reason = format!("answer {number}");
        let reply = server.respond(&session, &request, deny(&reason)).await;
        (reason, reply)
    };
    let mut answers: FuturesUnordered<_> = (0..100).map(answer).collect();
    for _ in 0..99 {
        let (_, late) = answers.next().await.expect("a reply");
        late.is_refused(409, "already_resolved");
    }
    assert_eq!(
        place.project_file("heard.jsonl"),
        None,
        "not before it is stored"
    );
    database.execute_batch("COMMIT").expect("let go");
    let (reason, won) = answers.next().await.expect("the last reply");
    won.done();

    socket.state(&session, "user_turn").await;
    let heard = place.project_file("heard.jsonl").expect("an answer");
    let heard: Vec<Value> = heard
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(heard.len(), 1, "the agent hears one answer");
    assert_eq!(
        heard[0]["response"]["response"]["message"],
        json!(reason),
        "that of the winner"
    );
}

#[tokio::test]
async fn an_answer_given_again_is_the_same_answer_and_another_is_not() {
    let place = Place::new();
    let agent = scripted_agent(&place, "agent", ASKS_ONCE);
    let server = place.server().agent(agent).start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("go").await;
    let request = socket.pending(&session).await;
    until("it is on disk", async || {
        (place.stored_events(&session, "asked") == 1).then_some(())
    })
    .await;
    let first = json!({"answer_id": uuid::Uuid::new_v4()});
    let other = json!({"answer_id": uuid::Uuid::new_v4()});
    let give = |answer: &Value| server.respond_with(&session, &request, allow(), answer.clone());

    // the first is still being stored: whoever gives it again waits for its result, and nobody else does
    let database = place.database();
    database.execute_batch("BEGIN IMMEDIATE").expect("held");
    let mut same: FuturesUnordered<_> = (0..20).map(|_| give(&first)).collect();
    let another = async {
        until("one is claimed", async || {
            let reply = give(&other).await;
            (reply.body["code"] == "already_resolved").then_some(())
        })
        .await;
        database.execute_batch("COMMIT").expect("let go");
    };
    let all_same = async {
        while let Some(reply) = same.next().await {
            reply.done();
        }
    };
    tokio::join!(all_same, another);
    let resolved = socket.resolved(&request).await;
    assert_eq!(resolved["answer_id"], first["answer_id"]);

    // and long after
    give(&first).await.done();
    give(&other).await.is_refused(409, "already_resolved");
    let heard = place.project_file("heard.jsonl").expect("an answer");
    assert_eq!(heard.lines().count(), 1, "the agent hears one answer");
}

#[tokio::test]
async fn an_answer_that_cannot_be_stored_is_not_accepted_and_may_be_given_again() {
    let place = Place::new();
    let agent = scripted_agent(&place, "agent", ASKS_ONCE);
    let server = place.server().agent(agent).start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("go").await;
    let request = socket.pending(&session).await;
    let database = place.database();
    database.execute_batch("BEGIN IMMEDIATE").expect("held");
    let reply = server.respond(&session, &request, allow()).await;
    reply.is_refused(503, "store_unavailable");
    assert_eq!(place.project_file("heard.jsonl"), None);
    let process = server.process(&session).await.expect("a process");
    assert_eq!(process["pending_request"], request, "it still waits");

    database.execute_batch("COMMIT").expect("let go");
    server.respond(&session, &request, allow()).await.done();
    socket.state(&session, "user_turn").await;
    let events = server.events(&session).await;
    let numbers = events.iter().filter_map(|event| event["seq"].as_u64());
    assert!(
        numbers.eq(1..=events.len() as u64),
        "and nothing is missing"
    );
}
