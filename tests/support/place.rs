//! A home, a project and a data directory of a test's own. It outlives the servers that are started in it.

use super::PATIENCE;
use super::server::Start;
use rusqlite::Connection;
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;

#[derive(Clone)]
pub struct Place(Arc<TempDir>);

impl Place {
    pub fn new() -> Self {
        let place = Self(Arc::new(tempfile::tempdir().expect("a temporary folder")));
        for folder in [place.home(), place.project()] {
            fs::create_dir(folder).expect("a folder");
        }
        place
    }

    /// A server in this place, to be described further.
    pub fn server(&self) -> Start {
        Start::new(self.clone())
    }

    pub fn root(&self) -> PathBuf {
        self.0.path().canonicalize().expect("the folder exists")
    }

    pub fn home(&self) -> PathBuf {
        self.root().join("home")
    }

    pub fn data(&self) -> PathBuf {
        self.root().join("data")
    }

    pub fn project(&self) -> PathBuf {
        self.root().join("project")
    }

    pub fn project_file(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.project().join(name)).ok()
    }

    /// The database, beside a server or after it.
    pub fn database(&self) -> Connection {
        let file = self.data().join("countersign.db");
        let database = Connection::open(file).expect("a database");
        let patient = database.busy_timeout(PATIENCE);
        patient.expect("it waits for the server");
        database
    }

    /// The number of the last event on disk.
    pub fn last_stored(&self, session: &str) -> Option<i64> {
        let query = "SELECT max(seq) FROM events WHERE session_id = ?1";
        let last = self
            .database()
            .query_row(query, [session], |row| row.get(0));
        last.expect("a number")
    }

    /// How many events of this kind are on disk. What a client was told may still be on its way there.
    pub fn stored_events(&self, session: &str, kind: &str) -> i64 {
        let query = "SELECT count(*) FROM events WHERE session_id = ?1 AND event ->> 'kind' = ?2";
        let count = self
            .database()
            .query_row(query, [session, kind], |row| row.get(0));
        count.expect("a count")
    }

    /// Everything that runs with this place as its home: number and command line. Nobody else has this home.
    pub fn processes(&self) -> Vec<(i32, String)> {
        let mark = format!("HOME={}", self.home().display());
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let Ok(id) = entry.file_name().to_string_lossy().parse::<i32>() else {
                continue;
            };
            let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
            if environment
                .split(|byte| *byte == 0)
                .any(|variable| variable == mark.as_bytes())
            {
                let command = fs::read(entry.path().join("cmdline")).unwrap_or_default();
                let command = String::from_utf8_lossy(&command).replace('\0', " ");
                found.push((id, command.trim().to_owned()));
            }
        }
        found
    }

    /// The numbers of those whose command line has these words.
    pub fn running(&self, words: &str) -> Vec<i32> {
        self.processes()
            .into_iter()
            .filter(|(_, command)| command.contains(words))
            .map(|(id, _)| id)
            .collect()
    }

    /// Ends whatever is left here, each by its own number.
    pub fn clear(&self) {
        for (id, _) in self.processes() {
            if let Some(id) = Pid::from_raw(id) {
                let _ = kill_process(id, Signal::KILL);
            }
        }
    }
}
