//! What goes with a session that is deleted, and what stays: its requests and their answers, for they are the record of what
//! was decided.

use crate::model::SessionId;
use rusqlite::Transaction;

/// The history says where it was asked also when the session is gone.
const REMEMBER_WHERE: &str = "
    UPDATE requests SET (project_id, title) =
        (SELECT project_id, title FROM sessions WHERE sessions.session_id = requests.session_id)
    WHERE session_id = ?1";

/// A fork shows the files of what it is a copy of: those become its own. It is known by its first event, which is the same.
const GIVE_TO_FORKS: &str = "
    UPDATE attachments SET session_id = coalesce((
        SELECT fork.session_id FROM sessions AS fork
        WHERE fork.session_id <> ?1
          AND (SELECT event FROM events WHERE session_id = fork.session_id ORDER BY seq LIMIT 1)
            = (SELECT event FROM events WHERE session_id = ?1 ORDER BY seq LIMIT 1)
          AND EXISTS (SELECT 1 FROM events WHERE session_id = fork.session_id AND instr(event, attachment_id) > 0)
        LIMIT 1), session_id)
    WHERE session_id = ?1";

pub fn forget(transaction: &Transaction<'_>, session_id: SessionId) -> rusqlite::Result<usize> {
    let id = session_id.to_string();
    transaction.execute(REMEMBER_WHERE, [&id])?;
    transaction.execute(GIVE_TO_FORKS, [&id])?;
    transaction.execute("DELETE FROM attachments WHERE session_id = ?1", [&id])?;
    transaction.execute("DELETE FROM events WHERE session_id = ?1", [&id])?;
    transaction.execute("DELETE FROM sessions WHERE session_id = ?1", [&id])
}
