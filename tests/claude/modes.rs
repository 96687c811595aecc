//! Modes in which little is asked.

use crate::support::Claude;
use crate::support::messages_api::ONE;
use crate::talk::Talk;
use serde_json::json;

#[tokio::test]
async fn a_mode_that_allows_everything_still_asks_questions() {
    let claude = Claude::new().await;
    // it refuses this mode to root, unless it is told that it is locked in
    let server = claude.server().variable("IS_SANDBOX", "1").start().await;
    let prompt = "[[bash echo 1 > one.txt]][[ask one]]";
    let more = json!({"permission_mode": "bypassPermissions"});
    let mut talk = Talk::begin_on(server, claude, prompt, more).await;
    let request = talk.pending().await;
    assert_eq!(request["request_type"], "ask_user_question");
    assert_eq!(
        talk.file("one.txt").as_deref(),
        Some("1\n"),
        "the command was not asked"
    );
    let answers = json!({"request_type": "ask_user_question", "answers": {ONE: "Red"}});
    talk.respond(&request, answers).await;
    let process = talk.idle().await;
    assert_eq!(process["permission_mode"], "bypassPermissions");
    let told = talk.told(prompt);
    assert!(
        told.last()
            .expect("a result")
            .text
            .contains(r#""Which colour?"="Red""#),
        "{told:?}"
    );
}

#[tokio::test]
async fn a_mode_that_never_asks_says_what_it_refused() {
    let mut talk = Talk::begin_in_mode("dontAsk", "[[bash touch one.txt]]").await;
    talk.whole_turn().await;
    assert_eq!(talk.file("one.txt"), None);
    assert!(talk.events("asked").await.is_empty());
    let notices = talk.events("noticed").await;
    let words = notices.iter().filter_map(|notice| notice["text"].as_str());
    assert!(
        words
            .clone()
            .any(|text| text == "Bash was refused without asking: the permission mode allows only what a rule allows"),
        "{notices:?}"
    );
}
