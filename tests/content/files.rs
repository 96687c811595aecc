//! Files that go with a message: to the agent, into the store, and back to whoever may see the page.

use crate::support::{Place, Server, TOKEN, scripted_agent, until};
use crate::{GIF, file};
use reqwest::Method;
use serde_json::{Value, json};

/// Keeps every message it hears in a file.
const LISTENS: &str =
    "ready; while :; do hear; printf '%s\\n' \"$heard\" >> heard.jsonl; say heard; finish; done";

async fn sent(server: &Server, session: &str) -> Vec<Value> {
    let events = server.events(session).await;
    events
        .into_iter()
        .filter(|event| event["kind"] == "message_sent")
        .collect()
}

#[tokio::test]
async fn the_agent_gets_files_as_blocks_and_the_transcript_keeps_what_they_were() {
    let place = Place::new();
    let agent = scripted_agent(&place, "listens", LISTENS);
    let server = place.server().agent(agent).start().await;
    let mut socket = server.connect().await;
    let started = server
        .call(
            "start_session",
            json!({"project": server.project(), "prompt": "Look at these", "attachments": [
                file("cat.gif", "image/png", GIF),
                file("../notes.md", "text/markdown", "größer\n".as_bytes()),
                file("paper.pdf", "application/pdf", b"%PDF-1.4 \xff"),
            ]}),
        )
        .await
        .done();
    let session = started["session_id"].as_str().expect("an id").to_owned();
    socket.state(&session, "user_turn").await;

    let heard = until("the message", async || {
        server.place.project_file("heard.jsonl")
    })
    .await;
    let line: Value = serde_json::from_str(heard.lines().next().expect("a line")).expect("JSON");
    let blocks = &line["message"]["content"];
    assert_eq!(blocks[0]["type"], "image");
    assert_eq!(blocks[0]["source"]["media_type"], "image/gif", "what it is");
    assert_eq!(blocks[1]["type"], "document");
    assert_eq!(blocks[1]["title"], "notes.md");
    assert_eq!(
        blocks[1]["source"],
        json!({"type": "text", "media_type": "text/plain", "data": "größer\n"})
    );
    assert_eq!(blocks[2]["source"]["media_type"], "application/pdf");
    assert_eq!(blocks[3], json!({"type": "text", "text": "Look at these"}));

    let sent = sent(&server, &session).await;
    let kept = &sent[0]["attachments"];
    assert_eq!(kept[0]["name"], "cat.gif");
    assert_eq!(kept[0]["media_type"], "image/gif");
    assert_eq!(kept[0]["bytes"], GIF.len());
    assert_eq!(kept[1]["name"], "notes.md", "a name, no path");
}

#[tokio::test]
async fn a_fork_keeps_the_files_of_what_it_is_a_copy_of_when_that_is_deleted() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("hello").await;
    socket.turn(&session).await;
    let mut ids = Vec::new();
    for (name, fork_after) in [("both.gif", true), ("alone.gif", false)] {
        let message = json!({"session_id": session, "text": "look", "attachments": [
            file(name, "image/gif", GIF)]});
        server.call("send_message", message).await.done();
        socket.turn(&session).await;
        let kept = sent(&server, &session).await;
        let kept = &kept.last().expect("the message")["attachments"][0]["id"];
        ids.push(kept.as_str().expect("an id").to_owned());
        if fork_after {
            let of = json!({"session_id": session});
            server.call("fork_session", of).await.done();
        }
    }
    for name in ["archive_session", "delete_session"] {
        let of = json!({"session_id": session});
        server.call(name, of).await.done();
    }
    for (id, status) in [(&ids[0], 200), (&ids[1], 404)] {
        let path = format!("/attachment/{id}");
        let answer = server.request(Method::GET, &path).bearer_auth(TOKEN);
        let answer = answer.send().await.expect("an answer");
        assert_eq!(answer.status(), status, "{id}");
    }
}

#[tokio::test]
async fn a_picture_that_was_cut_off_is_refused_and_nothing_is_sent() {
    let server = Server::start().await;
    let session = server.start_session("hello").await;
    let before = sent(&server, &session).await.len();
    let cut = &GIF[..GIF.len() - 1];
    let arguments = json!({"session_id": session, "text": "look", "attachments": [file("cat.gif", "image/gif", cut)]});
    let refused = server.call("send_message", arguments).await;
    refused.is_refused(400, "invalid_request");
    assert!(
        refused.body["message"]
            .as_str()
            .is_some_and(|words| words.contains("cat.gif"))
    );
    assert_eq!(sent(&server, &session).await.len(), before);
}

