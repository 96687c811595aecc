//! A place of its own for each test: a project, and the agent's configuration directory.

use crate::agent::Agent;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tempfile::TempDir;

pub struct Home(TempDir);

impl Home {
    pub fn new() -> Self {
        let home = Self(tempfile::tempdir().expect("a temporary folder"));
        fs::create_dir(home.project()).expect("a project");
        home
    }

    pub fn root(&self) -> PathBuf {
        self.0.path().canonicalize().expect("the folder exists")
    }

    pub fn project(&self) -> PathBuf {
        self.root().join("project")
    }

    pub fn config(&self) -> PathBuf {
        self.root().join("config")
    }

    pub fn file(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.project().join(name)).ok()
    }

    /// An agent that was told these words, and what it asks then.
    pub fn asked(&self, words: &str) -> (Agent, Value) {
        let mut agent = self.start(&[]);
        let ask = agent.asked(words);
        (agent, ask)
    }

    pub fn start(&self, flags: &[&str]) -> Agent {
        self.start_with(flags, &[])
    }

    pub fn start_with(&self, flags: &[&str], environment: &[(&str, &str)]) -> Agent {
        let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
        command
            .args(["demo-agent", "--verbose"])
            .args(["--output-format", "stream-json"])
            .args(["--input-format", "stream-json"])
            .args(["--permission-prompt-tool", "stdio"])
            .args(flags)
            .current_dir(self.project())
            .env("HOME", self.root())
            .env("CLAUDE_CONFIG_DIR", self.config())
            .env("COUNTERSIGN_DEMO_SPEED", "0")
            .env_remove("CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS")
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        Agent::of(command.spawn().expect("the agent starts"))
    }

    /// Where the conversation of this session is kept.
    pub fn transcript(&self, session: &str) -> PathBuf {
        let project = self.project().display().to_string();
        let folder = project.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        let folder = self.config().join("projects").join(folder);
        folder.join(format!("{session}.jsonl"))
    }

    pub fn recorded(&self, session: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.transcript(session)).expect("a transcript");
        text.lines()
            .map(|line| serde_json::from_str(line).expect("a whole line of JSON"))
            .collect()
    }
}
