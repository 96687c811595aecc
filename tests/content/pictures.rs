//! Pictures in the result of a tool.

use crate::GIF;
use crate::support::{Server, TOKEN};
use reqwest::Method;

#[tokio::test]
async fn a_picture_that_a_tool_brings_can_be_looked_at() {
    let server = Server::start().await;
    std::fs::write(server.place.project().join("cat.gif"), GIF).expect("written");
    let mut socket = server.connect().await;
    let session = server.start_session("read cat.gif").await;
    socket.subscribe(&session, None).await;
    let finished = socket
        .event("the result", |event| event["kind"] == "tool_finished")
        .await;
    assert_eq!(finished["text"], "");
    let picture = &finished["images"][0];
    assert_eq!(picture["media_type"], "image/gif");
    let path = format!("/attachment/{}", picture["id"].as_str().expect("an id"));
    // at once: whoever is told of it may look at it
    let asked = server.request(Method::GET, &path).bearer_auth(TOKEN);
    let shown = asked.send().await.expect("an answer");
    assert_eq!(shown.status(), 200);
    assert_eq!(shown.bytes().await.expect("content"), GIF);
    socket.state(&session, "user_turn").await;
    let page = server.page(&format!("/session/{session}")).await;
    assert!(page.contains(&format!("<img src=\"{path}\"")), "{page}");
}
