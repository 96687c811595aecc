//! The agent's own conversations behind our sessions: cleared, copied, held by somebody else; and what the agent can do.

use crate::support::{Place, Server, allow, scripted_agent, until};
use serde_json::{Value, json};

fn arguments(place: &Place) -> Vec<String> {
    let text = place.project_file("arguments.txt").unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// Says under which id it keeps the conversation, and what it was started with.
const KEEPS: &str = "printf '%s\\n' \"$*\" >> arguments.txt\n\
    init() { line '{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"'\"$1\"'\",\"model\":\"m\"}'; }\n";

#[tokio::test]
async fn a_cleared_conversation_is_followed_under_its_new_id() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo one").await;
    let request = socket.pending(&session).await;
    server.respond(&session, &request, allow()).await.done();
    socket.state(&session, "user_turn").await;
    server.send(&session, "/clear").await;
    socket.turn(&session).await;
    server.send(&session, "run: echo two").await;
    socket.pending(&session).await;
    server.kill(&session).await;
    socket.state(&session, "dead").await;

    // it goes on in the new conversation, not in the one that was cleared
    server.send(&session, "run: echo three").await;
    let request = socket.pending(&session).await;
    assert_eq!(request["tool_input"]["command"], "echo three");
    let events = server.events(&session).await;
    assert!(
        events
            .iter()
            .any(|event| event["kind"] == "conversation_cleared")
    );
    let text: String = events
        .iter()
        .filter_map(|event| event["text"].as_str())
        .collect();
    assert!(
        text.contains("I remember the one message"),
        "it remembers one message, the one after the clearing: {text}"
    );
}

#[tokio::test]
async fn the_new_id_survives_the_server() {
    let place = Place::new();
    let new = "11111111-2222-4333-8444-555555555555";
    let body = format!("{KEEPS}ready; hear; init {new}; say hi; finish; while :; do hear; done");
    let agent = scripted_agent(&place, "agent", &body);
    let server = place.server().agent(&agent).start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("hello").await;
    socket.turn(&session).await;
    server.kill(&session).await;
    socket.state(&session, "dead").await;
    server.cut_off().await;
    let server = place.server().agent(&agent).start().await;
    let mut socket = server.connect().await;
    server.send(&session, "again").await;
    socket.turn(&session).await;
    let starts = arguments(&place);
    assert!(
        starts[0].contains(&format!("--session-id={session}")),
        "{starts:?}"
    );
    assert!(starts[1].contains(&format!("--resume={new}")), "{starts:?}");
}

