//! The first HTML already shows the real state.

use crate::support::{Server, allow};

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
