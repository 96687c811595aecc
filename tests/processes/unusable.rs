//! Agents that cannot be worked with: what is said, and that nothing is lost.

use crate::support::{Place, scripted_agent};
use serde_json::{Value, json};

fn said(process: &Value, words: &[&str]) {
    let error = process["error"].as_str().unwrap_or_default();
    for word in words {
        assert!(error.contains(word), "no {word:?} in {error:?}");
    }
}

/// A greeting that is answered with a version.
fn version(version: &str) -> String {
    format!(
        "hear; id=${{heard#*'\"request_id\":\"'}}; id=${{id%%'\"'*}}\n\
         line '{{\"type\":\"control_response\",\"response\":{{\"subtype\":\"success\",\"request_id\":\"'\"$id\"'\",\"response\":{{\"claude_code_version\":\"{version}\"}}}}}}'\n"
    )
}

#[tokio::test]
async fn an_agent_that_is_too_old_is_ended_with_what_to_do_and_the_message_is_not_lost() {
    let place = Place::new();
    let body = format!(
        "if [ -e updated ]; then {} else {} fi\nhear; say hello; finish; while :; do hear; done",
        version("2.1.325"),
        version("2.0.76"),
    );
    let agent = scripted_agent(&place, "agent", &body);
    let server = place.server().agent(agent).start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("hello there").await;
    let process = socket.state(&session, "dead").await;
    said(&process, &["2.0.76", "2.1.197", "claude update"]);

    let events = server.events(&session).await;
    let unread = events
        .iter()
        .find(|event| event["kind"] == "message_not_read")
        .expect("the message is said to be unread");
    std::fs::write(place.project().join("updated"), "").expect("written");
    let again =
        json!({"session_id": session, "text": "hello there", "message_id": unread["message_id"]});
    server.call("send_message", again).await.done();
    socket.turn(&session).await;
    let events = server.events(&session).await;
    let sent = |event: &&Value| {
        event["kind"] == "message_sent" && event["message_id"] == unread["message_id"]
    };
    assert_eq!(
        events.iter().filter(sent).count(),
        2,
        "the same message, sent again"
    );
}

#[tokio::test]
async fn an_agent_without_a_login_says_what_to_do_and_the_next_message_starts_a_new_one() {
    let place = Place::new();
    let body = "ready; hear\nif [ -e logged-in ]; then say welcome; finish; while :; do hear; done; fi\n\
        line '{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":true,\"duration_ms\":1,\"result\":\"Not logged in · Please run /login\",\"terminal_reason\":\"api_error\"}'\n\
        while :; do hear; done";
    let agent = scripted_agent(&place, "agent", body);
    let server = place.server().agent(agent).start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("hello").await;
    let process = socket.state(&session, "dead").await;
    said(
        &process,
        &["not logged in", "/login", "ANTHROPIC_API_KEY", "again"],
    );
    std::fs::write(place.project().join("logged-in"), "").expect("written");
    server.send(&session, "hello").await;
    socket.turn(&session).await;
    let process = server.process(&session).await.expect("a process");
    assert!(process.get("error").is_none(), "{process}");
}

#[tokio::test]
async fn an_agent_that_cannot_start_is_no_process_to_anyone() {
    let place = Place::new();
    let server = place
        .server()
        .agent(place.root().join("claude"))
        .start()
        .await;
    let mut socket = server.connect().await;
    let arguments = json!({"project": server.project(), "prompt": "hello"});
    let reply = server.call("start_session", arguments).await;
    reply.is_refused(503, "agent_unavailable");
    let message = reply.body["message"].as_str().unwrap_or_default();
    assert!(
        message.contains("Install it") && message.contains("--agent"),
        "{message}"
    );
    // whoever listened heard nothing of it: the next frame is the answer to this
    socket.send(&json!({"type": "ping"})).await;
    let frame = socket.next().await.expect("a frame");
    assert_eq!(frame["type"], "pong", "{frame}");
    let limit = server.call("list_processes", json!({})).await.done();
    assert_eq!(limit, json!([]));
}

#[tokio::test]
async fn only_a_session_started_for_it_may_do_everything_without_asking() {
    let place = Place::new();
    let body =
        "printf '%s\\n' \"$*\" >> arguments.txt\nready; hear; finish; while :; do hear; done";
    let agent = scripted_agent(&place, "agent", body);
    let server = place.server().agent(agent).start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("hello").await;
    socket.turn(&session).await;
    let bypass = json!({"session_id": session, "mode": "bypassPermissions"});
    server
        .call("set_permission_mode", bypass)
        .await
        .is_refused(400, "invalid_request");
    let arguments = json!({"project": server.project(), "prompt": "hello", "permission_mode": "bypassPermissions"});
    let started = server.call("start_session", arguments).await.done();
    let second = started["session_id"].as_str().expect("an id");
    socket.turn(second).await;
    let process = server.process(second).await.expect("a process");
    assert_eq!(process["may_bypass"], true);
    let arguments = place.project_file("arguments.txt").expect("arguments");
    let [first, second]: [&str; 2] = arguments
        .lines()
        .collect::<Vec<_>>()
        .try_into()
        .expect("two starts");
    let flag = "--allow-dangerously-skip-permissions";
    assert!(!first.contains(flag), "{first}");
    assert!(
        second.contains(flag) && second.contains("--permission-mode bypassPermissions"),
        "{second}"
    );
}

#[tokio::test]
async fn one_that_is_too_old_and_hangs_is_not_waited_for_until_its_time_is_up() {
    let place = Place::new();
    let body =
        "case \"$1\" in --version) echo '2.0.14 (Claude Code)'; exit;; esac\nexec sleep 86397";
    let agent = scripted_agent(&place, "claude", body);
    let directory = agent.parent().expect("a directory").display().to_string();
    let path = format!("{directory}:{}", std::env::var("PATH").unwrap_or_default());
    let server = place.server().agent("claude").variable("PATH", &path);
    let server = server.start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("hello there").await;
    let process = socket.state(&session, "dead").await;
    said(&process, &["2.0.14", "2.1.197", "claude update"]);
}
