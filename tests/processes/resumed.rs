//! A conversation outlives its process.

use crate::support::{Place, Server, Socket, allow, demo_agent, scripted_agent};
use serde_json::{Value, json};

fn of_kind<'a>(events: &'a [Value], kind: &str) -> Vec<&'a Value> {
    events
        .iter()
        .filter(|event| event["kind"] == kind)
        .collect()
}

#[tokio::test]
async fn a_message_resumes_a_killed_session() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo one").await;
    socket.pending(&session).await;
    server.kill(&session).await;
    socket.state(&session, "dead").await;
    assert_eq!(
        server.call("list_processes", json!({})).await.done(),
        json!([])
    );

    server.send(&session, "run: echo two > made.txt").await;
    let request = socket.pending(&session).await;
    assert_eq!(request["tool_input"]["command"], "echo two > made.txt");
    server.respond(&session, &request, allow()).await.done();
    socket.state(&session, "user_turn").await;
    assert_eq!(
        server.place.project_file("made.txt").as_deref(),
        Some("two\n")
    );

    let events = server.events(&session).await;
    let starts: Vec<bool> = of_kind(&events, "process_started")
        .iter()
        .map(|event| event["resumed"] == true)
        .collect();
    assert_eq!(starts, [false, true]);
    let said: Vec<&str> = of_kind(&events, "message_sent")
        .iter()
        .filter_map(|event| event["text"].as_str())
        .collect();
    assert_eq!(
        said,
        ["run: echo one", "run: echo two > made.txt"],
        "one conversation"
    );
    let sessions = server.call("list_sessions", json!({})).await.done();
    assert_eq!(sessions.as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn the_agent_is_told_which_conversation_to_begin_and_which_to_resume() {
    let place = Place::new();
    let body = "printf '%s\\n' \"$*\" >> arguments.txt\nready; hear; finish; hear; exit 0";
    let agent = scripted_agent(&place, "agent", body);
    let server = place.server().agent(agent).start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("hello").await;
    socket.turn(&session).await;
    server.kill(&session).await;
    socket.state(&session, "dead").await;
    let mode = json!({"session_id": session, "mode": "plan"});
    server.call("set_permission_mode", mode).await.done();
    server.send(&session, "again").await;
    socket.turn(&session).await;
    let arguments = place.project_file("arguments.txt").expect("arguments");
    let [first, second] = arguments
        .lines()
        .collect::<Vec<_>>()
        .try_into()
        .expect("two starts");
    assert!(
        first.contains(&format!("--session-id={session}")) && !first.contains("--resume"),
        "{first}"
    );
    assert!(
        second.contains(&format!("--resume={session}")) && !second.contains("--session-id"),
        "{second}"
    );
    assert!(
        first.contains("--permission-mode default") && second.contains("--permission-mode plan"),
        "{second}"
    );
}

#[tokio::test]
async fn a_session_whose_agent_crashed_goes_on_with_the_next_message() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("crash").await;
    let process = socket.state(&session, "dead").await;
    let error = process["error"].as_str().expect("an error");
    assert!(
        error.contains("code 3") && error.contains("crashed because it was asked to"),
        "{error}"
    );
    let events = server.events(&session).await;
    let texts = of_kind(&events, "text_written");
    assert!(
        texts.iter().any(|event| event["text"]
            .as_str()
            .is_some_and(|text| text.contains("fall over"))),
        "what it said is kept"
    );

    server.send(&session, "run: echo on").await;
    let request = socket.pending(&session).await;
    assert_eq!(request["tool_input"]["command"], "echo on");
    let process = server.process(&session).await.expect("a process");
    assert!(
        process.get("error").is_none(),
        "the new process has no error"
    );
}

#[tokio::test]
async fn a_message_to_a_process_that_is_just_ending_is_refused_or_answered_but_never_lost() {
    let place = Place::new();
    // it is slow to go
    let body = "trap 'sleep 1; exit 0' TERM\nready; hear; say hello; finish; hear; say heard; finish; while :; do hear; done";
    let agent = scripted_agent(&place, "agent", body);
    let server = place.server().agent(agent).start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("hello").await;
    socket.turn(&session).await;
    server.kill(&session).await;
    let message = json!({"session_id": session, "text": "second", "message_id": "b1f0a3c4-2a77-4f64-9a0e-3b2f0c9d8e01"});
    let reply = server.call("send_message", message.clone()).await;
    socket.state(&session, "dead").await;
    if reply.status == 200 {
        socket.turn(&session).await;
        return;
    }
    reply.is_refused(503, "agent_unavailable");
    server.call("send_message", message).await.done();
    socket.turn(&session).await;
}

#[tokio::test]
async fn a_session_whose_agent_could_not_start_begins_when_it_can() {
    let place = Place::new();
    let demo = demo_agent(&place);
    let body = format!(
        "[ -e may-start ] || {{ echo 'not yet' >&2; exit 1; }}\nexec '{}' \"$@\"",
        demo.display()
    );
    let agent = scripted_agent(&place, "agent", &body);
    let server = place.server().agent(&agent).start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo one").await;
    socket.state(&session, "dead").await;
    std::fs::write(place.project().join("may-start"), "").expect("written");
    server.send(&session, "run: echo two").await;
    socket.pending(&session).await;
    server.cut_off().await;

    let server = place.server().agent(&agent).start().await;
    let mut socket = server.connect().await;
    server.send(&session, "run: echo three").await;
    let request = socket.pending(&session).await;
    assert_eq!(
        request["tool_input"]["command"], "echo three",
        "now it is resumed"
    );
}

#[tokio::test]
async fn an_agent_that_knows_better_whether_a_conversation_exists_is_believed() {
    let place = Place::new();
    let server = place.server().start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo one").await;
    socket.pending(&session).await;
    server.cut_off().await;

    // as if it had been cut off a moment earlier: the agent has the conversation, the store has nothing of it
    let forget = "DELETE FROM events WHERE session_id = ?1 AND seq > 2";
    place
        .database()
        .execute(forget, [&session])
        .expect("forgotten");
    let server = place.server().start().await;
    let mut socket = server.connect().await;
    server.send(&session, "run: echo two").await;
    died_saying(&mut socket, &session, "already in use").await;
    server.send(&session, "run: echo three").await;
    socket.pending(&session).await;
    server.kill(&session).await;
    socket.state(&session, "dead").await;

    std::fs::remove_dir_all(place.data().join("demo-agent")).expect("the agent forgets, too");
    server.send(&session, "run: echo four").await;
    died_saying(&mut socket, &session, "No conversation found").await;
    server.send(&session, "run: echo five").await;
    socket.pending(&session).await;
}

async fn died_saying(socket: &mut Socket, session: &str, words: &str) {
    let fits = |process: &Value| {
        let error = process["error"].as_str().unwrap_or_default();
        process["state"] == "dead" && error.contains(words)
    };
    socket.process(session, words, fits).await;
}
