//! Going back to before a message: the agent forgets it and all after it, puts its files back as they were, or both.

use super::record::Process;
use super::{Hub, to_its_end, unknown_session};
use crate::model::conversation::Conversation;
use crate::model::{
    Code, Entry, MessageId, ProcessState, Refusal, RewindPreview, SessionId, ToolUseId,
};
use crate::server::agent::{Question, rewind};

const NOT_GONE_BACK: &str = "The agent did not go back";

impl Hub {
    /// Which files would change. A process that has ended is resumed for it.
    pub async fn preview_rewind(
        &self,
        session_id: SessionId,
        before: MessageId,
    ) -> Result<RewindPreview, Refusal> {
        self.before_going_back(session_id, before)?;
        self.wake(session_id).await?;
        self.files_since(session_id, before).await
    }

    /// The files before the conversation: what is forgotten can no longer be named. And before both, what began since and
    /// still runs: of its end the agent would be told later, and not know what it is about.
    pub async fn rewind(
        &self,
        session_id: SessionId,
        before: MessageId,
        conversation: bool,
        files: bool,
        end_tasks: bool,
    ) -> Result<(), Refusal> {
        let hub = self.clone();
        to_its_end(async move {
            hub.go_back(session_id, before, conversation, files, end_tasks)
                .await
        })
        .await
    }

    async fn go_back(
        &self,
        session_id: SessionId,
        before: MessageId,
        conversation: bool,
        files: bool,
        end_tasks: bool,
    ) -> Result<(), Refusal> {
        if !conversation && !files {
            return Err(Refusal::new(
                Code::InvalidRequest,
                "Say what is to go back: the conversation, the files, or both.",
            ));
        }
        let (last, running) = self.before_going_back(session_id, before)?;
        self.wake(session_id).await?;
        // before anything is ended or changed: whether it can be done
        let to_put_back = match files {
            true => self.files_that_change(session_id, before).await?,
            false => Vec::new(),
        };
        if conversation && end_tasks {
            for call in running {
                // one that ends by itself meanwhile needs nothing more
                let _ = self.stop_task(session_id, call).await;
            }
        }
        let files = self.put_back(session_id, before, to_put_back).await?;
        let forgotten = match conversation {
            true => self.forget(session_id, before, last).await,
            false => Ok(()),
        };
        if forgotten.is_ok() || !files.is_empty() {
            let entry = Entry::Rewound {
                before,
                conversation: conversation && forgotten.is_ok(),
                files,
            };
            self.note(&mut self.lock(), session_id, entry);
        }
        forgotten
    }

    /// The newest message that the agent knows, and what began since `before` and goes on in the background. Refused while it
    /// works, and for what it does not know.
    fn before_going_back(
        &self,
        session_id: SessionId,
        before: MessageId,
    ) -> Result<(MessageId, Vec<ToolUseId>), Refusal> {
        self.fetch(session_id);
        let mut state = self.lock();
        if state.desk.state(session_id) == Some(ProcessState::AssistantTurn) {
            return Err(Refusal::new(
                Code::InvalidRequest,
                "The agent is at work. Stop it, and go back then.",
            ));
        }
        let record = state
            .sessions
            .get_mut(&session_id)
            .ok_or_else(unknown_session)?;
        let events: Vec<_> = record.events(&self.0.store).iter().cloned().collect();
        let conversation = Conversation::from_events(&events);
        // of one that is further back the agent can tell whether it still knows it, if it was said here at all
        let is_known = conversation
            .knows(before)
            .unwrap_or_else(|| self.0.store.has_message(session_id, before));
        if !is_known {
            return Err(Refusal::new(
                Code::InvalidRequest,
                "The agent does not know this message any more: there is nothing to go back to.",
            ));
        }
        let process = record.process.as_ref();
        let background = process.map(Process::background_calls).unwrap_or_default();
        let running = conversation.began_since(before, &background);
        Ok((conversation.last_said().unwrap_or(before), running))
    }

    async fn files_since(
        &self,
        session_id: SessionId,
        before: MessageId,
    ) -> Result<RewindPreview, Refusal> {
        let really = false;
        let question = Question::RewindFiles { before, really };
        let answer = self.question(session_id, question, NOT_GONE_BACK).await?;
        Ok(rewind::preview(&answer))
    }

    async fn files_that_change(
        &self,
        session_id: SessionId,
        before: MessageId,
    ) -> Result<Vec<String>, Refusal> {
        let preview = self.files_since(session_id, before).await?;
        match preview.why_not {
            Some(why_not) => Err(not_gone_back(&why_not)),
            None => Ok(preview.files),
        }
    }

    /// Those that were put back.
    async fn put_back(
        &self,
        session_id: SessionId,
        before: MessageId,
        files: Vec<String>,
    ) -> Result<Vec<String>, Refusal> {
        if files.is_empty() {
            return Ok(files);
        }
        let really = true;
        let question = Question::RewindFiles { before, really };
        let answer = self.question(session_id, question, NOT_GONE_BACK).await?;
        match rewind::preview(&answer).why_not {
            Some(why_not) => Err(not_gone_back(&why_not)),
            None => Ok(files),
        }
    }

    async fn forget(
        &self,
        session_id: SessionId,
        before: MessageId,
        last: MessageId,
    ) -> Result<(), Refusal> {
        let question = Question::RewindConversation { before, last };
        let answer = self.question(session_id, question, NOT_GONE_BACK).await?;
        rewind::forgotten(&answer).map_err(|why_not| not_gone_back(&why_not))
    }
}

fn not_gone_back(why: &str) -> Refusal {
    let why = why.trim_end_matches('.');
    Refusal::new(Code::InvalidRequest, format!("{NOT_GONE_BACK}: {why}."))
}
