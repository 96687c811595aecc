//! What is being written by commands that run: by the agent's, and by a person's own.

use super::{Hub, unknown_session};
use crate::model::{Refusal, SessionId, SoFar, ToolUseId};
use crate::server::agent::{Question, so_far};
use crate::server::terminal::as_seen;

impl Hub {
    /// None: the agent cannot tell it, or it is gone. Then asking again is of no use.
    pub async fn call_output(
        &self,
        session_id: SessionId,
        call: ToolUseId,
    ) -> Result<Option<SoFar>, Refusal> {
        if !self.lock().sessions.contains_key(&session_id) {
            return Err(unknown_session());
        }
        let question = Question::OutputOf(call);
        let answer = self.question(session_id, question, "It is not known what it wrote");
        Ok(answer.await.ok().map(|answer| so_far(&answer)))
    }

    /// Nothing, if no command of a person runs there.
    pub fn command_output(&self, session_id: SessionId) -> Result<SoFar, Refusal> {
        let state = self.lock();
        let record = state.sessions.get(&session_id);
        let running = record.ok_or_else(unknown_session)?.own_command.as_ref();
        let so_far = running.map(|running| SoFar {
            text: as_seen(&running.written.text()),
            is_cut: running.written.is_cut(),
        });
        Ok(so_far.unwrap_or_default())
    }
}
