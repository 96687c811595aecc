//! Going back to before a message: what the model is told afterwards, and what is on disk.

use crate::support::{allow, until};
use crate::talk::Talk;
use serde_json::{Value, json};

const SECOND: &str = "second [[write made.txt two]] [[edit kept.txt old => new]]";

/// Three messages, of which the second writes a file and changes one.
async fn talked() -> (Talk, Vec<Value>) {
    let mut talk = Talk::begin("first [[say one]]").await;
    talk.idle().await;
    std::fs::write(
        std::path::Path::new(&talk.server.project()).join("kept.txt"),
        "old\n",
    )
    .expect("written");
    talk.say("look [[read kept.txt]]").await;
    talk.whole_turn().await;
    talk.say(SECOND).await;
    for _ in 0..2 {
        let request = talk.pending().await;
        talk.respond(&request, allow()).await;
    }
    talk.idle().await;
    talk.say("third [[say three]]").await;
    talk.whole_turn().await;
    let sent = talk.events("message_sent").await;
    let ids = sent.iter().map(|event| event["message_id"].clone());
    (talk, ids.collect())
}

#[tokio::test]
async fn the_model_forgets_and_the_files_are_as_they_were() {
    let (mut talk, said) = talked().await;
    assert_eq!(talk.file("kept.txt").as_deref(), Some("new\n"));
    let preview = talk
        .call("preview_rewind", json!({"message_id": said[2]}))
        .await;
    assert_eq!(
        preview["files"].as_array().map(Vec::len),
        Some(2),
        "{preview}"
    );
    let both = json!({"message_id": said[2], "conversation": true, "files": true});
    talk.call("rewind", both).await;
    assert_eq!(talk.file("kept.txt").as_deref(), Some("old\n"));
    assert_eq!(talk.file("made.txt"), None);

    talk.say("fourth [[say four]]").await;
    talk.whole_turn().await;
    let told = talk.claude.api.newest_texts();
    assert!(
        told.contains("first [[say one]]") && told.contains("fourth"),
        "{told}"
    );
    assert!(
        !told.contains("second [[") && !told.contains("third [["),
        "{told}"
    );
}

#[tokio::test]
async fn what_was_taken_back_stays_so_in_a_later_process() {
    let (mut talk, said) = talked().await;
    let conversation = json!({"message_id": said[2], "conversation": true, "files": false});
    talk.call("rewind", conversation).await;
    assert_eq!(
        talk.file("kept.txt").as_deref(),
        Some("new\n"),
        "only the words"
    );
    talk.server.kill(&talk.session).await;
    talk.socket.state(&talk.session, "dead").await;
    // a process that has ended is resumed for it
    let earlier = json!({"message_id": said[1], "conversation": true, "files": false});
    talk.call("rewind", earlier).await;
    talk.say("fourth [[say four]]").await;
    talk.whole_turn().await;
    let told = talk.claude.api.newest_texts();
    assert!(told.contains("first [[say one]]"), "{told}");
    assert!(
        !told.contains("look [[") && !told.contains("second [["),
        "{told}"
    );
    assert_eq!(talk.events("rewound").await.len(), 2);
}

const TICK: &str = r#"second [[call Bash {"command":"while :; do echo on >> ticks.txt; sleep 0.1; done","run_in_background":true,"description":"Tick"}]]"#;

/// A command in the background that the second message began.
async fn ticking() -> (Talk, Value) {
    let mut talk = Talk::begin("first [[say one]]").await;
    talk.idle().await;
    talk.say(TICK).await;
    talk.answer(allow()).await;
    talk.socket
        .process(&talk.session, "it in the background", |process| {
            !process["background_calls"].is_null() && process["state"] == "user_turn"
        })
        .await;
    let said = talk.events("message_sent").await;
    let second = said[1]["message_id"].clone();
    (talk, second)
}

#[tokio::test]
async fn what_began_after_it_and_still_runs_is_ended_and_no_turn_is_about_it() {
    let (mut talk, second) = ticking().await;
    let back = json!({"message_id": second, "conversation": true, "files": false});
    talk.call("rewind", back).await;
    talk.socket
        .process(&talk.session, "nothing in the background", |process| {
            process["background_calls"].is_null()
        })
        .await;
    talk.say("third [[say three]]").await;
    talk.whole_turn().await;
    let told = talk.claude.api.newest_texts();
    assert!(
        told.contains("third") && !told.contains("Tick") && !told.contains("second [["),
        "{told}"
    );
}

#[tokio::test]
async fn what_runs_is_left_alone_by_whoever_wants_it_so() {
    let (talk, second) = ticking().await;
    let back =
        json!({"message_id": second, "conversation": true, "files": false, "end_tasks": false});
    talk.call("rewind", back).await;
    let ticks = || {
        talk.file("ticks.txt")
            .map_or(0, |text| text.lines().count())
    };
    let before = ticks();
    until("it goes on", async || (ticks() > before + 2).then_some(())).await;
    let processes = talk.server.call("list_processes", json!({})).await.done();
    assert!(
        processes[0]["background_calls"].is_array(),
        "still there: {processes}"
    );
}
