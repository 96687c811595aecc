//! Recordings of Claude Code: what it and a host said to each other, line by line.

use super::super::outgoing::INITIALIZE;
use serde_json::Value;
use std::path::{Path, PathBuf};

pub struct Recording {
    pub name: String,
    pub lines: Vec<Recorded>,
}

pub enum Recorded {
    FromAgent(Vec<u8>),
    FromHost(Value),
    Ended { code: Option<i64> },
}

pub fn folder(name: &str) -> PathBuf {
    Path::new("tests/fixtures").join(name)
}

pub fn all() -> Vec<Recording> {
    let files = std::fs::read_dir(folder("recordings")).expect("the recordings");
    let mut all: Vec<Recording> = files
        .map(|file| file.expect("a file").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "jsonl")
        })
        .map(|path| read(&path))
        .collect();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(all.len() >= 46, "{} recordings", all.len());
    all
}

fn read(path: &Path) -> Recording {
    let text = std::fs::read_to_string(path).expect("a recording");
    let mut lines = Vec::new();
    // the host of the recording named its greetings in its own way
    let mut greetings: Vec<String> = Vec::new();
    for line in text.lines() {
        let recorded: Value = serde_json::from_str(line).expect("JSON");
        match recorded["dir"].as_str() {
            Some("host->cli") => {
                let message = recorded["msg"].clone();
                if message["request"]["subtype"] == "initialize" {
                    greetings.extend(message["request_id"].as_str().map(str::to_owned));
                }
                lines.push(Recorded::FromHost(message));
            }
            Some("cli->host") => {
                // as it was written: the message is the last field
                let (_, message) = line.split_once("\"msg\":").expect("a message");
                let mut message = message.strip_suffix('}').expect("its end").to_owned();
                for id in &greetings {
                    message = message.replace(id.as_str(), INITIALIZE);
                }
                lines.push(Recorded::FromAgent(message.into_bytes()));
            }
            _ if recorded["note"] == "exit" => lines.push(Recorded::Ended {
                code: recorded["rc"].as_i64(),
            }),
            _ => {}
        }
    }
    let name = path
        .file_stem()
        .expect("a name")
        .to_string_lossy()
        .into_owned();
    Recording { name, lines }
}

impl Recording {
    pub fn agent_lines(&self) -> impl Iterator<Item = &[u8]> {
        self.lines.iter().filter_map(|line| match line {
            Recorded::FromAgent(line) => Some(line.as_slice()),
            _ => None,
        })
    }
}
