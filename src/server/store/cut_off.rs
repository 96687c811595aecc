//! Requests that were open when the server stopped, as long as nobody has seen it.

use super::{Store, Write};
use crate::model::{PendingRequest, RequestId, SessionId};
use rusqlite::Transaction;

impl Store {
    pub fn note_cut_off(&self, request_id: RequestId) {
        self.queue(Write::CutOff(request_id));
    }

    /// All of a session.
    pub fn note_cut_off_seen(&self, session_id: SessionId) {
        self.queue(Write::CutOffSeen(session_id));
    }

    /// Oldest first.
    pub fn cut_off(&self) -> Vec<(SessionId, PendingRequest)> {
        let rows: Vec<(String, String)> = self.read(|connection| {
            let mut statement = connection.prepare(
                "SELECT session_id, request FROM requests WHERE cut_off = 1 ORDER BY asked_at",
            )?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        });
        let read = rows.into_iter().filter_map(|(session_id, request)| {
            Some((
                session_id.parse().ok()?,
                serde_json::from_str(&request).ok()?,
            ))
        });
        read.collect()
    }
}

pub fn write(transaction: &Transaction<'_>, request_id: RequestId) -> rusqlite::Result<usize> {
    transaction.execute(
        "UPDATE requests SET cut_off = 1 WHERE request_id = ?1",
        [request_id.to_string()],
    )
}

pub fn seen(transaction: &Transaction<'_>, session_id: SessionId) -> rusqlite::Result<usize> {
    transaction.execute(
        "UPDATE requests SET cut_off = 0 WHERE session_id = ?1 AND cut_off = 1",
        [session_id.to_string()],
    )
}
