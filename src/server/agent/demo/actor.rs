//! Owns who acts: the main conversation or a subagent, and how either is told to stop.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use tokio::sync::watch;

use super::transcript::Transcript;

#[derive(Clone)]
pub struct Actor {
    pub abort: Abort,
    pub subagent: Option<Arc<Subagent>>,
}

pub struct Subagent {
    /// Also the `agent_id` of its questions.
    pub task_id: String,
    pub run_id: String,
    /// The `Agent` call that started it.
    pub tool_use_id: String,
    pub description: String,
    pub in_background: bool,
    pub started: Instant,
    pub transcript: Mutex<Transcript>,
}

impl Subagent {
    pub const KIND: &'static str = "general-purpose";
}

impl Actor {
    pub fn main() -> Self {
        Self {
            abort: Abort::new(),
            subagent: None,
        }
    }

    /// Part of the running turn, which waits for it.
    pub fn is_in_front(&self) -> bool {
        self.subagent
            .as_deref()
            .is_none_or(|subagent| !subagent.in_background)
    }

    pub fn agent_id(&self) -> Option<&str> {
        self.subagent
            .as_deref()
            .map(|subagent| subagent.task_id.as_str())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AbortReason {
    Interrupted,
    /// A message with `priority:"now"` takes the place of the running turn.
    Replaced,
}

/// Told once, seen by everything that waits on behalf of an actor.
#[derive(Clone)]
pub struct Abort {
    sender: Arc<watch::Sender<Option<AbortReason>>>,
}

impl Abort {
    fn new() -> Self {
        Self {
            sender: Arc::new(watch::Sender::new(None)),
        }
    }

    pub fn trigger(&self, reason: AbortReason) {
        self.sender.send_if_modified(|current| {
            let first = current.is_none();
            *current = current.or(Some(reason));
            first
        });
    }

    pub fn reason(&self) -> Option<AbortReason> {
        *self.sender.borrow()
    }

    pub async fn triggered(&self) {
        let mut receiver = self.sender.subscribe();
        // cannot fail: `self` keeps the sender alive
        let _ = receiver.wait_for(Option::is_some).await;
    }
}
