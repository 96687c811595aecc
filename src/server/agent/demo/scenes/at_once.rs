//! Owns the scene with many questions at the same time, answered in any order.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::super::folders;
use super::super::outcomes::Fate;
use super::super::stream::Block;
use super::super::tools::Call;
use super::super::turn::{Stop, Turn};

/// Harmless files that most systems have; what is missing is filled up with notes of our own.
const FAMILIAR: [&str; 3] = ["/etc/hosts", "/etc/hostname", "/etc/os-release"];

pub async fn read_many(turn: &mut Turn, count: usize) -> Result<(), Stop> {
    let words = format!(
        "I would like to look at {}. All of the requests come at once, and you may answer them in any order.",
        if count == 1 {
            "a file outside the project".to_owned()
        } else {
            format!("{count} files outside the project")
        }
    );
    let mut blocks = vec![Block::Text(words)];
    blocks.extend(
        files(turn, count)
            .into_iter()
            .map(|path| Block::Tool(Call::new("Read", json!({ "file_path": path })))),
    );
    let outcomes = turn.respond(blocks).await?;
    let read = outcomes
        .iter()
        .filter(|outcome| outcome.fate == Fate::Ran)
        .count();
    let mut closing = match (read, outcomes.len() - read) {
        (_, 0) => format!("All {read} are read."),
        (0, _) => "I read none of them.".to_owned(),
        (_, left) => format!("I read {read} and left {left} alone."),
    };
    let mut separator = "\n\n";
    for outcome in &outcomes {
        if let Fate::Denied(reason) = &outcome.fate
            && !reason.trim().is_empty()
        {
            let path = outcome.input["file_path"].as_str().unwrap_or_default();
            closing.push_str(&format!(
                "{separator}- `{path}`: you said \"{}\"",
                reason.trim().replace('\n', " ")
            ));
            separator = "\n";
        }
    }
    turn.say(closing).await
}

fn files(turn: &Turn, count: usize) -> Vec<PathBuf> {
    let familiar: Vec<PathBuf> = FAMILIAR
        .iter()
        .map(PathBuf::from)
        .filter(|path| path.is_file())
        .take(if count == 3 { 3 } else { 0 })
        .collect();
    let notes_folder: &Path = &turn.agent.folders.notes();
    let missing = count - familiar.len();
    familiar
        .into_iter()
        .chain(folders::ensure_notes(notes_folder, missing))
        .collect()
}
