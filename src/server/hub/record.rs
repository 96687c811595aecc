//! What is kept in memory of one session.

use super::unheard::Unheard;
use crate::model::{
    Capabilities, Event, MessageId, PendingRequest, ProcessInfo, ProcessState, RequestId,
    SessionId, Spent, Suggestion, ToolUseId, UnixTime,
};
use crate::server::agent::{InBackground, Order};
use crate::server::shell_command::Written;
use crate::server::store::{Store, StoredSession};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};

/// How many events of a session are held in memory, and sent to one who opens it.
pub const PAGE: usize = 1000;

pub struct Record {
    pub session: StoredSession,
    /// The newest events; loaded when someone looks.
    pub events: Option<VecDeque<Event>>,
    pub last_seq: u64,
    /// What is being written right now.
    pub partial: Option<Partial>,
    /// The running process, or how the last one ended.
    pub process: Option<Process>,
    /// The agent has begun this conversation: it must be resumed, not started.
    pub begun: bool,
    /// Messages that were taken, so that a resend is not taken twice.
    pub seen_messages: BTreeSet<MessageId>,
    /// What was granted for this session. An agent forgets it with its process; that we stop an idle one must not show.
    pub granted: Vec<Suggestion>,
    pub own_command: Option<OwnCommand>,
    /// What it asked when an earlier server stopped, until somebody has seen it.
    pub cut_off: Vec<PendingRequest>,
}

/// A command that a person runs here by themselves.
pub struct OwnCommand {
    pub command: String,
    /// How it is stopped, once.
    pub stop: Option<oneshot::Sender<()>>,
    pub written: Written,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Partial {
    pub thinking: bool,
    pub text: String,
}

pub struct Process {
    pub orders: mpsc::UnboundedSender<Order>,
    /// Its number at the operating system.
    pub pid: Option<u32>,
    pub started_at: UnixTime,
    pub state_changed_at: UnixTime,
    pub shown_state: ProcessState,
    pub memory: Option<u64>,
    pub error: Option<String>,
    pub kill_reason: Option<String>,
    pub model: Option<String>,
    /// That applies, as it says: perhaps none. Not known before it has said so.
    pub effort: Option<Option<String>>,
    pub activity: Option<String>,
    pub tries_again_at: Option<UnixTime>,
    /// The last turn ended with an error.
    pub turn_failed: bool,
    pub spent: Option<Spent>,
    /// What it runs in the background.
    pub background: Vec<InBackground>,
    /// Messages that were sent while it was busy, and that it has not taken.
    pub queued: BTreeSet<MessageId>,
    /// All that it has not taken.
    pub untaken: BTreeSet<MessageId>,
    /// What it says it can do.
    pub can: Option<Arc<Capabilities>>,
    /// Monotonic moments, for limits.
    pub started: Duration,
    pub last_active: Duration,
    /// Its requests that wait.
    pub open: BTreeMap<RequestId, Open>,
    /// How many were refused because too much waited.
    pub refused: u32,
    pub unheard: Option<Unheard>,
    /// A person stopped the turn that runs.
    pub interrupted: bool,
    /// It was told to stop.
    pub stopping: bool,
}

/// Since when a request waits, how long it may, and what it is about.
pub struct Open {
    pub asked: Duration,
    pub deadline: Option<Duration>,
    /// Of all that it asks.
    pub bytes: usize,
    pub call: Option<ToolUseId>,
}

impl OwnCommand {
    /// Whether it was not told before.
    pub fn stop(&mut self) -> bool {
        let stop = self.stop.take();
        stop.is_some_and(|stop| stop.send(()).is_ok())
    }
}

impl Process {
    /// What it does, in words, if there is more to say than that it works.
    pub fn doing(&self) -> Option<String> {
        let background = || match self.background.as_slice() {
            [] => None,
            [one] => Some(format!("In the background: {}", one.words)),
            [first, more @ ..] => Some(format!(
                "In the background: {}, and {} more",
                first.words,
                more.len()
            )),
        };
        self.activity.clone().or_else(background)
    }

