//! Reading back. Short look-ups on a connection of their own, so that they never wait for the writer.

use super::Store;
use super::history::read_word;
use crate::model::policy::OwnPolicies;
use crate::model::{
    Event, MessageId, Outcome, PermissionMode, ProjectId, RequestId, ResolvedBy, Response,
    SessionId, UnixTime,
};
use rusqlite::{Connection, OptionalExtension, params};
use std::sync::PoisonError;
use uuid::Uuid;

#[derive(Clone, Debug, PartialEq)]
pub struct StoredSession {
    pub session_id: SessionId,
    pub project_id: ProjectId,
    pub title: String,
    pub created_at: UnixTime,
    pub updated_at: UnixTime,
    pub permission_mode: PermissionMode,
    pub model: Option<String>,
    /// How much the model is to think; none: as the agent wants.
    pub effort: Option<String>,
    /// Under which the agent keeps the conversation, once that is another id than ours.
    pub conversation_id: Option<Uuid>,
    /// Started so that it may do everything without asking.
    pub may_bypass: bool,
    /// The conversation this is to be a copy of; none once it has been made.
    pub fork_of: Option<Uuid>,
    /// What it has of its own.
    pub policies: OwnPolicies,
    /// Put away by a person.
    pub archived_at: Option<UnixTime>,
}

impl StoredSession {
    /// The agent's id for the conversation.
    pub fn kept_as(&self) -> Uuid {
        self.conversation_id.unwrap_or(self.session_id.0)
    }
}

/// A request that was open when the server went away.
#[derive(Clone, Debug, PartialEq)]
pub struct Unsettled {
    pub session_id: SessionId,
    pub request_id: RequestId,
    pub asked_at: UnixTime,
    /// An answer that was accepted; the end of the request was not yet written.
    pub answered: Option<(Response, UnixTime)>,
}

/// What cannot be read is as in the settings.
fn policies(text: Option<String>) -> OwnPolicies {
    text.and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default()
}

