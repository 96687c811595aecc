//! An agent for measuring: asks, notes the moment its line goes out, and notes the moment the answer comes in.
//! `COUNTERSIGN_DEMO_BENCH` is the file for its notes and `COUNTERSIGN_DEMO_BENCH_PAUSE_MS` the pause between two asks.
//! Any message with a number in it makes it ask that many times, each time with a command of two kilobytes at most.
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
                ask(
                    count,
                    Duration::from_millis(pause),
                    &mut lines,
                    notes.as_mut(),
                );
                say(&json!({"type": "result", "subtype": "success", "is_error": false, "result": "done", "duration_ms": 1}).to_string());
            }
            _ => {}
        }
    }
}

fn ask(
    count: u32,
    pause: Duration,
    lines: &mut impl Iterator<Item = String>,
    mut notes: Option<&mut std::fs::File>,
) {
    for number in 0..count {
        // the machine comes to rest: a person does not answer in a burst either
        park(pause);
        let id = format!("ask-{number}");
        let command = format!("echo {number} > bench.txt # {}", "measured ".repeat(20));
        let line = json!({"type": "control_request", "request_id": id, "request": {
            "subtype": "can_use_tool", "tool_name": "Bash", "display_name": "Bash", "tool_use_id": format!("toolu_{number}"),
            "input": {"command": command, "description": format!("measured {number}")}}})
        .to_string();
        let asked = now();
        say(&line);
        for answer in lines.by_ref() {
            let came = now();
            if answer.contains(&format!("\"{id}\"")) {
                if let Some(notes) = notes.as_deref_mut() {
                    let _ = writeln!(notes, "{number} {asked} {came}");
                }
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
