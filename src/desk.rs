//! THE RULES, pure: who may answer what, once, until when. `Desk::apply(event)` gives the effects to carry out; it does
//! no I/O and knows no clock. The waiting agent's reply channel lives *inside* the waiting request and moves out with
//! the verdict, so answering twice cannot be written.
//!
//! Life of a request: asked → (answered: claimed → recorded) → settled, or withdrawn, timed out, process ended.
//! An answer is *claimed* while it is being stored: a second answer is refused meanwhile, and the agent hears nothing
//! before the store has it.

mod check;
mod event;
#[cfg(test)]
mod explore;
mod input;
mod presence;
pub mod rules;
#[cfg(test)]
mod tests;
mod verdict;

pub use check::too_late;
pub use event::{Effect, Event, GivenUp, Settlement};
pub use presence::{Asker, Presence};
pub use rules::DenyRule;
pub use verdict::Verdict;

use crate::model::{
    Answer, AnswerId, Code, Outcome, PendingRequest, ProcessState, Refusal, RequestId, ResolvedBy,
    Response, SessionId, UnixTime,
};
use std::collections::{BTreeMap, VecDeque};

/// How many ended requests are remembered, to tell a late answer why it is late.
const REMEMBERED: usize = 1000;

#[derive(Clone, Debug)]
pub struct Desk<Reply> {
    seats: BTreeMap<SessionId, Seat<Reply>>,
    ended: VecDeque<Ended>,
    closed: bool,
}

/// A process and what it waits for.
#[derive(Clone, Debug)]
struct Seat<Reply> {
    state: ProcessState,
    /// Oldest first.
    waiting: Vec<Waiting<Reply>>,
}

#[derive(Clone, Debug)]
struct Waiting<Reply> {
    request: PendingRequest,
    reply: Reply,
    /// The answer that is being stored.
    claim: Option<Claim>,
}

#[derive(Clone, Debug)]
struct Claim {
    answer_id: Option<AnswerId>,
    response: Response,
    verdict: Verdict,
    outcome: Outcome,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Ended {
    session_id: SessionId,
    request_id: RequestId,
    /// The answer that ended it.
    answer_id: Option<AnswerId>,
    outcome: Outcome,
    by: ResolvedBy,
}

impl<Reply> Default for Desk<Reply> {
    fn default() -> Self {
        Self {
            seats: BTreeMap::new(),
            ended: VecDeque::new(),
            closed: false,
        }
    }
}

type Effects<Reply> = Result<Vec<Effect<Reply>>, Refusal>;

impl<Reply> Desk<Reply> {
    pub fn apply(&mut self, event: Event<Reply>) -> Effects<Reply> {
        match event {
            Event::Started { session_id } => Ok(self.start(session_id)),
            Event::Ready { session_id } => Ok(self.turn(
                session_id,
                &[ProcessState::Starting],
                ProcessState::UserTurn,
            )),
            // with a message that was sent while it started it is never idle before it works
            Event::TurnBegan { session_id } => Ok(self.turn(
                session_id,
                &[ProcessState::Starting, ProcessState::UserTurn],
                ProcessState::AssistantTurn,
            )),
            Event::TurnFinished { session_id } => Ok(self.turn(
                session_id,
                &[ProcessState::AssistantTurn],
                ProcessState::UserTurn,
            )),
            Event::Asked {
                session_id,
                request,
                reply,
            } => Ok(self.ask(session_id, request, reply)),
            Event::Answered { answer } => self.claim(answer),
            Event::Recorded {
                session_id,
                request_id,
                at,
            } => self.finish_claim(session_id, request_id, at),
            Event::NotRecorded {
                session_id,
                request_id,
            } => {
                if let Some(waiting) = self.waiting_mut(session_id, request_id) {
                    waiting.claim = None;
                }
                Ok(Vec::new())
            }
            Event::Withdrawn {
                session_id,
                request_id,
                stopped,
                at,
            } => Ok(self
                .remove(session_id, request_id)
                .map(|waiting| {
                    self.settle(
                        session_id,
                        waiting,
                        Outcome::Withdrawn,
                        match stopped {
                            true => ResolvedBy::User,
                            false => ResolvedBy::Agent,
                        },
                        Verdict::Nothing,
                        at,
                    )
                })
                .unwrap_or_default()),
            Event::TimedOut {
                session_id,
                request_id,
                and_stop,
                at,
            } => {
                let ending = (Outcome::TimedOut, ResolvedBy::Timeout);
                let verdict = Verdict::nobody_answered(and_stop);
                Ok(self.end_unanswered(session_id, request_id, ending, verdict, at))
            }
            Event::GivenUp {
                session_id,
                request_id,
                why,
                at,
            } => {
                let ending = (Outcome::Cancelled, why.by());
                let verdict = Verdict::given_up(&why);
                Ok(self.end_unanswered(session_id, request_id, ending, verdict, at))
            }
            Event::Died { session_id, at } => Ok(self.die(session_id, at)),
            Event::ShuttingDown { at } => Ok(self.shut_down(at)),
        }
    }

