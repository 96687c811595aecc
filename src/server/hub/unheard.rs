//! An answer that an agent does not seem to have heard: it is at work, says nothing at all after the answer, and runs nothing
//! that would explain that. Nobody else would notice, for nothing waits any more.

use super::record::{Open, Process};
use super::{Hub, State};
use crate::desk::Settlement;
use crate::model::transcript::Level;
use crate::model::{
    Decision, Entry, Event, ProcessState, ResolvedBy, Response, SessionId, ToolDecision, ToolUseId,
};
use crate::server::agent::Heard;
use std::time::Duration;

const SILENCE: Duration = Duration::from_secs(60);

/// The last answer of a person, as long as the agent has said nothing since.
pub struct Unheard {
    since: Duration,
    /// The call that was allowed: what it runs may be silent for long.
    allowed: Option<ToolUseId>,
}

impl Process {
    pub(super) fn was_answered(
        &mut self,
        settlement: &Settlement,
        open: Option<Open>,
        passed: Duration,
    ) {
        let (ResolvedBy::User, Some(response)) = (settlement.by, &settlement.response) else {
            return;
        };
        let allows = matches!(
            response,
            Response::ToolApproval(ToolDecision {
                decision: Decision::Allow,
                ..
            })
        );
        self.unheard = Some(Unheard {
            since: passed,
            allowed: open.and_then(|open| open.call).filter(|_| allows),
        });
    }

    pub(super) fn said_something(&mut self, heard: &Heard) {
        // these two are ours
        if !matches!(heard, Heard::GaveWay | Heard::SaidMuch { .. }) {
            self.unheard = None;
        }
    }
}

impl Hub {
    /// Said once for an answer.
    pub(super) fn tell_of_silence(&self, state: &mut State, session_id: SessionId) {
        let passed = self.0.clock.passed();
        let is_at_work = state.desk.state(session_id) == Some(ProcessState::AssistantTurn);
        // one that asks for something else as well may wait for that
        if !is_at_work || state.desk.is_waiting(session_id) {
            return;
        }
        let Some(record) = state.sessions.get_mut(&session_id) else {
            return;
        };
        let Some(process) = record.process.as_mut().filter(|process| !process.stopping) else {
            return;
        };
        let is_silent = |unheard: &Unheard| passed.saturating_sub(unheard.since) >= SILENCE;
        let Some(unheard) = process.unheard.take_if(|unheard| is_silent(unheard)) else {
            return;
        };
        let runs = unheard.allowed.is_some_and(|call| {
            // what is not in memory is not known
            record
                .events
                .as_ref()
                .is_none_or(|events| runs(events.iter().rev(), &call))
        });
        if !runs {
            let text = "The agent has said nothing for a minute since your answer. If it does not go on, stop the \
                        turn and tell it again.";
            let entry = Entry::Noticed {
                level: Level::Warning,
                text: text.to_owned(),
            };
            self.note(state, session_id, entry);
        }
    }
}

/// The call was made and has no result. The newest event comes first.
fn runs<'a>(mut events: impl Iterator<Item = &'a Event>, call: &ToolUseId) -> bool {
    let told = events.find_map(|event| match &event.entry {
        Entry::ToolCalled { tool_use_id, .. } if tool_use_id == call => Some(true),
        Entry::ToolFinished { tool_use_id, .. } if tool_use_id == call => Some(false),
        _ => None,
    });
    told.unwrap_or(false)
}
