//! What is asked of an item by itself.

use super::{Body, Delivery, Item};
use crate::model::MessageId;

impl Item {
    /// What a person said with it.
    pub fn said(&self) -> Option<String> {
        match &self.body {
            Body::Said { text, .. } => Some(text.clone()),
            Body::OwnCommand { command, .. } => Some(format!("!{command}")),
            _ => None,
        }
    }

    pub fn is_message(&self, id: MessageId) -> bool {
        matches!(self.body, Body::Said { message_id, .. } if message_id == id)
    }

    /// The message that it is, if the agent has it.
    pub fn taken_message(&self) -> Option<MessageId> {
        match self.body {
            Body::Said {
                message_id,
                delivery: Delivery::Sent,
                ..
            } => Some(message_id),
            _ => None,
        }
    }

    /// The agent knows it, and can be brought back to before it. Of what it has compacted it knows only the summary,
    /// whichever way one goes back.
    pub fn is_way_back(&self) -> bool {
        let compacts = |text: &str| text.trim_start().starts_with("/compact");
        self.under.is_none()
            && self.taken_message().is_some()
            && !matches!(&self.body, Body::Said { text, .. } if compacts(text))
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
