//! A person reads and writes the files that an agent reads before everything else. Only those that it lists at that
//! moment: a path that a client names is never enough.

use super::Hub;
use super::about::PATIENCE;
use crate::model::{Code, Digest, MemoryText, Refusal, SessionId};
use crate::server::agent::text_file::{self, TextFile};
use crate::server::agent::{Question, about};
use sha2::{Digest as _, Sha256};
use std::path::{Path, PathBuf};

impl Hub {
    pub async fn read_memory(
        &self,
        session_id: SessionId,
        path: String,
    ) -> Result<MemoryText, Refusal> {
        let path = self.listed_file(session_id, path).await?;
        let reading = tokio::task::spawn_blocking(move || {
            let found = text_file::read(&path)?;
            Ok(found.map(|file| shown(file, &path)).unwrap_or_default())
        });
        let found = reading.await.map_err(|_| failed())?;
        found.map_err(|why: String| Refusal::new(Code::InvalidRequest, why))
    }

    pub async fn save_memory(
        &self,
        session_id: SessionId,
        path: String,
        text: String,
        seen: Option<Digest>,
    ) -> Result<String, Refusal> {
        if text.len() > text_file::LARGEST {
            return Err(Refusal::new(
                Code::TooLarge,
                "The text has more than 1 MB, which is the most that can be saved here.",
            ));
        }
        let path = self.listed_file(session_id, path).await?;
        let saving = tokio::task::spawn_blocking(move || {
            text_file::change(&path, |before| {
                let is_as_seen = before.map(|file| digest(&file.text)) == seen;
                match is_as_seen {
                    true => Ok(Some(text)),
                    false => Err(Trouble::Changed),
                }
            })
            .map(|()| saved(&path))
        });
        let done = saving.await.map_err(|_| failed())?;
        done.map_err(|trouble| match trouble {
            Trouble::Changed => Refusal::new(Code::ContentChanged, CHANGED),
            Trouble::Disk(why) => Refusal::new(Code::InvalidRequest, why),
        })
    }

    async fn listed_file(&self, session_id: SessionId, path: String) -> Result<PathBuf, Refusal> {
        self.project_of_session(session_id)?;
        let listed = self.told(session_id, Question::Memory, PATIENCE).await;
        let listed = listed.map_err(|why| Refusal::new(Code::AgentUnavailable, why))?;
        match about::is_listed(&listed, &path) {
            true => Ok(PathBuf::from(path)),
            false => Err(Refusal::new(
                Code::Forbidden,
                "The agent does not list this file as one of its memory files, so it is not opened.",
            )),
        }
    }
}

const CHANGED: &str =
    "The file was changed by someone else since you opened it. Nothing was written.";

enum Trouble {
    Changed,
    Disk(String),
}

impl From<String> for Trouble {
    fn from(why: String) -> Self {
        Self::Disk(why)
    }
}

fn shown(file: TextFile, path: &Path) -> MemoryText {
    let is_elsewhere = file.target != path;
    MemoryText {
        digest: Some(digest(&file.text)),
        target: is_elsewhere.then(|| file.target.display().to_string()),
        text: file.text,
    }
}

/// A conversation goes on with what was read at its beginning.
fn saved(path: &Path) -> String {
    let path = path.display();
    format!(
        "Saved {path}. The agent reads it when its process starts, and after /clear or /compact."
    )
}

fn digest(text: &str) -> Digest {
    let bytes = Sha256::digest(text.as_bytes());
    Digest(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn failed() -> Refusal {
    Refusal::new(Code::Internal, "The file could not be opened. Try again.")
}
