//! What agents report, and what it changes.

use super::record::Partial;
use super::sessions::COPY;
use super::{Hub, Reply, State, Topic};
use crate::desk::Event as DeskEvent;
use crate::model::{Delta, Entry, Event, MessageId, ServerMessage, SessionId, UnixTime};
use crate::server::agent::Heard;
use std::collections::BTreeSet;
use std::sync::Arc;

/// More of a text that is being written is not shown before it is complete.
const MOST_PARTIAL: usize = 1024 * 1024;

impl Hub {
    /// The agent of a session said something. Called from its reading loop: must be quick.
    pub(super) fn hear(&self, session_id: SessionId, heard: Heard) {
        let mut state = self.lock();
        let passed = self.0.clock.passed();
        if let Some(record) = state.sessions.get_mut(&session_id) {
            if shows_a_conversation(&heard) {
                record.begun = true;
                if record.session.fork_of.take().is_some() {
                    self.0.store.note_session(record.session.clone());
                }
            }
            if let Some(process) = &mut record.process {
                process.said_something(&heard);
                if matches!(heard, Heard::Stirred) {
                    return;
                }
                process.last_active = passed;
                if is_answering(&heard) {
                    let queued = &process.queued;
                    process.untaken.retain(|id| queued.contains(id));
                }
            }
        }
        match heard {
            Heard::Ready => self.apply(&mut state, DeskEvent::Ready { session_id }),
            Heard::TurnBegan => {
                if let Some(process) = state.process_mut(session_id) {
                    process.turn_failed = false;
                }
                nobody_has_stopped_it(&mut state, session_id);
                self.apply(&mut state, DeskEvent::TurnBegan { session_id });
            }
            Heard::TurnFinished => {
                nobody_has_stopped_it(&mut state, session_id);
                self.apply(&mut state, DeskEvent::TurnFinished { session_id });
            }
            Heard::Happened(entry) => {
                if let Entry::TurnFinished { error, .. } = &entry
                    && let Some(process) = state.process_mut(session_id)
                {
                    process.turn_failed = error.is_some();
                }
                self.end_partial(&mut state, session_id, &entry);
                self.note(&mut state, session_id, entry);
            }
            Heard::Brought(pictures) => self.0.store.note_attachments(session_id, pictures),
            Heard::Wrote {
                thinking,
                text,
                begins,
            } => self.write_partial(&mut state, session_id, thinking, text, begins),
            Heard::Asked {
                request,
                bytes,
                reply,
            } => self.ask(&mut state, session_id, request, bytes, reply),
            Heard::SaidMuch { written } => self.0.store.tell_when_written(written),
            // whoever takes the lock does what was put off
            Heard::GaveWay | Heard::Stirred => {}
            Heard::Withdrew(request_id) => {
                let at = self.0.clock.now();
                let process = state.process_mut(session_id);
                let stopped = process.is_some_and(|process| process.interrupted);
                self.apply(
                    &mut state,
                    DeskEvent::Withdrawn {
                        session_id,
                        request_id,
                        stopped,
                        at,
                    },
                );
            }
            Heard::MessageTaken(message_id) => self.taken(&mut state, session_id, message_id),
            Heard::QueueTaken => {
                let process = state.process_mut(session_id);
                let all: Vec<_> = process
                    .map(|process| process.queued.iter().copied().collect())
                    .unwrap_or_default();
                for message_id in all {
                    self.taken(&mut state, session_id, message_id);
                }
            }
            Heard::MessageCancelled(message_id) => {
                let is_there = state.process_mut(session_id).is_some_and(|process| {
                    // nobody took it back: it was not read, and can be sent again
                    if process.stopping {
                        return false;
                    }
                    process.queued.remove(&message_id);
                    process.untaken.remove(&message_id)
                });
                if is_there {
                    let entry = Entry::MessageCancelled { message_id };
                    self.note(&mut state, session_id, entry);
                    self.publish(&mut state, session_id);
                }
            }
            Heard::MessageGivenBack(message_id) => {
                let was_queued = state.process_mut(session_id).is_some_and(|process| {
                    process.untaken.remove(&message_id);
                    process.queued.remove(&message_id)
                });
                if was_queued {
                    self.not_read(&mut state, session_id, [message_id]);
                    self.publish(&mut state, session_id);
                }
            }
            Heard::Can(capabilities) => {
                let known = Arc::new(capabilities);
                if state.last_known.as_ref() != Some(&known) {
                    state.last_known = Some(known.clone());
                    let agent = &self.agent().name;
                    self.0.store.note_capabilities(agent, known.clone());
                }
                if let Some(process) = state.process_mut(session_id) {
                    process.can = Some(known);
                }
            }
            Heard::Keeps(id) => {
                let is_new = state
                    .sessions
                    .get(&session_id)
                    .is_some_and(|record| record.session.kept_as() != id);
                if is_new {
                    self.change_session(&mut state, session_id, |session| {
                        session.conversation_id = Some(id)
                    });
                }
            }
            Heard::ModeIs(mode) => self.change_session(&mut state, session_id, |session| {
                session.permission_mode = mode
            }),
            Heard::TitleIs(title) => self.change_session(&mut state, session_id, |session| {
                if !is_of_the_original(&title, &session.title) {
                    session.title = title
                }
            }),
            Heard::ConversationIs { there } => {
                // the next message starts it the other way
                if let Some(record) = state.sessions.get_mut(&session_id) {
                    record.begun = there;
                }
            }
            Heard::ModelIs(model) => self.change_process(&mut state, session_id, |process| {
                let new = Some(model);
                std::mem::replace(&mut process.model, new.clone()) != new
            }),
            Heard::EffortIs(new) => self.change_process(&mut state, session_id, |process| {
                process.effort.replace(new.clone()) != Some(new)
            }),
            Heard::EffortChosen(effort) => {
                self.change_session(&mut state, session_id, |session| session.effort = effort)
            }
            Heard::Spent(spent) => self.change_process(&mut state, session_id, |process| {
                let new = Some(spent);
                std::mem::replace(&mut process.spent, new) != new
            }),
            Heard::Doing(activity) => self.change_process(&mut state, session_id, |process| {
                let tried = process.tries_again_at.take().is_some();
                std::mem::replace(&mut process.activity, activity.clone()) != activity || tried
            }),
            Heard::TriesAgain { why, after } => {
                let now = self.0.clock.now();
                self.change_process(&mut state, session_id, |process| {
                    process.activity = Some(why);
                    process.tries_again_at =
                        after.map(|after| UnixTime(now.0 + after.as_secs_f64()));
                    true
                });
            }
            Heard::Background(running) => {
                self.change_process(&mut state, session_id, |process| {
                    std::mem::replace(&mut process.background, running.clone()) != running
                });
            }
            Heard::TaskEnded(end) => self.task_ended(session_id, end),
            Heard::Died { reason, error } => self.died(&mut state, session_id, reason, error),
        }
    }

