//! What is asked of an item by itself.

use super::{Body, Delivery, Item};

impl Item {
    /// What a person said with it.
    pub fn said(&self) -> Option<String> {
        match &self.body {
            Body::Said { text, .. } => Some(text.clone()),
            Body::OwnCommand { command, .. } => Some(format!("!{command}")),
            _ => None,
        }
    }

    /// Where it stands among the others: a message stands where the agent took it, and while it is queued at the end.
    pub fn place(&self) -> u64 {
        match self.body {
            Body::Said {
                delivery: Delivery::Queued,
                ..
            } => u64::MAX,
            Body::Said { taken, .. } => taken,
            _ => self.seq,
        }
    }
}
