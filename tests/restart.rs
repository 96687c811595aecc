//! What a server leaves when it is cut off, and what the next one makes of it.
#![cfg(feature = "ssr")]

mod support;

use rustix::process::Signal;
use serde_json::{Value, json};
use support::{Place, Server, allow, deny, until};

fn kinds(events: &[Value], kind: &str) -> Vec<Value> {
    let fits = |event: &&Value| event["kind"] == kind;
    events.iter().filter(fits).cloned().collect()
}

/// Numbered 1, 2, 3 … without gap or double.
#[track_caller]
fn in_order(events: &[Value]) {
    let numbers: Vec<u64> = events
        .iter()
        .filter_map(|event| event["seq"].as_u64())
        .collect();
    let expected: Vec<u64> = (1..=events.len() as u64).collect();
    assert_eq!(numbers, expected);
}

#[tokio::test]
async fn what_an_agent_can_do_is_known_before_one_is_started_again() {
    let place = Place::new();
    let server = place.server().start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("help").await;
    socket.turn(&session).await;
    let said = server.call("capabilities", json!({})).await.done();
    assert!(said["models"][0]["value"].is_string(), "{said}");
    server.cut_off().await;

    let server = place.server().start().await;
    let known = server.call("capabilities", json!({})).await.done();
    assert_eq!(known, said);
    let chosen = json!({"session_id": session, "model": "quick"});
    server.call("set_model", chosen).await.done();
    let sessions = server.call("list_sessions", json!({})).await.done();
    assert_eq!(sessions[0]["process"]["model"], "quick", "{sessions}");
}

#[tokio::test]
async fn a_session_that_asked_when_the_server_was_cut_off_is_there_and_goes_on() {
    let place = Place::new();
    let server = place.server().start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo hello > made.txt").await;
    let request = socket.pending(&session).await;
    let before = server.events(&session).await;
    server.cut_off().await;

    let server = place.server().start().await;
    let mut socket = server.connect().await;
    assert_eq!(
        socket.first,
        json!({"type": "active_processes", "processes": []})
    );
    let sessions = server.call("list_sessions", json!({})).await.done();
    assert_eq!(sessions[0]["session_id"], session);
    assert_eq!(sessions[0]["title"], "Run: echo hello > made.txt");
    let after = server.events(&session).await;
    in_order(&after);
    assert_eq!(after[..before.len()], before, "nothing was lost");
    let resolved = kinds(&after, "resolved");
    assert_eq!(resolved.len(), 1);
    assert_eq!(resolved[0]["request_id"], request["request_id"]);
    assert_eq!(
        (&resolved[0]["outcome"], &resolved[0]["by"]),
        (&json!("process_ended"), &json!("process"))
    );
    assert_eq!(
        after.last().map(|event| &event["kind"]),
        Some(&json!("process_ended"))
    );
    server
        .respond(&session, &request, allow())
        .await
        .is_refused(410, "withdrawn");

    server.send(&session, "run: echo again").await;
    let next = socket.pending(&session).await;
    assert_eq!(next["tool_input"]["command"], "echo again");
    let events = server.events(&session).await;
    in_order(&events);
    assert_eq!(events[..after.len()], after, "the numbers go on");
    assert_eq!(
        kinds(&events, "process_started")
            .last()
            .map(|event| &event["resumed"]),
        Some(&json!(true))
    );
    assert_eq!(place.project_file("made.txt"), None);
}

#[tokio::test]
async fn three_open_requests_end_with_one_process() {
    let place = Place::new();
    let server = place.server().start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("3 at once").await;
    socket.all_pending(&session, 3).await;
    server.cut_off().await;

    let server = place.server().start().await;
    let events = server.events(&session).await;
    in_order(&events);
    assert_eq!(kinds(&events, "resolved").len(), 3);
    assert_eq!(kinds(&events, "process_ended").len(), 1);
    server.cut_off().await;

    let server = place.server().start().await;
    assert_eq!(
        server.events(&session).await,
        events,
        "a further restart adds nothing"
    );
}

#[tokio::test]
async fn a_command_that_ran_when_the_server_was_cut_off_does_not_seem_to_run_for_ever() {
    let place = Place::new();
    let server = place.server().start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: sleep 86393").await;
    let request = socket.pending(&session).await;
    server.respond(&session, &request, allow()).await.done();
    until("it runs", async || {
        (!place.running("sleep 86393").is_empty()).then_some(())
    })
    .await;
    server.cut_off().await;

    let server = place.server().start().await;
    let events = server.events(&session).await;
    assert_eq!(
        kinds(&events, "resolved")
            .first()
            .map(|event| &event["outcome"]),
        Some(&json!("allowed"))
    );
    assert_eq!(
        events.last().map(|event| &event["kind"]),
        Some(&json!("process_ended"))
    );
    in_order(&events);
}

