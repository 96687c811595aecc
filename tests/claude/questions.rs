//! Questions: one, four, several choices, a text of one's own, none.

use crate::support::messages_api::{FOUR, MULTI, ONE};
use crate::talk::Talk;
use serde_json::{Value, json};

fn answers(answers: Value) -> Value {
    json!({"request_type": "ask_user_question", "answers": answers})
}

#[tokio::test]
async fn one_question_is_answered_with_an_option() {
    let mut talk = Talk::begin("[[ask one]]").await;
    let request = talk.pending().await;
    assert_eq!(request["request_type"], "ask_user_question");
    assert_eq!(request["tool_input"]["questions"][0]["question"], ONE);
    assert!(request.get("suggestions").is_none(), "nothing to remember");
    talk.respond(&request, answers(json!({ONE: "Blue"}))).await;
    talk.idle().await;
    let told = talk.told_once("[[ask one]]");
    assert!(!told.is_error);
    assert!(
        told.text.starts_with("Your questions have been answered"),
        "{}",
        told.text
    );
    assert!(
        told.text.contains(r#""Which colour?"="Blue""#),
        "{}",
        told.text
    );
}

#[tokio::test]
async fn four_questions_are_answered_at_once_each_in_its_way() {
    let mut talk = Talk::begin("[[ask four]]").await;
    let request = talk.pending().await;
    let asked: Vec<&str> = request["tool_input"]["questions"]
        .as_array()
        .expect("questions")
        .iter()
        .filter_map(|question| question["question"].as_str())
        .collect();
    assert_eq!(asked, FOUR);
    let given = json!({FOUR[0]: "Red", FOUR[1]: "S, L", FOUR[2]: "Neither, call her \"Lin\"", FOUR[3]: "Friday"});
    talk.respond(&request, answers(given)).await;
    talk.idle().await;
    let told = talk.told_once("[[ask four]]").text;
    for part in [
        "\"Which colour?\"=\"Red\"",
        "\"Which sizes?\"=\"S, L\"",
        "Neither, call her \"Lin\"",
        "\"Which day?\"=\"Friday\"",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
}

#[tokio::test]
async fn several_choices_arrive_as_one_answer() {
    let mut talk = Talk::begin("[[ask multi]]").await;
    talk.answer(answers(json!({MULTI: "S, M"}))).await;
    talk.idle().await;
    let told = talk.told_once("[[ask multi]]").text;
    assert!(told.contains(r#""Which sizes?"="S, M""#), "{told}");
}

#[tokio::test]
async fn a_text_of_ones_own_is_an_answer() {
    let mut talk = Talk::begin("[[ask one]]").await;
    talk.answer(answers(json!({ONE: "Teal, and not too bright"})))
        .await;
    talk.idle().await;
    let told = talk.told_once("[[ask one]]").text;
    assert!(told.contains("Teal, and not too bright"), "{told}");
}

#[tokio::test]
async fn what_is_not_answered_is_left_out() {
    let mut talk = Talk::begin("[[ask four]]").await;
    talk.answer(answers(json!({FOUR[3]: "Monday"}))).await;
    talk.idle().await;
    let told = talk.told_once("[[ask four]]").text;
    assert!(told.contains("\"Which day?\"=\"Monday\""), "{told}");
    assert!(!told.contains("Which name?"), "{told}");
}

#[tokio::test]
async fn a_cancelled_question_stops_the_turn() {
    let mut talk = Talk::begin("[[ask one]][[bash touch made.txt]]").await;
    talk.answer(json!({"request_type": "ask_user_question", "cancelled": true}))
        .await;
    talk.idle().await;
    assert_eq!(
        talk.claude.api.asked().len(),
        1,
        "the model was not asked again"
    );
    assert_eq!(talk.events("turn_finished").await[0]["interrupted"], true);
    let resolved = talk.events("resolved").await;
    assert_eq!(resolved[0]["outcome"], "cancelled");
}
