//! A session is put away, found again, brought back, and deleted.

use crate::support::{Place, Server, allow, until};
use serde_json::{Value, json};

fn of(session: &str) -> Value {
    json!({"session_id": session})
}

async fn ids(server: &Server, list: &str) -> Vec<String> {
    let sessions = server.call(list, json!({})).await.done();
    let sessions = sessions.as_array().expect("a list").iter();
    let id = |session: &Value| session["session_id"].as_str().expect("an id").to_owned();
    sessions.map(id).collect()
}

/// One whose turn is over.
async fn finished(server: &Server, prompt: &str) -> String {
    let mut socket = server.connect().await;
    let session = server.start_session(prompt).await;
    socket.turn(&session).await;
    session
}

#[tokio::test]
async fn what_runs_is_ended_what_waits_is_withdrawn_and_every_tab_hears_of_it() {
    let server = Server::start().await;
    let (mut socket, mut other_tab) = (server.connect().await, server.connect().await);
    let session = server.start_session("run: echo one > one.txt").await;
    let request = socket.pending(&session).await;
    server.call("archive_session", of(&session)).await.done();

    let resolved = socket.resolved(&request).await;
    assert_eq!(resolved["outcome"], "process_ended", "{resolved}");
    let archived = |frame: &Value| frame["archived_at"].is_f64();
    let told = other_tab.process(&session, "archived", archived).await;
    assert_eq!(told["state"], "dead", "its process has ended before");
    let counted = |frame: &Value| frame["type"] == "archive";
    let count = other_tab.until("how many there are", counted).await;
    assert_eq!(count["archived"], 1);
    let demo = server.place.running("demo-agent");
    assert_eq!(demo, Vec::<i32>::new(), "nothing of it runs");
    assert_eq!(ids(&server, "list_sessions").await, Vec::<String>::new());
    assert_eq!(ids(&server, "list_archived").await, [&*session]);
    server
        .respond(&session, &request, allow())
        .await
        .is_refused(410, "withdrawn");

    // once more changes nothing, not even when it was
    let before = server.call("list_archived", json!({})).await.done();
    server.call("archive_session", of(&session)).await.done();
    let after = server.call("list_archived", json!({})).await.done();
    assert_eq!(after, before);
    for name in ["archive_session", "bring_back_session", "delete_session"] {
        let unknown = of("00000000-0000-4000-8000-000000000000");
        let refused = server.call(name, unknown).await;
        refused.is_refused(404, "unknown_session");
    }
    // who comes now is told how many there are, and finds it by its link
    let late = server.connect().await;
    assert_eq!(late.first["archived"], 1);
    let page = server.page(&format!("/session/{session}")).await;
    assert!(page.contains("This session is archived."));
    let list = server.page("/archived").await;
    assert!(list.contains(&format!("/session/{session}")));
}

#[tokio::test]
async fn it_is_brought_back_by_hand_by_a_message_and_by_a_command() {
    let server = Server::start().await;
    let session = finished(&server, "hello").await;
    let mut socket = server.connect().await;
    let is_back = async || ids(&server, "list_sessions").await == [session.clone()];
    server.call("archive_session", of(&session)).await.done();
    assert!(!is_back().await);
    server.call("bring_back_session", of(&session)).await.done();
    server.call("bring_back_session", of(&session)).await.done();
    assert!(is_back().await);

    server.call("archive_session", of(&session)).await.done();
    server.send(&session, "run: echo two").await;
    let request = socket.pending(&session).await;
    assert!(is_back().await, "a message brings it back");
    server.respond(&session, &request, allow()).await.done();

    server.call("archive_session", of(&session)).await.done();
    let command = json!({"session_id": session, "command": "echo mine"});
    server.call("run_command", command).await.done();
    assert!(is_back().await, "so does a command of one's own");

    // one that runs is ended with it
    let command = json!({"session_id": session, "command": "sleep 600"});
    let running = server.call("run_command", command);
    let archiving = async {
        // the one before it may still be told of
        let runs = |frame: &Value| frame["own_command"] == "sleep 600";
        socket.process(&session, "its command", runs).await;
        server.call("archive_session", of(&session)).await.done()
    };
    tokio::join!(running, archiving);
    assert!(!is_back().await);
    assert_eq!(server.place.running("sleep 600"), Vec::<i32>::new());
}