#[tokio::test]
async fn an_answer_that_was_accepted_is_never_lost() {
    let place = Place::new();
    for round in 0..10 {
        let mut server = place.server().start().await;
        let mut socket = server.connect().await;
        let session = server.start_session("run: echo hello").await;
        let request = socket.pending(&session).await;
        let (response, outcome) = match round % 2 {
            0 => (
                deny(&format!("For the reason number {round}: \u{202e}\"'\\ ü")),
                "denied",
            ),
            _ => (allow(), "allowed"),
        };
        server
            .respond(&session, &request, response.clone())
            .await
            .done();
        server.signal(Signal::KILL);
        server.ended().await;
        let stored = stored_answer(&place, &request).expect("it is on disk");
        assert_eq!(stored, response, "round {round}");
        place.clear();

        let server = place.server().start().await;
        let events = server.events(&session).await;
        let resolved = kinds(&events, "resolved");
        assert_eq!(resolved.len(), 1, "round {round}: {events:#?}");
        assert_eq!(resolved[0]["outcome"], outcome, "round {round}");
        assert_eq!(resolved[0]["by"], "user");
        assert_eq!(resolved[0]["response"], response);
        in_order(&events);
        server.cut_off().await;
    }
}

#[tokio::test]
async fn a_login_outlives_the_server_but_its_code_does_not() {
    let place = Place::new();
    let server = place.server().start().await;
    let code = server.code.clone();
    let answer = log_in(&server, &code).await;
    assert_eq!(answer.status(), 303);
    assert_eq!(answer.headers()["location"], "/");
    let cookie = answer.headers()["set-cookie"]
        .to_str()
        .expect("text")
        .to_owned();
    let cookie = cookie.split(';').next().expect("a value").to_owned();
    assert_eq!(inbox(&server, &cookie).await, 200);
    let host = server.host().to_owned();
    server.cut_off().await;

    let server = place.server().address(&host).start().await;
    assert_ne!(server.code, code);
    assert_eq!(inbox(&server, &cookie).await, 200);
    assert_eq!(
        inbox(&server, &format!("{cookie}0")).await,
        303,
        "another one is sent to the login page"
    );
    let again = log_in(&server, &code).await;
    assert!(
        again.headers()["location"]
            .to_str()
            .is_ok_and(|place| place.starts_with("/login?error="))
    );
}

async fn log_in(server: &Server, code: &str) -> reqwest::Response {
    let form = server
        .request(reqwest::Method::POST, "/login")
        .header("origin", &server.origin)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(format!("code={code}"));
    form.send().await.expect("an answer")
}

async fn inbox(server: &Server, cookie: &str) -> u16 {
    let page = server
        .request(reqwest::Method::GET, "/")
        .header("accept", "text/html")
        .header("cookie", cookie);
    page.send().await.expect("an answer").status().as_u16()
}

fn stored_answer(place: &Place, request: &Value) -> Option<Value> {
    let id = request["request_id"].as_str()?;
    let query = "SELECT response FROM requests WHERE request_id = ?1";
    let database = place.database();
    let text: String = database.query_row(query, [id], |row| row.get(0)).ok()?;
    serde_json::from_str(&text).ok()
}

#[tokio::test]
async fn a_session_that_rested_when_the_server_was_cut_off_is_not_said_to_have_run_nor_to_be_new() {
    let place = Place::new();
    let server = place.server().start().await;
    let mut socket = server.connect().await;
    let resting = server.start_session("stream markdown").await;
    socket.turn(&resting).await;
    let asking = server.start_session("run: echo hello").await;
    socket.pending(&asking).await;
    server.cut_off().await;
    let server = place.server().start().await;
    for (session, words) in [
        (&resting, "Countersign was stopped. "),
        (&asking, "Countersign was stopped while this ran. "),
    ] {
        let events = server.events(session).await;
        let ended = kinds(&events, "process_ended");
        let reason = ended[0]["reason"].as_str().expect("a reason");
        assert!(reason.starts_with(words), "{reason}");
        let sessions = server.call("list_sessions", json!({})).await.done();
        let mut all = sessions.as_array().into_iter().flatten();
        let listed = all
            .find(|one| one["session_id"] == **session)
            .expect("it is there");
        let last = listed["updated_at"].as_f64().expect("a time");
        let at = ended[0]["at"].as_f64().expect("a time");
        assert!(
            last < at,
            "{last} is when it was last active, {at} when it was found"
        );
    }
}

