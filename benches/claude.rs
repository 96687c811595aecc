//! `cargo bench --features ssr --bench claude`: what Countersign adds to Claude Code itself. From the start of a process to
//! its first request, against the floor measured in the same run: the same program driven by a bare pipe. And what a
//! waiting session takes of our memory, beside its own process.

#[path = "../tests/support/mod.rs"]
mod support;

use serde_json::{Value, json};
use std::process::Stdio;
use std::time::Instant;
use support::{Claude, program};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::Command;

const ROUNDS: usize = 12;
const AT_ONCE: usize = 20;
const PROMPT: &str = "[[bash echo measured > measured.txt]]";

#[tokio::main]
async fn main() {
    let (server, claude) = Claude::start().await;
    let mut socket = server.connect().await;
    let (mut floor, mut ours) = (Vec::new(), Vec::new());
    // in turns, so that both see the same machine; the first ones warm the caches up
    for round in 0..ROUNDS + 2 {
        let bare = bare_pipe(&claude).await;
        let began = Instant::now();
        let session = server.start_session(PROMPT).await;
        socket.pending(&session).await;
        let through = began.elapsed().as_secs_f64() * 1e3;
        server.kill(&session).await;
        if round >= 2 {
            floor.push(bare);
            ours.push(through);
        }
    }
    println!("\nmilliseconds from the start to the first request   p50");
    println!("{:48} {:6.0}", "floor: a bare pipe", median(&floor));
    println!("{:48} {:6.0}", "through Countersign", median(&ours));
    let added = (median(&ours) / median(&floor) - 1.0) * 100.0;
    judge("Countersign adds, %", added, 5.0);

    let before = server.memory();
    let mut sessions = Vec::new();
    let began = Instant::now();
    for _ in 0..AT_ONCE {
        sessions.push(server.start_session(PROMPT).await);
    }
    let mut socket = server.connect().await;
    for session in &sessions {
        support::until("it asks", async || {
            let process = server.process(session).await?;
            process.get("pending_request").cloned()
        })
        .await;
    }
    let all_ask = began.elapsed().as_secs_f64();
    let memory = (server.memory().saturating_sub(before)) as f64 / AT_ONCE as f64 / 1e6;
    let theirs: Vec<f64> = sessions_memory(&server, &sessions).await;
    println!("\n{AT_ONCE} sessions at once: all ask after {all_ask:.1} s");
    println!(
        "{:48} {:6.0}",
        "a process of Claude Code, MB resident",
        median(&theirs)
    );
    judge("Countersign's own, per session, MB", memory, 1.0);
    let first = &sessions[0];
    let request = server.process(first).await.expect("a process")["pending_request"].clone();
    let began = Instant::now();
    socket.respond(first, &request, support::allow()).await;
    socket.resolved(&request).await;
    let answered = began.elapsed().as_secs_f64() * 1e3;
    println!("{:48} {answered:6.1}", "one of them answered, ms");
    for session in &sessions {
        server.kill(session).await;
    }
}

/// The program with the flags we use, and nothing around it.
async fn bare_pipe(claude: &Claude) -> f64 {
    let began = Instant::now();
    let mut child = Command::new(program())
        .args([
            "--output-format",
            "stream-json",
            "--input-format",
            "stream-json",
            "--verbose",
        ])
        .args([
            "--permission-prompt-tool",
            "stdio",
            "--include-partial-messages",
        ])
        .args(["--permission-mode", "default"])
        .current_dir(claude.place.project())
        .env_clear()
        .envs(claude.variables())
        .env("HOME", claude.place.home())
        .env("CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .expect("Claude Code starts");
    let mut stdin = child.stdin.take().expect("stdin");
    let mut lines = BufReader::new(child.stdout.take().expect("stdout")).lines();
    let greeting = json!({"type": "control_request", "request_id": "1", "request": {"subtype": "initialize", "hooks": null}});
    let message = json!({"type": "user", "message": {"role": "user", "content": PROMPT}, "parent_tool_use_id": null,
        "session_id": "", "uuid": uuid::Uuid::new_v4()});
    stdin
        .write_all(format!("{greeting}\n").as_bytes())
        .await
        .expect("written");
    let mut greeted = false;
    loop {
        let line = lines.next_line().await.expect("read").expect("a line");
        let line: Value = serde_json::from_str(&line).expect("JSON");
        if !greeted && line["type"] == "control_response" {
            greeted = true;
            stdin
                .write_all(format!("{message}\n").as_bytes())
                .await
                .expect("written");
        }
        if line["request"]["subtype"] == "can_use_tool" {
            break;
        }
    }
    let took = began.elapsed().as_secs_f64() * 1e3;
    let _ = child.kill().await;
    took
}

/// As the server tells it. It looks now and then.
async fn sessions_memory(server: &support::Server, sessions: &[String]) -> Vec<f64> {
    let mut all = Vec::new();
    for session in sessions {
        let memory = support::until("its memory", async || {
            server.process(session).await?["memory"].as_f64()
        });
        all.push(memory.await / 1e6);
    }
    all
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

fn judge(name: &str, value: f64, goal: f64) {
    let verdict = if value <= goal { "reached" } else { "MISSED" };
    println!("{name:48} {value:6.2}   goal ≤ {goal}: {verdict}");
}
