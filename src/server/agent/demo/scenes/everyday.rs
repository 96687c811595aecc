//! Owns the everyday scenes: a command, a file written, changed or read, a page, a tool of another server, a list.

use std::path::Path;

use serde_json::json;

use super::super::stream::Block;
use super::super::tools::Call;
use super::super::turn::{Stop, Turn};
use super::{fenced, not_done};

const DEMO_FILE: &str = "countersign-demo.md";
const COMMAND: &str =
    "echo Hello from Countersign > countersign-demo.txt && cat countersign-demo.txt";

pub async fn run(turn: &mut Turn, command: Option<String>) -> Result<(), Stop> {
    let (words, command, description) = match command {
        Some(command) => (
            "I would like to run exactly that in your project.",
            command,
            "Run the command you gave me",
        ),
        None => (
            "I will leave a small note in your project and read it back. It takes one command, so I am asking first.",
            COMMAND.to_owned(),
            "Write a small file and show it",
        ),
    };
    let call = Call::new(
        "Bash",
        json!({"command": command, "description": description}),
    );
    let outcome = turn.call(words, call).await?;
    let closing = not_done(&outcome, "run the command").unwrap_or_else(|| {
        let ran = if outcome.changed {
            format!(
                "You changed the command, and yours is what ran: `{}`.",
                outcome.input["command"].as_str().unwrap_or_default()
            )
        } else {
            "Done. The command ran once, as you allowed.".to_owned()
        };
        format!("{ran} It said:\n\n{}", fenced(&outcome.text))
    });
    turn.say(closing).await
}

pub async fn write(turn: &mut Turn, file: Option<(String, String)>) -> Result<(), Stop> {
    let (path, content) = file.unwrap_or_else(|| (DEMO_FILE.to_owned(), first_draft()));
    let absolute = turn.agent.project.join(&path).display().to_string();
    let words = format!("I have prepared `{path}`. You see all of it before it is written.");
    let outcome = turn
        .call(
            &words,
            Call::new("Write", json!({"file_path": absolute, "content": content})),
        )
        .await?;
    let closing = not_done(&outcome, "write the file").unwrap_or_else(|| {
        let edited = if outcome.changed {
            " with the changes you made"
        } else {
            ""
        };
        format!(
            "`{}` is written{edited}.",
            shown(turn, &outcome.input["file_path"])
        )
    });
    turn.say(closing).await
}

pub async fn edit(turn: &mut Turn) -> Result<(), Stop> {
    let path = turn.agent.project.join(DEMO_FILE);
    let (old, new) = next_edit(&path);
    if old.is_empty() {
        let words = format!("There is no `{DEMO_FILE}` to edit yet, so I would write it first.");
        let call = Call::new(
            "Write",
            json!({"file_path": path, "content": first_draft()}),
        );
        let outcome = turn.call(&words, call).await?;
        if let Some(closing) = not_done(&outcome, "write the file, so there is nothing to edit") {
            return turn.say(closing).await;
        }
    }
    let (old, new) = if old.is_empty() {
        next_edit(&path)
    } else {
        (old, new)
    };
    let words = format!("One line of `{DEMO_FILE}` could be better. Here is the change.");
    let call = Call::new(
        "Edit",
        json!({"file_path": path, "old_string": old, "new_string": new, "replace_all": false}),
    );
    let outcome = turn.call(&words, call).await?;
    let closing = not_done(&outcome, "change the file")
        .unwrap_or_else(|| format!("`{DEMO_FILE}` is changed; the rest of it is as it was."));
    turn.say(closing).await
}

fn first_draft() -> String {
    "# A note from the demo agent\n\nMood: curious\n\nYou may delete this file at any time.\n"
        .to_owned()
}

