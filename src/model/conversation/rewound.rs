//! A person went back to before one of their messages: it and what came after it stand under the line that says so.

use super::{Body, Conversation, Event, Item, MessageId, Touched};
use crate::model::ToolUseId;

impl Conversation {
    pub(super) fn rewind(
        &mut self,
        event: &Event,
        before: MessageId,
        conversation: bool,
        files: &[String],
    ) -> Touched {
        if conversation {
            self.partial = None;
            if !self.take_back(event.seq, before) {
                // it goes back further than what is here
                self.loose.push(event.clone());
            }
        }
        let files = files.to_vec();
        let body = Body::Rewound {
            conversation,
            files,
        };
        self.add(event, body);
        Touched::Many
    }

    /// Whether the message is here; if it is not, all that is here came after it.
    pub(super) fn take_back(&mut self, rewound: u64, before: MessageId) -> bool {
        let said = self.items.iter().rev().find(|item| item.is_message(before));
        let begin = said.map(Item::place);
        for item in &mut self.items {
            let place = item.place();
            let is_after = begin.is_none_or(|begin| place >= begin) && place < rewound;
            if is_after && item.under.is_none() {
                item.under = Some(rewound);
            }
        }
        begin.is_some()
    }

    /// The newest message that the agent still knows.
    pub fn last_said(&self) -> Option<MessageId> {
        let known = self.items.iter().filter(|item| item.under.is_none());
        known
            .filter_map(|item| Some((item.place(), item.taken_message()?)))
            .max_by_key(|(place, _)| *place)
            .map(|(_, id)| id)
    }

    /// The messages that one can go back to, the newest first.
    pub fn ways_back(&self) -> Vec<&Item> {
        let cleared = self.cleared_at();
        let known = self.items.iter();
        let mut ways: Vec<&Item> = known
            .filter(|item| item.is_way_back() && item.place() > cleared)
            .collect();
        ways.sort_by_key(|item| std::cmp::Reverse(item.place()));
        ways
    }

    /// Of what goes on in the background, that which began after this message. If it is not here, all that is here did.
    pub fn began_since(&self, message: MessageId, background: &[ToolUseId]) -> Vec<ToolUseId> {
        let said = self
            .items
            .iter()
            .rev()
            .find(|item| item.is_message(message));
        let begin = said.map_or(0, Item::place);
        let calls = self.items.iter().filter(|item| item.place() >= begin);
        let calls = calls.filter_map(|item| match &item.body {
            Body::Tool(tool) => tool.tool_use_id.clone(),
            _ => None,
        });
        calls.filter(|call| background.contains(call)).collect()
    }

    /// The agent knows nothing before this.
    fn cleared_at(&self) -> u64 {
        let cleared = self.items.iter().rev().find_map(|item| match item.body {
            Body::Cleared => Some(item.seq),
            _ => None,
        });
        cleared.unwrap_or(0)
    }

    /// What became of this message: none if it is not here.
    pub fn knows(&self, message: MessageId) -> Option<bool> {
        let said = self
            .items
            .iter()
            .rev()
            .find(|item| item.is_message(message))?;
        Some(said.place() > self.cleared_at() && said.is_way_back())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Entry, UnixTime};
    use uuid::Uuid;

    fn id(number: u128) -> MessageId {
        MessageId(Uuid::from_u128(number))
    }

    fn sent(number: u128, queued: bool) -> Entry {
        Entry::MessageSent {
            message_id: id(number),
            text: format!("message {number}"),
            queued,
            attachments: Vec::new(),
        }
    }

    fn text(words: &str) -> Entry {
        Entry::TextWritten {
            text: words.to_owned(),
            agent: None,
        }
    }

    fn rewound(before: u128, conversation: bool) -> Entry {
        Entry::Rewound {
            before: id(before),
            conversation,
            files: Vec::new(),
        }
    }

    fn events(entries: Vec<Entry>) -> Vec<Event> {
        let events = entries.into_iter().zip(1..);
        let event = |(entry, seq)| Event {
            seq,
            at: UnixTime(0.0),
            entry,
        };
        events.map(event).collect()
    }

    fn unders(conversation: &Conversation) -> Vec<Option<u64>> {
        conversation.items.iter().map(|item| item.under).collect()
    }

