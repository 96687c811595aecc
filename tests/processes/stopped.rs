//! Stopping a turn, and stopping the server.

use crate::support::{Place, Server, scripted_agent, until};
use rustix::process::Signal;
use serde_json::json;
use std::time::{Duration, Instant};

#[tokio::test]
async fn interrupting_stops_the_turn_and_keeps_the_process() {
    let server = Place::new()
        .server()
        .variable("COUNTERSIGN_DEMO_SPEED", "1")
        .start()
        .await;
    let mut socket = server.connect().await;
    let session = server.start_session("think long").await;
    socket.subscribe(&session, None).await;
    socket
        .until("it thinks", |frame| frame["type"] == "session_delta")
        .await;
    server
        .call("interrupt", json!({"session_id": session}))
        .await
        .done();
    let end = socket
        .event("the end of the turn", |event| {
            event["kind"] == "turn_finished"
        })
        .await;
    assert_eq!(end["interrupted"], true);
    assert!(end.get("error").is_none(), "it is no error");
    socket.state(&session, "user_turn").await;
    server.send(&session, "ask a question").await;
    socket.pending(&session).await;
}

#[tokio::test]
async fn a_stopped_server_answers_what_is_open_ends_its_agents_and_leaves_in_good_order() {
    let mut server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo hello > made.txt").await;
    let request = socket.pending(&session).await;
    server.signal(Signal::TERM);
    let resolved = socket.resolved(&request).await;
    assert_eq!(
        (&resolved["outcome"], &resolved["by"]),
        (&json!("cancelled"), &json!("shutdown"))
    );
    assert_eq!(server.ended().await.code(), Some(0));
    assert_eq!(server.place.processes(), [], "nothing runs any more");
    assert_eq!(
        server.more_output(),
        None,
        "one line on stdout, and no more"
    );
    assert_eq!(server.place.project_file("made.txt"), None);

    let server = server.place.server().start().await;
    let events = server.events(&session).await;
    let resolved: Vec<_> = events
        .iter()
        .filter(|event| event["kind"] == "resolved")
        .collect();
    assert_eq!(resolved.len(), 1, "{events:#?}");
    assert_eq!(
        resolved[0]["outcome"], "cancelled",
        "it was not denied by anyone"
    );
}

#[tokio::test]
async fn a_closed_terminal_ends_the_agents_with_the_server() {
    for signal in [Signal::HUP, Signal::QUIT] {
        let mut server = Server::start().await;
        let mut socket = server.connect().await;
        let session = server.start_session("run: echo hello > made.txt").await;
        socket.pending(&session).await;
        server.signal(signal);
        assert_eq!(server.ended().await.code(), Some(0));
        assert_eq!(server.place.processes(), [], "nothing runs any more");
    }
}

#[tokio::test]
async fn the_data_directory_and_what_is_in_it_are_for_their_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    // made before, for everyone, as `mkdir` does it
    std::fs::create_dir(place.data()).expect("a directory");
    let everyone = std::fs::Permissions::from_mode(0o777);
    std::fs::set_permissions(place.data(), everyone).expect("opened");
    let server = place.server().start().await;
    server.start_session("help").await;
    until("the control socket is there", async || {
        place.data().join("control.sock").exists().then_some(())
    })
    .await;
    for name in [
        "",
        "countersign.db",
        "countersign.db-wal",
        "control.sock",
        "lock",
    ] {
        let file = server.place.data().join(name);
        let mode = std::fs::metadata(file)
            .expect("a file")
            .permissions()
            .mode();
        assert_eq!(mode & 0o077, 0, "{name}: {mode:o}");
    }
}

#[tokio::test]
async fn a_graceful_stop_takes_ten_seconds_at_most_whatever_the_agents_do() {
    let place = Place::new();
    // deaf to everything: a closed stdin, interrupts, SIGTERM
    let body = "trap '' TERM INT HUP\nready; hear; while :; do sleep 1; done";
    let agent = scripted_agent(&place, "agent", body);
    let mut server = place.server().agent(agent).start().await;
    let mut socket = server.connect().await;
    for _ in 0..2 {
        let session = server.start_session("hello").await;
        socket.state(&session, "assistant_turn").await;
    }
    let began = Instant::now();
    server.signal(Signal::TERM);
    let status = server.ended().await;
    let took = began.elapsed();
    assert_eq!(status.code(), Some(0));
    assert!(took < Duration::from_secs(10), "it took {took:?}");
    assert_eq!(place.processes(), [], "nothing runs any more");
}

#[tokio::test]
async fn what_an_agent_that_has_to_be_killed_runs_in_groups_of_its_own_goes_with_it() {
    // it never reads again, so only SIGKILL ends it, and it cannot end what it started
    let body = "trap '' TERM INT HUP\nready; hear; setsid sleep 1000 &\nask id 'touch x'; while :; do sleep 1; done";
    for at_once in [false, true] {
        let place = Place::new();
        let agent = scripted_agent(&place, "agent", body);
        let mut server = place.server().agent(agent).start().await;
        let mut socket = server.connect().await;
        let session = server.start_session("hello").await;
        let request = socket.pending(&session).await;
        until("its command runs", async || {
            (!place.running("sleep 1000").is_empty()).then_some(())
        })
        .await;
        match at_once {
            false => {
                server.kill(&session).await;
                socket.state(&session, "dead").await;
            }
            // a second signal: there is no time to ask anyone
            true => {
                server.signal(Signal::INT);
                assert_eq!(socket.resolved(&request).await["by"], "shutdown");
                server.signal(Signal::INT);
                assert_eq!(server.ended().await.code(), Some(1));
            }
        }
        until("nothing of it runs", async || {
            place.running("sleep").is_empty().then_some(())
        })
        .await;
    }
}

#[tokio::test]
async fn a_demo_agent_that_ignores_the_signal_is_ended_all_the_same() {
    let mut server = Place::new()
        .server()
        .variable("COUNTERSIGN_DEMO_IGNORE_TERM", "1")
        .start()
        .await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo hello").await;
    socket.pending(&session).await;
    let began = Instant::now();
    server.signal(Signal::INT);
    assert_eq!(server.ended().await.code(), Some(0));
    assert!(
        began.elapsed() < Duration::from_secs(10),
        "it took {:?}",
        began.elapsed()
    );
    assert_eq!(server.place.processes(), []);
}

#[tokio::test]
async fn what_is_queued_when_the_server_is_stopped_does_not_run_and_can_be_sent_again() {
    let place = Place::new();
    let mut server = place.server().start().await;
    let mut socket = server.connect().await;
    let arguments = json!({"project": server.project(), "prompt": "ask a question", "permission_mode": "acceptEdits"});
    let started = server.call("start_session", arguments).await.done();
    let session = started["session_id"].as_str().expect("an id").to_owned();
    socket.pending(&session).await;
    server.send(&session, "write queued.txt: too late").await;
    server.signal(Signal::TERM);
    server.ended().await;
    assert_eq!(place.project_file("queued.txt"), None, "nothing new began");
    let server = place.server().start().await;
    let events = server.events(&session).await;
    assert!(
        events
            .iter()
            .any(|event| event["kind"] == "message_not_read"),
        "{events:#?}"
    );
}
