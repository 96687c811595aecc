//! Events in, the items of the transcript out.

use super::*;
use crate::model::{Entry, ToolInput, ToolUseId, UnixTime};
use leptos::reactive::owner::Owner;

fn view() -> (Owner, ConversationView) {
    let owner = Owner::new();
    owner.set();
    let shelf = StoredValue::new(Shelf::default());
    (owner, ConversationView::new(shelf, SessionId::random()))
}

fn text(seq: u64) -> Event {
    Event {
        seq,
        at: UnixTime(seq as f64),
        entry: Entry::TextWritten {
            text: format!("text {seq}"),
            agent: None,
        },
    }
}

fn called(seq: u64, id: &str) -> Event {
    Event {
        seq,
        at: UnixTime(seq as f64),
        entry: Entry::ToolCalled {
            tool_use_id: ToolUseId::from(id),
            tool_name: "Bash".to_owned(),
            tool_input: ToolInput::default(),
            agent: None,
        },
    }
}

fn finished(seq: u64, id: &str) -> Event {
    Event {
        seq,
        at: UnixTime(seq as f64),
        entry: Entry::ToolFinished {
            tool_use_id: ToolUseId::from(id),
            text: "done".to_owned(),
            is_error: false,
            stopped: false,
            images: Vec::new(),
        },
    }
}

fn seqs(view: ConversationView) -> Vec<u64> {
    let items = view.items().get_untracked();
    items.iter().map(|line| line.seq).collect()
}

#[test]
fn the_first_picture_may_begin_anywhere_and_news_follow_on_it() {
    let (_owner, view) = view();
    view.fill(&[text(41), text(42)]);
    assert_eq!(view.last_seq(), Some(42));
    assert_eq!(view.take(&[text(42), text(43)], false), Taken::All);
    assert_eq!(seqs(view), [41, 42, 43]);
}

#[test]
fn a_second_first_picture_does_not_undo_what_came_since() {
    let (_owner, view) = view();
    view.fill(&[text(1), text(2)]);
    view.fill(&[text(1)]);
    assert_eq!(seqs(view), [1, 2]);
}

#[test]
fn events_behind_a_gap_are_not_taken() {
    let (_owner, view) = view();
    view.fill(&[text(1)]);
    assert_eq!(view.take(&[text(3)], false), Taken::Gap);
    assert_eq!(seqs(view), [1]);
    assert_eq!(view.take(&[text(2), text(3)], false), Taken::All);
    assert_eq!(seqs(view), [1, 2, 3]);
}

#[test]
fn a_reset_replaces_the_conversation() {
    let (_owner, view) = view();
    view.fill(&[text(1), text(2), text(3)]);
    assert_eq!(view.take(&[text(90), text(91)], true), Taken::All);
    assert_eq!(seqs(view), [90, 91]);
    assert_eq!(view.take(&[], true), Taken::All);
    assert_eq!(seqs(view), Vec::<u64>::new());
}

#[test]
fn a_changed_item_changes_its_own_signal_and_not_the_list() {
    let (_owner, view) = view();
    view.fill(&[called(1, "a"), text(2)]);
    let signal = view.items().get_untracked().remove(0).item;
    view.take(&[finished(3, "a")], false);
    assert_eq!(seqs(view), [1, 2]);
    let Body::Tool(tool) = signal.get_untracked().body else {
        panic!("a tool call");
    };
    assert_eq!(
        tool.result.map(|result| result.text),
        Some("done".to_owned())
    );
}

#[test]
fn the_end_of_a_process_reaches_every_open_call() {
    let (_owner, view) = view();
    view.fill(&[called(1, "a"), called(2, "b")]);
    let ended = Entry::ProcessEnded {
        reason: "Stopped.".to_owned(),
        error: None,
    };
    view.take(
        &[Event {
            seq: 3,
            at: UnixTime(3.0),
            entry: ended,
        }],
        false,
    );
    assert_eq!(seqs(view), [1, 2, 3]);
    for line in view.items().get_untracked().into_iter().take(2) {
        assert!(matches!(line.item.get_untracked().body, Body::Tool(tool) if tool.interrupted));
    }
}

