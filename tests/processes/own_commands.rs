//! Commands that a person runs by themselves beside the agent.

use crate::support::{Place, Server, until};
use serde_json::{Value, json};

fn ran(events: &[Value]) -> Vec<&Value> {
    let ran = events.iter().filter(|event| event["kind"] == "command_run");
    ran.collect()
}

async fn run(server: &Server, session: &str, command: &str) {
    let arguments = json!({"session_id": session, "command": command});
    server.call("run_command", arguments).await.done();
}

#[tokio::test]
async fn it_runs_in_the_project_and_everyone_is_told_what_came_of_it() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("stream markdown").await;
    socket.turn(&session).await;
    run(&server, &session, " pwd; echo oh >&2; exit 3 ").await;
    run(&server, &session, "true").await;
    let events = server.events(&session).await;
    let ran = ran(&events);
    let project = std::fs::canonicalize(server.project()).expect("a path");
    assert_eq!(ran[0]["command"], "pwd; echo oh >&2; exit 3");
    assert_eq!(ran[0]["output"], format!("{}\noh", project.display()));
    assert_eq!(ran[0]["code"], 3);
    assert_eq!(
        (&ran[1]["output"], &ran[1]["code"]),
        (&json!(""), &json!(0))
    );
    let process = server.process(&session).await.expect("a process");
    assert_eq!(process["state"], "user_turn", "the agent was left alone");
}

#[tokio::test]
async fn it_gets_no_secret_of_ours_and_a_session_runs_one_at_a_time() {
    let place = Place::new();
    let server = place.server().start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("stream markdown").await;
    socket.turn(&session).await;
    run(&server, &session, "env").await;
    let events = server.events(&session).await;
    let environment = ran(&events)[0]["output"].as_str().expect("text");
    assert!(environment.contains("HOME="), "{environment}");
    assert!(!environment.contains("COUNTERSIGN_TOKEN"), "{environment}");

    let empty = json!({"session_id": session, "command": "  "});
    let refused = server.call("run_command", empty).await;
    refused.is_refused(400, "invalid_request");
    let none = server
        .call("stop_command", json!({"session_id": session}))
        .await;
    none.is_refused(400, "invalid_request");

    let long = json!({"session_id": session, "command": "echo begun; sleep 86391 & sleep 86392"});
    let running = async {
        server.call("run_command", long).await.done();
    };
    let stopping = async {
        until("both run", async || {
            // the shell's own line has both of them
            let found = ["sleep 86391", "sleep 86392"].map(|one| place.running(one).len());
            (found == [2, 2]).then_some(())
        })
        .await;
        let second = json!({"session_id": session, "command": "echo second"});
        let refused = server.call("run_command", second).await;
        refused.is_refused(400, "invalid_request");
        let stop = json!({"session_id": session});
        server.call("stop_command", stop).await.done();
    };
    tokio::join!(running, stopping);
    let events = server.events(&session).await;
    let last = ran(&events).pop().expect("it ran").clone();
    assert_eq!(last["output"], "begun\nYou stopped it.");
    assert!(last.get("code").is_none(), "{last}");
    until("nothing of it runs on", async || {
        let left = ["sleep 86391", "sleep 86392"].map(|one| place.running(one).len());
        (left == [0, 0]).then_some(())
    })
    .await;
}

#[tokio::test]
async fn it_ends_with_the_server_that_runs_it_and_after_one_that_was_killed() {
    let place = Place::new();
    let mut server = place.server().start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("stream markdown").await;
    socket.turn(&session).await;
    let begin = |server: &Server, seconds: u32| {
        let request = server.request(reqwest::Method::POST, "/api/run_command");
        let command = format!("sleep {seconds}");
        let body = json!({"session_id": session, "command": command});
        let sending = request
            .bearer_auth(crate::support::TOKEN)
            .json(&body)
            .send();
        // the server goes away before it answers
        tokio::spawn(async move { sending.await.is_ok() })
    };
    begin(&server, 86_394);
    let runs = |seconds: u32| !place.running(&format!("sleep {seconds}")).is_empty();
    until("it runs", async || runs(86_394).then_some(())).await;
    server.signal(rustix::process::Signal::TERM);
    server.ended().await;
    assert!(!runs(86_394), "an orderly end takes it along");

    let mut server = place.server().start().await;
    let events = server.events(&session).await;
    assert_eq!(ran(&events).len(), 1, "and it is said");
    begin(&server, 86_395);
    until("it runs, and that is noted", async || {
        let running = place.running("sleep 86395");
        let note = place
            .data()
            .join("agents")
            .join(running.first()?.to_string());
        std::fs::read_to_string(note)
            .is_ok_and(|text| !text.is_empty())
            .then_some(())
    })
    .await;
    server.signal(rustix::process::Signal::KILL);
    server.ended().await;
    assert!(runs(86_395), "nobody could end it");
    let _next = place.server().start().await;
    until("the next server ends it", async || {
        (!runs(86_395)).then_some(())
    })
    .await;
}
