//! The only owner of changing state: the desk, the sessions and what is published of them. Everyone else sends it an
//! event or reads what it published. One lock, held for moments only: never across a disk, a socket or a person.

mod about;
mod answering;
mod archiving;
mod aside;
mod asking;
mod attaching;
mod changing_rules;
mod covering;
mod cut_off;
mod earlier;
mod editing_memory;
mod feed;
mod granting;
mod hearing;
mod in_background;
mod insight;
mod launching;
mod listing;
mod ordering;
mod own_commands;
mod policies;
mod record;
mod recovering;
mod rewinding;
mod sessions;
mod taking_up;
mod trusting;
mod unheard;
mod unsaid;
mod watching;
mod written;

pub use sessions::Chosen;

pub use feed::{Frame, Subscription, Topic};
pub use policies::Visitor;

use crate::desk::{Desk, Effect, Presence, Verdict};
use crate::model::policy::AnswerFrom;
use crate::model::{
    AgentDescription, Capabilities, ClientId, Code, PendingRequest, ProcessInfo, ProcessState,
    ProjectId, Refusal, ServerMessage, SessionId,
};
use crate::server::agent::AgentProgram;
use crate::server::clock::Clock;
use crate::server::settings::Settings;
use crate::server::store::Store;
use record::Record;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, broadcast, oneshot};

/// Where the waiting agent hears its verdict.
type Reply = oneshot::Sender<Verdict>;

#[derive(Clone)]
pub struct Hub(Arc<Inner>);

struct Inner {
    state: Mutex<State>,
    feed: broadcast::Sender<Arc<Frame>>,
    /// How many frames were sent.
    told: AtomicU64,
    /// Told whenever an answer was stored, or could not be.
    answer_stored: Notify,
    store: Store,
    clock: Clock,
    setup: Setup,
}

/// What the hub is started with.
#[derive(Clone)]
pub struct Setup {
    pub settings: Settings,
    pub agent: AgentProgram,
    /// Offered for new sessions.
    pub projects: Vec<PathBuf>,
    pub data_directory: PathBuf,
}

struct State {
    desk: Desk<Reply>,
    sessions: BTreeMap<SessionId, Record>,
    presence: Presence,
    /// What the last agent that started can do: the next one will be like it.
    last_known: Option<Arc<Capabilities>>,
    shutting_down: bool,
    /// Told to everyone, and not yet in the transcript or the store: see `write_down`.
    unwritten: Vec<(SessionId, PendingRequest)>,
}

/// A client that falls this many frames behind gets a new snapshot instead.
const FEED_LENGTH: usize = 1024;

impl Hub {
    pub fn new(setup: Setup, store: Store, clock: Clock) -> Self {
        let sessions = store
            .sessions()
            .into_iter()
            .map(|session| (session.session_id, Record::stored(session, &store)))
            .collect();
        let hub = Hub(Arc::new(Inner {
            state: Mutex::new(State {
                desk: Desk::default(),
                sessions,
                presence: Presence::default(),
                last_known: store
                    .capabilities(&setup.agent.description.name)
                    .map(Arc::new),
                shutting_down: false,
                unwritten: Vec::new(),
            }),
            feed: broadcast::channel(FEED_LENGTH).0,
            told: AtomicU64::new(0),
            answer_stored: Notify::new(),
            store,
            clock,
            setup,
        }));
        hub.settle_what_the_last_run_left_open();
        hub.learn_what_was_cut_off();
        hub
    }

    pub fn agent(&self) -> &AgentDescription {
        &self.0.setup.agent.description
    }

    pub fn settings(&self) -> &Settings {
        &self.0.setup.settings
    }

    pub fn clock(&self) -> &Clock {
        &self.0.clock
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // a panic in a task leaves whole values behind: every change is made of complete steps
        let state = self.0.state.lock();
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        self.write_down(&mut state);
        state
    }

    /// Carries out what the desk decided. What an answer leads to is the caller's to do: it takes
    /// time.
    fn carry_out(&self, state: &mut State, effects: Vec<Effect<Reply>>) {
        for effect in effects {
            match effect {
                Effect::Record { .. } | Effect::AwaitStoring | Effect::Confirm => {}
                Effect::Deliver { reply, verdict } => {
                    // the agent may be gone: then nobody waits
                    let _ = reply.send(verdict);
                }
                Effect::Settle(settlement) => self.settle(state, settlement),
                Effect::Publish { session_id } => self.publish(state, session_id),
            }
        }
    }

