//! What a message may hold, and its files: checked and stored before they are given to the agent.

use super::sessions::{Chosen, Letter};
use super::{Hub, unknown_session};
use crate::model::{
    AttachmentId, Code, Entry, MessageId, NewAttachment, ProjectId, Refusal, SessionId,
};
use crate::server::attached::{self, Attached};

/// Around the text and the files of a line to the agent.
const FRAME: usize = 4096;

impl Hub {
    /// [`Hub::send_message`] with files.
    pub async fn send_with(
        &self,
        session_id: SessionId,
        text: String,
        message_id: Option<MessageId>,
        files: Vec<NewAttachment>,
        anyway: bool,
    ) -> Result<(), Refusal> {
        let message_id = message_id.unwrap_or_else(MessageId::random);
        if self.has_taken(session_id, message_id)? {
            return Ok(());
        }
        self.0.store.check().await?;
        // one that was never read is sent again with what it had
        let sent_before = self.files_of(session_id, message_id);
        let (files, kept) = match sent_before.is_empty() {
            true => {
                let files = self.read_files(&text, files)?;
                let kept = self.keep(session_id, &files).await?;
                (files, kept)
            }
            false => (sent_before, Vec::new()),
        };
        if !anyway {
            self.check_nobody_else_has_it(session_id).await?;
        }
        self.let_go_of_what_went_on_elsewhere(session_id).await;
        self.tell_what_was_said_elsewhere(session_id).await;
        let letter = Letter {
            session_id,
            message_id,
            text,
            files,
        };
        self.say(letter, None)
            .inspect_err(|_| self.0.store.forget_attachments(kept))
    }

    /// The files of a message that was sent before.
    fn files_of(&self, session_id: SessionId, message_id: MessageId) -> Vec<Attached> {
        let mut state = self.lock();
        let Some(record) = state.sessions.get_mut(&session_id) else {
            return Vec::new();
        };
        let sent = record.events(&self.0.store).iter().rev();
        let ids: Vec<AttachmentId> = sent
            .filter_map(|event| match &event.entry {
                Entry::MessageSent {
                    message_id: id,
                    attachments,
                    ..
                } if *id == message_id => Some(attachments),
                _ => None,
            })
            .take(1)
            .flatten()
            .map(|attachment| attachment.id)
            .collect();
        drop(state);
        ids.into_iter()
            .filter_map(|id| self.0.store.attachment(id))
            .collect()
    }

    /// [`Hub::start_session`] with files.
    pub async fn start_with(
        &self,
        project: ProjectId,
        prompt: String,
        chosen: Chosen,
        files: Vec<NewAttachment>,
    ) -> Result<SessionId, Refusal> {
        self.0.store.check().await?;
        let files = self.read_files(&prompt, files)?;
        let session_id = SessionId::random();
        let kept = self.keep(session_id, &files).await?;
        self.begin_session(session_id, project, prompt, chosen, files)
            .inspect_err(|_| self.0.store.forget_attachments(kept))
    }

    /// Blocks. A picture that a tool has just brought is told before it is written down: whoever asks at once waits for that.
    pub fn attachment(&self, id: AttachmentId) -> Option<Attached> {
        let store = &self.0.store;
        store.attachment(id).or_else(|| {
            store.flush();
            store.attachment(id)
        })
    }

    /// One that was sent before comes with its name alone.
    fn with_content(&self, file: NewAttachment) -> Result<NewAttachment, Refusal> {
        let Some(id) = file.kept else {
            return Ok(file);
        };
        let known = self.0.store.attachment(id).ok_or_else(|| {
            let words = format!("\"{}\" is not kept any more. Attach it again.", file.name);
            Refusal::new(Code::InvalidRequest, words)
        })?;
        Ok(NewAttachment {
            data: known.base64(),
            kept: None,
            ..file
        })
    }

    fn read_files(&self, text: &str, files: Vec<NewAttachment>) -> Result<Vec<Attached>, Refusal> {
        // a picture may speak for itself
        match files.is_empty() {
            true => self.check_message(text)?,
            false => self.check_length(text)?,
        }
        let files = files
            .into_iter()
            .map(|file| self.with_content(file))
            .collect::<Result<Vec<_>, _>>()?;
        let files = attached::read_all(files, self.0.setup.settings.attachment_limits())?;
        let text_length = serde_json::to_string(text).map_or(0, |text| text.len());
        let length: usize = files.iter().map(Attached::length_in_json).sum();
        let limit = self.0.setup.settings.limits.line_bytes;
        if !files.is_empty() && text_length + length + FRAME > limit {
            return Err(Refusal::new(
                Code::TooLarge,
                "The message and its files are too long together for one line to the agent. Send some of the files with the next message.",
            ));
        }
        Ok(files)
    }

    async fn keep(
        &self,
        session_id: SessionId,
        files: &[Attached],
    ) -> Result<Vec<AttachmentId>, Refusal> {
        if !files.is_empty() {
            let files = files.to_vec();
            self.0.store.keep_attachments(session_id, files).await?;
        }
        Ok(files.iter().map(|file| file.about.id).collect())
    }

    fn has_taken(&self, session_id: SessionId, message_id: MessageId) -> Result<bool, Refusal> {
        let state = self.lock();
        let record = state
            .sessions
            .get(&session_id)
            .ok_or_else(unknown_session)?;
        Ok(record.seen_messages.contains(&message_id))
    }

    fn check_message(&self, text: &str) -> Result<(), Refusal> {
        if text.trim().is_empty() {
            return Err(Refusal::new(
                Code::InvalidRequest,
                "The message is empty. Write something first.",
            ));
        }
        self.check_length(text)
    }

    fn check_length(&self, text: &str) -> Result<(), Refusal> {
        let limit = self.0.setup.settings.limits.message_bytes;
        if text.len() > limit {
            return Err(Refusal::new(
                Code::TooLarge,
                format!(
                    "The message has {} bytes; at most {limit} are taken. Put long text into a file and name it.",
                    text.len()
                ),
            ));
        }
        Ok(())
    }
}
