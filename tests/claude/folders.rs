//! Another folder for a session: what it is not asked about any more.

use crate::remembered::lose_the_process;
use crate::support::deny;
use crate::talk::Talk;
use serde_json::json;
use std::path::Path;

#[tokio::test]
async fn a_folder_that_was_added_is_read_without_asking_also_by_a_later_process() {
    let mut talk = Talk::begin("first [[say one]]").await;
    talk.idle().await;
    let project = talk.server.project();
    let beside = Path::new(&project).with_file_name("beside");
    std::fs::create_dir_all(&beside).expect("made");
    std::fs::write(beside.join("notes.txt"), "found\n").expect("written");
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
