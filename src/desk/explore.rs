//! Every reachable state of the desk for two processes with two requests each, breadth first, so that a broken rule
//! shows its shortest story. Invariants: each request gets exactly one verdict (R1), never from another's answer (R4),
//! nothing is settled twice, and no reply is lost.

use super::tests::{request, session};
use super::*;
use crate::model::RequestType;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use uuid::Uuid;

const AT: UnixTime = UnixTime(1.0);

/// Which request a reply belongs to: (session, request).
type Token = (u128, u128);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Start(u128),
    Ready(u128),
    Begin(u128),
    Finish(u128),
    Ask(u128, u128),
    Answer(u128, u128),
    /// The same answer once more.
    Again(u128, u128),
    Record(u128, u128),
    FailToRecord(u128, u128),
    Withdraw(u128, u128),
    TimeOut(u128, u128),
    Die(u128),
    ShutDown,
}

#[derive(Clone, Default)]
struct World {
    desk: Desk<Token>,
    asked: BTreeSet<Token>,
    told: BTreeMap<Token, Verdict>,
    settled: BTreeMap<Token, Outcome>,
    /// Answers whose storing has begun and not ended: only these can come back.
    storing: BTreeSet<Token>,
}

fn steps() -> Vec<Step> {
    let mut steps = vec![Step::ShutDown];
    for s in [1, 2] {
        steps.extend([
            Step::Start(s),
            Step::Ready(s),
            Step::Begin(s),
            Step::Finish(s),
            Step::Die(s),
        ]);
        for r in [s * 10, s * 10 + 1] {
            steps.extend([
                Step::Ask(s, r),
                Step::Answer(s, r),
                Step::Again(s, r),
                Step::Record(s, r),
                Step::FailToRecord(s, r),
                Step::Withdraw(s, r),
                Step::TimeOut(s, r),
            ]);
        }
    }
    steps
}

fn id(number: u128) -> RequestId {
    RequestId(Uuid::from_u128(number))
}

fn answered(s: u128, r: u128, answer_id: Option<AnswerId>) -> Event<Token> {
    Event::Answered {
        answer: Answer {
            session_id: session(s),
            request_id: id(r),
            digest: None,
            shown: None,
            answer_id,
            response: Response::allow(),
        },
    }
}

impl World {
    /// The event of a step, when the world allows it.
    fn event(&self, step: Step) -> Option<Event<Token>> {
        Some(match step {
            Step::Start(s) => Event::Started {
                session_id: session(s),
            },
            Step::Ready(s) => Event::Ready {
                session_id: session(s),
            },
            Step::Begin(s) => Event::TurnBegan {
                session_id: session(s),
            },
            Step::Finish(s) => Event::TurnFinished {
                session_id: session(s),
            },
            // request ids are ours and random: the same one is never asked twice
            Step::Ask(s, r) if !self.asked.contains(&(s, r)) => Event::Asked {
                session_id: session(s),
                request: request(r, RequestType::ToolApproval),
                reply: (s, r),
            },
            // each answer is another one
            Step::Answer(s, r) => answered(s, r, None),
            Step::Again(s, r) => answered(s, r, Some(AnswerId(Uuid::from_u128(r)))),
            Step::Record(s, r) if self.storing.contains(&(s, r)) => Event::Recorded {
                session_id: session(s),
                request_id: id(r),
                at: AT,
            },
            Step::FailToRecord(s, r) if self.storing.contains(&(s, r)) => Event::NotRecorded {
                session_id: session(s),
                request_id: id(r),
            },
            Step::Withdraw(s, r) => Event::Withdrawn {
                session_id: session(s),
                request_id: id(r),
                stopped: false,
                at: AT,
            },
            Step::TimeOut(s, r) => Event::TimedOut {
                session_id: session(s),
                request_id: id(r),
                and_stop: false,
                at: AT,
            },
            Step::Die(s) => Event::Died {
                session_id: session(s),
                at: AT,
            },
            Step::ShutDown => Event::ShuttingDown { at: AT },
            _ => return None,
        })
    }

