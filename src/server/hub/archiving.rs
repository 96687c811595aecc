//! Sessions that a person has put away. They stand in no list and nothing of them is lost. None has a process: what runs is
//! ended when one is archived, and whatever starts a process brings its session back.

use super::taking_up::BETWEEN_LOOKS;
use super::{Hub, State, Topic, to_its_end, unknown_session};
use crate::model::{Code, ProjectId, Refusal, ServerMessage, SessionId, SessionSummary, UnixTime};
use crate::server::agent::Order;

impl Hub {
    /// The last one that was archived first.
    pub fn archived(&self) -> Vec<SessionSummary> {
        let state = self.lock();
        let records = state.sessions.values();
        let mut archived: Vec<(UnixTime, SessionSummary)> = records
            .filter_map(|record| Some((record.session.archived_at?, self.summary(&state, record))))
            .collect();
        archived.sort_by(|(a, _), (b, _)| b.0.total_cmp(&a.0));
        archived.into_iter().map(|(_, session)| session).collect()
    }

    /// One for each of them.
    pub(super) fn projects_of_archive(&self) -> Vec<ProjectId> {
        let state = self.lock();
        let sessions = state.sessions.values().map(|record| &record.session);
        sessions
            .filter(|session| session.archived_at.is_some())
            .map(|session| session.project_id.clone())
            .collect()
    }

    /// Returns when its process has ended and it is archived.
    pub async fn archive_session(&self, session_id: SessionId) -> Result<(), Refusal> {
        let hub = self.clone();
        to_its_end(async move {
            let mut often = tokio::time::interval(BETWEEN_LOOKS);
            while !hub.put_away(session_id)? {
                often.tick().await;
            }
            Ok(())
        })
        .await
    }

    /// Whether it is archived now; else what runs in it was told to end.
    fn put_away(&self, session_id: SessionId) -> Result<bool, Refusal> {
        let mut state = self.lock();
        let is_alive = state.is_alive(session_id);
        let record = state
            .sessions
            .get_mut(&session_id)
            .ok_or_else(unknown_session)?;
        if let Some(running) = &mut record.own_command {
            running.stop();
            return Ok(false);
        }
        if let Some(process) = record.process.as_mut().filter(|_| is_alive) {
            if !process.stopping {
                process.stopping = true;
                let reason = "Ended by you.".to_owned();
                let _ = process.orders.send(Order::Kill { reason });
            }
            // whoever ends the process takes back what they granted while it ran
            record.granted.clear();
            return Ok(false);
        }
        if record.session.archived_at.is_none() {
            let now = self.0.clock.now();
            self.cut_off_was_seen(&mut state, session_id);
            self.change_session(&mut state, session_id, |session| {
                session.archived_at = Some(now);
            });
            self.tell_archive(&state, None);
        }
        Ok(true)
    }

    pub fn bring_back_session(&self, session_id: SessionId) -> Result<(), Refusal> {
        let mut state = self.lock();
        if !state.sessions.contains_key(&session_id) {
            return Err(unknown_session());
        }
        self.take_out_of_archive(&mut state, session_id);
        Ok(())
    }

    pub(super) fn take_out_of_archive(&self, state: &mut State, session_id: SessionId) {
        let record = state.sessions.get(&session_id);
        if record.is_some_and(|record| record.session.archived_at.is_some()) {
            self.change_session(state, session_id, |session| session.archived_at = None);
            self.tell_archive(state, None);
        }
    }

    /// For good. What was asked and answered in it stays in the history; the agent keeps what it has written down itself.
    pub async fn delete_session(&self, session_id: SessionId) -> Result<(), Refusal> {
        let hub = self.clone();
        to_its_end(async move { hub.forget_for_good(session_id).await }).await
    }

    async fn forget_for_good(&self, session_id: SessionId) -> Result<(), Refusal> {
        // out of everybody's reach first: nothing may begin in it while it goes
        let (record, gone) = {
            let mut state = self.lock();
            let record = state.sessions.get(&session_id);
            let record = record.ok_or_else(unknown_session)?;
            if record.session.archived_at.is_none() {
                return Err(Refusal::new(
                    Code::InvalidRequest,
                    "Only an archived session can be deleted. Archive it first.",
                ));
            }
            let record = state.sessions.remove(&session_id);
            (record, self.0.store.delete_session(session_id))
        };
        let gone = gone.await;
        let mut state = self.lock();
        match &gone {
            Ok(()) => self.tell_archive(&state, Some(session_id)),
            Err(_) => drop(record.map(|record| state.sessions.insert(session_id, record))),
        }
        gone
    }

    fn tell_archive(&self, state: &State, deleted: Option<SessionId>) {
        let archived = state.archived();
        let message = ServerMessage::Archive { archived, deleted };
        self.send(Topic::Everyone, &message);
    }
}

impl State {
    /// How many there are.
    pub(super) fn archived(&self) -> usize {
        let records = self.sessions.values();
        let archived = records.filter(|record| record.session.archived_at.is_some());
        archived.count()
    }
}
