//! The writing thread: everything that is queued becomes one transaction.

use super::{Write, attachments, capabilities, cut_off, forgetting, log};
use crate::model::{Event, SessionId, UnixTime};
use rusqlite::{Connection, Transaction, params};
use serde::Serialize;
use std::sync::{Mutex, PoisonError, mpsc};

/// How many notes are kept for another try while the disk refuses them. Answers are refused instead.
const KEPT_FOR_LATER: usize = 20_000;

pub fn run(
    mut connection: Connection,
    queue: &mpsc::Receiver<Write>,
    log: &log::Log,
    trouble: &Mutex<Option<String>>,
) {
    let mut kept: Vec<Write> = Vec::new();
    let mut synchronous = Synchronous::default();
    while let Ok(first) = queue.recv() {
        let mut batch = std::mem::take(&mut kept);
        batch.push(first);
        batch.extend(queue.try_iter());
        let result =
            write_all(&mut connection, &mut synchronous, &batch).map_err(|error| error.to_string());
        if let Err(error) = &result {
            tracing::error!(%error, "the database cannot be written");
        }
        *trouble.lock().unwrap_or_else(PoisonError::into_inner) = result.clone().err();
        // what is flushed already needs no more of it
        let was_asked = !batch.iter().any(Write::is_awaited)
            && batch.iter().any(|write| matches!(write, Write::Asked(..)));
        let was_deleted = result.is_ok() && batch.iter().any(Write::deletes);
        for write in batch {
            match write {
                Write::Answer { done, .. } => drop(done.send(result.clone())),
                Write::Login { done, .. } => drop(done.send(result.clone())),
                Write::Flush(done) => drop(done.send(())),
                Write::Written(done) => drop(done.send(())),
                // never kept for later: they are large, and whoever sent them is told
                Write::Attachments(_, _, done) => drop(done.map(|done| done.send(result.clone()))),
                Write::ForgetSession(_, Some(done)) => drop(done.send(result.clone())),
                note if result.is_err() && kept.len() < KEPT_FOR_LATER => kept.push(note),
                _ => {}
            }
        }
        // after whoever waited was told
        if was_deleted {
            log::carry_over_whole(&connection);
        }
        log.grew(was_asked);
        // whoever waits next need not wait for this, too
        if let Err(error) = synchronous.set(&connection, DURABLE) {
            tracing::warn!(%error, "the database is told again with the next write");
        }
    }
}

/// On the disk itself when the commit returns.
const DURABLE: &str = "FULL";
/// As safe as the process.
const NOTED: &str = "NORMAL";

