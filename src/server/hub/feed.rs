//! What goes out to the sockets: a snapshot and everything after it, taken under one lock, so that nothing is lost or
//! doubled in between.

use super::Hub;
use super::record::{PAGE, read_events};
use crate::model::{Delta, Event, ProcessInfo, ServerMessage, SessionId};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use tokio::sync::broadcast;

/// A message as text, made once for all clients.
#[derive(Debug)]
pub struct Frame {
    /// One after the other, from the first one of this server.
    pub number: u64,
    pub topic: Topic,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    Everyone,
    /// Those who watch this session, but for who was caught up with after it was sent: to them it is no news.
    Session(SessionId),
}

/// The state as it was, and everything that comes after.
pub struct Subscription {
    pub snapshot: ServerMessage,
    pub frames: broadcast::Receiver<Arc<Frame>>,
}

/// What brings someone who watches a session up to date.
pub struct CaughtUp {
    pub messages: Vec<ServerMessage>,
    /// Up to which frame.
    pub told: u64,
}

impl Hub {
    pub fn subscribe(&self) -> Subscription {
        let state = self.lock();
        let processes: Vec<ProcessInfo> = state
            .sessions
            .keys()
            .filter_map(|session_id| self.process_info(&state, *session_id))
            .filter(ProcessInfo::is_alive)
            .collect();
        Subscription {
            snapshot: ServerMessage::ActiveProcesses {
                processes,
                archived: state.archived(),
            },
            frames: self.0.feed.subscribe(),
        }
    }

    /// Called under the hub's lock, so that the order of frames is that of what they tell.
    pub(super) fn send(&self, topic: Topic, message: &ServerMessage) {
        let number = self.0.told.fetch_add(1, Relaxed) + 1;
        // without listeners nobody needs the text
        if self.0.feed.receiver_count() > 0 {
            let text = message.to_json();
            let _ = self.0.feed.send(Arc::new(Frame {
                number,
                topic,
                text,
            }));
        }
    }

    /// What someone who watches a session must be sent to be up to date. With `frames` taken before, nothing is lost;
    /// what is on its way in them as well is known by its number.
    pub fn catch_up(&self, session_id: SessionId, after: Option<u64>) -> Option<CaughtUp> {
        self.fetch(session_id);
        let mut state = self.lock();
        let record = state.sessions.get_mut(&session_id)?;
        let partial = record.partial.clone();
        let partial = partial.filter(|partial| !partial.text.is_empty());
        let (last_seq, told) = (record.last_seq, self.0.told.load(Relaxed));
        let events = record.events(&self.0.store);
        let first = events.front().map_or(last_seq + 1, |event| event.seq);
        let (events, reset): (Vec<Event>, bool) = match after {
            // a number we have not given out: it comes from another life of the store
            Some(after) if after <= last_seq && after + 1 >= first => (
                events
                    .iter()
                    .filter(|event| event.seq > after)
                    .cloned()
                    .collect(),
                false,
            ),
            _ => (
                events.iter().rev().take(PAGE).rev().cloned().collect(),
                true,
            ),
        };
        let mut messages = vec![ServerMessage::SessionEvents {
            session_id,
            events,
            reset,
        }];
        messages.extend(partial.map(|partial| {
            ServerMessage::SessionDelta(Delta {
                session_id,
                thinking: partial.thinking,
                offset: 0,
                text: partial.text,
            })
        }));
        Some(CaughtUp { messages, told })
    }

    /// The events of a session that nobody has looked at since the server started are still on the disk. They are read
    /// before the lock is taken: nobody else waits for it meanwhile.
    pub(super) fn fetch(&self, session_id: SessionId) {
        let last_seq = match self.lock().sessions.get(&session_id) {
            Some(record) if record.events.is_none() => record.last_seq,
            _ => return,
        };
        let events = read_events(&self.0.store, session_id, last_seq);
        if let Some(record) = self.lock().sessions.get_mut(&session_id)
            && record.events.is_none()
            && record.last_seq == last_seq
        {
            record.events = Some(events);
        }
    }

    /// For the first picture of a page.
    pub fn newest_events(&self, session_id: SessionId) -> Vec<Event> {
        self.fetch(session_id);
        let mut state = self.lock();
        let Some(record) = state.sessions.get_mut(&session_id) else {
            return Vec::new();
        };
        record
            .events(&self.0.store)
            .iter()
            .rev()
            .take(PAGE)
            .rev()
            .cloned()
            .collect()
    }
}
