//! Steering while something is asked: an interruption, a message, another mode.

use crate::support::{allow, deny};
use crate::talk::Talk;
use serde_json::json;

#[tokio::test]
async fn an_interruption_withdraws_what_is_asked_and_the_session_goes_on() {
    let mut talk = Talk::begin("[[read /etc/hostname]]+[[read /etc/hosts]]").await;
    let requests = talk.all_pending(2).await;
    talk.call("interrupt", json!({})).await;
    for request in &requests {
        let resolved = talk.socket.resolved(request).await;
        assert_eq!(
            (&resolved["outcome"], &resolved["by"]),
            (&json!("withdrawn"), &json!("user"))
        );
    }
    let process = talk.idle().await;
    assert!(process.get("pending_requests").is_none());
    let late = talk
        .server
        .respond(&talk.session, &requests[0], allow())
        .await;
    late.is_refused(410, "withdrawn");
    let ends = talk.events("turn_finished").await;
    assert_eq!(ends[0]["interrupted"], true);
    talk.say("[[bash echo on > on.txt]]").await;
    talk.answer(allow()).await;
    talk.idle().await;
    assert_eq!(talk.file("on.txt").as_deref(), Some("on\n"));
}

#[tokio::test]
async fn an_interruption_while_it_writes_keeps_what_it_wrote() {
    let mut talk =
        Talk::begin("[[say The first half.]]+[[hold more]]+[[say The second half.]]").await;
    talk.socket
        .until("text that is being written", |frame| {
            frame["type"] == "session_delta"
                && frame["text"]
                    .as_str()
                    .is_some_and(|text| text.ends_with("lf."))
        })
        .await;
    talk.call("interrupt", json!({})).await;
    talk.idle().await;
    assert_eq!(talk.events("turn_finished").await[0]["interrupted"], true);
    let texts = talk.events("text_written").await;
    assert_eq!(texts.len(), 1, "{texts:?}");
    assert_eq!(texts[0]["text"], "The first half.");
}

#[tokio::test]
async fn a_message_while_something_is_asked_waits_and_is_read_in_the_same_turn() {
    let prompt = "[[bash echo 1 > one.txt]]";
    let mut talk = Talk::begin(prompt).await;
    let request = talk.pending().await;
    talk.say("And mind the gap.").await;
    let process = talk
        .socket
        .process(&talk.session, "a queued message", |process| {
            process["queued_messages"] == 1
        })
        .await;
    assert_eq!(
        process["pending_request"], request,
        "the request still waits"
    );
    talk.respond(&request, allow()).await;
    let process = talk.idle().await;
    assert_eq!(process["queued_messages"], 0, "{process}");
    assert_eq!(talk.file("one.txt").as_deref(), Some("1\n"));
    let seen = talk.claude.api.newest_texts();
    assert!(seen.contains("And mind the gap."), "{seen}");
    assert_eq!(
        talk.events("turn_finished").await.len(),
        1,
        "one turn served both"
    );
    assert_eq!(talk.queued_and_read().await, 1);
}

#[tokio::test]
async fn another_mode_answers_what_was_asked_before_and_holds_from_then_on() {
    let claude = crate::support::Claude::new().await;
    let file = |name: &str| claude.place.project().join(name).display().to_string();
    let prompt = format!(
        "[[write {} 1]][[write {} 2]]",
        file("one.txt"),
        file("two.txt")
    );
    let mut talk = Talk::begin_in(claude, &prompt, json!({})).await;
    let request = talk.pending().await;
    talk.call("set_permission_mode", json!({"mode": "acceptEdits"}))
        .await;
    let end = talk.socket.resolved(&request).await;
    assert_eq!(
        (&end["outcome"], &end["by"]),
        (&json!("cancelled"), &json!("mode_change"))
    );
    talk.idle().await;
    assert_eq!(talk.file("one.txt"), None, "nobody allowed it");
    assert_eq!(
        talk.file("two.txt").as_deref(),
        Some("2"),
        "in the new mode it was not asked"
    );
    let told = talk.told(&prompt);
    assert!(
        told[0].text.contains("acceptEdits") && told[0].text.contains("not decided against it"),
        "the model is told why: {told:?}"
    );
    assert_eq!(talk.events("asked").await.len(), 1);
}

#[tokio::test]
async fn what_is_queued_when_the_turn_is_stopped_does_not_begin_and_can_be_sent_again() {
    let mut talk = Talk::begin("[[bash echo 1 > one.txt]]").await;
    talk.pending().await;
    talk.say("[[bash echo 2 > two.txt]]").await;
    talk.socket
        .process(&talk.session, "a queued message", |process| {
            process["queued_messages"] == 1
        })
        .await;
    talk.call("interrupt", json!({})).await;
    let process = talk.idle().await;
    assert_eq!(process["queued_messages"], 0);
    let unread = talk.events("message_not_read").await;
    assert_eq!(unread.len(), 1, "{unread:?}");
    assert!(
        !talk.claude.api.newest_texts().contains("two.txt"),
        "the model never saw it"
    );
    let again = json!({"text": "[[bash echo 2 > two.txt]]", "message_id": unread[0]["message_id"]});
    talk.call("send_message", again).await;
    talk.answer(allow()).await;
    talk.idle().await;
    assert_eq!(talk.file("two.txt").as_deref(), Some("2\n"));
}

#[tokio::test]
async fn the_reason_of_deny_and_stop_reaches_the_model_with_the_next_message_also_after_a_restart()
{
    let mut talk = Talk::begin("[[bash touch made.txt]]").await;
    let mut stop = deny("Use the other folder");
    stop["interrupt"] = json!(true);
    talk.answer(stop).await;
    talk.idle().await;
    let session = talk.session.clone();
    talk.server.cut_off().await;

    let server = talk.claude.server().start().await;
    let mut socket = server.connect().await;
    server.send(&session, "[[say I see]]").await;
    socket.turn(&session).await;
    let seen = talk.claude.api.newest_texts();
    assert!(seen.contains("Use the other folder"), "{seen}");
    server.send(&session, "[[say Well]]").await;
    socket.turn(&session).await;
    let seen = talk.claude.api.newest_texts();
    assert_eq!(
        seen.matches("Use the other folder").count(),
        1,
        "once: {seen}"
    );
}
