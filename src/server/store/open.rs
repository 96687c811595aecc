//! Opening the database: its settings, its schema, and refusing what we do not understand.

use rusqlite::Connection;
use std::fs::{File, Permissions};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// Added to, never edited: the number of steps taken is the schema's version.
const MIGRATIONS: [&str; 9] = [
    include_str!("migrations/001_first.sql"),
    include_str!("migrations/002_conversations.sql"),
    include_str!("migrations/003_attachments.sql"),
    include_str!("migrations/004_history.sql"),
    include_str!("migrations/005_policies.sql"),
    include_str!("migrations/006_capabilities.sql"),
    include_str!("migrations/007_effort.sql"),
    include_str!("migrations/008_archive.sql"),
    include_str!("migrations/009_cut_off.sql"),
];

#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("the database {path} cannot be opened: {reason}")]
    Unusable { path: String, reason: String },
    #[error(
        "the database {path} was made by a newer Countersign (its schema is {found}, this one knows {known}): use the newer one, or another --data-dir"
    )]
    Newer {
        path: String,
        found: usize,
        known: usize,
    },
    #[error("the store cannot start: {0}")]
    Thread(String),
}

pub fn connection(file: &Path) -> Result<Connection, OpenError> {
    let path = file.display().to_string();
    for_its_owner_only(file).map_err(|error| OpenError::Unusable {
        path: path.clone(),
        reason: error.to_string(),
    })?;
    let mut connection = Connection::open(file)
        .and_then(|connection| {
            connection.busy_timeout(std::time::Duration::from_secs(5))?;
            // FULL: an answer that was reported as stored survives a power cut
            connection.pragma_update(None, "journal_mode", "WAL")?;
            connection.pragma_update(None, "synchronous", "FULL")?;
            // what is deleted is gone from the file, too
            connection.pragma_update(None, "secure_delete", "ON")?;
            connection.pragma_update(None, "cache_size", -1024)?;
            Ok(connection)
        })
        .map_err(|error| OpenError::Unusable {
            path: path.clone(),
            reason: error.to_string(),
        })?;
    migrate(&mut connection, &path)?;
    Ok(connection)
}

/// Before anything is in it. The files that SQLite puts beside it get the same rights.
fn for_its_owner_only(file: &Path) -> std::io::Result<()> {
    let opened = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .mode(0o600)
        .open(file)?;
    opened.set_permissions(Permissions::from_mode(0o600))
}

fn migrate(connection: &mut Connection, path: &str) -> Result<(), OpenError> {
    let unusable = |error: rusqlite::Error| OpenError::Unusable {
        path: path.to_owned(),
        reason: error.to_string(),
    };
    let version: i64 = connection
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .map_err(unusable)?;
    let found = usize::try_from(version).unwrap_or(usize::MAX);
    if found > MIGRATIONS.len() {
        return Err(OpenError::Newer {
            path: path.to_owned(),
            found,
            known: MIGRATIONS.len(),
        });
    }
    for (index, step) in MIGRATIONS.iter().enumerate().skip(found) {
        let transaction = connection.transaction().map_err(unusable)?;
        transaction.execute_batch(step).map_err(unusable)?;
        transaction
            .pragma_update(
                None,
                "user_version",
                i64::try_from(index + 1).unwrap_or(i64::MAX),
            )
            .map_err(unusable)?;
        transaction.commit().map_err(unusable)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newer_database_is_refused_in_words() {
        let directory = tempfile::tempdir().expect("directory");
        let file = directory.path().join("countersign.db");
        connection(&file)
            .expect("new")
            .pragma_update(None, "user_version", 99)
            .expect("newer");
        let error = connection(&file).expect_err("newer").to_string();
        assert!(error.contains("newer Countersign"), "{error}");
    }

    #[test]
    fn a_database_of_an_earlier_version_keeps_what_it_has() {
        let directory = tempfile::tempdir().expect("directory");
        let file = directory.path().join("countersign.db");
        let earlier = Connection::open(&file).expect("opened");
        for step in &MIGRATIONS[..6] {
            earlier.execute_batch(step).expect("a step");
        }
        let filled = "PRAGMA user_version = 6;
            INSERT INTO requests (request_id, session_id, asked_at, request) VALUES ('r', 's', 1, '{}');
            INSERT INTO sessions VALUES ('s', '/code/api', 'Rate limits', 1, 2, 'default', NULL, NULL, 0, NULL, NULL);";
        earlier.execute_batch(filled).expect("filled");
        drop(earlier);
        let kept: (String, Option<f64>, bool) = connection(&file)
            .expect("opened")
            .query_row(
                "SELECT sessions.title, archived_at, cut_off FROM sessions JOIN requests USING (session_id)",
                [],
                |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
            )
            .expect("kept");
        assert_eq!(kept, ("Rate limits".to_owned(), None, false));
    }

    #[test]
    fn what_is_not_a_database_is_refused_in_words() {
        let directory = tempfile::tempdir().expect("directory");
        let file = directory.path().join("countersign.db");
        std::fs::write(
            &file,
            "this is not a database, it is a letter to my mother, long enough",
        )
        .expect("written");
        let error = connection(&file).expect_err("a letter").to_string();
        assert!(error.contains("cannot be opened"), "{error}");
    }
}
