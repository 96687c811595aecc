//! Events folded into what the transcript shows.

use crate::model::conversation::{
    Body, Conversation, Delivery, Item, Partial, Resolution, ToolItem, ToolResult, Touched,
};
use crate::model::transcript::Level;
use crate::model::*;
use serde_json::json;
use uuid::Uuid;

fn event(seq: u64, entry: Entry) -> Event {
    Event {
        seq,
        at: UnixTime(seq as f64),
        entry,
    }
}

fn called(id: &str) -> Entry {
    Entry::ToolCalled {
        tool_use_id: ToolUseId::from(id),
        tool_name: "Bash".to_owned(),
        tool_input: ToolInput::from_value(json!({"command": id})),
        agent: None,
    }
}

fn finished(id: &str) -> Entry {
    Entry::ToolFinished {
        tool_use_id: ToolUseId::from(id),
        text: format!("result of {id}"),
        is_error: false,
        stopped: false,
        images: Vec::new(),
    }
}

fn request(number: u128, id: Option<&str>) -> PendingRequest {
    PendingRequest {
        request_id: RequestId(Uuid::from_u128(number)),
        tool_input: ToolInput::from_value(json!({"command": id})),
        created_at: UnixTime(0.0),
        tool_use_id: id.map(ToolUseId::from),
        ..super::plain_request()
    }
}

fn asked(number: u128, id: Option<&str>) -> Entry {
    Entry::Asked {
        request: request(number, id),
    }
}

fn resolved(number: u128, outcome: Outcome) -> Entry {
    Entry::Resolved {
        request_id: RequestId(Uuid::from_u128(number)),
        outcome,
        by: ResolvedBy::User,
        waited: 2.0,
        response: None,
    }
}

fn text(words: &str) -> Entry {
    Entry::TextWritten {
        text: words.to_owned(),
        agent: None,
    }
}

fn fold(entries: Vec<Entry>) -> Conversation {
    let numbered = entries.into_iter().zip(1..);
    let events: Vec<Event> = numbered.map(|(entry, seq)| event(seq, entry)).collect();
    Conversation::from_events(&events)
}

fn tools(conversation: &Conversation) -> Vec<&ToolItem> {
    let items = conversation.items.iter();
    items
        .filter_map(|item| match &item.body {
            Body::Tool(tool) => Some(tool),
            _ => None,
        })
        .collect()
}

fn delta(offset: usize, words: &str) -> Delta {
    Delta {
        session_id: SessionId(Uuid::from_u128(1)),
        thinking: false,
        offset,
        text: words.to_owned(),
    }
}

#[test]
fn a_call_what_was_asked_about_it_and_its_result_are_one_item() {
    for order in [
        vec![
            called("a"),
            asked(1, Some("a")),
            resolved(1, Outcome::Allowed),
            finished("a"),
        ],
        // the ask may come before the call
        vec![
            asked(1, Some("a")),
            called("a"),
            resolved(1, Outcome::Allowed),
            finished("a"),
        ],
        vec![
            asked(1, Some("a")),
            resolved(1, Outcome::Allowed),
            called("a"),
            finished("a"),
        ],
        // the result may come before the note about the answer
        vec![
            called("a"),
            asked(1, Some("a")),
            finished("a"),
            resolved(1, Outcome::Allowed),
        ],
    ] {
        let conversation = fold(order);
        let [tool] = tools(&conversation).try_into().expect("one item");
        assert_eq!(tool.request, Some(request(1, Some("a"))));
        let resolution = Resolution {
            outcome: Outcome::Allowed,
            by: ResolvedBy::User,
            waited: 2.0,
            response: None,
        };
        assert_eq!(tool.resolution, Some(resolution));
        let result = ToolResult {
            text: "result of a".to_owned(),
            is_error: false,
            stopped: false,
            images: Vec::new(),
        };
        assert_eq!(tool.result, Some(result));
        assert_eq!(
            conversation.items[0].seq, 1,
            "known by the event that began it"
        );
        assert_eq!(conversation.last_seq, 4);
    }
}

#[test]
fn several_calls_get_their_own_answers_and_results_in_any_order() {
    let conversation = fold(vec![
        called("a"),
        called("b"),
        asked(1, Some("a")),
        asked(2, Some("b")),
        resolved(2, Outcome::Denied),
        finished("b"),
        resolved(1, Outcome::Allowed),
        finished("a"),
    ]);
    let [a, b] = tools(&conversation).try_into().expect("two items");
    let outcome = |tool: &ToolItem| {
        tool.resolution
            .as_ref()
            .map(|resolution| resolution.outcome)
    };
    let result = |tool: &ToolItem| tool.result.as_ref().map(|result| result.text.clone());
    assert_eq!(
        (outcome(a), result(a).as_deref()),
        (Some(Outcome::Allowed), Some("result of a"))
    );
    assert_eq!(
        (outcome(b), result(b).as_deref()),
        (Some(Outcome::Denied), Some("result of b"))
    );
}

#[test]
fn a_question_without_a_call_stands_by_itself() {
    let conversation = fold(vec![
        asked(1, None),
        asked(2, None),
        resolved(1, Outcome::Withdrawn),
    ]);
    let [first, second] = tools(&conversation).try_into().expect("two items");
    assert_eq!(
        first
            .resolution
            .as_ref()
            .map(|resolution| resolution.outcome),
        Some(Outcome::Withdrawn)
    );
    assert_eq!(second.resolution, None);
}

