//! Files that were sent with a message, and pictures that tools brought: each in a row of its own, read one at a time.

use super::{Store, Write, unavailable};
use crate::model::{Attachment, AttachmentId, MediaType, Refusal, SessionId};
use crate::server::attached::Attached;
use rusqlite::{OptionalExtension, Transaction, params};
use tokio::sync::oneshot;

impl Store {
    /// Returns when they are on disk: a message is not sent with files that would be missing later.
    pub async fn keep_attachments(
        &self,
        session_id: SessionId,
        files: Vec<Attached>,
    ) -> Result<(), Refusal> {
        let (done, stored) = oneshot::channel();
        self.queue(Write::Attachments(session_id, files, Some(done)));
        match stored.await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(unavailable(&error)),
            Err(_) => Err(unavailable("the store has stopped")),
        }
    }

    /// Nobody waits for these: a picture that cannot be stored is missing, and the words of its result are there.
    pub fn note_attachments(&self, session_id: SessionId, files: Vec<Attached>) {
        self.queue(Write::Attachments(session_id, files, None));
    }

    /// Their message was not taken.
    pub fn forget_attachments(&self, ids: Vec<AttachmentId>) {
        self.queue(Write::ForgetAttachments(ids));
    }

    pub fn attachment(&self, id: AttachmentId) -> Option<Attached> {
        let row: Option<(String, String, Vec<u8>)> = self.read(|connection| {
            connection
                .prepare_cached(
                    "SELECT name, media_type, content FROM attachments WHERE attachment_id = ?1",
                )?
                .query_row([id.to_string()], |row| {
                    Ok((row.get(0)?, row.get(1)?, row.get(2)?))
                })
                .optional()
        });
        let (name, media_type, content) = row?;
        Some(Attached {
            about: Attachment {
                id,
                name,
                media_type: MediaType::from_word(&media_type)?,
                bytes: content.len(),
            },
            content: content.into(),
        })
    }
}

pub fn write(
    transaction: &Transaction<'_>,
    session_id: SessionId,
    files: &[Attached],
) -> rusqlite::Result<usize> {
    let mut statement = transaction.prepare_cached(
        "INSERT OR IGNORE INTO attachments (attachment_id, session_id, name, media_type, content)
         VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for file in files {
        statement.execute(params![
            file.about.id.to_string(),
            session_id.to_string(),
            file.about.name,
            file.about.media_type.word(),
            &file.content[..],
        ])?;
    }
    Ok(files.len())
}

pub fn forget(transaction: &Transaction<'_>, ids: &[AttachmentId]) -> rusqlite::Result<usize> {
    for id in ids {
        transaction
            .prepare_cached("DELETE FROM attachments WHERE attachment_id = ?1")?
            .execute([id.to_string()])?;
    }
    Ok(ids.len())
}
