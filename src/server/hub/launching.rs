//! Starting the process of a session: whether there is room, which conversation it is to have, and whether somebody else
//! has that one open.

use super::record::Process;
use super::sessions::directory_of;
use super::{Hub, State, unknown_session};
use crate::desk::Event as DeskEvent;
use crate::model::{Code, Entry, Refusal, SessionId, Suggestion};
use crate::server::agent::{self, Conversation, Launch, Order};
use crate::server::store::StoredSession;
use std::time::Duration;
use tokio::process::Child;
use tokio::sync::mpsc;

/// How long a process that is about to end is waited for before it counts as another one at work.
const TRIES: u32 = 10;
const BETWEEN_TRIES: Duration = Duration::from_millis(50);

/// An agent that was started and has nothing to do yet.
pub struct Ready(Child);

impl Hub {
    /// Resumes the process if none runs, without saying anything to it.
    pub(super) async fn wake(&self, session_id: SessionId) -> Result<(), Refusal> {
        self.check_nobody_else_has_it(session_id).await?;
        self.let_go_of_what_went_on_elsewhere(session_id).await;
        let to_launch = {
            let mut state = self.lock();
            match state.is_alive(session_id) {
                true => None,
                false => Some(self.reserve(&mut state, session_id)?),
            }
        };
        match to_launch {
            Some((launch, orders)) => self.launch(launch, orders),
            None => Ok(()),
        }
    }

    /// Starts the agent of a session that nobody knows yet.
    pub(super) fn ready(&self, session: &StoredSession) -> Result<Ready, Refusal> {
        self.check_room(&self.lock())?;
        self.spawn(&self.launch_of(session, false, &[])?)
    }

    fn launch_of(
        &self,
        session: &StoredSession,
        begun: bool,
        granted: &[Suggestion],
    ) -> Result<Launch, Refusal> {
        let kept_as = session.kept_as();
        Ok(Launch {
            program: self.0.setup.agent.clone(),
            session_id: session.session_id,
            conversation: match session.fork_of {
                Some(of) => Conversation::Fork(of, kept_as),
                None if begun => Conversation::Resume(kept_as),
                None => Conversation::Begin(kept_as),
            },
            may_bypass: session.may_bypass,
            granted: granted.to_vec(),
            directory: directory_of(&session.project_id)?,
            permission_mode: session.permission_mode.clone(),
            model: session.model.clone(),
            effort: session.effort.clone(),
            data_directory: self.0.setup.data_directory.clone(),
            line_limit: self.0.setup.settings.limits.line_bytes,
        })
    }

    fn check_room(&self, state: &State) -> Result<(), Refusal> {
        if state.shutting_down {
            return Err(Refusal::new(
                Code::AgentUnavailable,
                "Countersign is being stopped. Start it again and send the message then.",
            ));
        }
        let limit = self.0.setup.settings.limits.processes;
        let running = state
            .sessions
            .keys()
            .filter(|id| state.is_alive(**id))
            .count();
        match running >= limit {
            true => Err(Refusal::new(
                Code::TooMany,
                format!(
                    "At most {limit} agents may run at once, and {running} do. End one, or raise limits.processes."
                ),
            )),
            false => Ok(()),
        }
    }

    /// A conversation that two processes write to splits in two, and one half is lost. It is opened a second time only
    /// when the person wants it.
    pub(super) async fn check_nobody_else_has_it(
        &self,
        session_id: SessionId,
    ) -> Result<(), Refusal> {
        let (kept_as, ours) = {
            let state = self.lock();
            let Some(record) = state.sessions.get(&session_id) else {
                return Ok(());
            };
            if !record.begun || record.session.fork_of.is_some() {
                return Ok(());
            }
            let ours: Vec<u32> = state
                .sessions
                .values()
                .filter_map(|record| record.process.as_ref()?.pid)
                .collect();
            (record.session.kept_as(), ours)
        };
        let program = &self.0.setup.agent;
        let directory = program.own_directory(&self.0.setup.data_directory);
        let looking = async {
            let mut tries = 0;
            loop {
                let (directory, ours) = (directory.clone(), ours.clone());
                let look = move || agent::registry::held_by(&directory, kept_as, &ours);
                let holder = tokio::task::spawn_blocking(look).await.ok().flatten();
                // one that is just ending is given a moment
                if holder.is_none() || tries == TRIES {
                    return holder;
                }
                tries += 1;
                tokio::time::sleep(BETWEEN_TRIES).await;
            }
        };
        match looking.await {
            Some(pid) => Err(Refusal::new(
                Code::SessionTaken,
                format!(
                    "Another process has this conversation open (number {pid}, perhaps in a terminal). If both go on, they no longer know of each other. End the other one, fork the session, or open it anyway."
                ),
            )),
            None => Ok(()),
        }
    }

    /// Takes the seat of a new process, so that two messages at once start one agent.
    pub(super) fn reserve(
        &self,
        state: &mut State,
        session_id: SessionId,
    ) -> Result<(Launch, mpsc::UnboundedReceiver<Order>), Refusal> {
        self.check_room(state)?;
        let record = state
            .sessions
            .get(&session_id)
            .ok_or_else(unknown_session)?;
        let launch = self.launch_of(&record.session, record.begun, &record.granted)?;
        // one that has a process is not archived
        self.take_out_of_archive(state, session_id);
        self.cut_off_was_seen(state, session_id);
        let record = state
            .sessions
            .get_mut(&session_id)
            .ok_or_else(unknown_session)?;
        let (orders, received) = mpsc::unbounded_channel();
        record.process = Some(Process::new(
            orders,
            self.0.clock.now(),
            self.0.clock.passed(),
        ));
        let resumed = record.begun;
        self.apply(state, DeskEvent::Started { session_id });
        self.note(state, session_id, Entry::ProcessStarted { resumed });
        Ok((launch, received))
    }

    pub(super) fn launch(
        &self,
        launch: Launch,
        orders: mpsc::UnboundedReceiver<Order>,
    ) -> Result<(), Refusal> {
        match self.spawn(&launch) {
            Ok(ready) => {
                self.run(launch, ready, orders);
                Ok(())
            }
            Err(refusal) => {
                let error = Some(refusal.message.clone());
                let died = agent::Heard::Died {
                    reason: None,
                    error,
                };
                self.hear(launch.session_id, died);
                Err(refusal)
            }
        }
    }

    fn spawn(&self, launch: &Launch) -> Result<Ready, Refusal> {
        let refuse =
            |error| Refusal::new(Code::AgentUnavailable, launch.program.not_started(&error));
        launch.spawn().map(Ready).map_err(refuse)
    }

    pub(super) fn run(
        &self,
        launch: Launch,
        Ready(child): Ready,
        orders: mpsc::UnboundedReceiver<Order>,
    ) {
        let session_id = launch.session_id;
        self.change_process(&mut self.lock(), session_id, |process| {
            process.pid = child.id();
            false
        });
        let hub = self.clone();
        tokio::spawn(agent::run(child, launch, orders, move |heard| {
            hub.hear(session_id, heard)
        }));
    }
}
