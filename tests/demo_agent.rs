//! The demo agent as a host meets it: a child process, lines of JSON, and files on disk.
//!
//! Every test waits for what it expects to read and fails when it does not come; none waits for a time to pass.
#![cfg(feature = "ssr")]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use uuid::Uuid;

/// Far more than anything here takes; only a failing test ever waits so long.
const PATIENCE: Duration = Duration::from_secs(60);

/// A place of its own for each test: a project, and the agent's configuration directory.
struct Home {
    folder: TempDir,
}

impl Home {
    fn new() -> Self {
        let home = Self {
            folder: tempfile::tempdir().expect("a temporary folder"),
        };
        fs::create_dir(home.project()).expect("a project");
        home
    }

    fn project(&self) -> PathBuf {
        self.folder
            .path()
            .canonicalize()
            .expect("the folder exists")
            .join("project")
    }

    fn config(&self) -> PathBuf {
        self.folder
            .path()
            .canonicalize()
            .expect("the folder exists")
            .join("config")
    }

    fn file(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.project().join(name)).ok()
    }

    fn start(&self, flags: &[&str]) -> Agent {
        self.start_with(flags, &[])
    }

    fn start_with(&self, flags: &[&str], environment: &[(&str, &str)]) -> Agent {
        let mut child = Command::new(env!("CARGO_BIN_EXE_countersign"))
            .arg("demo-agent")
            .args([
                "--output-format",
                "stream-json",
                "--input-format",
                "stream-json",
                "--verbose",
            ])
            .args(["--permission-prompt-tool", "stdio"])
            .args(flags)
            .current_dir(self.project())
            .env("HOME", self.folder.path())
            .env("CLAUDE_CONFIG_DIR", self.config())
            .env("COUNTERSIGN_DEMO_SPEED", "0")
            .env_remove("CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS")
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the agent starts");
        let stdin = child.stdin.take();
        let lines = lines_of(child.stdout.take().expect("stdout"));
        let errors = lines_of(child.stderr.take().expect("stderr"));
        Agent {
            child,
            stdin,
            lines,
            errors,
            heard: Vec::new(),
        }
    }

    /// Transcripts of the project, newest name last.
    fn transcript(&self, session: &str) -> PathBuf {
        let folder: String = self
            .project()
            .display()
            .to_string()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        self.config()
            .join("projects")
            .join(folder)
            .join(format!("{session}.jsonl"))
    }

    fn recorded(&self, session: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.transcript(session)).expect("a transcript");
        text.lines()
            .map(|line| serde_json::from_str(line).expect("a whole line of JSON"))
            .collect()
    }
}

fn lines_of(pipe: impl std::io::Read + Send + 'static) -> Receiver<String> {
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

struct Agent {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Receiver<String>,
    heard: Vec<Value>,
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Agent {
    fn write(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        writeln!(stdin, "{line}").expect("the agent reads");
        stdin.flush().expect("the agent reads");
    }

    fn send(&mut self, message: &Value) {
        self.write(&message.to_string());
    }

    fn say(&mut self, text: &str) -> String {
        let uuid = Uuid::new_v4().to_string();
        self.say_as(text, &uuid);
        uuid
    }

    fn say_as(&mut self, text: &str, uuid: &str) {
        self.send(&json!({
            "type": "user", "message": {"role": "user", "content": text}, "parent_tool_use_id": null, "session_id": "",
            "uuid": uuid,
        }));
    }

    fn request(&mut self, request: Value) -> Value {
        let id = Uuid::new_v4().to_string();
        self.send(&json!({"type": "control_request", "request_id": id, "request": request}));
        let reply = self.hear("a control response", |line| {
            line["type"] == "control_response" && line["response"]["request_id"] == id.as_str()
        });
        reply["response"].clone()
    }

    fn answer(&mut self, ask: &Value, decision: Value) {
        self.send(&json!({"type": "control_response", "response": {
            "subtype": "success", "request_id": ask["request_id"], "response": decision,
        }}));
    }

    fn allow(&mut self, ask: &Value) {
        let input = ask["request"]["input"].clone();
        self.answer(ask, json!({"behavior": "allow", "updatedInput": input}));
    }

    /// The next line that fits; everything read on the way is kept in `heard`.
    fn hear(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
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

    fn ask(&mut self) -> Value {
        self.hear("a question", |line| {
            line["type"] == "control_request" && line["request"]["subtype"] == "can_use_tool"
        })
    }

    fn result(&mut self) -> Value {
        self.hear("a result", |line| line["type"] == "result")
    }

    fn tool_result(&mut self, ask: &Value) -> Value {
        let id = ask["request"]["tool_use_id"].clone();
        self.hear("a tool result", |line| {
            line["type"] == "user" && line["message"]["content"][0]["tool_use_id"] == id
        })
    }

    fn lifecycle(&mut self, uuid: &str, state: &str) {
        self.hear(&format!("{state} of a message"), |line| {
            line["type"] == "command_lifecycle"
                && line["command_uuid"] == uuid
                && line["state"] == state
        });
    }

    fn close(&mut self) {
        self.stdin = None;
    }

    /// Waits for the end, and keeps what was said until then.
    fn exit(&mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self
                .lines
                .recv_timeout(deadline.saturating_duration_since(Instant::now()))
            {
                Ok(line) => self
                    .heard
                    .push(serde_json::from_str(&line).expect("a line of JSON")),
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    return self.child.wait().expect("it ended");
                }
                Err(mpsc::RecvTimeoutError::Timeout) => panic!("the agent did not end"),
            }
        }
    }

    fn complaint(&self) -> String {
        self.errors.iter().collect::<Vec<_>>().join("\n")
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill")
            .args([name, &self.child.id().to_string()])
            .status()
            .expect("kill runs");
        assert!(sent.success());
    }

    fn position(&self, what: &str, fits: impl Fn(&Value) -> bool) -> usize {
        self.heard
            .iter()
            .position(fits)
            .unwrap_or_else(|| panic!("{what} was not heard"))
    }
}

fn brief(line: &Value) -> String {
    line.to_string().chars().take(240).collect()
}

fn content(tool_result: &Value) -> &Value {
    &tool_result["message"]["content"][0]["content"]
}

fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

// ------------------------------------------------------------------------------------------------ start

#[test]
fn initialize_introduces_the_agent_and_a_first_word_gets_the_tour() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    let reply = agent.request(json!({"subtype": "initialize", "hooks": null}));
    assert_eq!(reply["pending_permission_requests"], json!([]));
    let hello = &reply["response"];
    assert_eq!(hello["pid"], agent.child.id());
    assert_eq!(
        (&hello["current_permission_mode"], &hello["session_state"]),
        (&json!("default"), &json!("idle"))
    );
    for list in ["commands", "models", "agents", "capabilities"] {
        assert!(
            hello[list].as_array().is_some_and(|list| !list.is_empty()),
            "{list}"
        );
    }
    let uuid = agent.say("good morning");
    agent.lifecycle(&uuid, "queued");
    agent.lifecycle(&uuid, "started");
    let init = agent.hear("init", |line| line["subtype"] == "init");
    assert_eq!(init["cwd"], json!(home.project()));
    let result = agent.result();
    assert_eq!(result["user_message_uuids"], json!([uuid]));
    assert!(
        result["result"]
            .as_str()
            .is_some_and(|text| text.contains("run a command"))
    );
    agent.lifecycle(&uuid, "completed");
    let again = agent.say("hm");
    agent.hear("init in every turn", |line| line["subtype"] == "init");
    assert_eq!(agent.result()["user_message_uuid"], json!(again));
}

