//! Several requests open at once, in one session and in two.

use crate::support::{ASKS_ONCE, Place, Server, allow, deny, scripted_agent, until};
use serde_json::Value;

#[tokio::test]
async fn three_at_once_are_answered_in_any_order() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("3 at once").await;
    let requests = socket.all_pending(&session, 3).await;
    let process = server.process(&session).await.expect("a process");
    assert_eq!(
        process["pending_request"], requests[0],
        "the oldest one stands alone, too"
    );
    let created: Vec<f64> = requests
        .iter()
        .filter_map(|request| request["created_at"].as_f64())
        .collect();
    assert!(created.is_sorted(), "oldest first");

    socket.subscribe(&session, None).await;
    server.respond(&session, &requests[2], allow()).await.done();
    assert_eq!(socket.all_pending(&session, 2).await, requests[..2]);
    server
        .respond(&session, &requests[0], deny("Not the first"))
        .await
        .done();
    assert_eq!(socket.all_pending(&session, 1).await, requests[1..2]);
    server.respond(&session, &requests[1], allow()).await.done();
    let text = socket.text("I read 2 and left 1 alone").await;
    let path = requests[0]["tool_input"]["file_path"]
        .as_str()
        .expect("a path");
    assert!(
        text.contains(&format!("`{path}`: you said \"Not the first\"")),
        "{text}"
    );
    assert!(
        socket
            .state(&session, "user_turn")
            .await
            .get("pending_requests")
            .is_none()
    );
}

#[tokio::test]
async fn a_request_of_a_subagent_says_whose_it_is() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("subagents").await;
    let requests = socket.all_pending(&session, 2).await;
    let mut labels: Vec<&str> = requests
        .iter()
        .filter_map(|request| request["agent"]["label"].as_str())
        .collect();
    labels.sort_unstable();
    assert_eq!(labels, ["Count the files", "Note the time"]);
    for request in &requests {
        assert!(request["agent"]["id"].is_string());
        server.respond(&session, request, allow()).await.done();
    }
    until("both commands ran", async || {
        let made = |name| {
            server
                .place
                .project_file(name)
                .filter(|text| !text.is_empty())
        };
        Some((
            made("countersign-demo-count.txt")?,
            made("countersign-demo-time.txt")?,
        ))
    })
    .await;
}

#[tokio::test]
async fn two_agents_that_use_the_same_id_at_once_get_their_own_answers() {
    let place = Place::new();
    let agent = scripted_agent(&place, "agent", ASKS_ONCE);
    let server = place.server().agent(agent).start().await;
    let mut socket = server.connect().await;
    let mut open: Vec<(String, Value)> = Vec::new();
    for name in ["one", "two"] {
        let project = place.root().join(name);
        std::fs::create_dir(&project).expect("a project");
        let arguments = serde_json::json!({"project": project, "prompt": "go"});
        let started = server.call("start_session", arguments).await.done();
        let session = started["session_id"].as_str().expect("an id").to_owned();
        let request = socket.pending(&session).await;
        open.push((session, request));
    }
    let [(one, of_one), (two, of_two)] = open.as_slice() else {
        panic!("two sessions")
    };
    assert_ne!(of_one["request_id"], of_two["request_id"]);
    server
        .respond(two, of_one, allow())
        .await
        .is_refused(404, "unknown_request");
    server
        .respond(two, of_two, deny("Only the second"))
        .await
        .done();
    socket.state(two, "user_turn").await;
    let heard =
        |name: &str| std::fs::read_to_string(place.root().join(name).join("heard.jsonl")).ok();
    assert_eq!(heard("one"), None, "the first still waits");
    assert!(heard("two").is_some_and(|text| text.contains("Only the second")));
    server.respond(one, of_one, allow()).await.done();
    socket.state(one, "user_turn").await;
    let heard = heard("one").expect("an answer");
    assert!(
        heard.contains(r#""behavior":"allow""#) && heard.lines().count() == 1,
        "{heard}"
    );
}