#[test]
fn text_being_written_is_shown_until_it_is_whole_or_lost() {
    let (_owner, view) = view();
    let delta = |offset, text: &str| Delta {
        session_id: view.id,
        thinking: false,
        offset,
        text: text.to_owned(),
    };
    view.write(&delta(0, "Hel"));
    view.write(&delta(3, "lo"));
    let shown = |view: ConversationView| view.partial().get_untracked().map(|partial| partial.text);
    assert_eq!(shown(view), Some("Hello".to_owned()));
    view.take(&[text(1)], false);
    assert_eq!(shown(view), None);
    view.write(&delta(0, "Again"));
    view.forget_partial();
    assert_eq!(shown(view), None);
}

#[test]
fn what_is_put_in_front_keeps_the_lines_that_are_there() {
    let (_owner, view) = view();
    view.fill(&[text(3), finished(4, "a"), text(5)]);
    assert_eq!(view.first_seq(), 3);
    assert!(view.has_earlier().get_untracked());
    let last = view.items().get_untracked().remove(1).item;
    view.put_in_front(&[text(1)]);
    assert_eq!(seqs(view), [3, 5], "not right before");
    view.put_in_front(&[text(1), called(2, "a")]);
    assert_eq!(seqs(view), [1, 2, 3, 5]);
    assert!(!view.has_earlier().get_untracked());
    let lines = view.items().get_untracked();
    assert!(
        matches!(lines[1].item.get_untracked().body, Body::Tool(tool) if tool.result.is_some())
    );
    // the same signal: whoever looks at it hears of its changes
    view.take(&[text(6)], false);
    last.update(|item| item.at = UnixTime(0.5));
    assert_eq!(lines[3].item.get_untracked().at, UnixTime(0.5));
    assert_eq!(seqs(view), [1, 2, 3, 5, 6]);
}

#[test]
fn the_work_of_a_subagent_stands_under_its_call() {
    let (_owner, view) = view();
    let agent = Some(crate::model::AskingAgent {
        call: Some(ToolUseId::from("a")),
        ..Default::default()
    });
    let by_helper = Event {
        seq: 3,
        at: UnixTime(3.0),
        entry: Entry::TextWritten {
            text: "Counting.".to_owned(),
            agent,
        },
    };
    view.fill(&[called(1, "a"), text(2), by_helper]);
    let seqs = |under| -> Vec<u64> {
        let lines = view.lines(under).get_untracked();
        lines.iter().map(|line| line.seq).collect()
    };
    assert_eq!(seqs(None), [1, 2]);
    assert_eq!(seqs(Some(1)), [3]);
}

#[test]
fn a_queued_message_stands_at_the_end_until_it_is_taken_and_then_where_that_was() {
    let (_owner, view) = view();
    let message_id = crate::model::MessageId::random();
    let event = |seq, entry| Event {
        seq,
        at: UnixTime(seq as f64),
        entry,
    };
    let sent = Entry::MessageSent {
        message_id,
        text: "And then?".to_owned(),
        queued: true,
        attachments: Vec::new(),
    };
    view.take(&[text(1), event(2, sent), text(3)], false);
    let seqs = |lines: Signal<Vec<Line>>| -> Vec<u64> {
        lines.get_untracked().iter().map(|line| line.seq).collect()
    };
    assert_eq!(seqs(view.lines(None)), [1, 3]);
    assert_eq!(seqs(view.queued()), [2]);
    view.take(
        &[event(4, Entry::MessageTaken { message_id }), text(5)],
        false,
    );
    assert_eq!(seqs(view.lines(None)), [1, 3, 2, 5]);
    assert!(view.queued().get_untracked().is_empty());
}