#[test]
fn version_flags_and_a_start_that_fails() {
    let home = Home::new();
    let version = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(["demo-agent", "--version"])
        .output();
    let version = String::from_utf8(version.expect("it runs").stdout).expect("text");
    assert_eq!(
        version,
        format!("{} (Countersign demo agent)\n", env!("CARGO_PKG_VERSION"))
    );
    let mut agent = home.start(&["--no-such-flag"]);
    assert_eq!(agent.exit().code(), Some(1));
    assert_eq!(agent.complaint(), "error: unknown option '--no-such-flag'");
    let mut agent = home.start_with(&[], &[("COUNTERSIGN_DEMO_FAIL_START", "1")]);
    assert_eq!(agent.exit().code(), Some(1));
    assert!(agent.heard.is_empty() && !agent.complaint().is_empty());
}

// ------------------------------------------------------------------------------------------------ commands

#[test]
fn an_allowed_command_really_runs() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    let uuid = agent.say("run a command");
    let ask = agent.ask();
    let request = &ask["request"];
    assert_eq!(
        (&request["tool_name"], &request["display_name"]),
        (&json!("Bash"), &json!("Bash"))
    );
    assert_eq!(request["description"], request["input"]["description"]);
    assert_eq!(
        request["blocked_path"],
        json!(home.project().join("countersign-demo.txt"))
    );
    assert_eq!(request["permission_suggestions"][0]["type"], "addRules");
    assert!(request.get("agent_id").is_none() && request.get("session_id").is_none());
    let told = agent.position("the assistant line of the call", |line| {
        line["type"] == "assistant" && line["message"]["content"][0]["id"] == request["tool_use_id"]
    });
    assert!(
        told < agent.heard.len() - 1,
        "the call is told before it is asked about"
    );
    assert_eq!(
        home.file("countersign-demo.txt"),
        None,
        "nothing happens before the answer"
    );
    agent.allow(&ask);
    let done = agent.tool_result(&ask);
    assert_eq!(content(&done), "Hello from Countersign");
    assert_eq!(done["tool_use_result"]["stdout"], "Hello from Countersign");
    assert_eq!(
        done["tool_result_meta"][0]["permission_decision"],
        json!({"decision": "accept", "source": "user_temporary"})
    );
    let result = agent.result();
    assert_eq!(
        (
            &result["subtype"],
            &result["is_error"],
            &result["terminal_reason"]
        ),
        (&json!("success"), &json!(false), &json!("completed"))
    );
    assert_eq!(
        home.file("countersign-demo.txt").as_deref(),
        Some("Hello from Countersign\n")
    );
    agent.lifecycle(&uuid, "completed");
    agent.close();
    assert_eq!(agent.exit().code(), Some(0));
    assert_eq!(agent.complaint(), "");
}

#[test]
fn a_denied_command_does_not_run_and_the_reason_is_heard() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    agent.say("run: touch made.txt");
    let ask = agent.ask();
    assert_eq!(ask["request"]["input"]["command"], "touch made.txt");
    agent.answer(
        &ask,
        json!({"behavior": "deny", "message": "Please use printf instead."}),
    );
    let told = agent.tool_result(&ask);
    assert_eq!(content(&told), "Please use printf instead.");
    assert_eq!(told["message"]["content"][0]["is_error"], true);
    assert_eq!(
        told["tool_result_meta"][0]["permission_decision"]["source"],
        "user_reject"
    );
    let result = agent.result();
    assert_eq!(
        (&result["subtype"], &result["is_error"]),
        (&json!("success"), &json!(false))
    );
    assert_eq!(
        result["permission_denials"][0]["tool_use_id"],
        ask["request"]["tool_use_id"]
    );
    assert!(
        result["result"]
            .as_str()
            .is_some_and(|text| text.contains("Please use printf instead."))
    );
    assert_eq!(home.file("made.txt"), None);
}

#[test]
fn deny_and_interrupt_ends_the_turn_and_takes_the_other_questions_back() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    let uuid = agent.say("three things");
    let asks = [agent.ask(), agent.ask(), agent.ask()];
    agent.answer(
        &asks[1],
        json!({"behavior": "deny", "message": "Stop now.", "interrupt": true}),
    );
    for other in [&asks[0], &asks[2]] {
        agent.hear("a cancel", |line| {
            line["type"] == "control_cancel_request" && line["request_id"] == other["request_id"]
        });
    }
    agent.hear("the interruption", |line| {
        line["message"]["content"][0]["text"] == "[Request interrupted by user for tool use]"
    });
    let refused = agent
        .heard
        .iter()
        .filter(|line| {
            content(line)
                .as_str()
                .is_some_and(|text| text.starts_with("The user doesn't want to proceed"))
        })
        .count();
    assert_eq!(
        refused, 3,
        "the message is dropped and all siblings are rejected"
    );
    let result = agent.result();
    assert_eq!(
        (
            &result["subtype"],
            &result["terminal_reason"],
            &result["is_error"]
        ),
        (
            &json!("error_during_execution"),
            &json!("aborted_tools"),
            &json!(true)
        )
    );
    agent.lifecycle(&uuid, "cancelled");
    agent.say("stream markdown");
    assert_eq!(
        agent.result()["is_error"],
        false,
        "the session is usable at once"
    );
}

#[test]
fn a_changed_input_is_what_runs_and_an_empty_one_changes_nothing() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    agent.say("run: echo original > a.txt then run: echo kept > c.txt");
    let first = agent.ask();
    agent.answer(&first, json!({"behavior": "allow", "updatedInput": {"command": "echo CHANGED > b.txt; cat b.txt"}}));
    assert_eq!(content(&agent.tool_result(&first)), "CHANGED");
    let second = agent.ask();
    agent.answer(&second, json!({"behavior": "allow", "updatedInput": {}}));
    agent.result();
    assert_eq!(
        (home.file("a.txt"), home.file("b.txt").as_deref()),
        (None, Some("CHANGED\n"))
    );
    assert_eq!(home.file("c.txt").as_deref(), Some("kept\n"));
}

