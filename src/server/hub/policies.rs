//! Who is there, who may answer, and what becomes of a request that nobody answers: the rules are in
//! [`crate::desk::Presence`], here they meet the sessions.

use super::{Hub, State, unknown_session};
use crate::desk::{Asker, Event as DeskEvent, GivenUp};
use crate::model::policy::{AnswerFrom, OwnPolicies, Policies, SessionPolicies};
use crate::model::{ClientId, Code, PermissionMode, Refusal, RequestId, RequestType, SessionId};

/// Longer limits are slips of the pen.
const MOST_SECONDS: u64 = 30 * 24 * 3600;

/// Someone with an open socket. Dropped, they are gone.
pub struct Visitor {
    hub: Hub,
    pub id: ClientId,
}

impl Drop for Visitor {
    fn drop(&mut self) {
        let mut state = self.hub.lock();
        let freed = state.presence.left(self.id, self.hub.0.clock.passed());
        for session_id in freed {
            self.hub.tell_who_holds(&mut state, session_id);
        }
    }
}

impl Hub {
    pub fn arrive(&self, id: ClientId) -> Visitor {
        self.lock().presence.came(id);
        Visitor {
            hub: self.clone(),
            id,
        }
    }

    /// Someone looks at a session: it is theirs when it is nobody's.
    pub fn look(&self, session_id: SessionId, client: ClientId) {
        let mut state = self.lock();
        if state.sessions.contains_key(&session_id) && state.presence.look(session_id, client) {
            self.tell_who_holds(&mut state, session_id);
        }
    }

    pub fn take_over(&self, session_id: SessionId, asker: Asker) -> Result<(), Refusal> {
        let mut state = self.lock();
        if !state.sessions.contains_key(&session_id) {
            return Err(unknown_session());
        }
        if state.presence.take_over(session_id, asker) {
            self.tell_who_holds(&mut state, session_id);
        }
        Ok(())
    }

    /// Of a request that waits: one that does not is explained by the desk.
    pub(super) fn check_asker(
        &self,
        state: &mut State,
        session_id: SessionId,
        request_id: RequestId,
        asker: Asker,
    ) -> Result<(), Refusal> {
        let mut pending = state.desk.pending(session_id);
        if !pending.any(|request| request.request_id == request_id) {
            return Ok(());
        }
        drop(pending);
        let policy = self.policies(state, session_id).answer_from;
        if state.presence.may_answer(policy, session_id, asker)? {
            self.tell_who_holds(state, session_id);
        }
        Ok(())
    }

    fn tell_who_holds(&self, state: &mut State, session_id: SessionId) {
        if self.policies(state, session_id).answer_from == AnswerFrom::Active {
            self.publish(state, session_id);
        }
    }

    /// What holds for a session.
    pub(super) fn policies(&self, state: &State, session_id: SessionId) -> Policies {
        let settings = &self.0.setup.settings.requests;
        state.sessions.get(&session_id).map_or_else(
            || settings.clone(),
            |record| record.session.policies.over(settings),
        )
    }

    pub fn session_policies(&self, session_id: SessionId) -> Result<SessionPolicies, Refusal> {
        let state = self.lock();
        let record = state
            .sessions
            .get(&session_id)
            .ok_or_else(unknown_session)?;
        Ok(SessionPolicies {
            own: record.session.policies.clone(),
            settings: self.0.setup.settings.requests.clone(),
        })
    }

    /// A time limit counts for what is asked from now on, the rest at once.
    pub fn set_policies(&self, session_id: SessionId, own: OwnPolicies) -> Result<(), Refusal> {
        for seconds in [own.timeout_seconds, own.question_timeout_seconds] {
            if seconds.is_some_and(|seconds| seconds > MOST_SECONDS) {
                return Err(Refusal::new(
                    Code::InvalidRequest,
                    format!(
                        "A time limit has at most {MOST_SECONDS} seconds, which are 30 days. 0 waits for ever."
                    ),
                ));
            }
        }
        let mut state = self.lock();
        if !state.sessions.contains_key(&session_id) {
            return Err(unknown_session());
        }
        self.change_session(&mut state, session_id, |session| session.policies = own);
        Ok(())
    }

    /// Everyone has been gone for long enough.
    pub(super) fn give_up_if_alone(&self, state: &mut State, session_id: SessionId) {
        let policy = self.policies(state, session_id).on_disconnect;
        let passed = self.0.clock.passed();
        let Some(process) = state.process(session_id) else {
            return;
        };
        let alone: Vec<RequestId> = process
            .open
            .iter()
            .filter(|(_, open)| state.presence.gives_up(policy, open.asked, passed))
            .map(|(id, _)| *id)
            .collect();
        self.give_up(state, session_id, alone, &GivenUp::NobodyConnected);
    }

    pub(super) fn give_up(
        &self,
        state: &mut State,
        session_id: SessionId,
        requests: Vec<RequestId>,
        why: &GivenUp,
    ) {
        for request_id in requests {
            let event = DeskEvent::GivenUp {
                session_id,
                request_id,
                why: why.clone(),
                at: self.0.clock.now(),
            };
            self.apply(state, event);
        }
    }

    /// What waits and was asked under a mode that is about to change. A question is none of a mode's business.
    pub(super) fn asked_under_the_mode(
        state: &State,
        session_id: SessionId,
        new: &PermissionMode,
    ) -> Vec<RequestId> {
        let same = state
            .sessions
            .get(&session_id)
            .is_some_and(|record| record.session.permission_mode == *new);
        let pending = state.desk.pending(session_id);
        pending
            .filter(|request| !same && request.request_type != RequestType::AskUserQuestion)
            .map(|request| request.request_id)
            .collect()
    }
}