#[tokio::test]
async fn a_kept_file_says_what_it_is_and_runs_nothing() {
    let server = Server::start().await;
    let session = server.start_session("hello").await;
    let script = "<script>alert(1)</script>";
    server
        .call(
            "send_message",
            json!({"session_id": session, "text": "", "attachments": [
                file("cat.gif", "image/gif", GIF),
                file("page.html", "text/html", script.as_bytes()),
                file("paper.pdf", "application/pdf", b"%PDF-1.4"),
            ]}),
        )
        .await
        .done();
    let sent = sent(&server, &session).await;
    let kept = sent.last().expect("the message")["attachments"].clone();
    for (index, kind, how, content) in [
        (0, "image/gif", "inline; filename*=UTF-8''cat.gif", GIF),
        (
            1,
            "text/plain; charset=utf-8",
            "inline; filename*=UTF-8''page.html",
            script.as_bytes(),
        ),
        (
            2,
            "application/pdf",
            "attachment; filename*=UTF-8''paper.pdf",
            b"%PDF-1.4",
        ),
    ] {
        let path = format!("/attachment/{}", kept[index]["id"].as_str().expect("an id"));
        let answer = server
            .request(Method::GET, &path)
            .bearer_auth(TOKEN)
            .send()
            .await;
        let answer = answer.expect("an answer");
        assert_eq!(answer.status(), 200);
        let header = |name: &str| answer.headers()[name].to_str().expect("text").to_owned();
        assert_eq!(header("content-type"), kind);
        assert_eq!(header("content-disposition"), how);
        assert_eq!(header("x-content-type-options"), "nosniff");
        let policy = header("content-security-policy");
        assert!(
            policy.contains("default-src 'none'") && policy.ends_with("sandbox"),
            "{policy}"
        );
        assert_eq!(answer.bytes().await.expect("content"), content);
    }
    let path = format!("/attachment/{}", kept[0]["id"].as_str().expect("an id"));
    let stranger = reqwest::Client::new().get(format!("{}{path}", server.origin));
    let answer = stranger.send().await.expect("an answer");
    assert_eq!(answer.status(), 401, "only for who is logged in");
    for wrong in ["nonsense", "00000000-0000-4000-8000-000000000000"] {
        let path = format!("/attachment/{wrong}");
        let answer = server
            .request(Method::GET, &path)
            .bearer_auth(TOKEN)
            .send()
            .await;
        assert_eq!(answer.expect("an answer").status(), 404);
    }
}

#[tokio::test]
async fn a_file_is_there_after_a_restart_and_a_resend_is_one_message() {
    let place = Place::new();
    let server = place.server().start().await;
    let session = server.start_session("hello").await;
    let message = json!({"session_id": session, "text": "look", "message_id": "00000000-0000-4000-8000-000000000009",
        "attachments": [file("cat.gif", "image/gif", GIF)]});
    server.call("send_message", message.clone()).await.done();
    server.call("send_message", message).await.done();
    let messages = sent(&server, &session).await;
    assert_eq!(messages.len(), 2, "the first one, and this");
    let id = messages[1]["attachments"][0]["id"].clone();
    let count: i64 = server
        .place
        .database()
        .query_row("SELECT count(*) FROM attachments", [], |row| row.get(0))
        .expect("counted");
    assert_eq!(count, 1, "stored once");
    let place = server.place.clone();
    server.cut_off().await;
    let server = place.server().start().await;
    let path = format!("/attachment/{}", id.as_str().expect("an id"));
    let answer = server
        .request(Method::GET, &path)
        .bearer_auth(TOKEN)
        .send()
        .await;
    assert_eq!(
        answer.expect("an answer").bytes().await.expect("content"),
        GIF
    );
}

#[tokio::test]
async fn the_demo_agent_says_what_it_got() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("hello").await;
    socket.subscribe(&session, None).await;
    server
        .call(
            "send_message",
            json!({"session_id": session, "text": "look", "attachments": [
                file("cat.gif", "image/gif", GIF), file("notes.txt", "", b"one\ntwo\n")]}),
        )
        .await
        .done();
    let words = socket.text("This came with your message").await;
    assert!(words.contains("a picture (image/gif, "), "{words}");
    assert!(words.contains("notes.txt (text/plain, 2 lines)"), "{words}");
}
