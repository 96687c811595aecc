//! Files: written and edited where it was allowed.

use crate::support::{Claude, allow};
use crate::talk::Talk;
use serde_json::json;

#[tokio::test]
async fn an_approved_file_is_written() {
    let claude = Claude::new().await;
    let file = claude.place.project().join("new.txt");
    let prompt = format!("[[write {} Some words.]]", file.display());
    let mut talk = Talk::begin_in(claude, &prompt, json!({})).await;
    let request = talk.pending().await;
    assert_eq!(request["tool_name"], "Write");
    assert_eq!(request["tool_input"]["content"], "Some words.");
    assert_eq!(talk.file("new.txt"), None);
    talk.respond(&request, allow()).await;
    talk.idle().await;
    assert_eq!(talk.file("new.txt").as_deref(), Some("Some words."));
}

#[tokio::test]
async fn an_approved_change_is_made_and_an_edited_one_as_edited() {
    let claude = Claude::new().await;
    let file = claude.place.project().join("poem.txt");
    std::fs::write(&file, "roses are red\n").expect("a file");
    let name = file.display();
    let prompt =
        format!("[[read {name}]][[edit {name} red => blue]][[edit {name} roses => violets]]");
    let mut talk = Talk::begin_in(claude, &prompt, json!({})).await;
    let request = talk.answer(allow()).await;
    assert_eq!(request["tool_name"], "Edit");
    assert_eq!(request["tool_input"]["old_string"], "red");
    assert_eq!(request["tool_input"]["new_string"], "blue");
    let second = talk
        .socket
        .process(&talk.session, "the second change", |process| {
            process["pending_request"]["tool_input"]["new_string"] == "violets"
        })
        .await["pending_request"]
        .clone();
    assert_eq!(talk.file("poem.txt").as_deref(), Some("roses are blue\n"));
    let mut response = allow();
    response["updated_input"] = second["tool_input"].clone();
    response["updated_input"]["new_string"] = json!("lilies");
    talk.respond(&second, response).await;
    talk.idle().await;
    assert_eq!(talk.file("poem.txt").as_deref(), Some("lilies are blue\n"));
}