/// The line to change and what it becomes; empty if the file is not there or holds no such line.
fn next_edit(path: &Path) -> (String, String) {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let moods = ["Mood: curious", "Mood: content", "Mood: ready for more"];
    moods
        .iter()
        .position(|mood| text.contains(mood))
        .map(|at| {
            (
                moods[at].to_owned(),
                moods[(at + 1) % moods.len()].to_owned(),
            )
        })
        .unwrap_or_default()
}

pub async fn read(turn: &mut Turn, path: Option<String>) -> Result<(), Stop> {
    let path = path.unwrap_or_else(|| "/etc/hosts".into());
    let absolute = turn.agent.project.join(&path).display().to_string();
    let words = format!(
        "Let me look at `{path}`. Inside the project I may read freely; outside of it I have to ask."
    );
    let outcome = turn
        .call(&words, Call::new("Read", json!({ "file_path": absolute })))
        .await?;
    let closing = not_done(&outcome, "read the file").unwrap_or_else(|| {
        if outcome.text.is_empty() {
            return format!("I have looked at `{path}`. It is a picture.");
        }
        // the last, empty one is only the end of the line before
        let lines = outcome.text.lines().count() - usize::from(outcome.text.ends_with('\t'));
        let file = shown(turn, &outcome.input["file_path"]);
        format!("I have read `{file}`: {lines} lines. I do not repeat its content here.")
    });
    turn.say(closing).await
}

pub async fn fetch(turn: &mut Turn, url: Option<String>) -> Result<(), Stop> {
    let url = url.unwrap_or_else(|| "https://example.com/".into());
    let call = Call::new(
        "WebFetch",
        json!({"url": url, "prompt": "What is this page about?"}),
    );
    let outcome = turn
        .call(&format!("I would like to read {url}."), call)
        .await?;
    let closing = not_done(&outcome, "fetch the page").unwrap_or_else(|| {
        "Thank you. To be honest, I have no network: the page text in the result came with me. A real agent would have \
         fetched it now."
            .to_owned()
    });
    turn.say(closing).await
}

pub async fn greet(turn: &mut Turn) -> Result<(), Stop> {
    let words = "Other programs can lend me tools. This one belongs to a server named *demo*, and it greets people.";
    let outcome = turn
        .call(words, Call::new("mcp__demo__greet", json!({"name": "you"})))
        .await?;
    let closing = not_done(&outcome, "use the tool")
        .unwrap_or_else(|| format!("The tool answered: *{}*", outcome.text));
    turn.say(closing).await
}

pub async fn todo(turn: &mut Turn) -> Result<(), Stop> {
    let tasks = [
        "Look at the project",
        "Note what stands out",
        "Tell you about it",
    ];
    let doing = [
        "Looking at the project",
        "Noting what stands out",
        "Telling you about it",
    ];
    let list = |done: usize| {
        let todos: Vec<_> = tasks
            .iter()
            .zip(doing)
            .enumerate()
            .map(|(at, (task, active))| {
                let status = match at {
                    _ if at < done => "completed",
                    _ if at == done => "in_progress",
                    _ => "pending",
                };
                json!({"content": task, "status": status, "activeForm": active})
            })
            .collect();
        Call::new("TodoWrite", json!({ "todos": todos }))
    };
    turn.call(
        "I keep a list while I work; it needs no permission.",
        list(0),
    )
    .await?;
    for done in 1..=tasks.len() {
        turn.pause(900).await?;
        turn.respond(vec![Block::Tool(list(done))]).await?;
    }
    turn.say("All three are ticked off.").await
}

fn shown(turn: &Turn, path: &serde_json::Value) -> String {
    let path = path.as_str().unwrap_or_default();
    Path::new(path)
        .strip_prefix(&turn.agent.project)
        .map_or_else(|_| path.to_owned(), |path| path.display().to_string())
}

/// The plain command that other scenes ask for; harmless, and it leaves nothing behind.
pub fn harmless_command() -> Call {
    Call::new(
        "Bash",
        json!({"command": "date && pwd", "description": "Show the time and the folder"}),
    )
}
