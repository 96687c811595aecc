//! Questions that a script can ask.

use serde_json::{Value, json};

pub const ONE: &str = "Which colour?";
pub const MULTI: &str = "Which sizes?";
pub const FOUR: [&str; 4] = [ONE, MULTI, "Which name?", "Which day?"];

/// What the demo agent asks for "ask a question".
pub fn garden_path() -> Value {
    let options = [
        ("Straight", "The shortest way from the gate to the door"),
        ("Curved", "A little longer, past the apple tree"),
        (
            "Stepping stones",
            "No path at all, only stones in the grass",
        ),
    ];
    let question = "Which way should the garden path go?";
    json!({"questions": [described(question, "Path", false, &options)]})
}

/// What the demo agent asks for "four questions".
pub fn four_decisions() -> Value {
    let databases = [
        ("SQLite", "One file, nothing to operate"),
        ("PostgreSQL", "A server, for many writers"),
    ];
    let checks = [
        ("Format", "Is the code laid out as agreed?"),
        ("Lints", "Does it do anything suspicious?"),
        ("Tests", "Does it still work?"),
        ("End to end", "Does it work in a browser?"),
    ];
    let looks = [
        ("Plain", "One line of text"),
        ("Framed", "A line with a frame around it"),
        ("Two lines", "Name and greeting apart"),
    ];
    let previews = [
        "Hello, Robin.",
        "+---------------+\n| Hello, Robin. |\n+---------------+",
        "Robin,\n  good to see you.",
    ];
    let names = [
        ("Lark", "It is ready early"),
        ("Heron", "It waits patiently"),
    ];
    let mut greeting = described("How should a greeting look?", "Greeting", false, &looks);
    for (at, preview) in previews.iter().enumerate() {
        greeting["options"][at]["preview"] = json!(preview);
    }
    json!({"questions": [
        described("Which database fits the project?", "Database", false, &databases),
        described("Which checks should run before a merge?", "Checks", true, &checks),
        greeting,
        described("What should the release be called?", "Name", false, &names),
    ]})
}

fn described(question: &str, header: &str, several: bool, options: &[(&str, &str)]) -> Value {
    let options: Vec<Value> = options
        .iter()
        .map(|(label, description)| json!({"label": label, "description": description}))
        .collect();
    json!({"question": question, "header": header, "multiSelect": several, "options": options})
}

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