#[test]
fn answers_that_are_no_answers() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    let mut told = |send: &dyn Fn(&mut Agent, &Value)| {
        agent.say("run: touch made.txt");
        let ask = agent.ask();
        send(&mut agent, &ask);
        let told = content(&agent.tool_result(&ask))
            .as_str()
            .unwrap_or_default()
            .to_owned();
        agent.result();
        told
    };
    let invalid = told(&|agent, ask| agent.answer(ask, json!({"behavior": "maybe"})));
    assert!(
        invalid.contains("returned an invalid permission result"),
        "{invalid}"
    );
    let misfit = told(&|agent, ask| {
        agent.answer(
            ask,
            json!({"behavior": "allow", "updatedInput": {"command": 7}}),
        )
    });
    assert!(misfit.contains("failed schema validation"), "{misfit}");
    let failed = told(&|agent, ask| {
        agent.send(&json!({"type": "control_response", "response": {
            "subtype": "error", "request_id": ask["request_id"], "error": "host exploded"}}));
    });
    assert_eq!(
        failed,
        "Tool permission request failed: Error: host exploded"
    );
    let first_wins = told(&|agent, ask| {
        let unknown = json!({"request_id": "00000000-dead-beef-0000-000000000000"});
        agent.answer(&unknown, json!({"behavior": "allow"}));
        agent.answer(ask, json!({"behavior": "deny", "message": "first"}));
        agent.answer(ask, json!({"behavior": "allow"}));
    });
    assert_eq!(first_wins, "first");
    assert_eq!(home.file("made.txt"), None);
}

#[test]
fn a_rule_for_the_session_spares_the_next_question() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    agent.say("run: touch one.txt then run: touch two.txt then run: mkdir three");
    let ask = agent.ask();
    agent.answer(
        &ask,
        json!({"behavior": "allow", "updatedPermissions": [{"type": "addRules", "behavior": "allow",
        "destination": "session", "rules": [{"toolName": "Bash", "ruleContent": "touch *"}]}]}),
    );
    let next = agent.ask();
    assert_eq!(
        next["request"]["input"]["command"], "mkdir three",
        "the second touch was not asked about"
    );
    assert!(home.file("two.txt").is_some());
    agent.allow(&next);
    agent.result();
    let rules = agent.request(json!({"subtype": "list_permission_rules"}));
    assert_eq!(
        rules["response"]["state"]["rules"][0]["rule"],
        "Bash(touch *)"
    );
}

#[test]
fn an_interrupt_kills_a_running_command_and_its_children() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    agent.say("run: echo $$ > pid.txt; sleep 300 & wait");
    let ask = agent.ask();
    agent.allow(&ask);
    let pid = wait_for(|| home.file("pid.txt").filter(|text| text.ends_with('\n')));
    let reply = agent.request(json!({"subtype": "interrupt"}));
    assert_eq!(reply["response"]["still_queued"], json!([]));
    assert_eq!(agent.result()["terminal_reason"], "aborted_tools");
    let group = format!("-{}", pid.trim());
    wait_for(|| {
        let alive = Command::new("kill")
            .args(["-0", "--", &group])
            .stderr(Stdio::null())
            .status()
            .expect("kill runs");
        (!alive.success()).then_some(())
    });
}

/// Looks again and again until something is there; fails after a minute.
fn wait_for<T>(look: impl Fn() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < deadline, "it did not happen");
        thread::yield_now();
    }
}

// ------------------------------------------------------------------------------------------------ files

#[test]
fn files_are_written_and_edited_when_allowed() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    agent.say("write notes/a.txt: good news");
    let ask = agent.ask();
    assert_eq!(ask["request"]["description"], "notes/a.txt");
    assert_eq!(
        ask["request"]["permission_suggestions"][0]["mode"],
        "acceptEdits"
    );
    agent.allow(&ask);
    agent.result();
    assert_eq!(home.file("notes/a.txt").as_deref(), Some("good news"));
    agent.say("edit a file");
    let write = agent.ask();
    assert_eq!(
        write["request"]["tool_name"], "Write",
        "there is nothing to edit yet"
    );
    agent.allow(&write);
    let edit = agent.ask();
    assert_eq!(edit["request"]["tool_name"], "Edit");
    agent.allow(&edit);
    let told = agent.tool_result(&edit);
    let lines = told["tool_use_result"]["structuredPatch"][0]["lines"].to_string();
    assert!(
        lines.contains("-Mood: curious") && lines.contains("+Mood: content"),
        "{lines}"
    );
    agent.result();
    assert!(
        home.file("countersign-demo.md")
            .is_some_and(|text| text.contains("Mood: content"))
    );
}

#[test]
fn nothing_is_written_outside_the_project() {
    let home = Home::new();
    let outside = home.config().with_file_name("outside");
    fs::create_dir(&outside).expect("a folder");
    symlink(&outside, home.project().join("door")).expect("a link");
    let mut agent = home.start(&["--permission-mode", "acceptEdits"]);
    for path in [
        "../outside/x.txt".to_owned(),
        "door/x.txt".to_owned(),
        outside.join("x.txt").display().to_string(),
    ] {
        agent.say(&format!("write {path}: no"));
        let told = agent.hear("a tool result", |line| {
            line["message"]["content"][0]["type"] == "tool_result"
        });
        assert_eq!(told["message"]["content"][0]["is_error"], true, "{path}");
        assert!(
            content(&told)
                .as_str()
                .is_some_and(|text| text.contains("only inside the project")),
            "{path}"
        );
        agent.result();
    }
    agent.request(json!({"subtype": "set_permission_mode", "mode": "default"}));
    agent.say("write fine.txt: yes");
    let ask = agent.ask();
    let changed = json!({"file_path": outside.join("y.txt"), "content": "no"});
    agent.answer(&ask, json!({"behavior": "allow", "updatedInput": changed}));
    assert_eq!(
        agent.tool_result(&ask)["message"]["content"][0]["is_error"],
        true,
        "not through a changed input either"
    );
    agent.result();
    assert_eq!(fs::read_dir(outside).expect("a folder").count(), 0);
    assert!(home.file("fine.txt").is_none());
}

#[test]
fn reading_is_asked_about_only_outside() {
    let home = Home::new();
    fs::write(home.project().join("inside.txt"), "one\ntwo\n").expect("a file");
    fs::write(home.folder.path().join("outside.txt"), "secret\n").expect("a file");
    let mut agent = home.start(&[]);
    agent.say("read inside.txt");
    agent.result();
    assert!(
        !agent
            .heard
            .iter()
            .any(|line| line["type"] == "control_request")
    );
    agent.say("read ../outside.txt");
    let ask = agent.ask();
    assert_eq!(ask["request"]["decision_reason_type"], "workingDir");
    agent.allow(&ask);
    assert_eq!(content(&agent.tool_result(&ask)), "1\tsecret\n2\t");
}

// ------------------------------------------------------------------------------------------------ modes

#[test]
fn modes_change_what_is_asked() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    let mode = |agent: &mut Agent, mode: &str| {
        agent.request(json!({"subtype": "set_permission_mode", "mode": mode}))
    };
    assert_eq!(mode(&mut agent, "nonsense")["error_code"], "invalid_mode");
    assert_eq!(
        mode(&mut agent, "bypassPermissions")["error_code"],
        "bypass_not_launched"
    );
    assert_eq!(
        mode(&mut agent, "acceptEdits")["response"]["mode"],
        "acceptEdits"
    );
    agent.hear("the status", |line| {
        line["subtype"] == "status" && line["permissionMode"] == "acceptEdits"
    });
    agent.say("write a.txt: x");
    agent.result();
    assert_eq!(home.file("a.txt").as_deref(), Some("x"));
    mode(&mut agent, "dontAsk");
    agent.say("run: touch b.txt");
    agent.hear("the refusal", |line| {
        line["subtype"] == "permission_denied" && line["decision_reason_type"] == "mode"
    });
    agent.result();
    assert!(home.file("b.txt").is_none());
    assert!(
        !agent
            .heard
            .iter()
            .any(|line| line["type"] == "control_request"),
        "nothing was asked so far"
    );
    let mut bold = home.start(&["--permission-mode", "bypassPermissions"]);
    bold.say("run: touch c.txt then ask a question");
    let ask = bold.ask();
    assert_eq!(
        ask["request"]["tool_name"], "AskUserQuestion",
        "questions are asked in every mode but dontAsk"
    );
    assert!(home.file("c.txt").is_some());
}

