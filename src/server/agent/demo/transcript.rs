//! Owns the session's file: one JSON object a line, each conversation line pointing at the one before.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::rewind::Said;
use super::{clock, folders};

pub struct Transcript {
    path: PathBuf,
    file: Option<File>,
    /// The newest line of the conversation.
    leaf: Option<String>,
    /// What every line repeats: where, which session, which program.
    common: Map<String, Value>,
    /// Lines of a subagent say so and carry its id.
    sidechain: Option<String>,
}

impl Transcript {
    pub fn new(
        path: PathBuf,
        leaf: Option<String>,
        session: &str,
        project: &Path,
        entrypoint: &str,
        version: &str,
    ) -> Self {
        let mut common = Map::new();
        common.insert("userType".into(), json!("external"));
        common.insert("entrypoint".into(), json!(entrypoint));
        common.insert("cwd".into(), json!(project));
        common.insert("sessionId".into(), json!(session));
        common.insert("version".into(), json!(version));
        common.insert("gitBranch".into(), json!(git_branch(project)));
        Self {
            path,
            file: None,
            leaf,
            common,
            sidechain: None,
        }
    }

    /// The file of a subagent, next to the session's own.
    pub fn sidechain(&self, agent: &str) -> Self {
        let path = self
            .path
            .with_extension("")
            .join("subagents")
            .join(format!("agent-{agent}.jsonl"));
        Self {
            path,
            file: None,
            leaf: None,
            common: self.common.clone(),
            sidechain: Some(agent.to_owned()),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn leaf(&self) -> Option<&str> {
        self.leaf.as_deref()
    }

    /// A line of the conversation; `entry` brings `type`, `uuid`, and what is its own.
    pub fn say(&mut self, entry: Value) {
        let Value::Object(entry) = entry else { return };
        let mut line = Map::new();
        line.insert("parentUuid".into(), json!(self.leaf));
        line.insert("isSidechain".into(), json!(self.sidechain.is_some()));
        if let Some(agent) = &self.sidechain {
            line.insert("agentId".into(), json!(agent));
        }
        self.leaf = entry
            .get("uuid")
            .and_then(Value::as_str)
            .map(ToOwned::to_owned);
        line.extend(entry);
        line.entry("timestamp")
            .or_insert_with(|| json!(clock::now_iso()));
        line.extend(self.common.clone());
        self.write(&Value::Object(line));
    }

    /// The next line follows on what stood before a message.
    pub fn rewind(&mut self, said: &Said) {
        self.leaf.clone_from(&said.after);
        self.note(json!({
            "type": "last-prompt", "lastPrompt": said.text, "leafUuid": said.after, "explicit": true,
            "rewound": true, "cutUuid": said.uuid,
        }));
    }

    /// A line beside the conversation: titles, queue, cost.
    pub fn note(&mut self, mut entry: Value) {
        entry["sessionId"] = self.common["sessionId"].clone();
        self.write(&entry);
    }

    fn write(&mut self, line: &Value) {
        if self.file.is_none() {
            self.file = folders::open_private(&self.path, true).ok();
        }
        // one write per line, so that a kill leaves whole lines; a full disk must not stop the conversation
        if let Some(file) = &mut self.file {
            let _ = file.write_all(format!("{line}\n").as_bytes());
        }
    }
}

fn git_branch(project: &Path) -> String {
    let head = std::fs::read_to_string(project.join(".git/HEAD")).unwrap_or_default();
    head.trim()
        .strip_prefix("ref: refs/heads/")
        .unwrap_or("HEAD")
        .to_owned()
}