#[tokio::test]
async fn how_the_next_process_begins_can_be_chosen_after_a_restart() {
    let place = Place::new();
    let server = place.server().start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("stream markdown").await;
    socket.turn(&session).await;
    server.cut_off().await;
    let server = place.server().start().await;
    let process = server.process(&session).await.expect("how it ended");
    assert_eq!(process["state"], "dead");
    assert_eq!(process["permission_mode"], "default");
    let running = server.call("list_processes", json!({})).await.done();
    assert_eq!(running, json!([]), "none of them runs");

    let mut socket = server.connect().await;
    let mode = json!({"session_id": session, "mode": "acceptEdits"});
    server.call("set_permission_mode", mode).await.done();
    socket
        .process(&session, "the mode in every tab", |process| {
            process["permission_mode"] == "acceptEdits"
        })
        .await;
    server.send(&session, "write a file").await;
    let process = socket.turn(&session).await;
    assert_eq!(process["permission_mode"], "acceptEdits");
    assert!(place.project_file("countersign-demo.md").is_some());
}

#[tokio::test]
async fn what_was_asked_of_an_earlier_server_is_over_and_that_is_said() {
    let place = Place::new();
    let server = place.server().start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("three things at once").await;
    let requests = socket.all_pending(&session, 3).await;
    server.respond(&session, &requests[0], allow()).await.done();
    server.cut_off().await;

    let server = place.server().start().await;
    let late = server.respond(&session, &requests[0], deny("no")).await;
    late.is_refused(409, "already_resolved");
    let late = server.respond(&session, &requests[1], allow()).await;
    late.is_refused(410, "withdrawn");
}

#[tokio::test]
async fn a_server_that_is_stopped_leaves_the_order_of_the_sessions_as_it_was() {
    let place = Place::new();
    let mut server = place.server().start().await;
    let mut socket = server.connect().await;
    let mut sessions = Vec::new();
    for _ in 0..3 {
        let session = server.start_session("help").await;
        socket.turn(&session).await;
        sessions.push(session);
    }
    // the first is used last
    server.send(&sessions[0], "hello").await;
    socket.turn(&sessions[0]).await;
    let listed = async |server: &Server| -> Vec<(Value, Value)> {
        let all = server.call("list_sessions", json!({})).await.done();
        let all = all.as_array().expect("a list").iter();
        all.map(|one| (one["session_id"].clone(), one["updated_at"].clone()))
            .collect()
    };
    let before = listed(&server).await;
    assert_eq!(before[0].0, json!(sessions[0]));
    server.signal(Signal::TERM);
    server.ended().await;
    let server = place.server().start().await;
    assert_eq!(listed(&server).await, before);
}

#[tokio::test]
async fn nothing_is_taken_that_could_not_be_written_down() {
    let place = Place::new();
    let server = place.server().start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("help").await;
    socket.turn(&session).await;
    let database = place.database();
    database.execute_batch("BEGIN IMMEDIATE").expect("held");
    let message =
        |id: uuid::Uuid| json!({"session_id": session, "text": "hello", "message_id": id});
    let first = uuid::Uuid::new_v4();
    server.call("send_message", message(first)).await.done();
    let elsewhere = json!({"project": "/nowhere/at/all", "prompt": "hello"});
    until("it is noticed", async || {
        let other = server.call("start_session", elsewhere.clone()).await;
        (other.body["code"] == "store_unavailable").then_some(())
    })
    .await;
    let next = server.call("send_message", message(uuid::Uuid::new_v4()));
    next.await.is_refused(503, "store_unavailable");

    database.execute_batch("COMMIT").expect("let go");
    server.send(&session, "there is room again").await;
    let sent = |text: &'static str| move |event: &Value| event["text"] == text;
    socket.subscribe(&session, None).await;
    until("it is in the transcript", async || {
        let events = server.events(&session).await;
        events.iter().any(sent("there is room again")).then_some(())
    })
    .await;
    server.cut_off().await;
    let server = place.server().start().await;
    let events = server.events(&session).await;
    assert!(events.iter().any(sent("hello")), "{events:#?}");
    in_order(&events);
}
