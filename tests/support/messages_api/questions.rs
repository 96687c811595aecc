//! Questions that a script can ask.

use serde_json::{Value, json};

pub const ONE: &str = "Which colour?";
pub const MULTI: &str = "Which sizes?";
pub const FOUR: [&str; 4] = [ONE, MULTI, "Which name?", "Which day?"];

/// `one`, `multi`, `two` or `four` of them.
pub fn input(which: &str) -> Value {
    let choice = |question: &str, header: &str, multi: bool, labels: &[&str]| {
        let options: Vec<Value> = labels
            .iter()
            .map(|label| json!({"label": label, "description": format!("It is {label}")}))
            .collect();
        json!({"question": question, "header": header, "multiSelect": multi, "options": options})
    };
    let one = choice(ONE, "Colour", false, &["Red", "Blue"]);
    let multi = choice(MULTI, "Sizes", true, &["S", "M", "L"]);
    let name = choice(FOUR[2], "Name", false, &["Ada", "Grace"]);
    let day = choice(FOUR[3], "Day", false, &["Monday", "Friday"]);
    let questions = match which {
        "one" => vec![one],
        "multi" => vec![multi],
        "four" => vec![one, multi, name, day],
        other => panic!("there are no questions \"{other}\""),
    };
    json!({"questions": questions})
}
