//! Owns the scenes with questions: one, and four of them together.

use serde_json::{Value, json};

use super::super::answer;
use super::super::outcomes::Outcome;
use super::super::tools::Call;
use super::super::turn::{Stop, Turn};
use super::not_done;

pub async fn one(turn: &mut Turn) -> Result<(), Stop> {
    let questions = json!([question(
        "Which way should the garden path go?",
        "Path",
        false,
        &[
            (
                "Straight",
                "The shortest way from the gate to the door",
                None
            ),
            ("Curved", "A little longer, past the apple tree", None),
            (
                "Stepping stones",
                "No path at all, only stones in the grass",
                None
            ),
        ]
    )]);
    ask(
        turn,
        "I can go on in more than one way, and the choice is yours.",
        questions,
    )
    .await
}

pub async fn four(turn: &mut Turn) -> Result<(), Stop> {
    let questions = json!([
        question(
            "Which database fits the project?",
            "Database",
            false,
            &[
                ("SQLite", "One file, nothing to operate", None),
                ("PostgreSQL", "A server, for many writers", None),
            ]
        ),
        question(
            "Which checks should run before a merge?",
            "Checks",
            true,
            &[
                ("Format", "Is the code laid out as agreed?", None),
                ("Lints", "Does it do anything suspicious?", None),
                ("Tests", "Does it still work?", None),
                ("End to end", "Does it work in a browser?", None),
            ]
        ),
        question(
            "How should a greeting look?",
            "Greeting",
            false,
            &[
                ("Plain", "One line of text", Some("Hello, Robin.")),
                (
                    "Framed",
                    "A line with a frame around it",
                    Some("+---------------+\n| Hello, Robin. |\n+---------------+")
                ),
                (
                    "Two lines",
                    "Name and greeting apart",
                    Some("Robin,\n  good to see you.")
                ),
            ]
        ),
        question(
            "What should the release be called?",
            "Name",
            false,
            &[
                ("Lark", "It is ready early", None),
                ("Heron", "It waits patiently", None),
            ]
        ),
    ]);
    ask(
        turn,
        "Four things I would rather ask than guess. Your own words are welcome, too.",
        questions,
    )
    .await
}

async fn ask(turn: &mut Turn, words: &str, questions: Value) -> Result<(), Stop> {
    let outcome = turn
        .call(
            words,
            Call::new("AskUserQuestion", json!({ "questions": questions })),
        )
        .await?;
    let closing = not_done(&outcome, "get an answer").unwrap_or_else(|| echo(&outcome));
    turn.say(closing).await
}

/// What was answered, said back.
fn echo(outcome: &Outcome) -> String {
    if let Some(reply) = outcome.input["response"]
        .as_str()
        .filter(|reply| !reply.is_empty())
    {
        return format!(
            "You would rather talk about it. You wrote:\n\n> {}",
            reply.replace('\n', "\n> ")
        );
    }
    let mut lines = Vec::new();
    for question in outcome.input["questions"].as_array().into_iter().flatten() {
        let Some(text) = question["question"].as_str() else {
            continue;
        };
        if let Some(answer) = answer::answer_text(&outcome.input["answers"][text]) {
            let note = outcome.input["annotations"][text]["notes"]
                .as_str()
                .map(|note| format!(" (you noted: {note})"));
            lines.push(format!(
                "- {text} **{}**{}",
                answer.replace('\n', " "),
                note.unwrap_or_default()
            ));
        }
    }
    if lines.is_empty() {
        "You left the questions open. That is fine; I will not assume an answer.".into()
    } else {
        format!(
            "Thank you. This is what I understood:\n\n{}",
            lines.join("\n")
        )
    }
}

fn question(
    text: &str,
    header: &str,
    several: bool,
    options: &[(&str, &str, Option<&str>)],
) -> Value {
    let options: Vec<Value> = options
        .iter()
        .map(|(label, description, preview)| {
            let mut option = json!({"label": label, "description": description});
            if let Some(preview) = preview {
                option["preview"] = json!(preview);
            }
            option
        })
        .collect();
    json!({"question": text, "header": header, "multiSelect": several, "options": options})
}