/// What the connection was told last: telling it takes as long as a small write.
#[derive(Default)]
struct Synchronous(Option<&'static str>);

impl Synchronous {
    fn set(&mut self, connection: &Connection, word: &'static str) -> rusqlite::Result<()> {
        if self.0 != Some(word) {
            connection.pragma_update(None, "synchronous", word)?;
            self.0 = Some(word);
        }
        Ok(())
    }
}

fn write_all(
    connection: &mut Connection,
    synchronous: &mut Synchronous,
    batch: &[Write],
) -> rusqlite::Result<()> {
    // Someone waits: a power cut must not take it back. What is only noted survives a crash of ours without that, and is
    // flushed with the next answer, for it stands before it in the same log.
    let durable = batch.iter().any(Write::is_awaited);
    synchronous.set(connection, if durable { DURABLE } else { NOTED })?;
    let transaction = connection.transaction()?;
    for write in batch {
        write_one(&transaction, write)?;
    }
    transaction.commit()
}

fn write_one(transaction: &Transaction<'_>, write: &Write) -> rusqlite::Result<()> {
    match write {
        Write::Session(session) => transaction
            .prepare_cached(
                "INSERT INTO sessions (session_id, project_id, title, created_at, updated_at, permission_mode, model,
                                       conversation_id, may_bypass, fork_of, policies, effort, archived_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
                 ON CONFLICT (session_id) DO UPDATE SET title = ?3, updated_at = ?5, permission_mode = ?6, model = ?7,
                                                        conversation_id = ?8, may_bypass = ?9, fork_of = ?10,
                                                        policies = ?11, effort = ?12, archived_at = ?13",
            )?
            .execute(params![
                session.session_id.to_string(),
                session.project_id.as_str(),
                session.title,
                session.created_at.0,
                session.updated_at.0,
                session.permission_mode.word(),
                session.model,
                session.conversation_id.map(|id| id.to_string()),
                session.may_bypass,
                session.fork_of.map(|id| id.to_string()),
                (!session.policies.is_empty()).then(|| json(&session.policies)),
                session.effort,
                session.archived_at.map(|at| at.0),
            ])?,
        Write::CopyEvents(from, to) => transaction.execute(
            "INSERT OR IGNORE INTO events (session_id, seq, event)
             SELECT ?2, seq, event FROM events WHERE session_id = ?1",
            params![from.to_string(), to.to_string()],
        )?,
        Write::ForgetSession(session_id, _) => forgetting::forget(transaction, *session_id)?,
        Write::CutOff(request_id) => cut_off::write(transaction, *request_id)?,
        Write::CutOffSeen(session_id) => cut_off::seen(transaction, *session_id)?,
        Write::Event(session_id, event) => write_event(transaction, *session_id, event)?,
        Write::Asked(session_id, request, event) => {
            write_event(transaction, *session_id, event)?;
            transaction
                .prepare_cached(
                    "INSERT OR IGNORE INTO requests (request_id, session_id, asked_at, request) VALUES (?1, ?2, ?3, ?4)",
                )?
                .execute(params![
                    request.request_id.to_string(),
                    session_id.to_string(),
                    request.created_at.0,
                    json(request),
                ])?
        }
        Write::Answer { request_id, response, at: UnixTime(at), .. } => transaction
            .prepare_cached("UPDATE requests SET response = ?2, answered_at = ?3 WHERE request_id = ?1")?
            .execute(params![request_id.to_string(), json(response), at])?,
        Write::Settled(settlement, event) => {
            if let Some(event) = event {
                write_event(transaction, settlement.session_id, event)?;
            }
            transaction
                .prepare_cached(
                    "UPDATE requests SET outcome = ?2, resolved_by = ?3, resolved_at = ?4 WHERE request_id = ?1",
                )?
                .execute(params![
                    settlement.request_id.to_string(),
                    word(&settlement.outcome),
                    word(&settlement.by),
                    settlement.at.0,
                ])?
        }
        Write::Login { hash, at: UnixTime(at), .. } => transaction
            .prepare_cached("INSERT OR REPLACE INTO logins (hash, created_at) VALUES (?1, ?2)")?
            .execute(params![hash.as_slice(), at])?,
        Write::Logout(hash) => transaction.execute("DELETE FROM logins WHERE hash = ?1", params![hash.as_slice()])?,
        Write::Attachments(session_id, files, _) => attachments::write(transaction, *session_id, files)?,
        Write::ForgetAttachments(ids) => attachments::forget(transaction, ids)?,
        Write::Capabilities(agent, said) => capabilities::write(transaction, agent, said)?,
        Write::Flush(_) | Write::Written(_) => 0,
    };
    Ok(())
}

fn write_event(
    transaction: &Transaction<'_>,
    session_id: SessionId,
    event: &Event,
) -> rusqlite::Result<usize> {
    transaction
        .prepare_cached(
            "INSERT OR IGNORE INTO events (session_id, seq, event) VALUES (?1, ?2, ?3)",
        )?
        .execute(params![
            session_id.to_string(),
            number(event.seq),
            json(event)
        ])
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// The wire word of an enum without data.
fn word(value: &impl Serialize) -> String {
    json(value).trim_matches('"').to_owned()
}

fn number(seq: u64) -> i64 {
    i64::try_from(seq).unwrap_or(i64::MAX)
}