#[test]
fn what_has_no_result_when_the_process_ends_was_interrupted() {
    let end = Entry::ProcessEnded {
        reason: "The process ended.".to_owned(),
        error: Some("It said: help".to_owned()),
    };
    let mut conversation = fold(vec![called("a"), finished("a"), called("b")]);
    conversation.apply_delta(&delta(0, "half a sen"));
    assert_eq!(conversation.apply(&event(4, end)), Touched::Many);
    let [a, b] = tools(&conversation).try_into().expect("two items");
    assert!(!a.interrupted && b.interrupted);
    assert_eq!(conversation.partial, None);
    let notice = Body::Notice {
        level: Level::Error,
        text: "The process ended. It said: help".to_owned(),
    };
    assert_eq!(
        conversation.items.last().map(|item| &item.body),
        Some(&notice)
    );
}

#[test]
fn an_event_that_is_known_changes_nothing() {
    let mut conversation = fold(vec![text("one"), text("two")]);
    let before = conversation.clone();
    for seq in [0, 1, 2] {
        assert_eq!(
            conversation.apply(&event(seq, text("again"))),
            Touched::Nothing
        );
    }
    assert_eq!(conversation, before);
    assert_eq!(
        conversation.apply(&event(3, text("three"))),
        Touched::Added(2)
    );
    assert_eq!(
        conversation.apply(&event(4, finished("nobody"))),
        Touched::Nothing
    );
    assert_eq!(conversation.last_seq, 4);
}

#[test]
fn a_queued_message_is_taken() {
    let message_id = MessageId(Uuid::from_u128(3));
    let sent = Entry::MessageSent {
        message_id,
        text: "And then?".to_owned(),
        queued: true,
        attachments: Vec::new(),
    };
    let mut conversation = fold(vec![sent, text("first things first")]);
    let taken = event(3, Entry::MessageTaken { message_id });
    assert_eq!(conversation.apply(&taken), Touched::Changed(0));
    let said = Body::Said {
        message_id,
        text: "And then?".to_owned(),
        delivery: Delivery::Sent,
        taken: 3,
        attachments: Vec::new(),
    };
    assert_eq!(conversation.items[0].body, said);
}

#[test]
fn a_message_that_was_not_read_is_sent_again_further_down() {
    let message_id = MessageId(Uuid::from_u128(3));
    let sent = |queued| Entry::MessageSent {
        message_id,
        text: "And then?".to_owned(),
        queued,
        attachments: Vec::new(),
    };
    let mut conversation = fold(vec![
        sent(true),
        Entry::MessageNotRead { message_id },
        text("between"),
    ]);
    let deliveries = |conversation: &Conversation| -> Vec<Delivery> {
        let said = |item: &Item| match item.body {
            Body::Said { delivery, .. } => Some(delivery),
            _ => None,
        };
        conversation.items.iter().filter_map(said).collect()
    };
    assert_eq!(deliveries(&conversation), [Delivery::NotRead]);
    assert_eq!(conversation.apply(&event(4, sent(false))), Touched::Many);
    assert_eq!(
        deliveries(&conversation),
        [Delivery::SentAgain, Delivery::Sent]
    );
    let taken = event(5, Entry::MessageTaken { message_id });
    assert_eq!(conversation.apply(&taken), Touched::Changed(2));
    let cancelled = event(6, Entry::MessageCancelled { message_id });
    assert_eq!(conversation.apply(&cancelled), Touched::Changed(2));
}

#[test]
fn pieces_of_text_follow_on_each_other_until_the_whole_comes() {
    let partial = |words: &str| {
        Some(Partial {
            thinking: false,
            text: words.to_owned(),
        })
    };
    let mut conversation = fold(vec![text("one")]);
    conversation.apply_delta(&delta(3, "lost its beginning"));
    assert_eq!(conversation.partial, None);
    conversation.apply_delta(&delta(0, "grö"));
    conversation.apply_delta(&delta(4, "ßer"));
    assert_eq!(conversation.partial, partial("größer"), "offsets are bytes");
    conversation.apply_delta(&delta(20, "a gap"));
    conversation.apply_delta(&delta(4, "twice"));
    assert_eq!(conversation.partial, partial("größer"));
    conversation.apply_delta(&delta(0, "new"));
    assert_eq!(conversation.partial, partial("new"));

    let helper = Entry::TextWritten {
        text: "from a helper".to_owned(),
        agent: Some(AskingAgent {
            id: "a1".to_owned(),
            label: "Helper".to_owned(),
            call: None,
        }),
    };
    conversation.apply(&event(2, helper));
    assert_eq!(
        conversation.partial,
        partial("new"),
        "helpers write beside it"
    );
    conversation.apply(&event(3, text("new and whole")));
    assert_eq!(conversation.partial, None);
}

#[test]
fn the_end_of_a_turn_ends_what_was_being_written() {
    let mut conversation = fold(vec![text("one")]);
    conversation.apply_delta(&delta(0, "half"));
    let end = Entry::TurnFinished {
        error: None,
        interrupted: true,
        duration_ms: 5,
        unasked: false,
    };
    assert_eq!(conversation.apply(&event(2, end)), Touched::Added(1));
    assert_eq!(conversation.partial, None);
}
