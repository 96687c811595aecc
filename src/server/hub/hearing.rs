//! What agents report, and what it changes.

use super::{Hub, Reply, State, Topic, record::Partial};
use crate::desk::{Event as DeskEvent, Settlement};
use crate::model::{
    Delta, Entry, Event, Outcome, PendingRequest, RequestType, ResolvedBy, ServerMessage,
    SessionId, UnixTime,
};
use crate::server::agent::Heard;

impl Hub {
    /// The agent of a session said something. Called from its reading loop: must be quick.
    pub(super) fn hear(&self, session_id: SessionId, heard: Heard) {
        let mut state = self.lock();
        let passed = self.0.clock.passed();
        if let Some(process) = state
            .sessions
            .get_mut(&session_id)
            .and_then(|record| record.process.as_mut())
        {
            process.last_active = passed;
        }
        match heard {
            Heard::Ready => self.apply(&mut state, DeskEvent::Ready { session_id }),
            Heard::TurnBegan => self.apply(&mut state, DeskEvent::TurnBegan { session_id }),
            Heard::TurnFinished => self.apply(&mut state, DeskEvent::TurnFinished { session_id }),
            Heard::Happened(entry) => {
                self.end_partial(&mut state, session_id, &entry);
                self.note(&mut state, session_id, entry);
            }
            Heard::Wrote {
                thinking,
                text,
                begins,
            } => self.write_partial(&mut state, session_id, thinking, text, begins),
            Heard::Asked { request, reply } => self.ask(&mut state, session_id, request, reply),
            Heard::Withdrew(request_id) => {
                let at = self.0.clock.now();
                self.apply(
                    &mut state,
                    DeskEvent::Withdrawn {
                        session_id,
                        request_id,
                        at,
                    },
                );
            }
            Heard::MessageTaken(message_id) => {
                let was_queued = state
                    .sessions
                    .get_mut(&session_id)
                    .and_then(|record| record.process.as_mut())
                    .is_some_and(|process| process.queued.remove(&message_id));
                if was_queued {
                    self.note(&mut state, session_id, Entry::MessageTaken { message_id });
                    self.publish(&mut state, session_id);
                }
            }
            Heard::ModeIs(mode) => self.change_session(&mut state, session_id, |session| {
                session.permission_mode = mode
            }),
            Heard::TitleIs(title) => {
                self.change_session(&mut state, session_id, |session| session.title = title)
            }
            Heard::ModelIs(model) => self.change_process(&mut state, session_id, |process| {
                let new = Some(model);
                std::mem::replace(&mut process.model, new.clone()) != new
            }),
            Heard::Doing(activity) => self.change_process(&mut state, session_id, |process| {
                std::mem::replace(&mut process.activity, activity.clone()) != activity
            }),
            Heard::Died { reason, error } => self.died(&mut state, session_id, reason, error),
        }
    }

    pub(super) fn apply(&self, state: &mut State, event: DeskEvent<Reply>) {
        match state.desk.apply(event) {
            Ok(effects) => self.carry_out(state, effects),
            Err(refusal) => tracing::warn!(%refusal, "an event was refused"),
        }
    }

    fn ask(
        &self,
        state: &mut State,
        session_id: SessionId,
        mut request: PendingRequest,
        reply: Reply,
    ) {
        let now = self.0.clock.now();
        request.created_at = now;
        let is_question = request.request_type != RequestType::ToolApproval;
        if let Some(limit) = self.0.setup.settings.request_timeout(is_question) {
            request.expires_at = Some(UnixTime(now.0 + limit.as_secs_f64()));
            let deadline = self.0.clock.passed() + limit;
            if let Some(process) = state
                .sessions
                .get_mut(&session_id)
                .and_then(|record| record.process.as_mut())
            {
                process.deadlines.insert(request.request_id, deadline);
            }
        }
        // first the state that the form follows, then the rest
        self.apply(
            state,
            DeskEvent::Asked {
                session_id,
                request: request.clone(),
                reply,
            },
        );
        self.0.store.note_asked(session_id, request.clone());
        self.note(state, session_id, Entry::Asked { request });
    }

