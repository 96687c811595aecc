//! What came before the first event that is here, put in front later. The result is the same as if all had been folded
//! in one go: what ends or changes an older item was kept, and is applied to it now.

use super::{Body, Conversation, Delivery, Item, ToolItem, Touched};
use crate::model::todo;
use crate::model::{Entry, Event, ToolUseId};
use std::collections::HashMap;

/// An event of this kind that found nothing to change belongs to something older.
pub fn is_about_something_before(entry: &Entry) -> bool {
    matches!(
        entry,
        Entry::MessageTaken { .. }
            | Entry::MessageCancelled { .. }
            | Entry::MessageNotRead { .. }
            | Entry::ToolFinished { .. }
            | Entry::Resolved { .. }
    )
}

impl Conversation {
    /// Takes in the events right before the first one. Others are not taken, and the answer is no.
    pub fn put_in_front(&mut self, events: &[Event]) -> bool {
        let follows = events
            .last()
            .is_some_and(|event| event.seq + 1 == self.first_seq);
        if !follows {
            return false;
        }
        let newer = std::mem::replace(self, Self::from_events(events));
        let begun_again = newer.begun_by_call();
        for event in newer.loose {
            if !self.take_loose(&event, &begun_again) {
                self.loose.push(event);
            }
        }
        for item in newer.items {
            if let Body::Said { message_id, .. } = &item.body {
                self.deliver(*message_id, Delivery::SentAgain, item.seq);
            }
            self.append(item);
        }
        self.last_seq = newer.last_seq;
        self.partial = newer.partial;
        for index in 0..self.items.len() {
            self.place(index);
        }
        todo::count(&mut self.items, 0);
        true
    }

    /// Where each call first appears.
    fn begun_by_call(&self) -> HashMap<ToolUseId, u64> {
        let mut begun = HashMap::new();
        for item in &self.items {
            if let Body::Tool(ToolItem {
                tool_use_id: Some(id),
                ..
            }) = &item.body
            {
                begun.entry(id.clone()).or_insert(item.seq);
            }
        }
        begun
    }

    /// Applies it to the items that are older than it; those that began again before it know of it already. Whether
    /// it has found what it is about.
    fn take_loose(&mut self, event: &Event, begun_again: &HashMap<ToolUseId, u64>) -> bool {
        let knows = |tool: &ToolItem| {
            let again = tool.tool_use_id.as_ref().and_then(|id| begun_again.get(id));
            again.is_some_and(|seq| *seq < event.seq)
        };
        let touched = match &event.entry {
            Entry::ProcessEnded { .. } => {
                for item in &mut self.items {
                    if let Body::Tool(tool) = &mut item.body
                        && !knows(tool)
                    {
                        tool.lost_its_process();
                    }
                }
                Touched::Nothing
            }
            Entry::Rewound { before, .. } => {
                return self.take_back(event.seq, *before);
            }
            // none of these adds anything: they change what is there, or nothing
            entry if is_about_something_before(entry) => self.fold(event),
            _ => Touched::Nothing,
        };
        touched != Touched::Nothing
    }

    /// A newer item: one more, or the rest of a call that is here already.
    fn append(&mut self, item: Item) {
        if let Body::Tool(ToolItem {
            tool_use_id: Some(id),
            ..
        }) = &item.body
        {
            let Body::Tool(newer) = &item.body else {
                return;
            };
            let joined = self.change_tool(id, |tool| {
                tool.is_by(newer.agent.as_ref());
                tool.request = newer.request.clone().or(tool.request.take());
                tool.resolution = newer.resolution.clone().or(tool.resolution.take());
                // one that had its result by then could not be interrupted any more
                tool.interrupted |= newer.interrupted && tool.result.is_none();
                tool.result = newer.result.clone().or(tool.result.take());
            });
            if joined != Touched::Nothing {
                return;
            }
        }
        self.items.push(item);
    }
}
