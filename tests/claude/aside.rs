//! A question by the way: answered also while it waits for an answer, and no part of the conversation.

use crate::support::allow;
use crate::talk::Talk;
use serde_json::json;

#[tokio::test]
async fn a_question_by_the_way_is_answered_while_a_request_waits_and_not_remembered() {
    let mut talk = Talk::begin("first [[bash touch one.txt]]").await;
    talk.pending().await;
    let question = json!({"question": "by the way [[say It is a folder]]"});
    let answer = talk.call("ask_aside", question).await;
    assert_eq!(answer, "It is a folder");
    talk.answer(allow()).await;
    talk.idle().await;
    assert!(talk.file("one.txt").is_some());

    talk.say("second [[say Done]]").await;
    talk.whole_turn().await;
    let asked = talk.claude.api.asked();
    let last = asked.last().expect("a request").to_string();
    assert!(last.contains("first") && !last.contains("by the way"));
    assert_eq!(talk.events("message_sent").await.len(), 2);

    // a process that has ended is resumed for it
    talk.server.kill(&talk.session).await;
    talk.socket.state(&talk.session, "dead").await;
    let question = json!({"question": "once more [[say Still a folder]]"});
    assert_eq!(talk.call("ask_aside", question).await, "Still a folder");
}
