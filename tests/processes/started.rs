//! Starting: what works, what does not, and what is said then.

use crate::support::{Place, Server, allow, scripted_agent};
use serde_json::json;

fn says(process: &serde_json::Value, words: &str) -> bool {
    process["error"]
        .as_str()
        .is_some_and(|error| error.contains(words))
}

#[tokio::test]
async fn a_new_session_has_its_place_and_its_title() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo hello").await;
    let process = socket.state(&session, "starting").await;
    assert_eq!(process["project_id"], server.project());
    assert_eq!(process["cwd"], server.project());
    assert_eq!(process["title"], "run: echo hello");
    assert_eq!(process["permission_mode"], "default");
    let process = socket.state(&session, "assistant_turn").await;
    assert!(process["started_at"].as_f64() <= process["state_changed_at"].as_f64());
    let process = socket
        .process(&session, "the model", |process| {
            process.get("model").is_some()
        })
        .await;
    assert!(process["model"].is_string());
    let running = server.call("list_processes", json!({})).await.done();
    assert_eq!(running[0]["session_id"], session);
}

#[tokio::test]
async fn with_a_first_message_it_goes_from_starting_to_work_at_once() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo hello").await;
    let mut states: Vec<String> = Vec::new();
    socket
        .process(&session, "the request", |process| {
            states.extend(process["state"].as_str().map(str::to_owned));
            process.get("pending_request").is_some()
        })
        .await;
    states.dedup();
    assert_eq!(states, ["starting", "assistant_turn"]);
}

#[tokio::test]
async fn an_agent_that_is_not_there_is_said_to_be_so_and_leaves_no_session() {
    let place = Place::new();
    let server = place
        .server()
        .agent(place.root().join("no-such-agent"))
        .start()
        .await;
    let arguments = json!({"project": server.project(), "prompt": "hello"});
    let reply = server.call("start_session", arguments).await;
    reply.is_refused(503, "agent_unavailable");
    assert!(
        reply.body["message"]
            .as_str()
            .is_some_and(|text| text.contains("no-such-agent"))
    );
    assert_eq!(
        server.call("list_sessions", json!({})).await.done(),
        json!([])
    );
    server.cut_off().await;
    let server = place.server().start().await;
    assert_eq!(
        server.call("list_sessions", json!({})).await.done(),
        json!([]),
        "nor after a restart"
    );
}

#[tokio::test]
async fn an_agent_that_was_away_takes_the_same_message_when_it_is_back() {
    let place = Place::new();
    let agent = scripted_agent(
        &place,
        "agent",
        "ready; hear; say \"$$\"; finish; hear; ask id 'touch x'; answered",
    );
    let hidden = place.root().join("hidden");
    let server = place.server().agent(&agent).start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("hello").await;
    socket.turn(&session).await;
    server.kill(&session).await;
    socket.state(&session, "dead").await;

    std::fs::rename(&agent, &hidden).expect("hidden");
    let message = json!({"session_id": session, "text": "again", "message_id": "0d7f9a52-4a0e-4a5c-9a3f-0f6f6d3c1b11"});
    server
        .call("send_message", message.clone())
        .await
        .is_refused(503, "agent_unavailable");
    let process = socket.state(&session, "dead").await;
    assert!(says(&process, "was not found"), "{process}");

    std::fs::rename(&hidden, &agent).expect("back");
    server.call("send_message", message).await.done();
    socket.turn(&session).await;
}

#[tokio::test]
async fn what_a_dying_agent_said_is_shown() {
    let place = Place::new();
    let agent = scripted_agent(
        &place,
        "agent",
        "echo 'Please run: agent login' >&2; exit 7",
    );
    let server = place.server().agent(agent).start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("hello").await;
    let process = socket.state(&session, "dead").await;
    for words in ["Please run: agent login", "code 7", "not ready"] {
        assert!(says(&process, words), "{process}");
    }
    let events = server.events(&session).await;
    let end = events
        .iter()
        .find(|event| event["kind"] == "process_ended")
        .expect("it is kept");
    assert!(says(end, "Please run: agent login"));
    assert!(
        events.iter().any(|event| event["text"] == "hello"),
        "the message is kept, too"
    );
}

#[tokio::test]
async fn a_failing_start_of_the_demo_agent_is_shown() {
    let server = Place::new()
        .server()
        .variable("COUNTERSIGN_DEMO_FAIL_START", "1")
        .start()
        .await;
    let mut socket = server.connect().await;
    let session = server.start_session("hello").await;
    let process = socket.state(&session, "dead").await;
    assert!(says(&process, "It said:"), "{process}");
}

#[tokio::test]
async fn an_agent_that_takes_its_time_gets_the_message_when_it_is_ready() {
    let server = Place::new()
        .server()
        .variable("COUNTERSIGN_DEMO_START_DELAY_MS", "300")
        .start()
        .await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo hello").await;
    socket.state(&session, "starting").await;
    let request = socket.pending(&session).await;
    server.respond(&session, &request, allow()).await.done();
    socket.state(&session, "user_turn").await;
}

#[tokio::test]
async fn a_project_must_be_a_directory() {
    let server = Server::start().await;
    for project in ["", "relative", "/no/such/place", "/etc/passwd"] {
        let arguments = json!({"project": project, "prompt": "hello"});
        server
            .call("start_session", arguments)
            .await
            .is_refused(400, "invalid_request");
    }
    let arguments = json!({"project": server.project(), "prompt": "  "});
    server
        .call("start_session", arguments)
        .await
        .is_refused(400, "invalid_request");
}

#[tokio::test]
async fn lines_that_cannot_be_read_hide_nothing() {
    let place = Place::new();
    let body = r#"
ready; hear
line 'this is not JSON'
line '[1, 2, 3]'
line '{"type":"control_request"'
printf '\377\376\000\n'
line '{"type":"something_new","with":"fields"}'
head -c 9000000 /dev/zero | tr '\000' x; echo
# it is asked what it waits for, since that may have been in one of those lines
ready
ask id 'touch x'; answered; say done; finish; hear"#;
    let agent = scripted_agent(&place, "agent", body);
    let server = place.server().agent(agent).start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("go").await;
    let request = socket.pending(&session).await;
    socket.subscribe(&session, None).await;
    server.respond(&session, &request, allow()).await.done();
    socket.text("done").await;
    let events = server.events(&session).await;
    let notices: Vec<&str> = events
        .iter()
        .filter(|event| event["kind"] == "noticed")
        .filter_map(|event| event["text"].as_str())
        .collect();
    assert!(
        notices.iter().any(|text| text.contains("cannot be read")),
        "{notices:?}"
    );
    assert!(
        notices.iter().any(|text| text.contains("too long")),
        "{notices:?}"
    );
}
