//! What the agent does not know, since a person last said something to it: why they stopped it, and what they ran by themselves.
//! It goes before the next thing they say. Pure, of what happened: so it outlives the process and the server.

use crate::model::{Entry, Event, MessageId};
use std::collections::{HashSet, VecDeque};

/// The message as the agent gets it.
pub fn before(text: &str, events: &VecDeque<Event>) -> String {
    if is_command(text) {
        return text.to_owned();
    }
    let asides = unsaid(events).into_iter().rev();
    let asides = asides.map(|words| format!("({words})\n\n"));
    asides.chain([text.to_owned()]).collect()
}

/// A command must begin with its name.
fn is_command(text: &str) -> bool {
    text.trim_start().starts_with('/')
}

/// The newest first.
fn unsaid(events: &VecDeque<Event>) -> Vec<String> {
    let mut unsaid = Vec::new();
    // what went with a message that the agent never took is still unsaid
    let mut never_taken: HashSet<MessageId> = HashSet::new();
    for event in events.iter().rev() {
        match &event.entry {
            Entry::MessageCancelled { message_id } | Entry::MessageNotRead { message_id } => {
                never_taken.insert(*message_id);
            }
            Entry::MessageSent {
                message_id, text, ..
            } if !is_command(text) && !never_taken.contains(message_id) => break,
            Entry::ConversationCleared
            | Entry::Rewound {
                conversation: true, ..
            } => break,
            Entry::Resolved {
                response: Some(response),
                ..
            } => unsaid.extend(response.reason_nobody_reads().map(|reason| {
                format!("When I denied your call and stopped you, I said: {reason}")
            })),
            Entry::CommandRun {
                command,
                output,
                code,
            } => unsaid.push(ran(command, output, *code)),
            _ => {}
        }
    }
    unsaid
}

fn ran(command: &str, output: &str, code: Option<i32>) -> String {
    let end = match code {
        Some(code) => format!("It ended with code {code}"),
        None => "It did not end by itself".to_owned(),
    };
    match output {
        "" => format!("I ran this myself: {command}\n{end} and printed nothing."),
        output => format!("I ran this myself: {command}\n{end} and printed:\n{output}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::UnixTime;

    fn said(message_id: MessageId, text: &str) -> Entry {
        Entry::MessageSent {
            message_id,
            text: text.to_owned(),
            queued: false,
            attachments: Vec::new(),
        }
    }

    fn command(command: &str) -> Entry {
        Entry::CommandRun {
            command: command.to_owned(),
            output: "out".to_owned(),
            code: Some(0),
        }
    }

    fn after(entries: Vec<Entry>, text: &str) -> String {
        let events = entries.into_iter().zip(1..).map(|(entry, seq)| Event {
            seq,
            at: UnixTime(0.0),
            entry,
        });
        before(text, &events.collect())
    }

    #[test]
    fn what_a_person_ran_is_told_once_in_its_order_and_never_before_a_command() {
        let id = MessageId::random();
        let ran = || vec![said(id, "hello"), command("ls"), command("pwd")];
        let told = after(ran(), "go on");
        let places = ["(I ran this myself: ls", "(I ran this myself: pwd", "go on"];
        let places = places.map(|words| told.find(words).expect(words));
        assert!(places.is_sorted() && told.ends_with("\n\ngo on"), "{told}");
        assert_eq!(after(ran(), "/clear"), "/clear");
        let heard = [ran(), vec![said(MessageId::random(), "go on")]].concat();
        assert_eq!(after(heard, "well"), "well");
        let cleared = [ran(), vec![Entry::ConversationCleared]].concat();
        assert_eq!(after(cleared, "well"), "well");
        // a command is no message that could have carried it
        let compacted = [ran(), vec![said(MessageId::random(), "/compact")]].concat();
        assert!(after(compacted, "well").contains("myself: pwd"));
    }

    #[test]
    fn what_went_with_a_message_that_was_never_taken_is_told_with_the_next() {
        let id = MessageId::random();
        for end in [
            Entry::MessageNotRead { message_id: id },
            Entry::MessageCancelled { message_id: id },
        ] {
            let events = vec![command("ls"), said(id, "go on"), end];
            assert!(after(events, "go on").contains("I ran this myself: ls"));
        }
    }
}