// ------------------------------------------------------------------------------------------------ questions and plans

#[test]
fn a_question_is_answered_by_its_full_text() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    agent.say("ask a question");
    let ask = agent.ask();
    assert_eq!(ask["request"]["requires_user_interaction"], true);
    assert!(ask["request"].get("permission_suggestions").is_none());
    let mut input = ask["request"]["input"].clone();
    let question = input["questions"][0]["question"]
        .as_str()
        .expect("a text")
        .to_owned();
    assert_eq!(
        input["questions"][0]["options"].as_array().map(Vec::len),
        Some(3)
    );
    input["answers"] = json!({ question.as_str(): "Curved" });
    agent.answer(&ask, json!({"behavior": "allow", "updatedInput": input}));
    let told = agent.tool_result(&ask);
    assert_eq!(
        content(&told),
        &json!(format!(
            "Your questions have been answered: \"{question}\"=\"Curved\". You can now continue with these answers in mind."
        ))
    );
    assert_eq!(told["tool_use_result"]["answers"][&question], "Curved");
    assert!(
        agent.result()["result"]
            .as_str()
            .is_some_and(|text| text.contains("**Curved**"))
    );
    agent.say("ask a question");
    let ask = agent.ask();
    agent.allow(&ask);
    assert_eq!(
        content(&agent.tool_result(&ask)),
        "The user did not answer the questions."
    );
}

#[test]
fn four_questions_with_several_choices_and_free_text() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    agent.say("four questions");
    let ask = agent.ask();
    let mut input = ask["request"]["input"].clone();
    let questions = input["questions"].as_array().expect("questions").clone();
    assert_eq!(questions.len(), 4);
    assert_eq!(
        questions
            .iter()
            .filter(|question| question["multiSelect"] == true)
            .count(),
        1
    );
    assert!(
        questions
            .iter()
            .any(|question| question["options"][0]["preview"].is_string())
    );
    let text = |at: usize| questions[at]["question"].as_str().expect("a text");
    input["answers"] = json!({text(0): "SQLite", text(1): "Format, Tests", text(2): "Plain", text(3): "Something of my own"});
    agent.answer(&ask, json!({"behavior": "allow", "updatedInput": input}));
    assert!(
        content(&agent.tool_result(&ask))
            .as_str()
            .is_some_and(|text| text.starts_with("The user answered: "))
    );
    let closing = agent.result()["result"].to_string();
    assert!(
        closing.contains("Format, Tests") && closing.contains("Something of my own"),
        "{closing}"
    );
}

#[test]
fn an_approved_plan_ends_plan_mode() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    agent.say("make a plan");
    agent.hear("plan mode", |line| {
        line["subtype"] == "status" && line["permissionMode"] == "plan"
    });
    let ask = agent.ask();
    assert_eq!(ask["request"]["tool_name"], "ExitPlanMode");
    let input = &ask["request"]["input"];
    let file = input["planFilePath"].as_str().expect("a path").to_owned();
    assert!(file.starts_with(&home.config().join("plans").display().to_string()));
    assert_eq!(
        fs::read_to_string(&file).ok().as_deref(),
        input["plan"].as_str()
    );
    agent.answer(&ask, json!({"behavior": "allow", "updatedInput": {"plan": "# Mine\n"},
        "updatedPermissions": [{"type": "setMode", "mode": "acceptEdits", "destination": "session"}]}));
    let status = agent.hear("the new mode", |line| {
        line["subtype"] == "status" && line["permissionMode"].is_string()
    });
    assert_eq!(status["permissionMode"], "acceptEdits");
    let told = agent.tool_result(&ask);
    assert!(
        content(&told)
            .as_str()
            .is_some_and(|text| text.contains("## Approved Plan (edited by user):\n# Mine"))
    );
    assert_eq!(told["tool_use_result"]["planWasEdited"], true);
    assert_eq!(fs::read_to_string(&file).ok().as_deref(), Some("# Mine\n"));
    assert!(
        agent.result()["result"]
            .as_str()
            .is_some_and(|text| text.contains("your version"))
    );
}

#[test]
fn a_plan_sent_back_is_revised_once_and_plan_mode_stays() {
    let home = Home::new();
    let mut agent = home.start(&["--permission-mode", "plan"]);
    agent.say("plan");
    let first = agent.ask();
    agent.answer(
        &first,
        json!({"behavior": "deny", "message": "Mention the tests."}),
    );
    let second = agent.ask();
    assert!(
        second["request"]["input"]["plan"]
            .as_str()
            .is_some_and(|plan| plan.contains("Mention the tests."))
    );
    agent.answer(
        &second,
        json!({"behavior": "deny", "message": "Still not."}),
    );
    let result = agent.result();
    assert_eq!(
        result["permission_denials"].as_array().map(Vec::len),
        Some(2)
    );
    assert!(
        result["result"]
            .as_str()
            .is_some_and(|text| text.contains("Still not."))
    );
    assert!(
        !agent.heard.iter().any(|line| line["subtype"] == "status"),
        "the mode has not changed"
    );
    agent.say("plan");
    let third = agent.ask();
    agent.answer(&third, json!({"behavior": "allow", "updatedInput": {}}));
    let status = agent.hear("the mode before", |line| line["subtype"] == "status");
    assert_eq!(status["permissionMode"], "default");
    assert!(
        content(&agent.tool_result(&third))
            .as_str()
            .is_some_and(|text| text.starts_with("User has approved your plan"))
    );
}

// ------------------------------------------------------------------------------------------------ many at once

#[test]
fn three_questions_at_once_are_answered_in_any_order() {
    let home = Home::new();
    let mut agent = home.start_with(&[], &[("CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS", "1")]);
    agent.say("three things at once");
    let asks = [agent.ask(), agent.ask(), agent.ask()];
    let reply = agent.request(json!({"subtype": "initialize"}));
    assert_eq!(
        reply["pending_permission_requests"],
        json!(asks),
        "what is open can be asked for again"
    );
    assert_eq!(reply["response"]["session_state"], "requires_action");
    agent.allow(&asks[2]);
    agent.tool_result(&asks[2]);
    agent.answer(
        &asks[0],
        json!({"behavior": "deny", "message": "not this one"}),
    );
    assert_eq!(content(&agent.tool_result(&asks[0])), "not this one");
    let states = |agent: &Agent| -> Vec<String> {
        let changes = agent
            .heard
            .iter()
            .filter(|line| line["subtype"] == "session_state_changed");
        changes
            .filter_map(|line| line["state"].as_str().map(ToOwned::to_owned))
            .collect()
    };
    assert_eq!(
        states(&agent),
        [
            "running",
            "requires_action",
            "requires_action",
            "requires_action"
        ]
    );
    agent.allow(&asks[1]);
    let result = agent.result();
    assert_eq!(
        result["permission_denials"].as_array().map(Vec::len),
        Some(1)
    );
    assert!(
        result["result"]
            .as_str()
            .is_some_and(|text| text.contains("read 2") && text.contains("not this one"))
    );
    agent.hear("idle", |line| {
        line["subtype"] == "session_state_changed" && line["state"] == "idle"
    });
    assert_eq!(states(&agent)[4..], ["running", "idle"]);
}