    /// A request has ended: stored, told to everyone, kept in the transcript.
    pub(super) fn settle(&self, state: &mut State, settlement: Settlement) {
        let session_id = settlement.session_id;
        if let Some(process) = state
            .sessions
            .get_mut(&session_id)
            .and_then(|record| record.process.as_mut())
        {
            process.deadlines.remove(&settlement.request_id);
        }
        self.0.store.note_settled(settlement.clone());
        self.send(
            Topic::Everyone,
            &ServerMessage::RequestResolved {
                session_id,
                request_id: settlement.request_id,
                outcome: settlement.outcome,
                by: settlement.by,
                at: settlement.at,
            },
        );
        self.note(
            state,
            session_id,
            Entry::Resolved {
                request_id: settlement.request_id,
                outcome: settlement.outcome,
                by: settlement.by,
                waited: settlement.waited,
                response: settlement.response,
            },
        );
    }

    /// Adds an entry to a session's transcript.
    pub(super) fn note(&self, state: &mut State, session_id: SessionId, entry: Entry) {
        let Some(record) = state.sessions.get_mut(&session_id) else {
            return;
        };
        let at = self.0.clock.now();
        record.session.updated_at = at;
        let event = Event {
            seq: record.last_seq + 1,
            at,
            entry,
        };
        record.push(event.clone(), &self.0.store);
        self.0.store.note_event(session_id, event.clone());
        self.send(
            Topic::Session(session_id),
            &ServerMessage::SessionEvents {
                session_id,
                events: vec![event],
                reset: false,
            },
        );
    }

    fn write_partial(
        &self,
        state: &mut State,
        session_id: SessionId,
        thinking: bool,
        text: String,
        begins: bool,
    ) {
        let Some(record) = state.sessions.get_mut(&session_id) else {
            return;
        };
        let partial = match record.partial.take() {
            Some(partial) if !begins && partial.thinking == thinking => partial,
            _ => Partial {
                thinking,
                text: String::new(),
            },
        };
        let offset = partial.text.len();
        let partial = record.partial.insert(partial);
        partial.text += &text;
        if !text.is_empty() {
            let delta = Delta {
                session_id,
                thinking,
                offset,
                text,
            };
            self.send(
                Topic::Session(session_id),
                &ServerMessage::SessionDelta(delta),
            );
        }
    }

    fn end_partial(&self, state: &mut State, session_id: SessionId, entry: &Entry) {
        let ends = matches!(
            entry,
            Entry::TextWritten { agent: None, .. }
                | Entry::Thought { .. }
                | Entry::TurnFinished { .. }
                | Entry::ProcessEnded { .. }
        );
        if ends && let Some(record) = state.sessions.get_mut(&session_id) {
            record.partial = None;
        }
    }

    fn died(
        &self,
        state: &mut State,
        session_id: SessionId,
        reason: Option<String>,
        error: Option<String>,
    ) {
        if !state.is_alive(session_id) {
            return;
        }
        if let Some(process) = state
            .sessions
            .get_mut(&session_id)
            .and_then(|record| record.process.as_mut())
        {
            process.kill_reason.clone_from(&reason);
            process.error.clone_from(&error);
            process.memory = None;
            process.activity = None;
            process.queued.clear();
            process.deadlines.clear();
        }
        let at = self.0.clock.now();
        self.apply(state, DeskEvent::Died { session_id, at });
        let entry = Entry::ProcessEnded {
            reason: reason.unwrap_or_else(|| "The process ended.".to_owned()),
            error,
        };
        self.end_partial(state, session_id, &entry);
        self.note(state, session_id, entry);
        if let Some(record) = state.sessions.get_mut(&session_id) {
            self.0.store.note_session(record.session.clone());
            // who looks at it again reads it from the store
            if record
                .events
                .as_ref()
                .is_some_and(|events| events.len() > super::record::PAGE)
            {
                record.events = None;
            }
        }
    }

    /// Requests that were open when an earlier server went away have ended with their processes.
    pub(super) fn settle_what_the_last_run_left_open(&self) {
        let at = self.0.clock.now();
        let mut state = self.lock();
        for open in self.0.store.unsettled() {
            self.settle(
                &mut state,
                Settlement {
                    session_id: open.session_id,
                    request_id: open.request_id,
                    outcome: Outcome::ProcessEnded,
                    by: ResolvedBy::Process,
                    at,
                    waited: at.since(open.asked_at),
                    response: None,
                },
            );
            self.note(
                &mut state,
                open.session_id,
                Entry::ProcessEnded {
                    reason: "Countersign was stopped while this waited. Send a message to go on."
                        .to_owned(),
                    error: None,
                },
            );
        }
    }
}