    pub fn state(&self, session_id: SessionId) -> Option<ProcessState> {
        self.seats.get(&session_id).map(|seat| seat.state)
    }

    /// What waits for a person in this session, oldest first.
    pub fn pending(&self, session_id: SessionId) -> impl Iterator<Item = &PendingRequest> {
        self.seats
            .get(&session_id)
            .into_iter()
            .flat_map(|seat| seat.waiting.iter().map(|waiting| &waiting.request))
    }

    pub fn is_waiting(&self, session_id: SessionId) -> bool {
        self.pending(session_id).next().is_some()
    }

    /// This very answer was given before: it is being stored, or has ended its request.
    pub fn has_heard(&self, answer: &Answer) -> bool {
        let mut all = self.seats.get(&answer.session_id).into_iter();
        let claim = all.find_map(|seat| {
            let mut waiting = seat.waiting.iter();
            let one = waiting.find(|one| one.request.request_id == answer.request_id)?;
            one.claim.as_ref()
        });
        let ended = self.ended(answer.session_id, answer.request_id);
        claim.is_some_and(|claim| is_same(claim.answer_id, answer.answer_id))
            || ended.is_some_and(|ended| is_same(ended.answer_id, answer.answer_id))
    }

    fn start(&mut self, session_id: SessionId) -> Vec<Effect<Reply>> {
        let alive = self
            .state(session_id)
            .is_some_and(|state| state != ProcessState::Dead);
        if alive {
            return Vec::new();
        }
        self.seats.insert(
            session_id,
            Seat {
                state: ProcessState::Starting,
                waiting: Vec::new(),
            },
        );
        vec![Effect::Publish { session_id }]
    }

    fn turn(
        &mut self,
        session_id: SessionId,
        from: &[ProcessState],
        to: ProcessState,
    ) -> Vec<Effect<Reply>> {
        match self.seats.get_mut(&session_id) {
            Some(seat) if from.contains(&seat.state) => {
                seat.state = to;
                vec![Effect::Publish { session_id }]
            }
            _ => Vec::new(),
        }
    }

    /// A request never changes the state: the agent is still at work, it only waits.
    fn ask(
        &mut self,
        session_id: SessionId,
        request: PendingRequest,
        reply: Reply,
    ) -> Vec<Effect<Reply>> {
        let closed = self.closed;
        match self.seats.get_mut(&session_id) {
            Some(seat) if seat.state != ProcessState::Dead && !closed => {
                seat.waiting.push(Waiting {
                    request,
                    reply,
                    claim: None,
                });
                vec![Effect::Publish { session_id }]
            }
            Some(seat) if seat.state != ProcessState::Dead => {
                vec![Effect::Deliver {
                    reply,
                    verdict: Verdict::shutting_down(),
                }]
            }
            _ => vec![Effect::Deliver {
                reply,
                verdict: Verdict::Nothing,
            }],
        }
    }

    fn claim(&mut self, answer: Answer) -> Effects<Reply> {
        let Answer {
            session_id,
            request_id,
            digest,
            // a file's: the hub looks at it
            shown: _,
            answer_id,
            response,
        } = answer;
        let Some(waiting) = self.waiting_mut(session_id, request_id) else {
            return match self.ended(session_id, request_id) {
                Some(ended) if is_same(ended.answer_id, answer_id) => Ok(vec![Effect::Confirm]),
                _ => Err(self.why_not(session_id, request_id)),
            };
        };
        match &waiting.claim {
            None => {}
            Some(claim) if is_same(claim.answer_id, answer_id) => {
                return Ok(vec![Effect::AwaitStoring]);
            }
            Some(_) => {
                return Err(Refusal::new(
                    Code::AlreadyResolved,
                    "Another answer to this request came first. Yours changed nothing.",
                ));
            }
        }
        if digest.is_some() && digest != waiting.request.digest {
            return Err(Refusal::new(
                Code::ContentChanged,
                "The request is no longer the one you saw. Look at it again before you answer.",
            ));
        }
        let (verdict, outcome) = check::verdict(&waiting.request, &response)?;
        waiting.claim = Some(Claim {
            answer_id,
            response: response.clone(),
            verdict,
            outcome,
        });
        Ok(vec![Effect::Record {
            session_id,
            request_id,
            response,
        }])
    }

    fn finish_claim(
        &mut self,
        session_id: SessionId,
        request_id: RequestId,
        at: UnixTime,
    ) -> Effects<Reply> {
        let Some(waiting) = self.waiting_mut(session_id, request_id) else {
            // withdrawn, or its process ended, while the answer was being stored
            return Err(self.why_not(session_id, request_id));
        };
        let Some(claim) = waiting.claim.clone() else {
            // nobody answered this
            return Err(check::unknown_request());
        };
        let waiting = self.remove(session_id, request_id);
        let settled = waiting.map(|waiting| {
            self.settle(
                session_id,
                waiting,
                claim.outcome,
                ResolvedBy::User,
                claim.verdict,
                at,
            )
        });
        Ok(settled.unwrap_or_default())
    }