#[test]
fn fifty_at_once() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    agent.say("50 at once");
    let asks: Vec<Value> = (0..50).map(|_| agent.ask()).collect();
    for ask in asks.iter().rev() {
        agent.allow(ask);
    }
    assert!(
        agent.result()["result"]
            .as_str()
            .is_some_and(|text| text.contains("All 50"))
    );
}

#[test]
fn subagents_ask_for_themselves_also_after_the_result() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    agent.say("subagents");
    let asks = [agent.ask(), agent.ask()];
    let started: Vec<Value> = agent
        .heard
        .iter()
        .filter(|line| line["subtype"] == "task_started")
        .cloned()
        .collect();
    let of = |background: bool| {
        let task = started
            .iter()
            .find(|task| task["is_backgrounded"] == background)
            .expect("a task");
        asks.iter()
            .find(|ask| ask["request"]["agent_id"] == task["task_id"])
            .expect("its question")
            .clone()
    };
    let (in_front, behind) = (of(false), of(true));
    agent.allow(&in_front);
    agent.hear("its end", |line| {
        line["subtype"] == "task_notification" && line["status"] == "completed"
    });
    let first = agent.result();
    assert!(first["user_message_uuid"].is_string());
    agent.allow(&behind);
    let told = agent.tool_result(&behind);
    assert_eq!(told["agent_id"], behind["request"]["agent_id"]);
    assert!(told["parent_tool_use_id"].is_string());
    agent.hear("its end", |line| {
        line["subtype"] == "task_notification" && line["task_id"] == behind["request"]["agent_id"]
    });
    agent.hear("no task left", |line| {
        line["subtype"] == "background_tasks_changed" && line["tasks"] == json!([])
    });
    let second = agent.result();
    assert_eq!(second["origin"]["kind"], "task-notification");
    assert!(
        second.get("user_message_uuid").is_none(),
        "nobody asked for this turn"
    );
    assert!(
        home.file("countersign-demo-time.txt").is_some()
            && home.file("countersign-demo-count.txt").is_some()
    );
    let session = first["session_id"].as_str().expect("an id");
    let folder = home
        .transcript(session)
        .with_extension("")
        .join("subagents");
    let id = behind["request"]["agent_id"].as_str().expect("an id");
    let lines =
        fs::read_to_string(folder.join(format!("agent-{id}.jsonl"))).expect("its transcript");
    assert!(
        lines
            .lines()
            .all(|line| line.contains("\"isSidechain\":true"))
    );
    assert!(exists(&folder.join(format!("agent-{id}.meta.json"))));
}

#[test]
fn a_background_subagent_asks_between_turns_and_an_interrupt_stops_it() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    agent.say("send one into the background");
    agent.result();
    assert!(
        !agent
            .heard
            .iter()
            .any(|line| line["type"] == "control_request")
    );
    let ask = agent.ask();
    assert!(ask["request"]["agent_id"].is_string());
    agent.request(json!({"subtype": "interrupt"}));
    agent.position("the cancel before the reply", |line| {
        line["type"] == "control_cancel_request" && line["request_id"] == ask["request_id"]
    });
    agent.hear("its end", |line| {
        line["subtype"] == "task_notification" && line["status"] == "stopped"
    });
    agent.say("stream markdown");
    assert!(
        agent.result()["user_message_uuid"].is_string(),
        "no turn of its own follows"
    );
    assert!(home.file("countersign-demo-time.txt").is_none());
}

#[test]
fn a_subagent_can_be_denied_and_stopped_without_the_turn() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    agent.say("subagents");
    let (one, other) = (agent.ask(), agent.ask());
    agent.answer(
        &one,
        json!({"behavior": "deny", "message": "no", "interrupt": true}),
    );
    agent.hear("its end", |line| {
        line["subtype"] == "task_notification"
            && line["task_id"] == one["request"]["agent_id"]
            && line["status"] == "stopped"
    });
    assert!(
        !agent
            .heard
            .iter()
            .any(|line| line["type"] == "control_cancel_request"),
        "the other question stays"
    );
    agent.allow(&other);
    assert_eq!(agent.result()["is_error"], false);
}

// ------------------------------------------------------------------------------------------------ taken back, interrupted

#[test]
fn a_withdrawn_question_cannot_be_answered_any_more() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    agent.say("withdraw");
    let ask = agent.ask();
    agent.hear("the withdrawal", |line| {
        line["type"] == "control_cancel_request" && line["request_id"] == ask["request_id"]
    });
    agent.allow(&ask);
    let result = agent.result();
    assert_eq!(result["is_error"], false);
    assert!(
        result["result"]
            .as_str()
            .is_some_and(|text| text.contains("took the request back"))
    );
}

#[test]
fn an_interrupt_while_asking() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    let uuid = agent.say("run: touch made.txt");
    let ask = agent.ask();
    let waiting = agent.say("stream markdown");
    agent.lifecycle(&waiting, "queued");
    let reply = agent.request(json!({"subtype": "interrupt"}));
    assert_eq!(reply["response"]["still_queued"], json!([waiting]));
    let cancel = agent.position("the cancel", |line| {
        line["type"] == "control_cancel_request"
    });
    let answered = agent.position("the reply", |line| line["type"] == "control_response");
    assert!(cancel < answered, "the cancel comes first");
    agent.tool_result(&ask);
    let result = agent.result();
    assert_eq!(
        (&result["subtype"], &result["terminal_reason"]),
        (&json!("error_during_execution"), &json!("aborted_tools"))
    );
    assert_eq!(result["user_message_uuids"], json!([uuid]));
    agent.lifecycle(&uuid, "cancelled");
    agent.allow(&ask);
    assert_eq!(
        agent.result()["user_message_uuids"],
        json!([waiting]),
        "what was queued survives"
    );
    assert_eq!(home.file("made.txt"), None, "a late answer does nothing");
}

#[test]
fn an_interrupt_can_drop_what_is_queued() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    agent.say("run: touch made.txt");
    agent.ask();
    let (dropped, taken_back) = (agent.say("stream markdown"), agent.say("todo"));
    agent.lifecycle(&taken_back, "queued");
    let reply =
        agent.request(json!({"subtype": "cancel_async_message", "message_uuid": taken_back}));
    assert_eq!(reply["response"], json!({"cancelled": true}));
    let reply = agent.request(json!({"subtype": "interrupt", "cancel_queued": true}));
    assert_eq!(
        reply["response"],
        json!({"still_queued": [], "cancelled": [dropped]})
    );
    agent.result();
    agent.close();
    assert_eq!(agent.exit().code(), Some(1), "the last result was an error");
    assert_eq!(
        agent
            .heard
            .iter()
            .filter(|line| line["type"] == "result")
            .count(),
        1
    );
}

