//! Plans: approved, edited, approved with a mode, sent back.

use crate::talk::Talk;
use serde_json::{Value, json};

const PLAN: &str = "[[plan Touch a file.]]";

fn approve(more: Value) -> Value {
    let mut response = json!({"request_type": "plan_approval", "decision": "allow"});
    for (name, value) in more.as_object().into_iter().flatten() {
        response[name] = value.clone();
    }
    response
}

/// A session that has handed in its plan.
async fn planned() -> (Talk, Value) {
    let mut talk = Talk::begin_in_mode("plan", PLAN).await;
    let request = talk.pending().await;
    assert_eq!(request["request_type"], "plan_approval");
    assert_eq!(request["tool_input"]["plan"], "Touch a file.");
    (talk, request)
}

/// What the model was told about its plan.
fn told(talk: &Talk) -> String {
    talk.told(PLAN).last().expect("a result").text.clone()
}

#[tokio::test]
async fn an_approved_plan_ends_plan_mode() {
    let (mut talk, request) = planned().await;
    talk.respond(&request, approve(json!({}))).await;
    let process = talk.idle().await;
    assert_eq!(process["permission_mode"], "default");
    let told = told(&talk);
    assert!(told.starts_with("User has approved your plan"), "{told}");
    assert!(!told.contains("edited by user"), "{told}");
}

#[tokio::test]
async fn an_edited_plan_is_what_the_model_reads_and_what_is_kept() {
    let (mut talk, request) = planned().await;
    let file = request["tool_input"]["planFilePath"]
        .as_str()
        .expect("a file");
    talk.respond(&request, approve(json!({"plan": "Touch two files."})))
        .await;
    talk.idle().await;
    let told = told(&talk);
    assert!(
        told.contains("edited by user") && told.contains("Touch two files."),
        "{told}"
    );
    let kept = std::fs::read_to_string(file).expect("the plan file");
    assert_eq!(kept, "Touch two files.");
}

#[tokio::test]
async fn a_plan_can_be_approved_with_the_mode_to_go_on_in() {
    let (mut talk, request) = planned().await;
    talk.respond(&request, approve(json!({"mode": "acceptEdits"})))
        .await;
    let process = talk.idle().await;
    assert_eq!(process["permission_mode"], "acceptEdits");
    let file = talk.claude.place.project().join("made.txt");
    talk.say(&format!("[[write {} unasked]]", file.display()))
        .await;
    talk.socket.text("Done.").await;
    assert_eq!(talk.file("made.txt").as_deref(), Some("unasked"));
}

#[tokio::test]
async fn a_plan_that_is_sent_back_stays_in_plan_mode() {
    let (mut talk, request) = planned().await;
    let response =
        json!({"request_type": "plan_approval", "decision": "deny", "message": "Name the file."});
    talk.respond(&request, response).await;
    let process = talk.idle().await;
    assert_eq!(process["permission_mode"], "plan");
    assert_eq!(told(&talk), "Name the file.");
}
