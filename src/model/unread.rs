//! Which messages an agent never took, read from the events alone: for one that was cut off together with the server, of
//! which nothing else is left.

use super::{Entry, Event, MessageId};

pub fn unread<'a>(events: impl IntoIterator<Item = &'a Event>) -> Vec<MessageId> {
    // with whether the agent was busy when it was sent
    let mut open: Vec<(MessageId, bool)> = Vec::new();
    for event in events {
        match &event.entry {
            Entry::MessageSent {
                message_id, queued, ..
            } => {
                open.retain(|(id, _)| id != message_id);
                open.push((*message_id, *queued));
            }
            Entry::MessageTaken { message_id }
            | Entry::MessageCancelled { message_id }
            | Entry::MessageNotRead { message_id } => open.retain(|(id, _)| id != message_id),
            // an agent that does not say what it takes: it answers, so it has read what it was waiting for
            Entry::TextWritten { .. }
            | Entry::Thought { .. }
            | Entry::ToolCalled { .. }
            | Entry::Asked { .. }
            | Entry::TurnFinished { .. } => open.retain(|(_, queued)| *queued),
            Entry::ProcessEnded { .. } => open.clear(),
            _ => {}
        }
    }
    open.into_iter().map(|(id, _)| id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::UnixTime;

    fn events(entries: Vec<Entry>) -> Vec<Event> {
        (1..)
            .zip(entries)
            .map(|(seq, entry)| Event {
                seq,
                at: UnixTime(0.0),
                entry,
            })
            .collect()
    }

    fn sent(message_id: MessageId, queued: bool) -> Entry {
        Entry::MessageSent {
            message_id,
            text: "text".to_owned(),
            queued,
            attachments: Vec::new(),
        }
    }

    fn wrote() -> Entry {
        Entry::TextWritten {
            text: "text".to_owned(),
            agent: None,
        }
    }

    #[test]
    fn what_was_taken_answered_or_cancelled_is_not_unread() {
        let [one, two, three, four] = [(); 4].map(|()| MessageId::random());
        let told = events(vec![
            sent(one, false),
            wrote(),
            sent(two, true),
            sent(three, true),
            sent(four, true),
            Entry::MessageTaken { message_id: two },
            Entry::MessageCancelled { message_id: three },
            wrote(),
        ]);
        assert_eq!(unread(&told), [four]);
    }

    #[test]
    fn a_message_that_nobody_answered_is_unread_until_its_process_is_known_to_have_ended() {
        let (one, two) = (MessageId::random(), MessageId::random());
        let mut told = vec![sent(one, false), sent(two, true)];
        assert_eq!(unread(&events(told.clone())), [one, two]);
        told.push(Entry::ProcessEnded {
            reason: "Ended.".to_owned(),
            error: None,
        });
        assert_eq!(unread(&events(told)), []);
    }

    #[test]
    fn a_message_sent_again_is_one_message() {
        let one = MessageId::random();
        let told = events(vec![
            sent(one, true),
            Entry::MessageNotRead { message_id: one },
            sent(one, false),
        ]);
        assert_eq!(unread(&told), [one]);
    }
}
