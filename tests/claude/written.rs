//! What commands have written while they still run.

use crate::support::{allow, until};
use crate::talk::Talk;
use serde_json::{Value, json};

/// The first that is not empty.
async fn written(talk: &Talk, call: &Value) -> String {
    until("what it wrote", async || {
        let told = talk.call("call_output", json!({"tool_use_id": call})).await;
        assert!(told.is_object(), "it can be told: {told}");
        let text = told["text"].as_str().expect("text").to_owned();
        (!text.is_empty()).then_some(text)
    })
    .await
}

#[tokio::test]
async fn a_command_tells_what_it_writes_while_the_turn_waits_for_it() {
    let prompt =
        "[[bash echo first | tee log.txt; until [ -e go.txt ]; do sleep 0.1; done; echo second]]";
    let mut talk = Talk::begin(prompt).await;
    let request = talk.answer(allow()).await;
    let call = request["tool_use_id"].clone();
    assert_eq!(written(&talk, &call).await, "first\n");
    std::fs::write(talk.claude.place.project().join("go.txt"), "").expect("written");
    talk.idle().await;
    assert_eq!(talk.told_once(prompt).text, "first\nsecond");
    let after = talk.call("call_output", json!({"tool_use_id": call}));
    assert_eq!(after.await["text"], "", "its result has it now");
}

#[tokio::test]
async fn a_command_in_the_background_tells_it_too() {
    let prompt = r#"[[call Bash {"command":"echo ticking | tee log.txt; tail -f /dev/null","run_in_background":true,"description":"Tick"}]]"#;
    let mut talk = Talk::begin(prompt).await;
    let request = talk.answer(allow()).await;
    talk.idle().await;
    assert_eq!(written(&talk, &request["tool_use_id"]).await, "ticking\n");
}
