//! What cannot be attached is refused by name, and nothing of it is kept.

use crate::support::{Place, Server};
use crate::{GIF, file};
use serde_json::{Value, json};

async fn refused(server: &Server, session: &str, files: Value, status: u16, code: &str) -> String {
    let message = json!({"session_id": session, "text": "look", "attachments": files});
    let reply = server.call("send_message", message).await;
    reply.is_refused(status, code);
    reply.body["message"]
        .as_str()
        .expect("a sentence")
        .to_owned()
}

#[tokio::test]
async fn a_file_that_cannot_be_taken_is_named_and_the_message_is_not_sent() {
    let settings = "[limits]\nattachment_bytes = 1000\nattachments = 2\n";
    let server = Place::new().server().settings(settings).start().await;
    let session = server.start_session("hello").await;
    let before = server.events(&session).await.len();
    for (files, status, code, words) in [
        (
            json!([file("tool.exe", "", b"MZ\0\0")]),
            400,
            "invalid_request",
            "\"tool.exe\" cannot be attached",
        ),
        (
            json!([file("a.svg", "image/svg+xml", b"<svg/>")]),
            400,
            "invalid_request",
            "\"a.svg\" is an SVG drawing",
        ),
        (
            json!([{"name": "cut.png", "media_type": "image/png", "data": "iVBO!"}]),
            400,
            "invalid_request",
            "The content of \"cut.png\"",
        ),
        (
            json!([file("ok.gif", "", GIF), file("long.txt", "", &[b'x'; 1001])]),
            413,
            "too_large",
            "\"long.txt\" has 2 kB",
        ),
        (
            json!([
                file("1", "", b"1"),
                file("2", "", b"2"),
                file("3", "", b"3")
            ]),
            413,
            "too_large",
            "\"3\" is one file too many",
        ),
        (
            json!([file("none", "", b"")]),
            413,
            "too_large",
            "\"none\" is empty",
        ),
    ] {
        let sentence = refused(&server, &session, files, status, code).await;
        assert!(sentence.starts_with(words), "{sentence}");
    }
    let after = server.events(&session).await;
    let sent = after
        .iter()
        .filter(|event| event["kind"] == "message_sent")
        .count();
    assert_eq!(sent, 1, "only the first: {before} events before");
    let count: i64 = server
        .place
        .database()
        .query_row("SELECT count(*) FROM attachments", [], |row| row.get(0))
        .expect("counted");
    assert_eq!(count, 0);
}

#[tokio::test]
async fn a_message_may_be_as_long_as_its_files() {
    let server = Server::start().await;
    let session = server.start_session("hello").await;
    // more than the limit of other bodies (tests/errors has what they are refused), less than that of a line
    let large = vec![b'x'; 3_900_000];
    let message = json!({"session_id": session, "text": "look", "attachments": [file("large.txt", "", &large)]});
    server.call("send_message", message).await.done();
}

#[tokio::test]
async fn text_that_grows_in_a_line_is_measured_there() {
    let server = Server::start().await;
    let session = server.start_session("hello").await;
    // each of these is six characters in JSON
    let escapes = vec![0x1b; 2_000_000];
    let files = json!([file("log.txt", "", &escapes)]);
    let sentence = refused(&server, &session, files, 413, "too_large").await;
    assert!(sentence.contains("too long together"), "{sentence}");
}

#[tokio::test]
async fn a_message_needs_words_or_files() {
    let server = Server::start().await;
    let session = server.start_session("hello").await;
    let message = json!({"session_id": session, "text": " ", "attachments": []});
    server
        .call("send_message", message)
        .await
        .is_refused(400, "invalid_request");
}
