//! What happened before the newest events: read from the store when someone asks for it.

use super::{Hub, unknown_session};
use crate::model::{Code, Event, Refusal, SessionId};
use crate::server::store::StoredSession;

/// How many older events are given at once.
const OLDER: usize = 500;

impl Hub {
    /// Everything that happened in a session, and what it is. Blocks: all of it is read from disk.
    pub fn whole_conversation(&self, session_id: SessionId) -> Option<(StoredSession, Vec<Event>)> {
        let about = {
            let state = self.lock();
            state.sessions.get(&session_id)?.session.clone()
        };
        let store = &self.0.store;
        // what was noted a moment ago is still on its way to the disk
        store.flush();
        let events = store.all_events(session_id);
        Some((about, events))
    }

    pub async fn events_before(
        &self,
        session_id: SessionId,
        seq: u64,
    ) -> Result<Vec<Event>, Refusal> {
        if !self.lock().sessions.contains_key(&session_id) {
            return Err(unknown_session());
        }
        let store = self.0.store.clone();
        let read = move || {
            let events = store.events_before(session_id, seq, OLDER);
            let is_complete = |events: &[Event]| {
                events
                    .last()
                    .is_some_and(|event| event.seq.saturating_add(1) == seq)
            };
            if seq <= 1 || is_complete(&events) {
                return events;
            }
            // what was noted a moment ago is still on its way to the disk
            store.flush();
            store.events_before(session_id, seq, OLDER)
        };
        tokio::task::spawn_blocking(read)
            .await
            .map_err(|_| Refusal::new(Code::Internal, "The older events could not be read."))
    }
}
