//! What the model does is written in the prompt: each `[[…]]` is one answer of it, in order; `]]+[[` joins two into one
//! answer, so that it calls two tools at once. When the script is over it says "Done." and what it was told last. A
//! conversation without any script is steered by plain words (`words.rs`).
//!
//! | step | does |
//! |---|---|
//! | `say TEXT`, `think TEXT` | writes |
//! | `bash COMMAND`, `read FILE`, `write FILE TEXT`, `edit FILE OLD => NEW` | calls the tool |
//! | `call NAME JSON` | calls any tool |
//! | `ask one`, `ask multi`, `ask four` | asks questions |
//! | `plan TEXT` | writes the plan file, then hands the plan in |
//! | `agent LABEL: PROMPT`, `background LABEL: PROMPT` | starts a subagent; its script is in `<<…>>` |
//! | `hold NAME` | writes nothing more until it is released |
//! | `error STATUS [once] [after SECONDS]` | fails, every time or the first time |

use super::conversation::Conversation;
use super::questions;
use serde_json::{Value, json};

#[derive(Clone, Debug)]
pub enum Step {
    Say(String),
    Think(String),
    Call { name: String, input: Value },
    Hold(String),
    Fail(Failure),
}

#[derive(Clone, Debug)]
pub struct Failure {
    pub status: u16,
    pub times: usize,
    pub retry_after: Option<u32>,
}

/// What the model does now.
pub fn steps(conversation: &Conversation) -> Vec<Step> {
    let rounds = rounds(conversation);
    rounds
        .into_iter()
        .nth(conversation.round)
        .unwrap_or_default()
}

/// An answer must have something in it.
pub fn or_the_end(steps: Vec<Step>, conversation: &Conversation) -> Vec<Step> {
    let speaks = |step: &Step| !matches!(step, Step::Fail(_) | Step::Hold(_));
    let is_long_enough = steps.iter().any(speaks);
    let mut steps: Vec<Step> = steps
        .into_iter()
        .filter(|step| !matches!(step, Step::Fail(_)))
        .collect();
    if !is_long_enough {
        steps.push(Step::Say(match conversation.results.last() {
            Some(result) => format!("Done. I was told: {}", result.text),
            None => "Done.".to_owned(),
        }));
    }
    steps
}

fn rounds(conversation: &Conversation) -> Vec<Vec<Step>> {
    let mut rounds: Vec<Vec<Step>> = Vec::new();
    let mut rest = conversation.prompt.as_str();
    let mut joins = false;
    while let Some((_, inside)) = rest.split_once("[[") {
        let (words, after) = inside.split_once("]]").expect("an end of the step");
        let more = read(words.trim(), conversation);
        for (at, steps) in more.into_iter().enumerate() {
            match rounds.last_mut() {
                Some(last) if joins && at == 0 => last.extend(steps),
                _ => rounds.push(steps),
            }
        }
        joins = after.trim_start().starts_with("+");
        rest = after;
    }
    rounds
}

/// The answers that one `[[…]]` makes: most make one.
fn read(words: &str, conversation: &Conversation) -> Vec<Vec<Step>> {
    let (verb, rest) = words.split_once(' ').unwrap_or((words, ""));
    let step = match verb {
        "say" => Step::Say(rest.to_owned()),
        "think" => Step::Think(rest.to_owned()),
        "bash" => call(
            "Bash",
            json!({"command": rest, "description": "As the script says"}),
        ),
        "read" => call("Read", json!({"file_path": rest})),
        "write" => {
            let (file, content) = two(rest, " ");
            call("Write", json!({"file_path": file, "content": content}))
        }
        "edit" => {
            let (file, change) = two(rest, " ");
            let (old, new) = two(change, " => ");
            call(
                "Edit",
                json!({"file_path": file, "old_string": old, "new_string": new}),
            )
        }
        "call" => {
            let (name, input) = two(rest, " ");
            call(
                name,
                serde_json::from_str(input).expect("the input as JSON"),
            )
        }
        "ask" => call("AskUserQuestion", questions::input(rest)),
        "plan" => {
            let file = conversation.plan_file.clone().unwrap_or_default();
            return vec![
                vec![call("Write", json!({"file_path": file, "content": rest}))],
                vec![call("ExitPlanMode", json!({}))],
            ];
        }
        "agent" => subagent(rest, false),
        "background" => subagent(rest, true),
        "hold" => Step::Hold(rest.to_owned()),
        "error" => Step::Fail(failure(rest)),
        other => panic!("the script has no step \"{other}\""),
    };
    vec![vec![step]]
}

pub fn call(name: &str, input: Value) -> Step {
    Step::Call {
        name: name.to_owned(),
        input,
    }
}

fn subagent(words: &str, in_background: bool) -> Step {
    let (label, prompt) = two(words, ": ");
    let prompt = prompt.replace("<<", "[[").replace(">>", "]]");
    call(
        "Agent",
        json!({"description": label, "prompt": prompt, "subagent_type": "general-purpose", "run_in_background": in_background}),
    )
}

fn failure(words: &str) -> Failure {
    let mut words = words.split(' ');
    let status = words.next().and_then(|word| word.parse().ok());
    let mut failure = Failure {
        status: status.expect("a status"),
        times: usize::MAX,
        retry_after: None,
    };
    while let Some(word) = words.next() {
        match word {
            "once" => failure.times = 1,
            "after" => failure.retry_after = words.next().and_then(|word| word.parse().ok()),
            other => panic!("an error cannot be \"{other}\""),
        }
    }
    failure
}

fn two<'a>(text: &'a str, between: &str) -> (&'a str, &'a str) {
    text.split_once(between)
        .unwrap_or_else(|| panic!("\"{between}\" is missing in \"{text}\""))
}