    fn take(&mut self, step: Step) -> Result<(), String> {
        let Some(event) = self.event(step) else {
            return Ok(());
        };
        let before: Vec<_> = [1, 2].map(|s| self.desk.state(session(s))).to_vec();
        if let Step::Ask(s, r) = step {
            self.asked.insert((s, r));
        }
        if let Step::Record(s, r) | Step::FailToRecord(s, r) = step {
            self.storing.remove(&(s, r));
        }
        let effects = match self.desk.apply(event) {
            Ok(effects) => effects,
            Err(_) if matches!(step, Step::Answer(..) | Step::Again(..) | Step::Record(..)) => {
                return Ok(());
            }
            Err(refusal) => return Err(format!("{step:?} cannot be refused, but was: {refusal}")),
        };
        for effect in effects {
            match effect {
                Effect::Record {
                    session_id,
                    request_id,
                    ..
                } => {
                    let token = (session_id.0.as_u128(), request_id.0.as_u128());
                    if self.storing.contains(&token) {
                        return Err(format!("{token:?} is claimed twice"));
                    }
                    self.storing.insert(token);
                }
                Effect::Deliver { reply, verdict } => {
                    let allowed = matches!(verdict, Verdict::Allow { .. });
                    if allowed && step != Step::Record(reply.0, reply.1) {
                        return Err(format!("{reply:?} was allowed by {step:?}"));
                    }
                    if self.told.insert(reply, verdict).is_some() {
                        return Err(format!("{reply:?} was told twice"));
                    }
                }
                Effect::Settle(settlement) => {
                    let token = (
                        settlement.session_id.0.as_u128(),
                        settlement.request_id.0.as_u128(),
                    );
                    if self.settled.insert(token, settlement.outcome).is_some() {
                        return Err(format!("{token:?} was settled twice"));
                    }
                    if !self.told.contains_key(&token) {
                        return Err(format!("{token:?} was settled and its agent told nothing"));
                    }
                }
                Effect::AwaitStoring if !matches!(step, Step::Again(..)) => {
                    return Err(format!("{step:?} was never given before"));
                }
                Effect::Confirm if !self.is_answered(step) => {
                    return Err(format!("{step:?} is confirmed, and nothing came of it"));
                }
                Effect::Publish { .. } | Effect::AwaitStoring | Effect::Confirm => {}
            }
        }
        if matches!(
            step,
            Step::Ask(..)
                | Step::Answer(..)
                | Step::Again(..)
                | Step::Record(..)
                | Step::TimeOut(..)
                | Step::Withdraw(..)
        ) {
            let after: Vec<_> = [1, 2].map(|s| self.desk.state(session(s))).to_vec();
            if before != after {
                return Err(format!("{step:?} changed a state"));
            }
        }
        self.check()
    }

    /// By the answer that is given again.
    fn is_answered(&self, step: Step) -> bool {
        let Step::Again(s, r) = step else {
            return false;
        };
        self.settled.get(&(s, r)) == Some(&Outcome::Allowed)
    }

    fn check(&self) -> Result<(), String> {
        for token in &self.asked {
            let waiting = self
                .desk
                .pending(session(token.0))
                .any(|r| r.request_id == id(token.1));
            let told = self.told.contains_key(token);
            if waiting == told {
                return Err(format!(
                    "{token:?}: waiting is {waiting} and told is {told}"
                ));
            }
        }
        for s in [1, 2] {
            if self.desk.state(session(s)) == Some(ProcessState::Dead)
                && self.desk.is_waiting(session(s))
            {
                return Err(format!("session {s} is dead and still waits"));
            }
        }
        Ok(())
    }

    /// What tells two worlds apart. How else something ended does not: it only words a late refusal.
    fn fingerprint(&self) -> Vec<u8> {
        let mut bytes = vec![u8::from(self.desk.closed)];
        for (session_id, seat) in &self.desk.seats {
            bytes.extend([b'/', session_id.0.as_u128() as u8, seat.state as u8]);
            for waiting in &seat.waiting {
                bytes.extend([
                    waiting.request.request_id.0.as_u128() as u8,
                    waiting
                        .claim
                        .as_ref()
                        .map_or(0, |claim| 1 + u8::from(claim.answer_id.is_some())),
                ]);
            }
        }
        for tokens in [&self.asked, &self.storing] {
            bytes.push(b'/');
            bytes.extend(tokens.iter().map(|token| token.1 as u8));
        }
        bytes.push(b'/');
        bytes.extend(self.settled.keys().map(|token| token.1 as u8));
        bytes.push(b'/');
        // a late answer may be the one that ended it
        let named = self.desk.ended.iter().filter(|e| e.answer_id.is_some());
        let named: BTreeSet<u8> = named.map(|e| e.request_id.0.as_u128() as u8).collect();
        bytes.extend(named);
        bytes
    }
}

/// Walks everything that can be reached; gives the number of states, or the shortest story that breaks a rule.
fn explore(steps: &[Step]) -> Result<usize, String> {
    let mut seen = HashSet::new();
    // each world with the step that led to it and the index of the world before: stories are told backwards
    let mut worlds = vec![(World::default(), None)];
    let mut next_index = 0;
    while let Some((world, _)) = worlds.get(next_index).cloned() {
        for step in steps {
            let mut next = world.clone();
            if let Err(broken) = next.take(*step) {
                return Err(format!(
                    "{broken}\nafter {:?}",
                    story(&worlds, next_index, *step)
                ));
            }
            if seen.insert(next.fingerprint()) {
                worlds.push((next, Some((next_index, *step))));
            }
        }
        // only the way here is needed any more
        worlds[next_index].0 = World::default();
        next_index += 1;
    }
    Ok(seen.len())
}

fn story(worlds: &[(World, Option<(usize, Step)>)], mut index: usize, last: Step) -> Vec<Step> {
    let mut steps = vec![last];
    while let Some((before, step)) = worlds[index].1 {
        steps.push(step);
        index = before;
    }
    steps.reverse();
    steps
}

#[test]
fn two_processes_with_two_requests_each_keep_the_rules_in_every_reachable_state() {
    let states = explore(&steps()).unwrap_or_else(|story| panic!("{story}"));
    assert!(
        states > 39_000,
        "only {states} states: the walk does not reach enough"
    );
}
