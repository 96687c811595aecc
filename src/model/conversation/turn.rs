//! What a turn was about: the messages that the agent took in it, wherever they stand.

use super::{Body, Delivery, Item};
use crate::model::Attachment;

/// The words and files of the turn that ended with `end`.
pub fn said_in_turn(items: &[Item], end: u64) -> (String, Vec<Attachment>) {
    let before = items.iter().filter(|item| item.seq < end);
    let begin = before
        .filter(|item| matches!(item.body, Body::TurnEnd { .. }))
        .map(|item| item.seq)
        .max()
        .unwrap_or(0);
    let said = items.iter().filter_map(|item| match &item.body {
        Body::Said {
            text,
            delivery: Delivery::Sent,
            taken,
            attachments,
            ..
        } if (begin..end).contains(taken) => Some((text.clone(), attachments.clone())),
        _ => None,
    });
    let (words, files): (Vec<String>, Vec<Vec<Attachment>>) = said.unzip();
    (words.join("\n\n"), files.concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::conversation::Conversation;
    use crate::model::{Entry, Event, MessageId, UnixTime};
    use uuid::Uuid;

    fn conversation(entries: Vec<Entry>) -> Conversation {
        let events: Vec<Event> = entries
            .into_iter()
            .zip(1..)
            .map(|(entry, seq)| Event {
                seq,
                at: UnixTime(0.0),
                entry,
            })
            .collect();
        Conversation::from_events(&events)
    }

    fn sent(id: u128, text: &str, queued: bool) -> Entry {
        Entry::MessageSent {
            message_id: MessageId(Uuid::from_u128(id)),
            text: text.to_owned(),
            queued,
            attachments: Vec::new(),
        }
    }

    fn finished() -> Entry {
        Entry::TurnFinished {
            error: None,
            interrupted: false,
            duration_ms: 1,
            unasked: false,
        }
    }

    #[test]
    fn a_message_that_was_queued_belongs_to_the_turn_it_began() {
        let taken = |id| Entry::MessageTaken {
            message_id: MessageId(Uuid::from_u128(id)),
        };
        let conversation = conversation(vec![
            sent(1, "first", false),
            sent(2, "second", true),
            sent(3, "meanwhile", true),
            taken(3),
            finished(),
            taken(2),
            finished(),
        ]);
        let said = |end| said_in_turn(&conversation.items, end).0;
        assert_eq!(said(5), "first\n\nmeanwhile");
        assert_eq!(said(7), "second");
    }

    #[test]
    fn what_was_never_taken_belongs_to_none() {
        let conversation = conversation(vec![
            sent(1, "first", false),
            sent(2, "second", true),
            finished(),
        ]);
        assert_eq!(said_in_turn(&conversation.items, 3).0, "first");
    }
}