#[tokio::test]
async fn it_stays_archived_when_the_server_is_cut_off() {
    let place = Place::new();
    let server = place.server().start().await;
    let mut socket = server.connect().await;
    let (session, other) = (
        finished(&server, "hello").await,
        finished(&server, "help").await,
    );
    // what a person does in it after its process has ended begins none
    server.kill(&session).await;
    socket.state(&session, "dead").await;
    let command = json!({"session_id": session, "command": "echo mine"});
    server.call("run_command", command).await.done();
    server.call("archive_session", of(&session)).await.done();
    until("it is on disk", async || {
        let query = "SELECT archived_at FROM sessions WHERE session_id = ?1";
        let stored = place
            .database()
            .query_row(query, [&session], |row| row.get::<_, Option<f64>>(0));
        stored.ok().flatten()
    })
    .await;
    let before = server.events(&session).await;
    server.cut_off().await;
    let server = place.server().start().await;
    assert_eq!(ids(&server, "list_sessions").await, [other]);
    assert_eq!(ids(&server, "list_archived").await, [&*session]);
    assert_eq!(
        server.events(&session).await,
        before,
        "nothing was lost, and nothing was added"
    );
}

#[tokio::test]
async fn what_cannot_be_deleted_is_still_there_and_can_be_deleted_later() {
    let place = Place::new();
    let server = place.server().start().await;
    let session = finished(&server, "hello, quincunx").await;
    server.call("archive_session", of(&session)).await.done();
    until("it is on disk", async || place.last_stored(&session)).await;
    let database = place.database();
    database.execute_batch("BEGIN IMMEDIATE").expect("held");
    let refused = server.call("delete_session", of(&session)).await;
    refused.is_refused(503, "store_unavailable");
    assert_eq!(ids(&server, "list_archived").await, [&*session]);
    database.execute_batch("COMMIT").expect("let go");
    server.call("delete_session", of(&session)).await.done();
    assert_eq!(ids(&server, "list_archived").await, Vec::<String>::new());
    // not even in the free pages of the file, nor in its log
    let text = b"quincunx";
    until("its words are gone", async || {
        let of = |name: &str| std::fs::read(place.data().join(name)).unwrap_or_default();
        let all = [of("countersign.db"), of("countersign.db-wal")].concat();
        let mut parts = all.windows(text.len());
        (!parts.any(|part| part == text)).then_some(())
    })
    .await;
}

#[tokio::test]
async fn deleting_takes_the_transcript_and_leaves_the_history() {
    let place = Place::new();
    let server = place.server().start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo kept > kept.txt").await;
    let request = socket.pending(&session).await;
    server.respond(&session, &request, allow()).await.done();
    socket.state(&session, "user_turn").await;
    server
        .call("delete_session", of(&session))
        .await
        .is_refused(400, "invalid_request");
    server.call("archive_session", of(&session)).await.done();
    let archived = server.call("list_archived", json!({})).await.done();
    server.call("delete_session", of(&session)).await.done();

    let deleted = |frame: &Value| frame["deleted"] == json!(session);
    let told = socket.until("that it is deleted", deleted).await;
    assert_eq!(told["archived"], 0);
    assert_eq!(ids(&server, "list_archived").await, Vec::<String>::new());
    assert_eq!(place.last_stored(&session), None);
    server
        .call("send_message", json!({"session_id": session, "text": "hi"}))
        .await
        .is_refused(404, "unknown_session");
    server
        .call("delete_session", of(&session))
        .await
        .is_refused(404, "unknown_session");

    let filter = json!({"filter": {"project": server.project()}});
    let history = server.call("history", filter).await.done();
    let entry = &history["entries"][0];
    assert_eq!(entry["request"]["request_id"], request["request_id"]);
    assert_eq!(entry["outcome"], "allowed");
    assert_eq!(entry["title"], archived[0]["title"]);
    assert_eq!(entry["session_deleted"], true);
    let page = server.page("/history").await;
    assert!(!page.contains(&format!("/session/{session}")));
    drop(server);
    let server = place.server().start().await;
    assert_eq!(ids(&server, "list_archived").await, Vec::<String>::new());
}
