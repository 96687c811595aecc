//! Another folder for a session: what it is not asked about any more.

use crate::about::rows;
use crate::remembered::lose_the_process;
use crate::support::deny;
use crate::talk::Talk;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Outside of the project, with a file in it.
fn beside(talk: &Talk) -> PathBuf {
    let beside = Path::new(&talk.server.project()).with_file_name("beside");
    std::fs::create_dir_all(&beside).expect("made");
    std::fs::write(beside.join("notes.txt"), "found\n").expect("written");
    beside
}

#[tokio::test]
async fn a_folder_that_was_added_is_read_without_asking_also_by_a_later_process() {
    let mut talk = Talk::begin("first [[say one]]").await;
    talk.idle().await;
    let beside = beside(&talk);
    let prompt = format!("[[read {}]]", beside.join("notes.txt").display());

    talk.say(&prompt).await;
    talk.answer(deny("Not there")).await;
    talk.idle().await;
    talk.call("add_folder", json!({"path": "../beside"})).await;
    talk.say(&format!("again {prompt}")).await;
    talk.whole_turn().await;
    let told = talk.told("again");
    assert!(
        told.iter().any(|result| result.text.contains("found")),
        "{told:?}"
    );

    lose_the_process(&mut talk).await;
    talk.say(&format!("later {prompt}")).await;
    talk.whole_turn().await;
    let told = talk.told("later");
    assert!(
        told.iter().any(|result| result.text.contains("found")),
        "{told:?}"
    );
}

#[tokio::test]
async fn a_folder_that_is_taken_back_is_asked_about_again() {
    let mut talk = Talk::begin("first [[say one]]").await;
    talk.idle().await;
    let beside = beside(&talk);
    talk.call("add_folder", json!({"path": "../beside"})).await;
    let told = talk.call("about_session", json!({})).await;
    let listed = rows(&told, "permissions").iter();
    let granted: Vec<_> = listed.filter(|row| row["is_granted"] == true).collect();
    assert_eq!(granted.len(), 1, "{granted:?}");
    let folder = granted[0]["value"].as_str().expect("a path");
    assert_eq!(Path::new(folder), beside);

    let said = talk.call("take_back", json!({"grant": folder})).await;
    assert_eq!(said, format!("{folder} is taken back."));
    talk.say(&format!("[[read {}]]", beside.join("notes.txt").display()))
        .await;
    let asked = talk.pending().await;
    assert_eq!(asked["tool_name"], "Read");
}

#[tokio::test]
async fn one_that_a_process_was_started_with_is_taken_back_and_the_process_is_stopped_for_it() {
    let mut talk = Talk::begin("first [[say one]]").await;
    talk.idle().await;
    let beside = beside(&talk);
    talk.call("add_folder", json!({"path": "../beside"})).await;
    lose_the_process(&mut talk).await;
    talk.say("again [[say two]]").await;
    talk.whole_turn().await;
    let said = talk.call("take_back", json!({"grant": beside})).await;
    let said = said.as_str().expect("a sentence");
    assert!(said.contains("so it was stopped"), "{said}");
    talk.socket.state(&talk.session, "dead").await;
    talk.say("later [[say three]]").await;
    talk.whole_turn().await;
    let told = talk.call("about_session", json!({})).await;
    let mut listed = rows(&told, "permissions").iter();
    assert!(!listed.any(|row| row["value"] == json!(beside)), "{told}");
}
