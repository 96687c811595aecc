//! `cargo bench --features ssr --bench hop`: how long a request takes from the agent's line to a client's frame, and an
//! answer from a client's frame to the agent's line, against the floor measured in the same run: a bare pipe echo plus
//! a bare axum WebSocket echo, and for the answer a bare flush to disk. Also: start to listening, and the memory of an idle server.

use axum::extract::ws::{Message as Frame, WebSocketUpgrade};
use futures::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, Command};
use tokio_tungstenite::tungstenite::{Message, client::IntoClientRequest};

const ASKS: usize = 400;
const WARM_UP: usize = 50;
/// Asks this program to be the bare server: like ours it is a process of its own, not a task beside the one that measures.
const BARE_SOCKET: &str = "--bare-socket";
const TOKEN: &str = "bench-token-bench-token-bench-token-bench";

#[tokio::main]
async fn main() {
    if std::env::args().any(|argument| argument == BARE_SOCKET) {
        return serve_bare_socket().await;
    }
    let agent = agent();
    let pipe = pipe_echo(&agent).await;
    let socket = socket_echo().await;
    let flush = flushes().await;
    let (listening, idle) = start_and_idle(&agent).await;
    let (down, up) = hops(&agent).await;

    println!("\nmicroseconds                         p50      p95      p99");
    row("floor: pipe, there and back / 2", &halves(&pipe));
    row("floor: socket, there and back / 2", &halves(&socket));
    let floor = sums(&halves(&pipe), &halves(&socket));
    row("floor: both", &floor);
    row("a bare write and flush to disk", &flush);
    // an answer is on disk before the agent hears of it
    let durable_floor = sums(&floor, &flush);
    row("ask line → process_state frame", &down);
    row("response frame → answer line", &up);
    println!();
    judge(
        "ask → frame, p99 / floor p99",
        percentile(&down, 99) / percentile(&floor, 99),
        3.0,
    );
    judge(
        "answer → line, p99 / (floor + flush) p99",
        percentile(&up, 99) / percentile(&durable_floor, 99),
        3.0,
    );
    println!(
        "{:42} {:8.2}   (without the flush that it must wait for)",
        "answer → line, p99 / floor p99",
        percentile(&up, 99) / percentile(&floor, 99)
    );
    judge(
        "ask → frame, p99 in ms",
        percentile(&down, 99) / 1000.0,
        5.0,
    );
    judge(
        "answer → line, p99 in ms",
        percentile(&up, 99) / 1000.0,
        5.0,
    );
    judge("start → listening, ms (median of 10)", listening, 100.0);
    judge("idle server, MB resident", idle, 20.0);
}

fn agent() -> PathBuf {
    let server = PathBuf::from(env!("CARGO_BIN_EXE_countersign"));
    let agent = server.with_file_name("examples").join("bench_agent");
    assert!(
        agent.exists(),
        "build it first: cargo build --release --features ssr --example bench_agent"
    );
    agent
}

/// A line to a child and back.
async fn pipe_echo(agent: &Path) -> Vec<f64> {
    let mut child = Command::new(agent)
        .arg("--echo")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("the echo starts");
    let mut stdin = child.stdin.take().expect("stdin");
    let mut lines = BufReader::new(child.stdout.take().expect("stdout")).lines();
    let line = format!("{}\n", typical_line());
    let mut times = Vec::new();
    for number in 0..ASKS + WARM_UP {
        rest().await;
        let began = Instant::now();
        stdin.write_all(line.as_bytes()).await.expect("written");
        lines.next_line().await.expect("read").expect("a line");
        if number >= WARM_UP {
            times.push(began.elapsed().as_secs_f64() * 1e6);
        }
    }
    times
}

async fn serve_bare_socket() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("bound");
    println!("{}", listener.local_addr().expect("address"));
    let echo = axum::routing::get(|upgrade: WebSocketUpgrade| async {
        upgrade.on_upgrade(|mut socket| async move {
            while let Some(Ok(Frame::Text(text))) = socket.recv().await {
                if socket.send(Frame::Text(text)).await.is_err() {
                    break;
                }
            }
        })
    });
    axum::serve(listener, axum::Router::new().route("/", echo))
        .await
        .expect("served");
}

/// A frame to a bare axum server and back.
async fn socket_echo() -> Vec<f64> {
    let program = std::env::current_exe().expect("this program");
    let mut server = Command::new(program)
        .arg(BARE_SOCKET)
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("the bare server starts");
    let mut lines = BufReader::new(server.stdout.take().expect("stdout")).lines();
    let address = lines.next_line().await.expect("read").expect("an address");
    let (mut socket, _) = tokio_tungstenite::connect_async(format!("ws://{address}/"))
        .await
        .expect("connected");
    let mut times = Vec::new();
    for number in 0..ASKS + WARM_UP {
        rest().await;
        let began = Instant::now();
        socket
            .send(Message::text(typical_line()))
            .await
            .expect("sent");
        socket.next().await.expect("open").expect("a frame");
        if number >= WARM_UP {
            times.push(began.elapsed().as_secs_f64() * 1e6);
        }
    }
    times
}

/// What the disk takes for a few hundred bytes that must survive a power cut. Like the others it rests in between: a disk
/// that is written to without a pause is faster than one that is written to now and then.
async fn flushes() -> Vec<f64> {
    use std::io::Write;
    let mut file = tempfile::tempfile().expect("file");
    let line = typical_line();
    let mut times = Vec::new();
    for _ in 0..ASKS {
        rest().await;
        let began = Instant::now();
        file.write_all(line.as_bytes()).expect("written");
        file.sync_data().expect("flushed");
        times.push(began.elapsed().as_secs_f64() * 1e6);
    }
    times
}

