//! The first HTML already shows the real state.

use crate::support::{Server, TOKEN, allow};
use flate2::read::GzDecoder;
use std::io::Read;

#[tokio::test]
async fn the_page_of_a_session_has_the_form_and_what_it_is_about() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server
        .start_session("run: echo \"<b>first picture</b>\" > made.txt")
        .await;
    let request = socket.pending(&session).await;
    let path = format!("/session/{session}");
    let page = server.page(&path).await;
    assert!(page.contains("Pending request"), "{page}");
    assert!(page.contains("Allow once") && page.contains("Deny"));
    assert!(
        page.contains("&lt;b&gt;first picture&lt;/b&gt;"),
        "the command, as text"
    );
    let body = page.split("<script").next().expect("the markup");
    assert!(!body.contains("<b>first picture"), "and never as markup");

    server.respond(&session, &request, allow()).await.done();
    socket.state(&session, "user_turn").await;
    let page = server.page(&path).await;
    assert!(!page.contains("Pending request"), "the form is gone");
    assert!(
        page.contains("Message") && page.contains("Send"),
        "the message input is in its place"
    );
    assert!(
        page.contains("Done. The command ran once, as you allowed."),
        "the transcript is there"
    );
}

#[tokio::test]
async fn the_inbox_has_what_waits_in_every_session() {
    let server = Server::start().await;
    let page = server.page("/").await;
    assert!(!page.contains("Pending request"));
    let mut socket = server.connect().await;
    let one = server.start_session("run: echo first-command").await;
    socket.pending(&one).await;
    let two = server.start_session("ask a question").await;
    socket.pending(&two).await;
    let page = server.page("/").await;
    assert_eq!(
        page.matches("aria-label=\"Pending request").count(),
        2,
        "one form per request"
    );
    assert!(page.contains("echo first-command"));
    assert!(page.contains("Which way should the garden path go?"));
    assert!(page.contains(&format!("/session/{one}")) && page.contains(&format!("/session/{two}")));
    assert!(page.contains("waiting for you"), "the sidebar marks them");
}

#[tokio::test]
async fn pages_and_answers_of_calls_are_packed_for_those_who_can_unpack() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("stream markdown").await;
    socket.state(&session, "user_turn").await;
    let page = format!("/session/{session}");
    let asked: [(reqwest::Method, &str, &str); 2] = [
        (reqwest::Method::GET, &page, "Transcript"),
        (reqwest::Method::POST, "/api/list_sessions", &session),
    ];
    for (method, path, expected) in asked {
        let ask = async |encoding: &str| {
            let request = server.request(method.clone(), path).bearer_auth(TOKEN);
            let request = request
                .header("accept-encoding", encoding)
                .header("content-type", "application/json");
            let answer = request.body("{}").send().await.expect("an answer");
            assert_eq!(answer.status(), 200, "{path}");
            let how = answer.headers().get("content-encoding").cloned();
            let varies = answer.headers().get("vary").is_some();
            let bytes = answer.bytes().await.expect("a body");
            (how, varies, bytes)
        };
        let (how, _, plain) = ask("identity").await;
        assert_eq!(how, None, "{path}");
        let (how, varies, packed) = ask("gzip").await;
        assert_eq!(how.expect("packed"), "gzip", "{path}");
        assert!(varies, "what stands between knows that there are two");
        assert!(
            packed.len() < plain.len(),
            "{path}: {} of {}",
            packed.len(),
            plain.len()
        );
        let mut unpacked = String::new();
        GzDecoder::new(&packed[..])
            .read_to_string(&mut unpacked)
            .expect("unpacked");
        let words = std::str::from_utf8(&plain).expect("text");
        assert!(words.contains(expected), "{path}");
        assert!(unpacked.contains(expected), "{path}, packed");
    }
}
