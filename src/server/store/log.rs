//! SQLite's write-ahead log, carried over into the database now and then. By itself SQLite does that inside a commit, and
//! the answer that is committed waits for it; here another thread does it, beside the writing.

use super::open::{self, OpenError};
use rusqlite::Connection;
use std::cell::Cell;
use std::path::Path;
use std::sync::mpsc;

/// Writes between two times. One changes a few pages, so the log stays at a few megabytes.
const OFTEN_ENOUGH: u32 = 250;
/// In pages: if the thread cannot do it, or one write is very large, SQLite does it by itself after all.
const AT_THE_LATEST: u32 = 20_000;

pub struct Log {
    writes: Cell<u32>,
    carry_over: mpsc::SyncSender<()>,
}

impl Log {
    /// `writing`: the connection whose commits must not wait.
    pub fn of(writing: &Connection, file: &Path) -> Result<Self, OpenError> {
        let own = open::connection(file)?;
        // a connection that cannot be told goes on as SQLite would
        if let Err(error) = writing.pragma_update(None, "wal_autocheckpoint", AT_THE_LATEST) {
            tracing::warn!(%error, "the log of the database is carried over while writing");
        }
        let (carry_over, wanted) = mpsc::sync_channel(1);
        std::thread::Builder::new()
            .name("store-log".to_owned())
            .spawn(move || {
                while wanted.recv().is_ok() {
                    // PASSIVE: never waits for a reader or a writer, nor lets one wait
                    let done = own.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
                    if let Err(error) = done {
                        tracing::warn!(%error, "the log of the database could not be carried over");
                    }
                }
            })
            .map_err(|error| OpenError::Thread(error.to_string()))?;
        Ok(Self {
            writes: Cell::new(0),
            carry_over,
        })
    }

    /// Something was written.
    pub fn grew(&self) {
        self.writes.set(self.writes.get() + 1);
        // one that is on its way does for this, too
        if self.writes.get() >= OFTEN_ENOUGH && self.carry_over.try_send(()).is_ok() {
            self.writes.set(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    fn size_of(file: &Path) -> u64 {
        std::fs::metadata(file).map_or(0, |data| data.len())
    }

    #[test]
    fn what_is_written_reaches_the_database_while_it_is_open() {
        let directory = tempfile::tempdir().expect("directory");
        let file = directory.path().join("countersign.db");
        let writing = open::connection(&file).expect("opened");
        let log = Log::of(&writing, &file).expect("log");
        writing
            .execute_batch("CREATE TABLE t (x TEXT)")
            .expect("table");
        let before = size_of(&file);
        for _ in 0..OFTEN_ENOUGH {
            writing
                .execute("INSERT INTO t VALUES (hex(randomblob(500)))", [])
                .expect("written");
            log.grew();
        }
        let patience = Instant::now() + Duration::from_secs(20);
        while size_of(&file) <= before {
            assert!(Instant::now() < patience, "the log stays where it is");
            std::thread::yield_now();
        }
    }
}
