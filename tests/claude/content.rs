//! What goes to Claude Code besides words, and what comes back.

use crate::support::Claude;
use crate::talk::Talk;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// A picture of eight by eight equal dots.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mNwaDiAFTEMLQkAYvNgAQlPC90AAAAASUVORK5CYII=";

/// Every block of this type that the model was given in the newest call.
fn blocks(talk: &Talk, kind: &str) -> Vec<Value> {
    let asked = talk.claude.api.asked();
    let messages = asked.last().expect("a call")["messages"].clone();
    let messages = messages.as_array().expect("messages").clone();
    messages
        .iter()
        .filter_map(|message| message["content"].as_array())
        .flatten()
        .flat_map(|block| match block["content"].as_array() {
            Some(inside) => inside.clone(),
            None => vec![block.clone()],
        })
        .filter(|block| block["type"] == kind)
        .collect()
}

#[tokio::test]
async fn pictures_and_documents_of_a_message_reach_the_model() {
    let files = json!([
        {"name": "dots.png", "media_type": "image/png", "data": PNG},
        {"name": "notes.txt", "media_type": "text/plain", "data": STANDARD.encode("Plain notes.")},
    ]);
    let more = json!({"attachments": files});
    let mut talk = Talk::begin_in(Claude::new().await, "[[say I see it.]]", more).await;
    talk.whole_turn().await;
    let pictures = blocks(&talk, "image");
    assert_eq!(pictures.len(), 1, "{pictures:?}");
    assert_eq!(pictures[0]["source"]["media_type"], "image/png");
    let documents = blocks(&talk, "document");
    assert_eq!(documents.len(), 1, "{documents:?}");
    assert_eq!(documents[0]["source"]["data"], "Plain notes.");
    let sent = talk.events("message_sent").await;
    assert_eq!(sent[0]["attachments"][0]["name"], "dots.png");
}

#[tokio::test]
async fn a_picture_that_a_tool_reads_is_in_the_transcript() {
    let claude = Claude::new().await;
    let file = claude.place.project().join("dots.png");
    std::fs::write(&file, STANDARD.decode(PNG).expect("base64")).expect("written");
    let prompt = format!("[[read {}]]", file.display());
    let mut talk = Talk::begin_in(claude, &prompt, json!({})).await;
    talk.whole_turn().await;
    let finished = talk.events("tool_finished").await;
    let picture = &finished[0]["images"][0];
    assert_eq!(picture["media_type"], "image/png", "{finished:?}");
    let address = format!("/attachment/{}", picture["id"].as_str().expect("an id"));
    let request = talk.server.request(reqwest::Method::GET, &address);
    let request = request.bearer_auth(crate::support::TOKEN);
    let shown = request.send().await.expect("an answer");
    assert_eq!(shown.status(), 200);
    assert_eq!(shown.headers()["content-type"], "image/png");
}