    pub(super) fn apply(&self, state: &mut State, event: DeskEvent<Reply>) {
        match state.desk.apply(event) {
            Ok(effects) => self.carry_out(state, effects),
            Err(refusal) => tracing::warn!(%refusal, "an event was refused"),
        }
    }

    /// The agent took a message, queued or not.
    fn taken(&self, state: &mut State, session_id: SessionId, message_id: MessageId) {
        let Some(process) = state.process_mut(session_id) else {
            return;
        };
        let was_queued = process.queued.remove(&message_id);
        if process.untaken.remove(&message_id) {
            self.note(state, session_id, Entry::MessageTaken { message_id });
        }
        if was_queued {
            self.publish(state, session_id);
        }
    }

    /// Adds an entry to a session's transcript.
    pub(super) fn note(&self, state: &mut State, session_id: SessionId, entry: Entry) {
        if let Some(event) = self.append(state, session_id, entry) {
            self.0.store.note_event(session_id, event);
        }
    }

    /// The same of something that happened at another time.
    pub(super) fn note_at(
        &self,
        state: &mut State,
        session_id: SessionId,
        at: UnixTime,
        entry: Entry,
    ) {
        if let Some(event) = self.append_at(state, session_id, at, entry) {
            self.0.store.note_event(session_id, event);
        }
    }

