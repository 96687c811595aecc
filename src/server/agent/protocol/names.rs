//! Under which id the agent knows a message. It takes no id twice, also not of a message that it gave back unread: such a
//! one is sent again under another id, and what the agent tells of that is told of the message.

use crate::model::MessageId;
use std::collections::{HashMap, HashSet};

#[derive(Default)]
pub struct Names {
    given_back: HashSet<MessageId>,
    /// Our id by the agent's, where they differ.
    ours: HashMap<MessageId, MessageId>,
}

impl Names {
    /// What the agent is to call this message from now on.
    pub fn name(&mut self, message: MessageId) -> MessageId {
        if !self.given_back.remove(&message) {
            return message;
        }
        let name = MessageId::random();
        self.ours.retain(|_, known| *known != message);
        self.ours.insert(name, message);
        name
    }

    /// What the agent calls it now.
    pub fn agents(&self, message: MessageId) -> MessageId {
        let mut renamed = self.ours.iter();
        let name = renamed.find(|(_, known)| **known == message);
        name.map_or(message, |(name, _)| *name)
    }

    /// What we call it.
    pub fn ours(&self, name: MessageId) -> MessageId {
        self.ours.get(&name).copied().unwrap_or(name)
    }

    pub fn was_given_back(&mut self, message: MessageId) {
        self.given_back.insert(message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_keeps_its_id_until_it_was_given_back() {
        let (mut names, message) = (Names::default(), MessageId::random());
        assert_eq!(names.name(message), message);
        assert_eq!(names.name(message), message, "a resend is the same message");
        let mut known = vec![message];
        for _ in 0..3 {
            names.was_given_back(message);
            let name = names.name(message);
            assert!(!known.contains(&name), "an id that it has seen");
            assert_eq!(names.ours(name), message);
            assert_eq!(names.agents(message), name);
            known.push(name);
        }
        let other = MessageId::random();
        assert_eq!((names.ours(other), names.agents(other)), (other, other));
    }
}