    fn talk() -> Vec<Event> {
        events(vec![
            sent(1, false),
            text("one"),
            sent(2, false),
            text("two"),
            rewound(2, true),
            sent(3, false),
            text("three"),
        ])
    }

    #[test]
    fn what_was_taken_back_stands_under_the_line_that_says_so() {
        let conversation = Conversation::from_events(&talk());
        let expected = [None, None, Some(5), Some(5), None, None, None];
        assert_eq!(unders(&conversation), expected);
        assert_eq!(conversation.last_said(), Some(id(3)));
        assert_eq!(conversation.knows(id(1)), Some(true));
        assert_eq!(conversation.knows(id(2)), Some(false));
        assert_eq!(conversation.knows(id(9)), None);
    }

    #[test]
    fn it_is_the_same_when_the_beginning_comes_later() {
        for cut in 1..talk().len() {
            let (earlier, later) = (talk()[..cut].to_vec(), talk()[cut..].to_vec());
            let mut conversation = Conversation::from_events(&later);
            assert!(conversation.put_in_front(&earlier));
            let whole = Conversation::from_events(&talk());
            assert_eq!(conversation.items, whole.items, "cut at {cut}");
        }
    }

    #[test]
    fn who_goes_back_twice_takes_the_first_time_back_too() {
        let mut talk = talk();
        let again = events(vec![rewound(1, true)]);
        talk.extend(again.into_iter().map(|event| Event { seq: 8, ..event }));
        let conversation = Conversation::from_events(&talk);
        let expected = [8, 8, 5, 5, 8, 8, 8].map(Some).into_iter().chain([None]);
        assert!(unders(&conversation).into_iter().eq(expected));
        assert_eq!(conversation.last_said(), None);
    }

    #[test]
    fn the_ways_back_are_the_messages_that_the_agent_knows() {
        let ways = |events: &[Event]| -> Vec<Option<MessageId>> {
            let conversation = Conversation::from_events(events);
            let ways = conversation.ways_back().into_iter();
            ways.map(Item::taken_message).collect()
        };
        assert_eq!(ways(&talk()), [Some(id(3)), Some(id(1))]);
        let cleared = events(vec![
            sent(1, false),
            Entry::ConversationCleared,
            sent(2, false),
            sent(3, true),
        ]);
        assert_eq!(ways(&cleared), [Some(id(2))]);
    }

    #[test]
    fn what_still_runs_belongs_to_the_message_after_which_it_began() {
        let call = |name: &str| ToolUseId(name.to_owned());
        let called = |name: &str| Entry::ToolCalled {
            tool_use_id: call(name),
            tool_name: "Bash".to_owned(),
            tool_input: crate::model::ToolInput::default(),
            agent: None,
        };
        let talk = events(vec![
            sent(1, false),
            called("early"),
            sent(2, false),
            called("late"),
            called("done"),
        ]);
        let conversation = Conversation::from_events(&talk);
        let running = [call("early"), call("late")];
        assert_eq!(conversation.began_since(id(2), &running), [call("late")]);
        assert_eq!(conversation.began_since(id(1), &running), running);
        assert_eq!(conversation.began_since(id(9), &running), running);
    }

    #[test]
    fn files_alone_take_nothing_back_and_the_rest_of_an_earlier_turn_stays() {
        let files_only = events(vec![sent(1, false), text("one"), rewound(1, false)]);
        assert!(
            unders(&Conversation::from_events(&files_only))
                .iter()
                .all(Option::is_none)
        );
        // sent while the first was still being answered
        let queued = events(vec![
            sent(1, false),
            sent(2, true),
            text("one"),
            Entry::MessageTaken { message_id: id(2) },
            text("two"),
            rewound(2, true),
        ]);
        let conversation = Conversation::from_events(&queued);
        assert_eq!(unders(&conversation), [None, Some(6), None, Some(6), None]);
    }

    #[test]
    fn what_was_cleared_or_never_taken_is_not_known() {
        let cleared = events(vec![sent(1, false), Entry::ConversationCleared]);
        assert_eq!(
            Conversation::from_events(&cleared).knows(id(1)),
            Some(false)
        );
        let queued = events(vec![sent(1, true)]);
        let conversation = Conversation::from_events(&queued);
        assert_eq!(
            (conversation.knows(id(1)), conversation.last_said()),
            (Some(false), None)
        );
    }
}
