//! SQLite's write-ahead log, carried over into the database now and then. By itself SQLite does that inside a commit, and
//! the answer that is committed waits for it; here another thread does it, when nothing is written. That thread also
//! flushes what was asked: a person takes longer to answer, and then only the answer itself is left to be flushed.

use super::open::{self, OpenError};
use rusqlite::Connection;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// Writes after which it is worth it: the first write afterwards begins a new log, and that takes as long as another one.
const WORTH_IT: u32 = 250;
/// Nothing was written for so long: nobody waits for the disk now.
const QUIET: Duration = Duration::from_millis(500);
/// Writes without such a pause after which it is done all the same. One changes a few pages, so the log has some megabytes then.
const AT_THE_LATEST: u32 = 2_000;
/// In pages: if the thread cannot do it, or one write is very large, SQLite does it by itself after all.
const BY_ITSELF: u32 = 20_000;

pub struct Log(mpsc::Sender<News>);

enum News {
    Written,
    /// An answer to it will wait for all that is not flushed by then.
    Asked,
}

/// What was deleted stands in the log until it begins anew.
pub fn carry_over_whole(writing: &Connection) {
    let done = writing.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    if let Err(error) = done {
        tracing::warn!(%error, "what was deleted stays in the log of the database for a while");
    }
}

impl Log {
    /// `writing`: the connection whose commits must not wait.
    pub fn of(writing: &Connection, file: &Path) -> Result<Self, OpenError> {
        let own = open::connection(file)?;
        // a connection that cannot be told goes on as SQLite would
        if let Err(error) = writing.pragma_update(None, "wal_autocheckpoint", BY_ITSELF) {
            tracing::warn!(%error, "the log of the database is carried over while writing");
        }
        let (grew, written) = mpsc::channel();
        let unflushed = Unflushed::in_log_of(file);
        std::thread::Builder::new()
            .name("store-log".to_owned())
            .spawn(move || {
                while is_time(&written, &unflushed) {
                    // PASSIVE: never waits for a reader or a writer, nor lets one wait
                    let done = own.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
                    if let Err(error) = done {
                        tracing::warn!(%error, "the log of the database could not be carried over");
                    }
                }
            })
            .map_err(|error| OpenError::Thread(error.to_string()))?;
        Ok(Self(grew))
    }

    /// Something was written.
    pub fn grew(&self, was_asked: bool) {
        // without the thread SQLite does it by itself
        let _ = self.0.send(match was_asked {
            true => News::Asked,
            false => News::Written,
        });
    }
}

/// The log itself, as a file.
struct Unflushed(PathBuf);

impl Unflushed {
    fn in_log_of(database: &Path) -> Self {
        let mut log = database.as_os_str().to_owned();
        log.push("-wal");
        Self(log.into())
    }

    /// Only to save an answer the time: it flushes by itself what this could not.
    fn flush(&self) {
        if let Ok(log) = File::open(&self.0) {
            let _ = log.sync_data();
        }
    }
}

/// Waits until the log is to be carried over; no longer when nothing will be written any more.
fn is_time(written: &mpsc::Receiver<News>, unflushed: &Unflushed) -> bool {
    let mut writes = 0;
    while writes < AT_THE_LATEST {
        let next = match writes < WORTH_IT {
            true => written.recv().map_err(|_| RecvTimeoutError::Disconnected),
            false => written.recv_timeout(QUIET),
        };
        match next {
            Ok(news) => {
                writes += 1;
                if matches!(news, News::Asked) {
                    unflushed.flush();
                }
            }
            Err(RecvTimeoutError::Timeout) => break,
            Err(RecvTimeoutError::Disconnected) => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

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
        for _ in 0..WORTH_IT {
            writing
                .execute("INSERT INTO t VALUES (hex(randomblob(500)))", [])
                .expect("written");
            log.grew(true);
        }
        let patience = Instant::now() + Duration::from_secs(20);
        while size_of(&file) <= before {
            assert!(Instant::now() < patience, "the log stays where it is");
            std::thread::yield_now();
        }
    }
}
