//! An agent for measuring: asks, notes the moment its line goes out, and notes the moment the answer comes in.
//! `COUNTERSIGN_DEMO_BENCH` is the file for its notes and `COUNTERSIGN_DEMO_BENCH_PAUSE_MS` the pause between two asks.
//! Any message with a number in it makes it ask that many times, each time with a small command; a word chooses something
//! else to be asked: `large` a command of two kilobytes, `write` a file of 5,000 lines, `questions` four questions. With
//! `queued` it asks all at once, and is answered in any order.
//! With `--echo` it only sends back what it gets: the floor.

use serde_json::{Value, json};
use std::io::{BufRead, Write};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

fn main() {
    let stdin = std::io::stdin();
    let mut lines = stdin.lock().lines().map_while(Result::ok);
    if std::env::args().any(|argument| argument == "--echo") {
        for line in lines {
            say(&line);
        }
        return;
    }
    let mut notes = std::env::var_os("COUNTERSIGN_DEMO_BENCH").and_then(|path| {
        std::fs::File::options()
            .create(true)
            .append(true)
            .open(path)
            .ok()
    });
    let pause = std::env::var("COUNTERSIGN_DEMO_BENCH_PAUSE_MS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(5);
    while let Some(line) = lines.next() {
        let Ok(message) = serde_json::from_str::<Value>(&line) else {
            continue;
        };
        match message["type"].as_str() {
            Some("control_request") => {
                let id = &message["request_id"];
                say(&json!({"type": "control_response", "response": {"subtype": "success", "request_id": id, "response": {}}}).to_string());
            }
            Some("user") => {
                let text = message["message"]["content"].as_str().unwrap_or_default();
                let count = text
                    .split_whitespace()
                    .find_map(|word| word.parse().ok())
                    .unwrap_or(1);
                let pause = Duration::from_millis(pause);
                if text.contains("queued") {
                    ask_at_once(count, &mut lines);
                } else {
                    ask(count, text, pause, &mut lines, notes.as_mut());
                }
                say(&json!({"type": "result", "subtype": "success", "is_error": false, "result": "done", "duration_ms": 1}).to_string());
            }
            _ => {}
        }
    }
}

/// What is asked, by the word for it.
fn request(number: u32, kind: &str) -> String {
    let (tool, input) = if kind.contains("large") {
        let part = format!("echo {number} measured && ");
        let command = format!("{}echo {number} done", part.repeat(2000 / part.len()));
        ("Bash", json!({"command": command}))
    } else if kind.contains("write") {
        let line =
            |line: u32| format!("let line_{line} = measure({number}, \"text\"); // as it is\n");
        let content: String = (0..5000).map(line).collect();
        (
            "Write",
            json!({"file_path": format!("measured-{number}.rs"), "content": content}),
        )
    } else if kind.contains("questions") {
        let option = |name: &str| json!({"label": format!("{name} {number}"), "description": "One of several ways to go on."});
        let question = |index: u32| {
            json!({"question": format!("Which way, {number}.{index}?"), "header": "Way", "multiSelect": index == 2,
            "options": [option("One"), option("Two"), option("Three"), option("Four")]})
        };
        let questions: Vec<Value> = (0..4).map(question).collect();
        ("AskUserQuestion", json!({"questions": questions}))
    } else {
        let command = format!("echo {number} > bench.txt # {}", "measured ".repeat(20));
        (
            "Bash",
            json!({"command": command, "description": format!("measured {number}")}),
        )
    };
    json!({"type": "control_request", "request_id": format!("ask-{number}"), "request": {
        "subtype": "can_use_tool", "tool_name": tool, "display_name": tool, "tool_use_id": format!("toolu_{number}"),
        "input": input}})
    .to_string()
}

/// The call was made, as an agent says it: else every call would be drawn as running, more of them with each round.
fn result(number: u32) -> String {
    json!({"type": "user", "message": {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": format!("toolu_{number}"), "content": "done"}]}})
    .to_string()
}

fn ask_at_once(count: u32, lines: &mut impl Iterator<Item = String>) {
    for number in 0..count {
        say(&request(number, ""));
    }
    for _ in lines
        .filter(|line| line.contains("\"ask-"))
        .take(count as usize)
    {}
}

fn ask(
    count: u32,
    kind: &str,
    pause: Duration,
    lines: &mut impl Iterator<Item = String>,
    mut notes: Option<&mut std::fs::File>,
) {
    for number in 0..count {
        // the machine comes to rest: a person does not answer in a burst either
        park(pause);
        let id = format!("ask-{number}");
        let line = request(number, kind);
        let asked = now();
        say(&line);
        for answer in lines.by_ref() {
            let came = now();
            if answer.contains(&format!("\"{id}\"")) {
                if let Some(notes) = notes.as_deref_mut() {
                    let _ = writeln!(notes, "{number} {asked} {came}");
                }
                say(&result(number));
                break;
            }
        }
    }
}

fn park(pause: Duration) {
    let until = std::time::Instant::now() + pause;
    while let Some(left) = until.checked_duration_since(std::time::Instant::now()) {
        std::thread::park_timeout(left);
    }
}

fn say(line: &str) {
    let mut stdout = std::io::stdout().lock();
    let _ = stdout.write_all(format!("{line}\n").as_bytes());
    let _ = stdout.flush();
}

/// Microseconds since 1970: comparable between processes of one machine.
fn now() -> u128 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |passed| passed.as_micros())
}