impl Store {
    pub fn sessions(&self) -> Vec<StoredSession> {
        let id = |text: Option<String>| text.and_then(|text| text.parse().ok());
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT session_id, project_id, title, created_at, updated_at, permission_mode, model,
                        conversation_id, may_bypass, fork_of, policies, effort, archived_at FROM sessions",
            )?;
            let rows = statement.query_map([], |row| {
                Ok((
                    row.get::<_, String>(0)?,
                    StoredSession {
                        session_id: SessionId(uuid::Uuid::nil()),
                        project_id: ProjectId(row.get(1)?),
                        title: row.get(2)?,
                        created_at: UnixTime(row.get(3)?),
                        updated_at: UnixTime(row.get(4)?),
                        permission_mode: PermissionMode::from_word(&row.get::<_, String>(5)?),
                        model: row.get(6)?,
                        conversation_id: id(row.get(7)?),
                        may_bypass: row.get(8)?,
                        fork_of: id(row.get(9)?),
                        policies: policies(row.get(10)?),
                        effort: row.get(11)?,
                        archived_at: row.get::<_, Option<f64>>(12)?.map(UnixTime),
                    },
                ))
            })?;
            let mut sessions = Vec::new();
            for row in rows {
                let (id, mut session) = row?;
                if let Ok(id) = id.parse() {
                    session.session_id = id;
                    sessions.push(session);
                }
            }
            Ok(sessions)
        })
    }

    /// The last `limit` events of a session, in order.
    pub fn newest_events(&self, session_id: SessionId, limit: usize) -> Vec<Event> {
        self.events_before(session_id, u64::MAX, limit)
    }

    /// Up to `limit` events right before one, in order.
    pub fn events_before(&self, session_id: SessionId, seq: u64, limit: usize) -> Vec<Event> {
        self.read(|connection| events(connection, session_id, seq, limit))
    }

    /// All of them, in order.
    pub fn all_events(&self, session_id: SessionId) -> Vec<Event> {
        self.search(|connection| events(connection, session_id, u64::MAX, usize::MAX))
    }

    pub fn last_seq(&self, session_id: SessionId) -> u64 {
        let last: i64 = self.read(|connection| {
            connection.query_row(
                "SELECT coalesce(max(seq), 0) FROM events WHERE session_id = ?1",
                [session_id.to_string()],
                |row| row.get(0),
            )
        });
        u64::try_from(last).unwrap_or(0)
    }

    /// The agent has said or done something in this session, so it has kept the conversation.
    pub fn has_begun(&self, session_id: SessionId) -> bool {
        self.read(|connection| {
            connection.query_row(
                "SELECT EXISTS (SELECT 1 FROM events WHERE session_id = ?1 AND (
                     event ->> 'kind' IN ('text_written', 'thought', 'tool_called', 'asked')
                     OR (event ->> 'kind' = 'turn_finished' AND event ->> 'error' IS NULL)))",
                [session_id.to_string()],
                |row| row.get(0),
            )
        })
    }

    /// Somebody sent it in this session, however long ago.
    pub fn has_message(&self, session_id: SessionId, message_id: MessageId) -> bool {
        self.read(|connection| {
            connection.query_row(
                "SELECT EXISTS (SELECT 1 FROM events WHERE session_id = ?1
                     AND event ->> 'kind' = 'message_sent' AND event ->> 'message_id' = ?2)",
                [session_id.to_string(), message_id.0.to_string()],
                |row| row.get(0),
            )
        })
    }

    /// Its last process has ended. What a person did in it afterwards began none.
    pub fn has_ended(&self, session_id: SessionId) -> bool {
        self.read(|connection| {
            let kind: Option<String> = connection
                .query_row(
                    "SELECT event ->> 'kind' FROM events WHERE session_id = ?1
                         AND event ->> 'kind' IN ('message_sent', 'process_started', 'process_ended')
                     ORDER BY seq DESC LIMIT 1",
                    [session_id.to_string()],
                    |row| row.get(0),
                )
                .optional()?;
            Ok(kind.is_none_or(|kind| kind == "process_ended"))
        })
    }

    /// How a request ended, also one of an earlier server.
    pub fn end_of(
        &self,
        session_id: SessionId,
        request_id: RequestId,
    ) -> Option<(Outcome, ResolvedBy)> {
        let words: Option<(Option<String>, Option<String>)> = self.read(|connection| {
            let ids = [session_id.to_string(), request_id.to_string()];
            connection
                .query_row(
                    "SELECT outcome, resolved_by FROM requests WHERE session_id = ?1 AND request_id = ?2",
                    ids,
                    |row| Ok((row.get(0)?, row.get(1)?)),
                )
                .optional()
        });
        let (outcome, by) = words?;
        Some((read_word(outcome)?, read_word(by)?))
    }

    pub fn unsettled(&self) -> Vec<Unsettled> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT session_id, request_id, asked_at, response, answered_at FROM requests WHERE outcome IS NULL
                 ORDER BY asked_at",
            )?;
            let rows = statement.query_map([], |row| {
                Ok((
                    row.get::<_, String>(0)?,
                    row.get::<_, String>(1)?,
                    UnixTime(row.get(2)?),
                    row.get::<_, Option<String>>(3)?,
                    row.get::<_, Option<f64>>(4)?,
                ))
            })?;
            let mut unsettled = Vec::new();
            for row in rows {
                let (session_id, request_id, asked_at, response, answered_at) = row?;
                if let (Ok(session_id), Ok(request_id)) = (session_id.parse(), request_id.parse()) {
                    let response = response.and_then(|text| serde_json::from_str(&text).ok());
                    unsettled.push(Unsettled {
                        session_id,
                        request_id,
                        asked_at,
                        answered: response.zip(answered_at.map(UnixTime)),
                    });
                }
            }
            Ok(unsettled)
        })
    }

    /// When this login was made, if it was.
    pub fn login_made_at(&self, hash: [u8; 32]) -> Option<UnixTime> {
        self.read(|connection| {
            connection
                .query_row(
                    "SELECT created_at FROM logins WHERE hash = ?1",
                    params![hash.as_slice()],
                    |row| row.get(0).map(UnixTime),
                )
                .optional()
        })
    }

    /// The same for what may take long.
    pub(super) fn search<T: Default>(
        &self,
        query: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> T {
        let searching = self.searching.lock();
        let mut searching = searching.unwrap_or_else(PoisonError::into_inner);
        if searching.is_none() {
            let opened = super::open::connection(&self.file);
            *searching = opened
                .inspect_err(|error| tracing::error!(%error, "the database cannot be searched"))
                .ok();
        }
        searching
            .as_ref()
            .map_or_else(T::default, |connection| found(query(connection)))
    }

    /// What cannot be read counts as not there; the log says why.
    pub(super) fn read<T: Default>(
        &self,
        query: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> T {
        let connection = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        found(query(&connection))
    }
}

fn events(
    connection: &Connection,
    session_id: SessionId,
    before: u64,
    limit: usize,
) -> rusqlite::Result<Vec<Event>> {
    let before = i64::try_from(before).unwrap_or(i64::MAX);
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let mut statement = connection.prepare_cached(
        "SELECT event FROM events WHERE session_id = ?1 AND seq < ?2 ORDER BY seq DESC LIMIT ?3",
    )?;
    let rows = statement.query_map(params![session_id.to_string(), before, limit], |row| {
        row.get::<_, String>(0)
    })?;
    let mut events = Vec::new();
    for row in rows {
        match serde_json::from_str(&row?) {
            Ok(event) => events.push(event),
            Err(error) => tracing::warn!(%session_id, %error, "an event cannot be read"),
        }
    }
    events.reverse();
    Ok(events)
}

fn found<T: Default>(read: rusqlite::Result<T>) -> T {
    read.unwrap_or_else(|error| {
        tracing::error!(%error, "the database cannot be read");
        T::default()
    })
}
