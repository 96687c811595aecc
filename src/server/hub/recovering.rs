//! What an earlier server left when it went away.

use super::{Hub, State};
use crate::desk::Settlement;
use crate::model::transcript::Level;
use crate::model::unread::unread;
use crate::model::{Entry, Event, Outcome, ResolvedBy, SessionId, UnixTime};
use crate::server::agent::{Heard, Written, elsewhere};
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
                answer_id: None,
            };
            let is_cut_off = settlement.response.is_none();
            self.settle(&mut state, settlement);
            if is_cut_off {
                self.0.store.note_cut_off(open.request_id);
            }
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
                if was_at_work {
                    self.show_what_it_did_alone(&mut state, session_id);
                }
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

impl Hub {
    /// An agent does not stop when its server is killed: it goes on with what it need not ask for, and writes it down.
    fn show_what_it_did_alone(&self, state: &mut State, session_id: SessionId) {
        let directory = self.agents_directory();
        let Some(record) = state.sessions.get_mut(&session_id) else {
            return;
        };
        let kept = elsewhere::conversation(&directory, record.session.kept_as());
        let lines = unseen(kept, record.events(&self.0.store));
        if lines.is_empty() {
            return;
        }
        let entry = Entry::Noticed {
            level: Level::Warning,
            text: "Countersign was stopped, and the agent went on without it for a while:"
                .to_owned(),
        };
        self.note(state, session_id, entry);
        self.show(state, session_id, lines);
    }
}

/// What comes after the last line that is known here by its number, without what was written after that and is known, too:
/// equal words alone prove nothing, for an agent says "Done." often. If no line is known, nothing can be told.
fn unseen(lines: Vec<Written>, events: &VecDeque<Event>) -> Vec<Written> {
    let tells = |line: &Written, event: &Event, same: fn(&Entry, &Entry) -> bool| {
        line.heard.iter().any(|heard| match heard {
            Heard::Happened(entry) => same(&event.entry, entry),
            _ => false,
        })
    };
    let is_known = |line: &Written| {
        events
            .iter()
            .any(|event| tells(line, event, has_its_number))
    };
    let Some(last) = lines.iter().rposition(is_known) else {
        return Vec::new();
    };
    let here = |event: &Event| tells(&lines[last], event, has_its_number);
    let after = events.iter().rposition(here).map_or(0, |at| at + 1);
    let is_told = |line: &Written| {
        let mut since = events.iter().skip(after);
        since.any(|event| tells(line, event, has_its_words))
    };
    let unseen = lines
        .iter()
        .skip(last + 1)
        .position(|line| !is_told(line))
        .map(|at| last + 1 + at);
    unseen.map_or_else(Vec::new, |first| lines.into_iter().skip(first).collect())
}

fn has_its_number(ours: &Entry, written: &Entry) -> bool {
    use Entry::{MessageSent, ToolCalled, ToolFinished};
    match (ours, written) {
        (MessageSent { message_id: a, .. }, MessageSent { message_id: b, .. }) => a == b,
        (ToolCalled { tool_use_id: a, .. }, ToolCalled { tool_use_id: b, .. }) => a == b,
        (ToolFinished { tool_use_id: a, .. }, ToolFinished { tool_use_id: b, .. }) => a == b,
        _ => false,
    }
}

fn has_its_words(ours: &Entry, written: &Entry) -> bool {
    use Entry::{TextWritten, Thought};
    match (ours, written) {
        (TextWritten { text: a, .. }, TextWritten { text: b, .. }) => a == b,
        (Thought { text: a, .. }, Thought { text: b, .. }) => a == b,
        _ => false,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{MessageId, ToolUseId};

    fn said(message_id: MessageId) -> Entry {
        Entry::MessageSent {
            message_id,
            text: "go on".to_owned(),
            queued: false,
            attachments: Vec::new(),
        }
    }

    fn wrote(text: &str) -> Entry {
        Entry::TextWritten {
            text: text.to_owned(),
            agent: None,
        }
    }

    fn finished(call: &str) -> Entry {
        Entry::ToolFinished {
            tool_use_id: ToolUseId(call.to_owned()),
            text: String::new(),
            is_error: false,
            stopped: false,
            images: Vec::new(),
        }
    }

    fn unseen_of(written: &[Entry], ours: &[Entry]) -> usize {
        let lines = written.iter().map(|entry| Written {
            at: UnixTime(0.0),
            entrypoint: None,
            heard: vec![Heard::Happened(entry.clone())],
        });
        let events = ours.iter().zip(1..).map(|(entry, seq)| Event {
            seq,
            at: UnixTime(0.0),
            entry: entry.clone(),
        });
        unseen(lines.collect(), &events.collect()).len()
    }

    #[test]
    fn only_what_came_after_is_unseen_whatever_words_it_has() {
        let (first, second) = (said(MessageId::random()), said(MessageId::random()));
        let ours = [
            first.clone(),
            wrote("Done."),
            second.clone(),
            wrote("I look."),
        ];
        let kept = [&ours[..], &[finished("a"), wrote("Done.")]].concat();
        assert_eq!(unseen_of(&ours, &ours), 0);
        assert_eq!(unseen_of(&kept, &ours), 2);
        assert_eq!(
            unseen_of(&[wrote("Done.")], &ours),
            0,
            "nothing can be told"
        );
    }
}
