//! `/clear` begins a new conversation under a new name, in the same process and the same session.

use crate::talk::Talk;

/// A session that spoke of apples, was cleared, and then spoke of pears.
async fn cleared() -> Talk {
    let mut talk = Talk::begin("[[say Of apples]]").await;
    talk.whole_turn().await;
    talk.say("/clear").await;
    talk.whole_turn().await;
    talk.say("[[say Of pears]]").await;
    talk.socket.text("Of pears").await;
    talk.idle().await;
    talk
}

fn newest(talk: &Talk) -> String {
    let asked = talk.claude.api.asked();
    asked.last().expect("a call")["messages"].to_string()
}

#[tokio::test]
async fn a_cleared_conversation_is_forgotten_and_the_session_goes_on() {
    let talk = cleared().await;
    let newest = newest(&talk);
    assert!(
        newest.contains("Of pears") && !newest.contains("Of apples"),
        "{newest}"
    );
    assert_eq!(talk.events("process_started").await.len(), 1);
    let texts = talk.events("text_written").await;
    assert_eq!(texts.len(), 2, "the transcript keeps both: {texts:?}");
}

#[tokio::test]
async fn a_cleared_session_is_resumed_where_it_was_and_not_before_it_was_cleared() {
    let mut talk = cleared().await;
    talk.claude.has_kept("Of pears").await;
    talk.server.kill(&talk.session).await;
    talk.socket.state(&talk.session, "dead").await;
    talk.say("[[say And on]]").await;
    talk.socket.text("And on").await;
    let newest = newest(&talk);
    assert!(newest.contains("Of pears"), "it was forgotten: {newest}");
    assert!(!newest.contains("Of apples"), "it came back: {newest}");
    let started = talk.events("process_started").await;
    assert_eq!(started.last().expect("a start")["resumed"], true);
}