    /// Tells everyone how the process of a session looks now.
    fn publish(&self, state: &mut State, session_id: SessionId) {
        let now = self.0.clock.now();
        if let Some(process_state) = state.desk.state(session_id)
            && let Some(process) = state.process_mut(session_id)
            && process.shown_state != process_state
        {
            process.shown_state = process_state;
            process.state_changed_at = now;
        }
        if let Some(info) = self.process_info(state, session_id) {
            self.send(Topic::Everyone, &ServerMessage::ProcessState(info));
        }
    }

    /// The process of a session as clients see it: running, or how the last one ended.
    fn process_info(&self, state: &State, session_id: SessionId) -> Option<ProcessInfo> {
        let mut info = state.process_info(session_id)?;
        let record = state.sessions.get(&session_id);
        let own = record.and_then(|record| record.own_command.as_ref());
        info.own_command = own.map(|own| own.command.clone());
        if self.policies(state, session_id).answer_from == AnswerFrom::Active {
            let holder = state.presence.holder(session_id);
            info.held_by = holder.map(|holder| holder.unwrap_or(ClientId::WITHOUT_SOCKET));
        }
        Some(info)
    }
}

impl State {
    fn process_info(&self, session_id: SessionId) -> Option<ProcessInfo> {
        let record = self.sessions.get(&session_id)?;
        let Some(process) = record.process.as_ref() else {
            return Some(record.ended_before());
        };
        Some(ProcessInfo {
            session_id,
            project_id: record.session.project_id.clone(),
            state: self.desk.state(session_id)?,
            started_at: process.started_at,
            state_changed_at: process.state_changed_at,
            memory: process.memory,
            error: process.error.clone(),
            kill_reason: process.kill_reason.clone(),
            permission_mode: Some(record.session.permission_mode.clone()),
            // until it says itself what it uses
            model: process
                .model
                .clone()
                .or_else(|| record.session.model.clone()),
            effort: match &process.effort {
                Some(applies) => applies.clone(),
                None => record.session.effort.clone(),
            },
            cwd: Some(record.session.project_id.as_str().to_owned()),
            title: Some(record.session.title.clone()),
            queued_messages: u32::try_from(process.queued.len()).unwrap_or(u32::MAX),
            may_bypass: record.session.may_bypass,
            activity: match self.desk.state(session_id)? {
                ProcessState::UserTurn => process.doing(),
                _ => process.activity.clone(),
            },
            tries_again_at: process.tries_again_at,
            own_command: None,
            turn_failed: process.turn_failed,
            spent: process.spent,
            background_calls: process.background_calls(),
            held_by: None,
            archived_at: record.session.archived_at,
            cut_off: record.cut_off.clone(),
            pending_requests: self.desk.pending(session_id).cloned().collect(),
        })
    }

    fn process(&self, session_id: SessionId) -> Option<&record::Process> {
        self.sessions.get(&session_id)?.process.as_ref()
    }

    fn process_mut(&mut self, session_id: SessionId) -> Option<&mut record::Process> {
        self.sessions.get_mut(&session_id)?.process.as_mut()
    }

    /// Nothing would be cut off if it ended now.
    fn is_at_rest(&self, session_id: SessionId) -> bool {
        let record = self.sessions.get(&session_id);
        let process = record.and_then(|record| record.process.as_ref());
        self.desk.state(session_id) == Some(ProcessState::UserTurn)
            && self.desk.pending(session_id).next().is_none()
            && process.is_some_and(|process| {
                process.background.is_empty() && process.untaken.is_empty() && !process.stopping
            })
    }

    fn is_alive(&self, session_id: SessionId) -> bool {
        self.desk
            .state(session_id)
            .is_some_and(|state| state != ProcessState::Dead)
    }
}

fn unknown_session() -> Refusal {
    Refusal::new(
        Code::UnknownSession,
        "There is no such session. It may have been removed: look in the list.",
    )
}

fn just_ended() -> Refusal {
    Refusal::new(
        Code::AgentUnavailable,
        "The process is just ending. Try again in a moment: a message resumes the session.",
    )
}

/// In a task of its own: what has several steps is done to the end also when whoever asked for it goes away meanwhile.
async fn to_its_end<T: Send + 'static>(
    steps: impl Future<Output = Result<T, Refusal>> + Send + 'static,
) -> Result<T, Refusal> {
    tokio::spawn(steps).await.unwrap_or_else(|_| {
        Err(Refusal::new(
            Code::Internal,
            "The server could not do this. Try again; its log says why.",
        ))
    })
}

fn project_of(directory: &std::path::Path) -> ProjectId {
    ProjectId(directory.to_string_lossy().into_owned())
}