#[test]
fn an_interrupt_while_words_arrive_keeps_what_was_said() {
    let home = Home::new();
    let mut agent = home.start_with(
        &["--include-partial-messages"],
        &[("COUNTERSIGN_DEMO_SPEED", "4")],
    );
    let uuid = agent.say("think long");
    agent.hear("thoughts", |line| {
        line["event"]["delta"]["type"] == "thinking_delta"
    });
    agent.hear("words", |line| {
        line["event"]["delta"]["type"] == "text_delta"
    });
    agent.request(json!({"subtype": "interrupt"}));
    let partial = agent.hear("the partial message", |line| {
        line["type"] == "assistant" && line["aborted"] == true
    });
    let said: String = agent
        .heard
        .iter()
        .filter_map(|line| line["event"]["delta"]["text"].as_str())
        .collect();
    assert_eq!(partial["message"]["content"][0]["text"], json!(said));
    let result = agent.result();
    assert_eq!(result["terminal_reason"], "aborted_streaming");
    agent.position("the abandoned blocks", |line| {
        line["abandoned_blocks"]["from_block_index"] == 2
    });
    agent.lifecycle(&uuid, "cancelled");
}

#[test]
fn pieces_make_up_the_message() {
    let home = Home::new();
    let mut agent = home.start(&["--include-partial-messages"]);
    agent.say("run: true");
    let ask = agent.ask();
    agent.allow(&ask);
    agent.result();
    let call = agent.position("the call", |line| {
        line["message"]["content"][0]["type"] == "tool_use"
    });
    let id = agent.heard[call]["message"]["id"].clone();
    let events: Vec<&Value> = agent
        .heard
        .iter()
        .filter(|line| line["api_message_id"] == id)
        .map(|line| &line["event"])
        .collect();
    let kinds: Vec<&str> = events
        .iter()
        .filter_map(|event| event["type"].as_str())
        .collect();
    assert_eq!(kinds.first(), Some(&"message_start"));
    assert_eq!(kinds.last(), Some(&"message_stop"));
    let input: String = events
        .iter()
        .filter_map(|event| event["delta"]["partial_json"].as_str())
        .collect();
    assert_eq!(
        serde_json::from_str::<Value>(&input).ok(),
        Some(ask["request"]["input"].clone())
    );
    let stop = agent.position("the block's end", |line| {
        line["api_message_id"] == id
            && line["event"]["type"] == "content_block_stop"
            && line["event"]["index"] == 1
    });
    assert!(
        call < stop,
        "the complete line comes before the end of its block"
    );
}

// ------------------------------------------------------------------------------------------------ messages meanwhile

#[test]
fn a_message_while_asking_joins_the_turn() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    let first = agent.say("run: echo hi");
    let ask = agent.ask();
    let second = agent.say("please also say hello");
    agent.lifecycle(&second, "queued");
    assert!(
        !agent
            .heard
            .iter()
            .any(|line| line["command_uuid"] == second.as_str() && line["state"] == "started")
    );
    agent.allow(&ask);
    agent.tool_result(&ask);
    agent.lifecycle(&second, "started");
    agent.lifecycle(&second, "completed");
    let result = agent.result();
    assert_eq!(result["user_message_uuids"], json!([first, second]));
    assert!(
        result["result"]
            .as_str()
            .is_some_and(|text| text.contains("please also say hello"))
    );
    agent.lifecycle(&first, "completed");
    agent.close();
    agent.exit();
    assert_eq!(
        agent
            .heard
            .iter()
            .filter(|line| line["type"] == "result")
            .count(),
        1,
        "no result of its own"
    );
}

#[test]
fn the_same_message_twice_is_one_message_also_after_resume() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    let uuid = agent.say("stream markdown");
    let session = agent.result()["session_id"]
        .as_str()
        .expect("an id")
        .to_owned();
    agent.say_as("stream markdown", &uuid);
    agent.say("todo");
    assert_ne!(
        agent.result()["user_message_uuid"],
        json!(uuid),
        "the repetition got no turn"
    );
    agent.close();
    assert_eq!(agent.exit().code(), Some(0));
    let mut agent = home.start(&[&format!("--resume={session}")]);
    agent.say_as("stream markdown", &uuid);
    let new = agent.say("stream markdown");
    let result = agent.result();
    assert_eq!(result["user_message_uuids"], json!([new]));
    assert_eq!(result["session_id"], json!(session));
    let welcome = agent.position("a welcome", |line| {
        line["message"]["content"][0]["text"]
            .as_str()
            .is_some_and(|text| text.starts_with("Welcome back"))
    });
    assert!(agent.heard[welcome].to_string().contains("2 messages"));
}

#[test]
fn a_message_with_priority_takes_the_turn() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    agent.say("run: touch made.txt");
    let ask = agent.ask();
    agent.send(&json!({"type": "user", "uuid": "urgent", "priority": "now",
        "message": {"role": "user", "content": "stream markdown"}}));
    agent.hear("the cancel", |line| {
        line["type"] == "control_cancel_request" && line["request_id"] == ask["request_id"]
    });
    let ended = agent.result();
    assert_eq!(
        (
            &ended["subtype"],
            &ended["is_error"],
            &ended["terminal_reason"],
            &ended["result"]
        ),
        (
            &json!("success"),
            &json!(false),
            &json!("aborted_tools"),
            &json!("")
        )
    );
    assert_eq!(agent.result()["user_message_uuids"], json!(["urgent"]));
}

// ------------------------------------------------------------------------------------------------ resume

#[test]
fn a_session_that_is_not_there_cannot_be_resumed() {
    let home = Home::new();
    let mut agent = home.start(&["--resume=99999999-2222-4333-8444-555555555555"]);
    assert_eq!(agent.exit().code(), Some(1));
    let text = "No conversation found with session ID: 99999999-2222-4333-8444-555555555555";
    assert_eq!(agent.heard.len(), 1);
    assert_eq!(
        (&agent.heard[0]["type"], &agent.heard[0]["errors"]),
        (&json!("result"), &json!([text]))
    );
    assert_eq!(agent.complaint(), text);
}

