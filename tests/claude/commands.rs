//! Commands: approved, edited, denied, denied with a stop.

use crate::support::{allow, deny};
use crate::talk::Talk;
use serde_json::json;

const COMMAND: &str = "[[bash echo hello > made.txt]]";

#[tokio::test]
async fn an_approved_command_runs() {
    let mut talk = Talk::begin(COMMAND).await;
    let request = talk.pending().await;
    assert_eq!(request["request_type"], "tool_approval");
    assert_eq!(request["tool_name"], "Bash");
    assert_eq!(request["tool_input"]["command"], "echo hello > made.txt");
    assert_eq!(request["description"], "As the script says");
    assert!(request["suggestions"].is_array(), "{request}");
    assert_eq!(talk.file("made.txt"), None, "not before it is allowed");
    talk.respond(&request, allow()).await;
    talk.idle().await;
    assert_eq!(talk.file("made.txt").as_deref(), Some("hello\n"));
    assert!(!talk.told_once(COMMAND).is_error);
    let nothing: [String; 0] = [];
    assert_eq!(talk.claude.api.unexpected(), nothing);
}

#[tokio::test]
async fn an_edited_command_runs_as_edited() {
    let mut talk = Talk::begin(COMMAND).await;
    let mut response = allow();
    response["updated_input"] = json!({"command": "echo edited > made.txt && cat made.txt"});
    talk.answer(response).await;
    talk.idle().await;
    assert_eq!(talk.file("made.txt").as_deref(), Some("edited\n"));
    assert_eq!(talk.told_once(COMMAND).text, "edited");
}

#[tokio::test]
async fn the_model_reads_the_reason_of_a_denial_and_nothing_else() {
    let mut talk = Talk::begin(COMMAND).await;
    let reason = "Not there: \"made.txt\" is <mine>, and größer.";
    talk.answer(deny(reason)).await;
    talk.idle().await;
    let told = talk.told_once(COMMAND);
    assert_eq!((told.text.as_str(), told.is_error), (reason, true));
    assert_eq!(talk.file("made.txt"), None);
    let ends = talk.events("turn_finished").await;
    assert_eq!(ends.len(), 1, "the turn went on to its own end");
    assert!(ends[0].get("error").is_none() && ends[0].get("interrupted").is_none());
}

#[tokio::test]
async fn a_denial_with_a_stop_ends_the_turn_and_the_session_goes_on() {
    let mut talk = Talk::begin("[[bash touch one.txt]][[bash touch two.txt]]").await;
    let mut response = deny("Stop here");
    response["interrupt"] = json!(true);
    talk.answer(response).await;
    talk.idle().await;
    assert_eq!(
        talk.claude.api.asked().len(),
        1,
        "the model was not asked again"
    );
    let ends = talk.events("turn_finished").await;
    assert_eq!(ends.len(), 1);
    assert_eq!(ends[0]["interrupted"], true);
    assert!(
        ends[0].get("error").is_none(),
        "an intended stop is no error: {}",
        ends[0]
    );
    talk.say("[[say Still here]]").await;
    talk.socket.text("Still here").await;
    assert_eq!((talk.file("one.txt"), talk.file("two.txt")), (None, None));
    // the agent dropped the reason; the model has it with the next message
    let newest = talk.claude.api.asked().last().expect("a call").to_string();
    assert!(newest.contains("Stop here"), "{newest}");
}
