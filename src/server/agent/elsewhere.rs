//! Conversations as the agent keeps them on the disk, also those that were held elsewhere, perhaps in a terminal: which there
//! are, what was said in one, and what was said since it was last ours. With each line the agent writes down who had started
//! it. Everything here blocks while it reads.

use super::launch::ENTRYPOINT;
use super::protocol::written::{self, Written};
use crate::model::{KeptConversation, UnixTime};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use uuid::Uuid;

/// Only the end of a long conversation is looked at.
const MOST: u64 = 32 * 1024 * 1024;
/// So much of each end of a file is read to know what it is about.
const GLANCE: u64 = 64 * 1024;
const MOST_LISTED: usize = 50;
/// The name of a project's folder is cut after so many characters.
const CUT: usize = 200;

/// The conversations of a project, the newest first.
pub fn conversations(directory: &Path, project: &Path) -> Vec<KeptConversation> {
    let beginning: String = folder_of(project).chars().take(CUT).collect();
    let folders = children(&directory.join("projects")).filter(|folder| {
        let name = folder.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| {
            name == beginning || (beginning.len() == CUT && name.starts_with(&beginning))
        })
    });
    let mut found: Vec<(UnixTime, Uuid, PathBuf)> = folders
        .flat_map(|folder| children(&folder))
        .filter_map(|file| {
            let id = file.file_stem()?.to_str()?.parse().ok()?;
            let is_it = file
                .extension()
                .is_some_and(|extension| extension == "jsonl");
            let changed = file.metadata().ok()?.modified().ok()?;
            let since = changed.duration_since(UNIX_EPOCH).ok()?;
            is_it.then_some((UnixTime(since.as_secs_f64()), id, file))
        })
        .collect();
    found.sort_by(|(one, ..), (other, ..)| other.0.total_cmp(&one.0));
    found
        .into_iter()
        .filter_map(|(updated_at, conversation_id, file)| {
            let glance = glance(&file).ok()?;
            let lines = || glance.iter().cloned();
            let is_here =
                written::directory(lines()).is_some_and(|held_in| Path::new(&held_in) == project);
            let (title, begins) = written::title(lines()).filter(|_| is_here)?;
            Some(KeptConversation {
                conversation_id,
                title,
                begins: begins.as_deref().map(first_words),
                updated_at,
            })
        })
        .take(MOST_LISTED)
        .collect()
}

/// Enough to know it by.
fn first_words(text: &str) -> String {
    const MOST: usize = 120;
    let line = text.lines().next().unwrap_or_default();
    line.chars().take(MOST).collect()
}

/// What was said in a conversation.
pub fn conversation(directory: &Path, id: Uuid) -> Vec<Written> {
    let lines = kept_in(directory, id).and_then(|file| end_of(&file).ok());
    lines.map(written::conversation).unwrap_or_default()
}

/// What was said in a conversation after the last that was said here.
pub fn since_ours(directory: &Path, id: Uuid) -> Vec<Written> {
    // most often it was we who wrote last: then the rest is not read
    let last = kept_in(directory, id).and_then(|file| glance(&file).ok());
    if last.is_none_or(|lines| written::last_by(lines.into_iter()).as_deref() == Some(ENTRYPOINT)) {
        return Vec::new();
    }
    let mut all = conversation(directory, id);
    let is_ours = |line: &Written| line.entrypoint.as_deref() == Some(ENTRYPOINT);
    let ours = all.iter().rposition(is_ours).map_or(0, |last| last + 1);
    all.split_off(ours)
}

/// As the agent names the folder of a project: everything but ASCII letters and digits becomes a dash.
fn folder_of(project: &Path) -> String {
    let characters = project.to_string_lossy();
    let dashed = characters.chars().flat_map(|character| match character {
        character if character.is_ascii_alphanumeric() => vec![character],
        other => vec!['-'; other.len_utf16()],
    });
    dashed.collect()
}

fn kept_in(directory: &Path, conversation: Uuid) -> Option<PathBuf> {
    let name = format!("{conversation}.jsonl");
    let mut files = children(&directory.join("projects")).map(|project| project.join(&name));
    files.find(|file| file.is_file())
}

fn children(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path())
}

fn end_of(file: &Path) -> io::Result<impl Iterator<Item = String> + use<>> {
    let mut file = File::open(file)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(MOST)))?;
    // the first line may be cut, and is then none
    let lines = BufReader::new(file).split(b'\n').map_while(Result::ok);
    Ok(lines.map(|line| String::from_utf8_lossy(&line).into_owned()))
}

/// The lines at both ends of a file; where it was cut there is none.
fn glance(file: &Path) -> io::Result<Vec<String>> {
    let mut file = File::open(file)?;
    let length = file.metadata()?.len();
    let mut bytes = Vec::new();
    (&mut file).take(GLANCE).read_to_end(&mut bytes)?;
    if length > 2 * GLANCE {
        bytes.push(b'\n');
        file.seek(SeekFrom::Start(length - GLANCE))?;
    }
    file.read_to_end(&mut bytes)?;
    let lines = bytes.split(|byte| *byte == b'\n');
    Ok(lines
        .map(|line| String::from_utf8_lossy(line).into_owned())
        .collect())
}

#[cfg(test)]
mod tests;