/// The real thing: agent → server → client → server → agent.
async fn hops(agent: &Path) -> (Vec<f64>, Vec<f64>) {
    let directory = tempfile::tempdir().expect("directory");
    let notes = directory.path().join("notes");
    let (mut server, base) = start(directory.path(), agent, &notes).await;
    let mut request = format!("ws{}/ws", base.trim_start_matches("http"))
        .into_client_request()
        .expect("address");
    request.headers_mut().insert(
        "authorization",
        format!("Bearer {TOKEN}").parse().expect("header"),
    );
    let (mut socket, _) = tokio_tungstenite::connect_async(request)
        .await
        .expect("connected");
    let started = reqwest::Client::new()
        .post(format!("{base}/api/start_session"))
        .bearer_auth(TOKEN)
        .header("content-type", "application/json")
        .body(
            json!({"project": directory.path(), "prompt": format!("ask {} times", ASKS + WARM_UP)})
                .to_string(),
        )
        .send()
        .await
        .expect("started");
    assert!(started.status().is_success(), "{:?}", started.text().await);

    let (mut seen, mut answered) = (Vec::new(), Vec::new());
    let mut known = std::collections::HashSet::new();
    while seen.len() < ASKS + WARM_UP {
        let Some(Ok(Message::Text(text))) = socket.next().await else {
            continue;
        };
        let came = now();
        let frame: Value = serde_json::from_str(&text).expect("json");
        let request = &frame["pending_request"];
        let id = request["request_id"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        if frame["type"] != "process_state" || id.is_empty() || !known.insert(id.clone()) {
            continue;
        }
        seen.push(came);
        // as a person would: not in the same instant
        rest().await;
        let answer = json!({"type": "pending_request_response", "session_id": frame["session_id"], "request_id": id,
            "digest": request["digest"], "request_type": "tool_approval", "decision": "allow"});
        answered.push(now());
        socket
            .send(Message::text(answer.to_string()))
            .await
            .expect("sent");
    }
    let asked_and_came = loop {
        let text = std::fs::read_to_string(&notes).unwrap_or_default();
        let rows: Vec<(f64, f64)> = text
            .lines()
            .filter_map(|line| {
                let mut numbers = line
                    .split_whitespace()
                    .skip(1)
                    .filter_map(|word| word.parse().ok());
                Some((numbers.next()?, numbers.next()?))
            })
            .collect();
        if rows.len() == ASKS + WARM_UP {
            break rows;
        }
        rest().await;
    };
    let _ = server.kill().await;
    let down = asked_and_came
        .iter()
        .zip(&seen)
        .skip(WARM_UP)
        .map(|((asked, _), seen)| seen - asked)
        .collect();
    let up = asked_and_came
        .iter()
        .zip(&answered)
        .skip(WARM_UP)
        .map(|((_, came), answered)| came - answered)
        .collect();
    (down, up)
}

async fn start_and_idle(agent: &Path) -> (f64, f64) {
    let mut times = Vec::new();
    let mut idle = 0.0;
    for _ in 0..10 {
        let directory = tempfile::tempdir().expect("directory");
        let began = Instant::now();
        let (mut server, _) = start(directory.path(), agent, &directory.path().join("notes")).await;
        times.push(began.elapsed().as_secs_f64() * 1e3);
        rest().await;
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", server.id().expect("running")))
                .unwrap_or_default();
        let resident = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))
            .unwrap_or("0");
        let kilobytes: f64 = resident
            .trim()
            .trim_end_matches(" kB")
            .parse()
            .unwrap_or(0.0);
        idle = kilobytes / 1000.0;
        let _ = server.kill().await;
    }
    (percentile(&times, 50), idle)
}

async fn start(directory: &Path, agent: &Path, notes: &Path) -> (Child, String) {
    let mut server = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(["--addr", "127.0.0.1:0", "--log", "warn"])
        .arg("--data-dir")
        .arg(directory.join("data"))
        .arg("--agent")
        .arg(agent)
        .arg("--project")
        .arg(directory)
        .env("COUNTERSIGN_TOKEN", TOKEN)
        .env("COUNTERSIGN_DEMO_BENCH", notes)
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("the server starts");
    let mut lines = BufReader::new(server.stdout.take().expect("stdout")).lines();
    let line = lines
        .next_line()
        .await
        .expect("read")
        .expect("the ready line");
    let base = line
        .split(" at ")
        .nth(1)
        .and_then(|link| link.split("/#").next())
        .expect("an address")
        .to_owned();
    (server, base)
}

fn typical_line() -> String {
    json!({"type": "control_request", "request_id": "x", "request": {"input": {"command": "measured ".repeat(30)}}}).to_string()
}

async fn rest() {
    tokio::time::sleep(Duration::from_millis(3)).await;
}

fn now() -> f64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0.0, |passed| passed.as_micros() as f64)
}

fn halves(times: &[f64]) -> Vec<f64> {
    times.iter().map(|time| time / 2.0).collect()
}

fn sums(left: &[f64], right: &[f64]) -> Vec<f64> {
    left.iter()
        .zip(right)
        .map(|(left, right)| left + right)
        .collect()
}

fn percentile(times: &[f64], percent: usize) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[(sorted.len() * percent / 100).min(sorted.len() - 1)]
}

fn row(name: &str, times: &[f64]) {
    println!(
        "{name:34} {:8.0} {:8.0} {:8.0}",
        percentile(times, 50),
        percentile(times, 95),
        percentile(times, 99)
    );
}

fn judge(name: &str, value: f64, goal: f64) {
    let verdict = if value <= goal { "reached" } else { "MISSED" };
    println!("{name:42} {value:8.2}   goal ≤ {goal}: {verdict}");
}
