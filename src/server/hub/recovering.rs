//! What an earlier server left when it went away.

use super::Hub;
use crate::desk::Settlement;
use crate::model::unread::unread;
use crate::model::{Entry, Event, Outcome, ResolvedBy, SessionId, UnixTime};
use std::collections::VecDeque;

impl Hub {
    /// What an earlier server left when it went away: its processes have ended, and their requests with them. An answer
    /// that was accepted stays what it was.
    pub(super) fn settle_what_the_last_run_left_open(&self) {
        let now = self.0.clock.now();
        let mut state = self.lock();
        for open in self.0.store.unsettled() {
            let (outcome, by, at, response) = match open.answered {
                Some((response, at)) => (response.outcome(), ResolvedBy::User, at, Some(response)),
                None => (Outcome::ProcessEnded, ResolvedBy::Process, now, None),
            };
            let settlement = Settlement {
                session_id: open.session_id,
                request_id: open.request_id,
                outcome,
                by,
                at,
                waited: at.since(open.asked_at),
                response,
            };
            self.settle(&mut state, settlement);
        }
        let sessions: Vec<SessionId> = state.sessions.keys().copied().collect();
        for session_id in sessions {
            if !self.0.store.has_ended(session_id) {
                let events = state.sessions.get_mut(&session_id);
                let events = events.map(|record| record.events(&self.0.store));
                let last_active = events.as_ref().and_then(|events| last_of_its_run(events));
                let was_at_work = events.as_ref().is_some_and(|events| is_at_work(events));
                let unread = events
                    .map(|events| unread(events.iter()))
                    .unwrap_or_default();
                self.not_read(&mut state, session_id, unread);
                let reason = match was_at_work {
                    true => "Countersign was stopped while this ran. Send a message to go on.",
                    false => "Countersign was stopped. Send a message to go on.",
                };
                let entry = Entry::ProcessEnded {
                    reason: reason.to_owned(),
                    error: None,
                };
                self.note(&mut state, session_id, entry);
                // it was last active before we were stopped, not now
                if let (Some(record), Some(at)) = (state.sessions.get_mut(&session_id), last_active)
                {
                    record.session.updated_at = at;
                }
            }
        }
    }
}

/// When it last did something: that its requests ended with it was found out only now.
fn last_of_its_run(events: &VecDeque<Event>) -> Option<UnixTime> {
    let is_its_own = |event: &&Event| !matches!(event.entry, Entry::Resolved { .. });
    events.iter().rev().find(is_its_own).map(|event| event.at)
}

/// By what is known of it, the last turn had not ended.
fn is_at_work(events: &VecDeque<Event>) -> bool {
    let mut backwards = events.iter().rev().map(|event| &event.entry);
    let last = backwards.find(|entry| {
        matches!(
            entry,
            Entry::TurnFinished { .. } | Entry::MessageSent { .. } | Entry::ProcessStarted { .. }
        )
    });
    matches!(last, Some(Entry::MessageSent { .. }))
}
