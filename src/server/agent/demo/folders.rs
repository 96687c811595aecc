//! Owns where things lie below the configuration directory: transcripts, plans, the register of live processes.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// The longest folder name the CLI uses before it cuts and adds a hash.
const LONGEST_NAME: usize = 200;

#[derive(Clone, Debug)]
pub struct Folders {
    pub root: PathBuf,
}

impl Folders {
    pub fn project(&self, project: &Path) -> PathBuf {
        self.root
            .join("projects")
            .join(folder_name(&project.display().to_string()))
    }

    pub fn transcript(&self, project: &Path, session: &str) -> PathBuf {
        self.project(project).join(format!("{session}.jsonl"))
    }

    /// A session may be taken up from another directory than the one it began in.
    pub fn find_transcript(&self, project: &Path, session: &str) -> Option<PathBuf> {
        // an id is a file name here, so it must not be able to walk
        if session.is_empty()
            || !session
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
        {
            return None;
        }
        let here = self.transcript(project, session);
        if here.is_file() {
            return Some(here);
        }
        fs::read_dir(self.root.join("projects"))
            .ok()?
            .filter_map(Result::ok)
            .map(|entry| entry.path().join(format!("{session}.jsonl")))
            .find(|path| path.is_file())
    }

    pub fn newest_session(&self, project: &Path) -> Option<String> {
        fs::read_dir(self.project(project))
            .ok()?
            .filter_map(Result::ok)
            .filter(|entry| {
                entry
                    .path()
                    .extension()
                    .is_some_and(|extension| extension == "jsonl")
            })
            .max_by_key(|entry| entry.metadata().and_then(|data| data.modified()).ok())
            .and_then(|entry| Some(entry.path().file_stem()?.to_str()?.to_owned()))
    }

    pub fn plan(&self, slug: &str) -> PathBuf {
        self.root.join("plans").join(format!("{slug}.md"))
    }

    pub fn notes(&self) -> PathBuf {
        self.root.join("demo-notes")
    }

    fn registration(&self) -> PathBuf {
        self.root
            .join("sessions")
            .join(format!("{}.json", std::process::id()))
    }

    pub fn register(&self, entry: &Value) {
        let _ = write_private(&self.registration(), &entry.to_string());
    }

    pub fn unregister(&self) {
        let _ = fs::remove_file(self.registration());
    }
}

/// Only the owner may read what a session holds.
pub fn open_private(path: &Path, append: bool) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    OpenOptions::new()
        .create(true)
        .append(append)
        .write(true)
        .truncate(!append)
        .mode(0o600)
        .open(path)
}

pub fn write_private(path: &Path, text: &str) -> io::Result<()> {
    open_private(path, false)?.write_all(text.as_bytes())
}

/// The files that the demonstration asks to read: its own, and harmless.
pub fn ensure_notes(folder: &Path, count: usize) -> Vec<PathBuf> {
    const LINES: [&str; 6] = [
        "Water the tomatoes before eight.",
        "The spare key hangs behind the blue door.",
        "Ask Robin about the ladder.",
        "Bread, lemons, a light bulb.",
        "The train leaves at 14:07, not 14:17.",
        "A good question is half of the answer.",
    ];
    (0..count)
        .map(|index| {
            let path = folder.join(format!("note-{:02}.txt", index + 1));
            if !path.exists() {
                let _ = write_private(&path, &format!("{}\n", LINES[index % LINES.len()]));
            }
            path
        })
        .collect()
}

pub fn registration(
    session: &str,
    project: &Path,
    started: u64,
    status: &str,
    version: &str,
) -> Value {
    let mut entry = json!({
        "pid": std::process::id(), "sessionId": session, "cwd": project, "startedAt": started,
        "status": status, "version": version,
    });
    if status == "waiting" {
        entry["waitingFor"] = json!("permission prompt");
    }
    entry
}

/// Everything but ASCII letters and digits becomes `-`, counted as JavaScript counts characters.
fn folder_name(path: &str) -> String {
    let mut name = String::new();
    for character in path.chars() {
        if character.is_ascii_alphanumeric() {
            name.push(character);
        } else {
            name.extend(std::iter::repeat_n('-', character.len_utf16()));
        }
    }
    if name.len() > LONGEST_NAME {
        name.truncate(LONGEST_NAME);
        name = format!("{name}-{}", short_hash(path));
    }
    name
}

fn short_hash(text: &str) -> String {
    let hash = text.encode_utf16().fold(0_i32, |hash, unit| {
        hash.wrapping_mul(31).wrapping_add(i32::from(unit))
    });
    base36(u64::from(hash.unsigned_abs()))
}

pub fn base36(mut number: u64) -> String {
    let mut digits = Vec::new();
    loop {
        let digit = u32::try_from(number % 36).unwrap_or(0);
        digits.extend(char::from_digit(digit, 36));
        number /= 36;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::folder_name;

    #[test]
    fn a_project_folder_is_named_as_the_cli_names_it() {
        assert_eq!(
            folder_name("/home/dev/work/bash_allow"),
            "-home-dev-work-bash-allow"
        );
        assert_eq!(folder_name("/ü/🎨"), "-----");
        let long = folder_name(&"/abcdefghi".repeat(30));
        assert!(long.len() > 201 && long.len() < 210 && long.starts_with("-abcdefghi-"));
    }
}