    fn end_unanswered(
        &mut self,
        session_id: SessionId,
        request_id: RequestId,
        (outcome, by): (Outcome, ResolvedBy),
        verdict: Verdict,
        at: UnixTime,
    ) -> Vec<Effect<Reply>> {
        // an answer that is being stored came in time
        if self
            .waiting_mut(session_id, request_id)
            .is_none_or(|waiting| waiting.claim.is_some())
        {
            return Vec::new();
        }
        let Some(waiting) = self.remove(session_id, request_id) else {
            return Vec::new();
        };
        self.settle(session_id, waiting, outcome, by, verdict, at)
    }

    fn die(&mut self, session_id: SessionId, at: UnixTime) -> Vec<Effect<Reply>> {
        let Some(seat) = self.seats.get_mut(&session_id) else {
            return Vec::new();
        };
        if seat.state == ProcessState::Dead {
            return Vec::new();
        }
        seat.state = ProcessState::Dead;
        let waiting = std::mem::take(&mut seat.waiting);
        let mut effects = Vec::new();
        for waiting in waiting {
            effects.extend(self.settle(
                session_id,
                waiting,
                Outcome::ProcessEnded,
                ResolvedBy::Process,
                Verdict::Nothing,
                at,
            ));
        }
        effects.push(Effect::Publish { session_id });
        effects
    }

    /// Denies what nobody has answered; an answer that is being stored still goes out.
    fn shut_down(&mut self, at: UnixTime) -> Vec<Effect<Reply>> {
        self.closed = true;
        let open: Vec<(SessionId, RequestId)> = self
            .seats
            .iter()
            .flat_map(|(session_id, seat)| {
                seat.waiting
                    .iter()
                    .filter(|waiting| waiting.claim.is_none())
                    .map(|waiting| (*session_id, waiting.request.request_id))
            })
            .collect();
        let mut effects = Vec::new();
        for (session_id, request_id) in open {
            if let Some(waiting) = self.remove(session_id, request_id) {
                effects.extend(self.settle(
                    session_id,
                    waiting,
                    Outcome::Cancelled,
                    ResolvedBy::Shutdown,
                    Verdict::shutting_down(),
                    at,
                ));
            }
        }
        effects
    }

    fn settle(
        &mut self,
        session_id: SessionId,
        waiting: Waiting<Reply>,
        outcome: Outcome,
        by: ResolvedBy,
        verdict: Verdict,
        at: UnixTime,
    ) -> Vec<Effect<Reply>> {
        let request_id = waiting.request.request_id;
        let claim = waiting
            .claim
            .filter(|_| by == ResolvedBy::User && outcome != Outcome::Withdrawn);
        let answer_id = claim.as_ref().and_then(|claim| claim.answer_id);
        if self.ended.len() == REMEMBERED {
            self.ended.pop_front();
        }
        self.ended.push_back(Ended {
            session_id,
            request_id,
            answer_id,
            outcome,
            by,
        });
        vec![
            Effect::Deliver {
                reply: waiting.reply,
                verdict,
            },
            Effect::Settle(Settlement {
                session_id,
                request_id,
                outcome,
                by,
                at,
                waited: at.since(waiting.request.created_at),
                response: claim.map(|claim| claim.response),
                answer_id,
            }),
            Effect::Publish { session_id },
        ]
    }

    /// Why a request that is not waiting cannot be answered.
    fn why_not(&self, session_id: SessionId, request_id: RequestId) -> Refusal {
        match self.ended(session_id, request_id) {
            Some(ended) => check::too_late(ended.outcome, ended.by),
            None if self.seats.contains_key(&session_id) => check::unknown_request(),
            None => check::unknown_session(),
        }
    }

    fn ended(&self, session_id: SessionId, request_id: RequestId) -> Option<&Ended> {
        let mut latest_first = self.ended.iter().rev();
        latest_first.find(|ended| ended.request_id == request_id && ended.session_id == session_id)
    }

    fn waiting_mut(
        &mut self,
        session_id: SessionId,
        request_id: RequestId,
    ) -> Option<&mut Waiting<Reply>> {
        self.seats
            .get_mut(&session_id)?
            .waiting
            .iter_mut()
            .find(|waiting| waiting.request.request_id == request_id)
    }

    fn remove(&mut self, session_id: SessionId, request_id: RequestId) -> Option<Waiting<Reply>> {
        let waiting = &mut self.seats.get_mut(&session_id)?.waiting;
        let index = waiting
            .iter()
            .position(|waiting| waiting.request.request_id == request_id)?;
        Some(waiting.remove(index))
    }
}

/// Answers without a name are never the same.
fn is_same(first: Option<AnswerId>, second: Option<AnswerId>) -> bool {
    first.is_some() && first == second
}