    pub fn background_calls(&self) -> Vec<ToolUseId> {
        let running = self.background.iter();
        running.filter_map(|one| one.call.clone()).collect()
    }
}

impl Record {
    pub fn new(session: StoredSession) -> Self {
        Self {
            session,
            events: Some(VecDeque::new()),
            last_seq: 0,
            partial: None,
            process: None,
            begun: false,
            seen_messages: BTreeSet::new(),
            granted: Vec::new(),
            own_command: None,
            cut_off: Vec::new(),
        }
    }

    pub fn stored(session: StoredSession, store: &Store) -> Self {
        Self {
            events: None,
            last_seq: store.last_seq(session.session_id),
            // a copy that was never written to is still to be made
            begun: session.fork_of.is_none() && store.has_begun(session.session_id),
            ..Self::new(session)
        }
    }

    /// Nothing is known of a process, for an earlier server had it, or nobody: as it would be had it ended.
    pub fn ended_before(&self) -> ProcessInfo {
        let session = &self.session;
        ProcessInfo {
            session_id: session.session_id,
            project_id: session.project_id.clone(),
            state: ProcessState::Dead,
            started_at: session.created_at,
            state_changed_at: session.updated_at,
            memory: None,
            error: None,
            kill_reason: None,
            permission_mode: Some(session.permission_mode.clone()),
            model: session.model.clone(),
            effort: session.effort.clone(),
            cwd: Some(session.project_id.as_str().to_owned()),
            title: Some(session.title.clone()),
            queued_messages: 0,
            may_bypass: session.may_bypass,
            activity: None,
            tries_again_at: None,
            own_command: None,
            turn_failed: false,
            spent: None,
            background_calls: Vec::new(),
            held_by: None,
            archived_at: session.archived_at,
            cut_off: self.cut_off.clone(),
            pending_requests: Vec::new(),
        }
    }

    /// Read from the disk if need be: see [`super::Hub::fetch`] for what is better done before.
    pub fn events(&mut self, store: &Store) -> &mut VecDeque<Event> {
        let (session_id, last_seq) = (self.session.session_id, self.last_seq);
        self.events
            .get_or_insert_with(|| read_events(store, session_id, last_seq))
    }

    /// Adds an event at the end; the oldest leave the memory (not the store).
    pub fn push(&mut self, event: Event, store: &Store) {
        self.last_seq = event.seq;
        // not in memory: it will be read from the store with the others
        if self.events.is_some() {
            let events = self.events(store);
            events.push_back(event);
            if events.len() > 2 * PAGE {
                events.drain(..PAGE);
            }
        }
    }
}

/// The newest ones, up to the last.
pub fn read_events(store: &Store, session_id: SessionId, last_seq: u64) -> VecDeque<Event> {
    let stored = store.newest_events(session_id, PAGE);
    if stored.last().map_or(0, |event| event.seq) == last_seq {
        return stored.into();
    }
    // what was noted a moment ago is still on its way to the disk
    store.flush();
    store.newest_events(session_id, PAGE).into()
}

impl Process {
    pub fn new(orders: mpsc::UnboundedSender<Order>, now: UnixTime, passed: Duration) -> Self {
        Self {
            orders,
            pid: None,
            started_at: now,
            state_changed_at: now,
            shown_state: ProcessState::Starting,
            memory: None,
            error: None,
            kill_reason: None,
            model: None,
            effort: None,
            activity: None,
            tries_again_at: None,
            turn_failed: false,
            spent: None,
            background: Vec::new(),
            queued: BTreeSet::new(),
            untaken: BTreeSet::new(),
            can: None,
            started: passed,
            last_active: passed,
            open: BTreeMap::new(),
            refused: 0,
            unheard: None,
            interrupted: false,
            stopping: false,
        }
    }
}