#[tokio::test]
async fn a_fork_begins_as_a_copy_and_goes_on_by_itself() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo one").await;
    let request = socket.pending(&session).await;
    let fork = json!({"session_id": session});
    server
        .call("fork_session", fork.clone())
        .await
        .is_refused(400, "invalid_request");
    server.respond(&session, &request, allow()).await.done();
    socket.state(&session, "user_turn").await;
    let forked = server.call("fork_session", fork).await.done();
    let forked = forked["session_id"].as_str().expect("an id");
    socket.state(forked, "user_turn").await;

    server.send(forked, "run: echo two > two.txt").await;
    let request = socket.pending(forked).await;
    server.respond(forked, &request, allow()).await.done();
    socket.state(forked, "user_turn").await;
    let (original, copy) = (server.events(&session).await, server.events(forked).await);
    let said = |events: &[Value]| -> Vec<String> {
        let sent = events
            .iter()
            .filter(|event| event["kind"] == "message_sent");
        sent.filter_map(|event| event["text"].as_str().map(str::to_owned))
            .collect()
    };
    assert_eq!(said(&original), ["run: echo one"]);
    assert_eq!(said(&copy), ["run: echo one", "run: echo two > two.txt"]);

    // resumed, it is itself and no further copy
    server.kill(forked).await;
    socket.state(forked, "dead").await;
    server.send(forked, "run: echo three").await;
    socket.pending(forked).await;
    let sessions = server.call("list_sessions", json!({})).await.done();
    assert_eq!(sessions.as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn a_fork_that_nobody_wrote_to_is_still_to_be_made_after_a_restart() {
    let place = Place::new();
    let body = format!(
        "{KEEPS}ready; hear; init \"${{FORKED:-$(printf %s \"$*\" | sed 's/.*--session-id=//')}}\"; say hi; finish; while :; do hear; done"
    );
    let agent = scripted_agent(&place, "agent", &body);
    let server = place.server().agent(&agent).start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("hello").await;
    socket.turn(&session).await;
    let forked = server
        .call("fork_session", json!({"session_id": session}))
        .await
        .done();
    let forked = forked["session_id"].as_str().expect("an id").to_owned();
    socket.state(&forked, "user_turn").await;
    server.kill(&forked).await;
    socket.state(&forked, "dead").await;
    server.cut_off().await;
    let server = place.server().agent(&agent).start().await;
    let mut socket = server.connect().await;
    server.send(&forked, "go on").await;
    socket.turn(&forked).await;
    let starts = arguments(&place);
    for start in &starts[1..] {
        for flag in [
            format!("--resume={session}"),
            "--fork-session".to_owned(),
            format!("--session-id={forked}"),
        ] {
            assert!(start.contains(&flag), "{flag} in {start}");
        }
    }
    assert_eq!(starts.len(), 3);
}

/// As a terminal would: this very process claims to have it open. Its number.
fn claim(place: &Place, session: &str) -> u32 {
    let register = place.data().join("demo-agent/sessions");
    std::fs::create_dir_all(&register).expect("a folder");
    let own = std::process::id();
    let entry = json!({"pid": own, "sessionId": session, "startedAt": 4_000_000_000_000_u64, "status": "idle"});
    std::fs::write(register.join(format!("{own}.json")), entry.to_string()).expect("written");
    own
}

#[tokio::test]
async fn a_conversation_that_another_process_has_open_is_not_opened_unasked() {
    let place = Place::new();
    let server = place.server().start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo one").await;
    socket.pending(&session).await;
    server.kill(&session).await;
    socket.state(&session, "dead").await;

    let own = claim(&place, &session);
    let mut message = json!({"session_id": session, "text": "run: echo two"});
    let reply = server.call("send_message", message.clone()).await;
    reply.is_refused(409, "session_taken");
    let words = reply.body["message"].as_str().unwrap_or_default();
    assert!(
        words.contains(&own.to_string()) && words.contains("fork"),
        "{words}"
    );
    assert_eq!(
        server.call("list_processes", json!({})).await.done(),
        json!([])
    );

    let forked = server
        .call("fork_session", json!({"session_id": session}))
        .await
        .done();
    let forked = forked["session_id"].as_str().expect("an id");
    server.send(forked, "run: echo in the copy").await;
    socket.pending(forked).await;
    message["anyway"] = json!(true);
    server.call("send_message", message).await.done();
    socket.pending(&session).await;
}

#[tokio::test]
async fn what_was_said_elsewhere_meanwhile_is_told_when_a_session_is_taken_up_again() {
    let place = Place::new();
    let server = place.server().start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("stream markdown").await;
    socket.turn(&session).await;
    server.kill(&session).await;
    socket.state(&session, "dead").await;
    let projects = place.data().join("demo-agent/projects");
    let project = std::fs::read_dir(projects).expect("projects").next();
    let folder = project.expect("one").expect("a folder").path();
    let file = folder.join(format!("{session}.jsonl"));
    let said = json!({"type": "user", "entrypoint": "cli", "sessionId": session, "uuid": "0a1f9a52-4a0e-4a5c-9a3f-0f6f6d3c1b11",
        "timestamp": "2026-11-15T23:40:43.278Z",
        "message": {"role": "user", "content": "hello from a terminal"}});
    let mut kept = std::fs::read_to_string(&file).expect("a conversation");
    kept.push_str(&format!("{said}\n"));
    std::fs::write(&file, kept).expect("written");

    let notices = async || {
        let events = server.events(&session).await;
        let texts = events.iter().filter_map(|event| event["text"].as_str());
        let told = texts.filter(|text| text.contains("Meanwhile") || text.contains("terminal"));
        told.map(str::to_owned).collect::<Vec<_>>()
    };
    for _ in 0..2 {
        server.send(&session, "stream markdown").await;
        socket.turn(&session).await;
        let told = notices().await;
        assert_eq!(told.len(), 2, "once, and what it was: {told:?}");
        assert!(told[0].contains("a message was written"), "{told:?}");
        assert_eq!(told[1], "hello from a terminal");
        server.kill(&session).await;
        socket.state(&session, "dead").await;
    }
}

#[tokio::test]
async fn nor_is_it_written_to_unasked_when_another_process_opens_it_while_ours_runs() {
    let place = Place::new();
    let server = place.server().start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("stream markdown").await;
    socket.turn(&session).await;
    claim(&place, &session);
    let mut message = json!({"session_id": session, "text": "run: echo two"});
    server
        .call("send_message", message.clone())
        .await
        .is_refused(409, "session_taken");
    message["anyway"] = json!(true);
    server.call("send_message", message).await.done();
    socket.pending(&session).await;
}

#[tokio::test]
async fn the_model_is_changed_while_it_runs_and_for_the_next_start() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo one").await;
    socket.pending(&session).await;
    let known = server
        .call("capabilities", json!({"session_id": session}))
        .await
        .done();
    let names: Vec<&str> = known["models"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|model| model["value"].as_str())
        .collect();
    assert_eq!(names, ["default", "quick", "thorough"]);
    assert!(
        known["commands"]
            .as_array()
            .is_some_and(|commands| commands.iter().any(|command| command["name"] == "clear"))
    );

    let model = |model: &str| json!({"session_id": session, "model": model});
    server.call("set_model", model("quick")).await.done();
    socket
        .process(&session, "the model", |process| {
            process["model"] == "countersign-demo-quick"
        })
        .await;
    server.kill(&session).await;
    socket.state(&session, "dead").await;
    server.send(&session, "run: echo two").await;
    socket
        .process(&session, "the same model", |process| {
            process["model"] == "countersign-demo-quick"
        })
        .await;
    server.kill(&session).await;
    // not by a frame: one about the first process may still be on its way
    until("it has ended", async || {
        let process = server.process(&session).await?;
        (process["state"] == "dead").then_some(())
    })
    .await;
    server.call("set_model", model("thorough")).await.done();
    socket
        .process(&session, "what the next one gets", |process| {
            process["model"] == "thorough"
        })
        .await;
    server.call("set_model", model("default")).await.done();
    server.send(&session, "run: echo three").await;
    socket
        .process(&session, "its own choice", |process| {
            process["model"] == "countersign-demo"
        })
        .await;
    let nobody = json!({"session_id": "00000000-0000-4000-8000-000000000000", "model": "quick"});
    server
        .call("set_model", nobody)
        .await
        .is_refused(404, "unknown_session");
}