#[test]
fn a_killed_session_closes_its_open_call_when_it_goes_on() {
    let home = Home::new();
    let session = Uuid::new_v4().to_string();
    let mut agent = home.start(&[&format!("--session-id={session}")]);
    agent.say("run: touch made.txt");
    let ask = agent.ask();
    agent.child.kill().expect("it is killed");
    agent.exit();
    let mut agent = home.start(&[&format!("--resume={session}")]);
    let reply = agent.request(json!({"subtype": "initialize"}));
    assert_eq!(
        reply["pending_permission_requests"],
        json!([]),
        "the question is gone"
    );
    let uuid = agent.say("stream markdown");
    let result = agent.result();
    assert_eq!(
        (&result["is_error"], &result["session_id"]),
        (&json!(false), &json!(session))
    );
    let told = agent
        .heard
        .iter()
        .any(|line| line["message"]["content"][0]["type"] == "tool_result");
    assert!(!told, "the closing result is written to disk only");
    let lines = home.recorded(&session);
    let closed = lines
        .iter()
        .position(|line| {
            line["message"]["content"][0]["tool_use_id"] == ask["request"]["tool_use_id"]
        })
        .expect("a result for the dangling call");
    let text = lines[closed]["message"]["content"][0]["content"]
        .as_str()
        .unwrap_or_default();
    assert!(text.starts_with(
        "[Tool call interrupted: the session ended before this call's result was recorded"
    ));
    assert_eq!(
        lines[closed + 1]["message"]["content"][0]["text"],
        "No response requested."
    );
    assert_eq!(lines[closed + 2]["uuid"], json!(uuid));
    assert_eq!(home.file("made.txt"), None);
    let mut taken = home.start(&[&format!("--session-id={session}")]);
    assert_eq!(taken.exit().code(), Some(1), "an id in use is refused");
}

#[test]
fn continue_and_fork() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    agent.say("stream markdown");
    let session = agent.result()["session_id"].clone();
    agent.close();
    agent.exit();
    let mut agent = home.start(&["--continue"]);
    agent.say("todo");
    assert_eq!(agent.result()["session_id"], session);
    agent.close();
    agent.exit();
    let before = home.recorded(session.as_str().expect("an id")).len();
    let mut agent = home.start(&["--continue", "--fork-session"]);
    agent.say("todo");
    let forked = agent.result()["session_id"].clone();
    assert_ne!(forked, session);
    assert_eq!(
        home.recorded(session.as_str().expect("an id")).len(),
        before,
        "the old file is left alone"
    );
    assert!(
        home.recorded(forked.as_str().expect("an id"))
            .iter()
            .all(|line| line["sessionId"] == forked)
    );
}

#[test]
fn the_transcript_has_the_shape_of_the_clis() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    let uuid = agent.say("run a command");
    let ask = agent.ask();
    let registered = home
        .config()
        .join("sessions")
        .join(format!("{}.json", agent.child.id()));
    let entry: Value =
        serde_json::from_str(&fs::read_to_string(&registered).expect("a registration"))
            .expect("JSON");
    assert_eq!(
        (&entry["status"], &entry["waitingFor"]),
        (&json!("waiting"), &json!("permission prompt"))
    );
    let session = entry["sessionId"].as_str().expect("an id").to_owned();
    let pending = home.recorded(&session);
    assert!(
        pending
            .iter()
            .any(|line| line["message"]["content"][0]["id"] == ask["request"]["tool_use_id"])
    );
    agent.allow(&ask);
    let done = agent.tool_result(&ask);
    agent.result();
    let renamed =
        agent.request(json!({"subtype": "rename_session", "title": "My name", "source": "host"}));
    assert_eq!(renamed["subtype"], "success");
    agent.close();
    agent.exit();
    assert!(
        !exists(&registered),
        "the registration goes with the process"
    );
    let mode = fs::metadata(home.transcript(&session))
        .expect("a file")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    let lines = home.recorded(&session);
    let conversation: Vec<&Value> = lines
        .iter()
        .filter(|line| line["type"] == "user" || line["type"] == "assistant")
        .collect();
    let mut parent = Value::Null;
    for line in &conversation {
        assert_eq!(
            line["parentUuid"], parent,
            "each line points at the one before"
        );
        parent = line["uuid"].clone();
        assert_eq!(
            (&line["isSidechain"], &line["sessionId"]),
            (&json!(false), &json!(session))
        );
        for field in [
            "cwd",
            "version",
            "gitBranch",
            "timestamp",
            "userType",
            "entrypoint",
        ] {
            assert!(line[field].is_string(), "{field}");
        }
        assert!(
            line["timestamp"]
                .as_str()
                .is_some_and(|time| time.len() == 24 && time.ends_with('Z'))
        );
    }
    assert_eq!(
        conversation[0]["uuid"],
        json!(uuid),
        "the host's id is the id of its line"
    );
    assert_eq!(
        conversation[0]["message"],
        json!({"role": "user", "content": "run a command"})
    );
    let call = conversation
        .iter()
        .find(|line| line["message"]["content"][0]["type"] == "tool_use")
        .expect("a call");
    assert_eq!(call["message"]["stop_reason"], "tool_use");
    let result = conversation
        .iter()
        .find(|line| line["toolUseResult"].is_object())
        .expect("a result");
    assert_eq!(
        result["uuid"], done["uuid"],
        "on disk and on stdout under the same id"
    );
    assert_eq!(result["sourceToolAssistantUUID"], call["uuid"]);
    assert_eq!(result["permissionDecision"]["decision"], "accept");
    let kinds: Vec<&str> = lines
        .iter()
        .filter_map(|line| line["type"].as_str())
        .collect();
    for kind in [
        "queue-operation",
        "ai-title",
        "last-prompt",
        "cost-state",
        "custom-title",
    ] {
        assert!(kinds.contains(&kind), "{kind}");
    }
    for never in [
        "system",
        "result",
        "stream_event",
        "control_request",
        "command_lifecycle",
    ] {
        assert!(!kinds.contains(&never), "{never}");
    }
}

// ------------------------------------------------------------------------------------------------ the end

#[test]
fn a_line_that_is_not_json_ends_the_process() {
    for bad in [
        "this is not JSON",
        "null",
        r#"{"type":"user"}"#,
        r#"{"type":"control_request","request_id":"1"}"#,
    ] {
        let home = Home::new();
        let mut agent = home.start(&[]);
        for harmless in [
            "",
            "   ",
            "{}",
            "[]",
            r#"{"type":"banana"}"#,
            r#"{"type":"keep_alive"}"#,
        ] {
            agent.write(harmless);
        }
        agent.request(json!({"subtype": "initialize"}));
        agent.write(bad);
        assert_eq!(agent.exit().code(), Some(1), "{bad}");
        assert!(
            agent
                .complaint()
                .starts_with("Error parsing streaming input line"),
            "{bad}"
        );
        assert_eq!(agent.heard.len(), 1, "nothing more on stdout after {bad}");
    }
}

#[test]
fn end_of_input_with_an_open_question_finishes_the_turn_without_it() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    let uuid = agent.say("run: touch made.txt then run: touch other.txt");
    let ask = agent.ask();
    agent.close();
    let told = agent.tool_result(&ask);
    assert_eq!(
        content(&told),
        "Tool permission request failed: AbortError: Tool permission stream closed before response received"
    );
    assert_eq!(agent.result()["is_error"], false);
    agent.lifecycle(&uuid, "completed");
    assert_eq!(agent.exit().code(), Some(0));
    let asked = agent
        .heard
        .iter()
        .filter(|line| line["type"] == "control_request")
        .count();
    assert_eq!(asked, 1, "later questions fail without being asked");
    assert!(
        !agent
            .heard
            .iter()
            .any(|line| line["type"] == "control_cancel_request")
    );
    assert_eq!(
        (home.file("made.txt"), home.file("other.txt")),
        (None, None)
    );
}

