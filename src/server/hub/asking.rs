//! A request on its way through the hub: taken in, or refused because too much waits; written down; and its end told.

use super::record::Open;
use super::{Hub, Reply, State, Topic};
use crate::desk::{Event as DeskEvent, Settlement, Verdict};
use crate::model::transcript::Level;
use crate::model::{
    Entry, PendingRequest, RequestType, ResolvedBy, ServerMessage, SessionId, UnixTime,
};
use crate::server::agent::telling;
use crate::server::settings::Limits;
use std::time::Duration;

impl Hub {
    pub(super) fn ask(
        &self,
        state: &mut State,
        session_id: SessionId,
        mut request: PendingRequest,
        bytes: usize,
        reply: Reply,
    ) {
        let open = state.process(session_id).into_iter();
        let open = open.flat_map(|process| process.open.values().map(|open| open.bytes));
        if let Some(why) = too_much(open, bytes, &self.0.setup.settings.limits) {
            return self.refuse(state, session_id, &request, &why, reply);
        }
        let now = self.0.clock.now();
        request.created_at = now;
        let is_question = request.request_type != RequestType::ToolApproval;
        let limit = self.policies(state, session_id).limit(is_question);
        let limit = limit.map(Duration::from_secs);
        request.expires_at = limit.map(|limit| UnixTime(now.0 + limit.as_secs_f64()));
        let asked = self.0.clock.passed();
        if let Some(process) = state.process_mut(session_id) {
            let open = Open {
                asked,
                deadline: limit.map(|limit| asked.saturating_add(limit)),
                bytes,
                call: request.tool_use_id.clone(),
            };
            process.open.insert(request.request_id, open);
        }
        state.unwritten.push((session_id, request.clone()));
        self.apply(
            state,
            DeskEvent::Asked {
                session_id,
                request,
                reply,
            },
        );
    }

    /// Nobody could look at all that waits. The agent hears of it at once, and may ask again.
    fn refuse(
        &self,
        state: &mut State,
        session_id: SessionId,
        request: &PendingRequest,
        why: &str,
        reply: Reply,
    ) {
        let message = format!(
            "Countersign refused this request at once, for {why}. The user has not seen it. Ask again when some of \
             them have been answered."
        );
        // the agent may be gone: then nobody waits
        let _ = reply.send(Verdict::Undecided {
            message,
            interrupt: false,
        });
        let Some(process) = state.process_mut(session_id) else {
            return;
        };
        process.refused += 1;
        let count = process.refused;
        if telling::is_told(count) {
            let so_far = match count {
                1..=telling::FIRST => String::new(),
                _ => format!(" So were {} before it.", count - 1),
            };
            let tool = telling::in_short(&request.tool_name);
            let text = format!(
                "The agent asked to use {tool}, and was refused at once, for {why}.{so_far}"
            );
            let level = Level::Warning;
            self.note(state, session_id, Entry::Noticed { level, text });
        }
    }

    /// What was asked is told first: waking the store takes longer than all the rest, and a form waits for none of it. It
    /// is written down when its process has given way, or before anyone looks at or changes anything.
    pub(super) fn write_down(&self, state: &mut State) {
        for (session_id, request) in std::mem::take(&mut state.unwritten) {
            let (at, entry) = (
                request.created_at,
                Entry::Asked {
                    request: request.clone(),
                },
            );
            if let Some(event) = self.append_at(state, session_id, at, entry) {
                self.0.store.note_asked(session_id, request, event);
            }
        }
    }

    /// A request has ended: stored, told to everyone, kept in the transcript.
    pub(super) fn settle(&self, state: &mut State, settlement: Settlement) {
        let session_id = settlement.session_id;
        let passed = self.0.clock.passed();
        if let Some(process) = state.process_mut(session_id) {
            let open = process.open.remove(&settlement.request_id);
            process.was_answered(&settlement, open, passed);
        }
        self.send(
            Topic::Everyone,
            &ServerMessage::RequestResolved {
                session_id,
                request_id: settlement.request_id,
                outcome: settlement.outcome,
                by: settlement.by,
                at: settlement.at,
                answer_id: settlement.answer_id,
            },
        );
        let entry = Entry::Resolved {
            request_id: settlement.request_id,
            outcome: settlement.outcome,
            by: settlement.by,
            waited: settlement.waited,
            response: settlement.response.clone(),
        };
        let event = self.append(state, session_id, entry);
        let (request_id, by) = (settlement.request_id, settlement.by);
        self.0.store.note_settled(settlement, event);
        if by == ResolvedBy::Shutdown {
            self.0.store.note_cut_off(request_id);
        }
    }
}

/// Why a request of so many bytes cannot wait, too. All that waits in one process is in every frame that tells of it.
fn too_much(open: impl Iterator<Item = usize>, bytes: usize, limits: &Limits) -> Option<String> {
    let (count, together) = open.fold((0, bytes), |(count, sum), open| {
        (count + 1, open.saturating_add(sum))
    });
    if count >= limits.open_requests {
        Some(format!(
            "{count} requests wait for an answer already (limits.open_requests)"
        ))
    } else if together > limits.open_request_bytes {
        let most = limits.open_request_bytes;
        Some(format!(
            "all that wait for an answer may have {most} bytes together (limits.open_request_bytes)"
        ))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::settings::Settings;

    #[test]
    fn only_so_many_requests_of_so_many_bytes_wait_in_one_process() {
        let mut limits = Settings::load(None).expect("embedded").limits;
        limits.open_requests = 3;
        limits.open_request_bytes = 100;
        let why = |open: &[usize], bytes| too_much(open.iter().copied(), bytes, &limits);
        for (open, bytes) in [(&[][..], 100), (&[40, 40], 20), (&[0, 0], 0)] {
            assert_eq!(why(open, bytes), None, "{open:?} {bytes}");
        }
        for (open, bytes, named) in [
            (&[0, 0, 0][..], 0, "open_requests"),
            (&[40, 40], 21, "open_request_bytes"),
            (&[], 101, "open_request_bytes"),
            (&[usize::MAX], 1, "open_request_bytes"),
        ] {
            let why = why(open, bytes).expect("too much");
            assert!(why.contains(named), "{why}");
        }
    }
}
