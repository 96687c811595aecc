//! What is looked for in the lines of an agent.

use serde_json::Value;

/// These fields are there, and so are those of the objects in them; everything else is compared whole.
pub fn has(told: &Value, fields: &Value) -> bool {
    match fields.as_object() {
        Some(fields) => fields.iter().all(|(name, field)| has(&told[name], field)),
        None => told == fields,
    }
}

#[track_caller]
pub fn assert_has(told: &Value, fields: Value) {
    assert!(has(told, &fields), "{fields} is not in {told}");
}

#[track_caller]
pub fn assert_says(told: &Value, words: &str) {
    let says = told.as_str().is_some_and(|text| text.contains(words));
    assert!(says, "{words:?} is not in {told}");
}

#[track_caller]
pub fn assert_begins(told: &Value, words: &str) {
    let begins = told.as_str().is_some_and(|text| text.starts_with(words));
    assert!(begins, "{words:?} does not begin {told}");
}

/// The first part of a message, often its only one.
pub fn part(line: &Value) -> &Value {
    &line["message"]["content"][0]
}

/// What came of a call.
pub fn content(tool_result: &Value) -> &Value {
    &part(tool_result)["content"]
}

pub fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

pub fn length(list: &Value) -> Option<usize> {
    list.as_array().map(Vec::len)
}