#[test]
fn signals_and_end_session() {
    let home = Home::new();
    for (signal, code) in [("-TERM", 143), ("-HUP", 129)] {
        let mut agent = home.start(&[]);
        agent.say("run: touch made.txt");
        agent.ask();
        let heard = agent.heard.len();
        agent.signal(signal);
        assert_eq!(agent.exit().code(), Some(code));
        assert_eq!(agent.heard.len(), heard, "nothing is said after {signal}");
    }
    let mut agent = home.start(&[]);
    agent.say("run: touch made.txt");
    let ask = agent.ask();
    agent.signal("-INT");
    assert_eq!(agent.exit().code(), Some(0));
    agent.position("the cancel", |line| {
        line["type"] == "control_cancel_request"
    });
    agent.position("the rejection", |line| {
        line["message"]["content"][0]["tool_use_id"] == ask["request"]["tool_use_id"]
            && line["type"] == "user"
    });
    assert!(!agent.heard.iter().any(|line| line["type"] == "result"));
    let mut agent = home.start(&[]);
    let reply = agent.request(json!({"subtype": "end_session"}));
    assert_eq!(reply["subtype"], "success");
    assert_eq!(agent.exit().code(), Some(0));
    assert_eq!(
        fs::read_dir(home.config().join("sessions"))
            .expect("a folder")
            .count(),
        0,
        "all have signed off"
    );
}

#[test]
fn one_that_ignores_the_end_has_to_be_killed() {
    let home = Home::new();
    let mut agent = home.start_with(&[], &[("COUNTERSIGN_DEMO_IGNORE_TERM", "1")]);
    agent.request(json!({"subtype": "initialize"}));
    agent.say("run: touch made.txt");
    let ask = agent.ask();
    agent.signal("-TERM");
    // several, because the first may overtake the signal
    for _ in 0..5 {
        let reply = agent.request(json!({"subtype": "get_session_cost"}));
        assert_eq!(reply["subtype"], "success", "still there after SIGTERM");
    }
    agent.answer(&ask, json!({"behavior": "deny", "message": "no"}));
    agent.result();
    agent.say("withdraw");
    agent.ask();
    agent.close();
    let result = agent.result();
    assert!(
        result["result"]
            .as_str()
            .is_some_and(|text| text.contains("took the request back")),
        "the end of input did not close the question"
    );
    agent.signal("-HUP");
    assert_eq!(agent.exit().code(), Some(129), "nor did it end the process");
}

// ------------------------------------------------------------------------------------------------ trouble

#[test]
fn errors_retries_and_crashes() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    let uuid = agent.say("fail");
    let said = agent.hear("the error", |line| line["type"] == "assistant");
    assert_eq!(
        (&said["message"]["model"], &said["error"]),
        (&json!("<synthetic>"), &json!("server_error"))
    );
    let result = agent.result();
    assert_eq!(
        (
            &result["subtype"],
            &result["is_error"],
            &result["terminal_reason"],
            &result["api_error_status"]
        ),
        (
            &json!("success"),
            &json!(true),
            &json!("api_error"),
            &json!(500)
        )
    );
    agent.lifecycle(&uuid, "cancelled");
    agent.say("retry");
    let retry = agent.hear("a retry", |line| line["subtype"] == "api_retry");
    assert_eq!(
        (&retry["attempt"], &retry["error"]),
        (&json!(1), &json!("overloaded"))
    );
    assert_eq!(agent.result()["is_error"], false);
    agent.say("crash");
    assert_eq!(agent.exit().code(), Some(3));
    assert!(agent.complaint().contains("crashed"));
    let mut agent = home.start(&[]);
    agent.say("crash while asking");
    agent.ask();
    assert_eq!(agent.exit().code(), Some(3));
    assert!(
        !agent
            .heard
            .iter()
            .any(|line| line["type"] == "result" || line["type"] == "control_cancel_request")
    );
}

#[test]
fn slash_commands_models_and_unknown_requests() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    agent.say("stream markdown");
    let session = agent.result()["session_id"].clone();
    agent.say("/compact");
    agent.hear("compacting", |line| {
        line["subtype"] == "status" && line["status"] == "compacting"
    });
    agent.hear("the boundary", |line| line["subtype"] == "compact_boundary");
    agent.hear("the summary", |line| line["isSynthetic"] == true);
    assert_eq!(agent.result()["local_command"], "compact");
    let uuid = agent.say("/clear");
    agent.hear("the reset", |line| {
        line["type"] == "conversation_reset" && line["user_message_uuid"] == uuid.as_str()
    });
    let cleared = agent.result();
    assert_eq!(cleared["local_command"], "clear");
    assert_ne!(cleared["session_id"], session);
    agent.say("/help");
    assert!(
        agent.result()["result"]
            .as_str()
            .is_some_and(|text| text.contains("run a command"))
    );
    let set = agent.request(json!({"subtype": "set_model", "model": "quick"}));
    assert_eq!(set["response"]["model"], "countersign-demo-quick");
    assert_eq!(
        agent.request(json!({"subtype": "set_model", "model": ""}))["error_code"],
        "catalog_unknown"
    );
    let unknown = agent.request(json!({"subtype": "no_such_thing"}));
    assert_eq!(
        (&unknown["subtype"], &unknown["error_code"]),
        (&json!("error"), &json!("unsupported_request"))
    );
    assert!(
        agent.request(json!({"subtype": "get_context_usage"}))["response"]["totalTokens"].is_u64()
    );
    agent.say("todo");
    assert_eq!(
        agent.hear("init", |line| line["subtype"] == "init")["model"],
        "countersign-demo-quick"
    );
}

#[test]
fn the_other_tools() {
    let home = Home::new();
    let mut agent = home.start(&["--max-turns", "9"]);
    agent.say("mcp then fetch a page");
    let greet = agent.ask();
    assert_eq!(greet["request"]["tool_name"], "mcp__demo__greet");
    assert_eq!(greet["request"]["mcp_server"]["name"], "demo");
    agent.allow(&greet);
    let fetch = agent.ask();
    assert_eq!(
        fetch["request"]["permission_suggestions"][0]["rules"][0]["ruleContent"],
        "domain:example.com"
    );
    agent.allow(&fetch);
    assert!(
        agent.result()["result"]
            .as_str()
            .is_some_and(|text| text.contains("no network"))
    );
    agent.say("todo then todo then todo");
    let result = agent.result();
    assert_eq!(
        (&result["subtype"], &result["terminal_reason"]),
        (&json!("error_max_turns"), &json!("max_turns"))
    );
    agent.say("run: rm -rf /");
    let ask = agent.ask();
    assert_eq!(
        (
            &ask["request"]["decision_reason_type"],
            &ask["request"]["classifier_approvable"]
        ),
        (&json!("safetyCheck"), &json!(false))
    );
    agent.answer(
        &ask,
        json!({"behavior": "deny", "message": "certainly not"}),
    );
    agent.result();
}
