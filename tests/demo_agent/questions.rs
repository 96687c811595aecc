//! Questions of the agent.

use crate::home::Home;
use crate::lines::{assert_begins, assert_says, content, length, text};
use serde_json::json;

#[test]
fn a_question_is_answered_by_its_full_text() {
    let home = Home::new();
    let (mut agent, ask) = home.asked("ask a question");
    let request = &ask["request"];
    assert_eq!(request["requires_user_interaction"], true);
    assert!(request.get("permission_suggestions").is_none());
    let mut input = request["input"].clone();
    let question = text(&input["questions"][0]["question"]).to_owned();
    assert_eq!(length(&input["questions"][0]["options"]), Some(3));
    input["answers"] = json!({ question.as_str(): "Curved" });
    agent.allow_with(&ask, input);
    let told = agent.tool_result(&ask);
    assert_eq!(
        text(content(&told)),
        format!(
            "Your questions have been answered: \"{question}\"=\"Curved\". You can now continue with these answers in mind."
        )
    );
    assert_eq!(told["tool_use_result"]["answers"][&question], "Curved");
    assert_says(&agent.result()["result"], "**Curved**");
    let ask = agent.asked("ask a question");
    agent.allow(&ask);
    let told = agent.tool_result(&ask);
    assert_eq!(content(&told), "The user did not answer the questions.");
}

#[test]
fn four_questions_with_several_choices_and_free_text() {
    let home = Home::new();
    let (mut agent, ask) = home.asked("four questions");
    let mut input = ask["request"]["input"].clone();
    let questions = input["questions"].as_array().expect("questions").clone();
    assert_eq!(questions.len(), 4);
    let several = questions.iter().filter(|one| one["multiSelect"] == true);
    assert_eq!(several.count(), 1);
    let mut first_options = questions.iter().map(|one| &one["options"][0]);
    assert!(first_options.any(|option| option["preview"].is_string()));
    let words = |at: usize| text(&questions[at]["question"]);
    input["answers"] = json!({words(0): "SQLite", words(1): "Format, Tests", words(2): "Plain", words(3): "Something of my own"});
    agent.allow_with(&ask, input);
    assert_begins(content(&agent.tool_result(&ask)), "The user answered: ");
    let closing = &agent.result()["result"];
    assert_says(closing, "Format, Tests");
    assert_says(closing, "Something of my own");
}