    pub(super) fn append(
        &self,
        state: &mut State,
        session_id: SessionId,
        entry: Entry,
    ) -> Option<Event> {
        self.append_at(state, session_id, self.0.clock.now(), entry)
    }

    /// Numbers an entry, keeps it in memory and tells it. The caller stores it.
    pub(super) fn append_at(
        &self,
        state: &mut State,
        session_id: SessionId,
        at: UnixTime,
        entry: Entry,
    ) -> Option<Event> {
        // that a process was stopped is nothing that happened in the conversation: lists keep their order
        let is_activity =
            !state.shutting_down && !matches!(entry, Entry::ProcessEnded { error: None, .. });
        let record = state.sessions.get_mut(&session_id)?;
        if is_activity {
            record.session.updated_at = at;
        }
        let event = Event {
            seq: record.last_seq + 1,
            at,
            entry,
        };
        record.push(event.clone(), &self.0.store);
        self.send(
            Topic::Session(session_id),
            &ServerMessage::SessionEvents {
                session_id,
                events: vec![event.clone()],
                reset: false,
            },
        );
        Some(event)
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
        if !text.is_empty() && offset < MOST_PARTIAL {
            partial.text += &text;
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
        let mut unread = BTreeSet::new();
        let mut lost = Vec::new();
        if let Some(process) = state.process_mut(session_id) {
            lost = process.background_calls();
            process.kill_reason.clone_from(&reason);
            process.error.clone_from(&error);
            process.memory = None;
            process.activity = None;
            process.tries_again_at = None;
            process.background.clear();
            process.queued.clear();
            process.open.clear();
            unread = std::mem::take(&mut process.untaken);
        }
        self.not_read(state, session_id, unread);
        self.tasks_are_lost(state, session_id, lost);
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

    /// Said honestly, and the same message may be sent again.
    pub(super) fn not_read(
        &self,
        state: &mut State,
        session_id: SessionId,
        messages: impl IntoIterator<Item = MessageId>,
    ) {
        for message_id in messages {
            self.note(state, session_id, Entry::MessageNotRead { message_id });
            if let Some(record) = state.sessions.get_mut(&session_id) {
                record.seen_messages.remove(&message_id);
            }
        }
    }
}

fn nobody_has_stopped_it(state: &mut State, session_id: SessionId) {
    if let Some(process) = state.process_mut(session_id) {
        process.interrupted = false;
    }
}

/// Of the conversation that it is a copy of: its own name says that it is one.
fn is_of_the_original(title: &str, name: &str) -> bool {
    name.strip_prefix(COPY) == Some(title)
}

/// It answers, so it has read what it was waiting for.
fn is_answering(heard: &Heard) -> bool {
    match heard {
        Heard::Asked { .. } => true,
        Heard::Happened(entry) => matches!(
            entry,
            Entry::TextWritten { .. }
                | Entry::Thought { .. }
                | Entry::ToolCalled { .. }
                | Entry::TurnFinished { .. }
        ),
        _ => false,
    }
}

/// One that dies before this has kept nothing that could be resumed: the next start is a first one again.
fn shows_a_conversation(heard: &Heard) -> bool {
    match heard {
        Heard::ModelIs(_) | Heard::Asked { .. } => true,
        Heard::Happened(entry) => matches!(
            entry,
            Entry::TextWritten { .. }
                | Entry::Thought { .. }
                | Entry::ToolCalled { .. }
                | Entry::TurnFinished { error: None, .. }
        ),
        _ => false,
    }
}
