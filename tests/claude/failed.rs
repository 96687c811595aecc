//! The API fails: for a moment, or for good.

use crate::support::Claude;
use crate::talk::Talk;
use serde_json::json;

#[tokio::test]
async fn an_api_that_fails_for_good_is_an_error_in_words_and_the_session_goes_on() {
    let mut talk = Talk::begin("[[error 500]]").await;
    let process = talk
        .socket
        .process(&talk.session, "a word about the retry", |process| {
            process["activity"]
                .as_str()
                .is_some_and(|words| words.contains("500"))
        })
        .await;
    assert_eq!(process["state"], "assistant_turn");
    let moment = |name: &str| process[name].as_f64().unwrap_or_default();
    assert!(moment("tries_again_at") > moment("state_changed_at"));
    let process = talk.idle().await;
    assert!(process.get("activity").is_none(), "{process}");
    assert!(process.get("tries_again_at").is_none(), "{process}");
    let ends = talk.events("turn_finished").await;
    assert_eq!(ends.len(), 1);
    assert!(
        ends[0]["error"]
            .as_str()
            .is_some_and(|error| error.contains("500")),
        "{}",
        ends[0]
    );
    assert_eq!(talk.claude.api.asked().len(), 2, "one try and one retry");
    talk.say("[[say Better now]]").await;
    talk.socket.text("Better now").await;
}

#[tokio::test]
async fn a_rate_limit_is_told_while_it_lasts_and_the_turn_then_succeeds() {
    let mut talk = Talk::begin("[[error 429 once after 1]]").await;
    talk.socket
        .process(&talk.session, "a word about the limit", |process| {
            process["activity"]
                .as_str()
                .is_some_and(|words| words.starts_with("The API limits the rate (429)"))
        })
        .await;
    talk.idle().await;
    let ends = talk.events("turn_finished").await;
    assert_eq!(ends.len(), 1);
    assert!(ends[0].get("error").is_none(), "{}", ends[0]);
    assert_eq!(talk.events("text_written").await[0]["text"], "Done.");
}

#[tokio::test]
async fn an_overloaded_api_is_told_so() {
    let mut talk = Talk::begin("[[error 529 once]]").await;
    talk.socket
        .process(&talk.session, "a word about the overload", |process| {
            process["activity"]
                .as_str()
                .is_some_and(|words| words.starts_with("The API is overloaded (529)"))
        })
        .await;
    talk.idle().await;
    assert!(talk.events("turn_finished").await[0].get("error").is_none());
}

#[tokio::test]
async fn a_login_that_is_not_accepted_is_told_so() {
    let mut talk = Talk::begin("[[error 401]]").await;
    talk.socket
        .process(&talk.session, "a word about the login", |process| {
            process["activity"]
                .as_str()
                .is_some_and(|words| words.starts_with("The API does not accept the login"))
        })
        .await;
    talk.idle().await;
    let ends = talk.events("turn_finished").await;
    assert!(ends[0]["error"].is_string(), "{}", ends[0]);
}

#[tokio::test]
async fn an_api_that_cannot_be_reached_is_told_so_with_what_to_do() {
    let claude = Claude::new().await;
    // nobody listens there
    let nowhere = ("ANTHROPIC_BASE_URL", "http://127.0.0.1:9");
    let server = claude.server().variable(nowhere.0, nowhere.1);
    let server = server.start().await;
    let mut talk = Talk::begin_on(server, claude, "[[say Never]]", json!({})).await;
    talk.socket
        .process(&talk.session, "a word about the retry", |process| {
            process["activity"]
                .as_str()
                .is_some_and(|words| words.starts_with("The API could not be reached"))
        })
        .await;
    talk.idle().await;
    let ends = talk.events("turn_finished").await;
    let error = ends[0]["error"].as_str().unwrap_or_default();
    assert!(error.starts_with("The API could not be reached"), "{error}");
    assert!(error.contains("then send the message again"), "{error}");
}

#[tokio::test]
async fn without_a_login_it_is_told_what_to_do() {
    let claude = Claude::new().await;
    let server = claude.server().variable("ANTHROPIC_API_KEY", "");
    let server = server.start().await;
    let mut talk = Talk::begin_on(server, claude, "[[say Never]]", json!({})).await;
    let process = talk
        .socket
        .process(&talk.session, "a word about the login", |process| {
            process["error"].is_string()
        })
        .await;
    let words = process["error"].as_str().unwrap_or_default();
    assert!(words.contains("type /login"), "{words}");
    assert!(talk.claude.api.asked().is_empty(), "nothing was asked");
}
