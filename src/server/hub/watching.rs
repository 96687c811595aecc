//! Limits that pass with time, the memory of processes, and the end of the server.

use super::{Hub, State};
use crate::desk::Event as DeskEvent;
use crate::model::policy::OnTimeout;
use crate::model::{ProcessState, SessionId};
use crate::server::agent::Order;
use crate::server::agent::tree::Tree;
use std::time::Duration;
use tokio::sync::oneshot;

const TICK: Duration = Duration::from_secs(1);
const MEMORY_EVERY: Duration = Duration::from_secs(5);
/// A change smaller than this is not worth a frame to every client.
const MEMORY_STEP: u64 = 1024 * 1024;
/// To give back what is queued.
const QUEUE_PATIENCE: Duration = Duration::from_millis(500);
/// A graceful stop takes at most this long.
const LAST_PATIENCE: Duration = Duration::from_secs(9);

impl Hub {
    /// Runs until the program ends.
    pub async fn keep_watch(self) {
        let measuring = self.clone();
        tokio::spawn(async move {
            let mut every = tokio::time::interval(MEMORY_EVERY);
            loop {
                every.tick().await;
                measuring.measure_memory().await;
            }
        });
        let mut every = tokio::time::interval(TICK);
        loop {
            every.tick().await;
            self.tick();
        }
    }

    /// Looks at every limit once. Time comes from the clock: tests drive it.
    pub fn tick(&self) {
        let mut state = self.lock();
        let ids: Vec<SessionId> = state
            .sessions
            .keys()
            .copied()
            .filter(|id| state.is_alive(*id))
            .collect();
        for session_id in ids {
            self.time_out_requests(&mut state, session_id);
            self.give_up_if_alone(&mut state, session_id);
            self.stop_if_overdue(&mut state, session_id);
            self.tell_of_silence(&mut state, session_id);
        }
    }

    fn time_out_requests(&self, state: &mut State, session_id: SessionId) {
        let passed = self.0.clock.passed();
        let Some(process) = state
            .sessions
            .get(&session_id)
            .and_then(|record| record.process.as_ref())
        else {
            return;
        };
        let late: Vec<_> = process
            .open
            .iter()
            .filter(|(_, open)| open.deadline.is_some_and(|deadline| deadline <= passed))
            .map(|(id, _)| *id)
            .collect();
        for request_id in late {
            let and_stop = self.policies(state, session_id).on_timeout == OnTimeout::DenyAndStop;
            let at = self.0.clock.now();
            self.apply(
                state,
                DeskEvent::TimedOut {
                    session_id,
                    request_id,
                    and_stop,
                    at,
                },
            );
        }
    }

    fn stop_if_overdue(&self, state: &mut State, session_id: SessionId) {
        let passed = self.0.clock.passed();
        let is_waiting = state.desk.is_waiting(session_id);
        let process_state = state.desk.state(session_id);
        let Some(process) = state
            .sessions
            .get_mut(&session_id)
            .and_then(|record| record.process.as_mut())
        else {
            return;
        };
        if process.stopping {
            return;
        }
        let settings = &self.0.setup.settings;
        let order = match process_state {
            Some(ProcessState::Starting)
                if passed.saturating_sub(process.started) >= settings.start_limit() =>
            {
                Order::GiveUp {
                    waited: settings.start_limit(),
                }
            }
            // never while a request waits: the person may be at lunch
            Some(ProcessState::UserTurn)
                if !is_waiting
                    && process.background.is_empty()
                    && settings.idle_limit().is_some_and(|limit| {
                        passed.saturating_sub(process.last_active) >= limit
                    }) =>
            {
                Order::Stop {
                    reason: "Idle, so it was stopped. Send a message to go on.".to_owned(),
                }
            }
            _ => return,
        };
        process.stopping = true;
        let _ = process.orders.send(order);
    }

    async fn measure_memory(&self) {
        let roots: Vec<(SessionId, u32)> = {
            let state = self.lock();
            state
                .sessions
                .iter()
                .filter(|(id, _)| state.is_alive(**id))
                .filter_map(|(id, record)| Some((*id, record.process.as_ref()?.pid?)))
                .collect()
        };
        if roots.is_empty() {
            return;
        }
        let Ok(measured) = tokio::task::spawn_blocking(move || memory_of(&roots)).await else {
            return;
        };
        let mut state = self.lock();
        for (session_id, bytes) in measured {
            self.change_process(&mut state, session_id, |process| {
                let worth_telling = process
                    .memory
                    .is_none_or(|known| known.abs_diff(bytes) >= MEMORY_STEP);
                if worth_telling {
                    process.memory = Some(bytes);
                }
                worth_telling
            });
        }
    }

    /// From here on nothing is begun: what is queued would be, when the turn before it ends. It stays unread.
    async fn hold_the_queues(&self) {
        let mut answers = Vec::new();
        {
            let mut state = self.lock();
            state.shutting_down = true;
            let records = state.sessions.values_mut();
            for process in records.filter_map(|record| record.process.as_mut()) {
                process.stopping = true;
                for message_id in process.queued.iter().copied() {
                    let (done, answered) = oneshot::channel();
                    let _ = process
                        .orders
                        .send(Order::CancelMessage { message_id, done });
                    answers.push(answered);
                }
            }
        }
        let all = futures::future::join_all(answers);
        if tokio::time::timeout(QUEUE_PATIENCE, all).await.is_err() {
            tracing::warn!("an agent did not give back what it has queued");
        }
    }

    /// Answers what is open, ends every agent and waits until they are gone and everything is on disk.
    pub async fn shut_down(&self) {
        self.hold_the_queues().await;
        {
            let mut state = self.lock();
            let at = self.0.clock.now();
            self.apply(&mut state, DeskEvent::ShuttingDown { at });
            for record in state.sessions.values_mut() {
                if let Some(running) = &mut record.own_command {
                    running.stop();
                }
                if let Some(process) = &mut record.process {
                    let _ = process.orders.send(Order::Stop {
                        reason: "Countersign was stopped. Send a message to go on.".to_owned(),
                    });
                }
            }
        }
        let all_gone = async {
            let mut often = tokio::time::interval(Duration::from_millis(20));
            loop {
                often.tick().await;
                let state = self.lock();
                let mut records = state.sessions.values();
                let runs_a_command = records.any(|record| record.own_command.is_some());
                if !runs_a_command && !state.sessions.keys().any(|id| state.is_alive(*id)) {
                    return;
                }
            }
        };
        if tokio::time::timeout(LAST_PATIENCE, all_gone).await.is_err() {
            tracing::error!("some agents did not end in time");
        }
        let store = self.0.store.clone();
        let _ = tokio::task::spawn_blocking(move || store.flush()).await;
    }
}

/// Of each process with all that it started.
fn memory_of(roots: &[(SessionId, u32)]) -> Vec<(SessionId, u64)> {
    let Some(tree) = Tree::look() else {
        return Vec::new();
    };
    roots
        .iter()
        .map(|(session_id, root)| (*session_id, tree.memory(*root)))
        .filter(|(_, bytes)| *bytes > 0)
        .collect()
}
