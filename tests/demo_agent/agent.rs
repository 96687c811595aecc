//! The agent as a child process: what it is told, and what is heard of it.

use crate::lines::{has, part};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};
use uuid::Uuid;

/// Far more than anything here takes; only a failing test ever waits so long.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Agent {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Receiver<String>,
    /// Every line until now.
    pub heard: Vec<Value>,
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What it is told.
impl Agent {
    pub fn of(mut child: Child) -> Self {
        Self {
            stdin: child.stdin.take(),
            lines: lines_of(child.stdout.take().expect("stdout")),
            errors: lines_of(child.stderr.take().expect("stderr")),
            heard: Vec::new(),
            child,
        }
    }

    pub fn write(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        writeln!(stdin, "{line}").expect("the agent reads");
        stdin.flush().expect("the agent reads");
    }

    pub fn send(&mut self, message: &Value) {
        self.write(&message.to_string());
    }

    pub fn say(&mut self, text: &str) -> String {
        let uuid = Uuid::new_v4().to_string();
        self.say_as(text, &uuid);
        uuid
    }

    pub fn say_as(&mut self, text: &str, uuid: &str) {
        self.send(&json!({
            "type": "user", "message": {"role": "user", "content": text}, "parent_tool_use_id": null, "session_id": "",
            "uuid": uuid,
        }));
    }

    pub fn request(&mut self, request: Value) -> Value {
        let id = Uuid::new_v4().to_string();
        self.send(&json!({"type": "control_request", "request_id": id, "request": request}));
        let reply = self.hear(json!({"type": "control_response", "response": {"request_id": id}}));
        reply["response"].clone()
    }

    pub fn initialize(&mut self) -> Value {
        self.request(json!({"subtype": "initialize"}))
    }

    pub fn interrupt(&mut self) -> Value {
        self.request(json!({"subtype": "interrupt"}))
    }

    pub fn set_mode(&mut self, mode: &str) -> Value {
        self.request(json!({"subtype": "set_permission_mode", "mode": mode}))
    }

    pub fn answer(&mut self, ask: &Value, decision: Value) {
        self.send(&json!({"type": "control_response", "response": {
            "subtype": "success", "request_id": ask["request_id"], "response": decision,
        }}));
    }

    pub fn allow(&mut self, ask: &Value) {
        self.allow_with(ask, ask["request"]["input"].clone());
    }

    pub fn allow_with(&mut self, ask: &Value, input: Value) {
        self.answer(ask, json!({"behavior": "allow", "updatedInput": input}));
    }

    pub fn deny(&mut self, ask: &Value, why: &str) {
        self.answer(ask, json!({"behavior": "deny", "message": why}));
    }

    pub fn deny_and_stop(&mut self, ask: &Value, why: &str) {
        let decision = json!({"behavior": "deny", "message": why, "interrupt": true});
        self.answer(ask, decision);
    }

    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill")
            .args([name, &self.id().to_string()])
            .status()
            .expect("kill runs");
        assert!(sent.success());
    }

    /// Ends it in a way that it cannot prevent.
    pub fn kill(&mut self) {
        self.child.kill().expect("it is killed");
        self.exit();
    }

    /// Ends its input.
    pub fn close(&mut self) {
        self.stdin = None;
    }
}

/// What is heard of it.
impl Agent {
    /// The next line that has these fields.
    pub fn hear(&mut self, fields: Value) -> Value {
        self.hear_one(&fields.to_string(), |line| has(line, &fields))
    }

    /// The next line that fits; everything read on the way is kept in `heard`.
    pub fn hear_one(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let Ok(line) = self.lines.recv_timeout(left) else {
                let heard: Vec<String> = self.heard.iter().map(brief).collect();
                panic!("{what} did not come; heard:\n{}", heard.join("\n"));
            };
            let line: Value = serde_json::from_str(&line).expect("a line of JSON");
            self.heard.push(line.clone());
            if fits(&line) {
                return line;
            }
        }
    }

    pub fn ask(&mut self) -> Value {
        self.hear(json!({"type": "control_request", "request": {"subtype": "can_use_tool"}}))
    }

    /// What it asks when it is told these words.
    pub fn asked(&mut self, words: &str) -> Value {
        self.say(words);
        self.ask()
    }

    pub fn result(&mut self) -> Value {
        self.hear(json!({"type": "result"}))
    }

    /// How the turn ends that these words begin.
    pub fn done(&mut self, words: &str) -> Value {
        self.say(words);
        self.result()
    }

    pub fn tool_result(&mut self, ask: &Value) -> Value {
        let id = &ask["request"]["tool_use_id"];
        self.hear_one("a tool result", |line| {
            line["type"] == "user" && part(line)["tool_use_id"] == *id
        })
    }

    /// The question is taken back.
    pub fn cancelled(&mut self, ask: &Value) {
        self.hear(json!({"type": "control_cancel_request", "request_id": ask["request_id"]}));
    }

    pub fn lifecycle(&mut self, uuid: &str, state: &str) {
        self.hear(json!({"type": "command_lifecycle", "command_uuid": uuid, "state": state}));
    }

    pub fn complaint(&self) -> String {
        self.errors.iter().collect::<Vec<_>>().join("\n")
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the end, and keeps what was said until then. Its code.
    pub fn exit(&mut self) -> Option<i32> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => {
                    let line = serde_json::from_str(&line).expect("a line of JSON");
                    self.heard.push(line);
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return self.child.wait().expect("it ended").code();
                }
                Err(RecvTimeoutError::Timeout) => panic!("the agent did not end"),
            }
        }
    }

    /// Ends its input and waits for its end. Its code.
    pub fn leave(&mut self) -> Option<i32> {
        self.close();
        self.exit()
    }
}

/// What was heard until now.
impl Agent {
    pub fn count(&self, fields: Value) -> usize {
        let fitting = self.heard.iter().filter(|line| has(line, &fields));
        fitting.count()
    }

    #[track_caller]
    pub fn position(&self, fields: Value) -> usize {
        self.position_of(&fields.to_string(), |line| has(line, &fields))
    }

    #[track_caller]
    pub fn position_of(&self, what: &str, fits: impl Fn(&Value) -> bool) -> usize {
        let found = self.heard.iter().position(fits);
        found.unwrap_or_else(|| panic!("{what} was not heard"))
    }

    /// Nothing of the kind was heard until now.
    #[track_caller]
    pub fn never_said(&self, fields: Value) {
        assert_eq!(self.count(fields.clone()), 0, "{fields} was heard");
    }
}

fn lines_of(pipe: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

fn brief(line: &Value) -> String {
    line.to_string().chars().take(240).collect()
}

/// Looks again and again until something is there; fails after a minute.
pub fn wait_for<T>(look: impl Fn() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < deadline, "it did not happen");
        thread::yield_now();
    }
}
