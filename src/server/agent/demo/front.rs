//! Owns the front of the process: lines from the host, signals from the system, and when to leave.

use std::sync::Arc;

use serde_json::json;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;

use super::actor::AbortReason;
use super::agent::{Activity, Agent, Work};
use super::answer;
use super::input::{self, Incoming, UserMessage};
use super::{clock, control, turn_loop};

/// What the process says to the system when it ends: its exit code.
pub async fn run(
    agent: Arc<Agent>,
    mut lines: mpsc::UnboundedReceiver<Vec<u8>>,
    mut exits: mpsc::UnboundedReceiver<u8>,
) -> u8 {
    let mut signals = match Signals::listen() {
        Ok(signals) => signals,
        Err(error) => {
            eprintln!("error: signals cannot be received: {error}");
            return 1;
        }
    };
    tokio::select! {
        () = tokio::time::sleep(agent.environment.start_delay) => {}
        code = signals.next(&agent) => return code,
    }
    tokio::spawn(turn_loop::run(Arc::clone(&agent)));
    let mut input_open = true;
    loop {
        tokio::select! {
            biased;
            Some(code) = exits.recv() => {
                agent.output.flush().await;
                return code;
            }
            code = signals.next(&agent) => return code,
            line = lines.recv(), if input_open => match line.map(|line| input::interpret(&line)) {
                Some(Incoming::Fatal(reason)) => {
                    eprintln!("{reason}");
                    agent.output.flush().await;
                    return 1;
                }
                Some(incoming) => take(&agent, incoming),
                None => {
                    input_open = false;
                    if !agent.environment.ignore_termination {
                        end_of_input(&agent);
                    }
                }
            },
        }
    }
}

fn take(agent: &Agent, incoming: Incoming) {
    match incoming {
        Incoming::User(message) => enqueue(agent, message),
        Incoming::Request { id, request } => control::handle(agent, &id, &request),
        Incoming::Response { id, response } => agent.answer(&id, answer::interpret(&response)),
        Incoming::Ignored | Incoming::Fatal(_) => {}
    }
}

fn enqueue(agent: &Agent, message: UserMessage) {
    let mut state = agent.state();
    if !state.seen.insert(message.uuid.clone()) {
        return; // sent again after a lost connection: the session has it already
    }
    agent.announce_unless_asking(&mut state);
    agent.lifecycle(&message.uuid, "queued");
    agent.transcript().note(json!({
        "type": "queue-operation", "operation": "enqueue", "timestamp": clock::now_iso(), "content": message.text,
    }));
    if message.now {
        // what works in the background is not part of the turn and goes on
        agent.withdraw(&mut state, |ask| ask.actor.is_in_front());
        let in_front = state.actors.iter().filter(|actor| actor.is_in_front());
        in_front.for_each(|actor| actor.abort.trigger(AbortReason::Replaced));
        agent.after_asks_closed(&mut state);
        state.queue.push_front(Work::Message(message));
    } else {
        state.queue.push_back(Work::Message(message));
    }
    agent.wake.notify_one();
}

/// The turn is finished first; questions can no longer be answered and fail.
fn end_of_input(agent: &Agent) {
    let mut state = agent.state();
    state.input_closed = true;
    agent.close_asks(&mut state);
    agent.wake.notify_one();
}

impl Agent {
    /// A message wakes a resting session; one that waits for a person goes on waiting.
    fn announce_unless_asking(&self, state: &mut super::agent::State) {
        if state.activity == Activity::Idle {
            self.announce(state, Activity::Running);
        }
    }
}

struct Signals {
    terminate: Signal,
    hang_up: Signal,
    interrupt: Signal,
}

impl Signals {
    fn listen() -> std::io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// Waits for a signal that ends the process at once. SIGINT is not one: it stops the turn, and that ends the process.
    async fn next(&mut self, agent: &Agent) -> u8 {
        loop {
            tokio::select! {
                Some(()) = self.terminate.recv() => {
                    if !agent.environment.ignore_termination {
                        return 143;
                    }
                }
                Some(()) = self.hang_up.recv() => return 129,
                Some(()) = self.interrupt.recv() => {
                    let mut state = agent.state();
                    state.leaving = true;
                    state.queue.clear();
                    agent.abort_everything(&mut state, AbortReason::Interrupted);
                    agent.after_asks_closed(&mut state);
                    agent.wake.notify_one();
                }
            }
        }
    }
}
