//! Requests that were open when the server stopped. The transcript of each session says so; until somebody has looked, the
//! inbox does, too.

use super::{Hub, State, unknown_session};
use crate::model::{Refusal, SessionId};

impl Hub {
    /// When a server starts: what it and those before it have cut off.
    pub(super) fn learn_what_was_cut_off(&self) {
        self.0.store.flush();
        let mut state = self.lock();
        for (session_id, request) in self.0.store.cut_off() {
            if let Some(record) = state.sessions.get_mut(&session_id) {
                record.cut_off.push(request.abridged());
            }
        }
    }

    /// Somebody has seen it: in this session, or in all.
    pub fn dismiss_cut_off(&self, session_id: Option<SessionId>) -> Result<(), Refusal> {
        let mut state = self.lock();
        let seen = match session_id {
            Some(id) if !state.sessions.contains_key(&id) => return Err(unknown_session()),
            Some(id) => vec![id],
            None => state.sessions.keys().copied().collect(),
        };
        for id in seen {
            self.cut_off_was_seen(&mut state, id);
        }
        Ok(())
    }

    pub(super) fn cut_off_was_seen(&self, state: &mut State, session_id: SessionId) {
        let Some(record) = state.sessions.get_mut(&session_id) else {
            return;
        };
        if !record.cut_off.is_empty() {
            record.cut_off.clear();
            self.0.store.note_cut_off_seen(session_id);
            self.publish(state, session_id);
        }
    }
}
