//! Older events put in front, lists, and the work of subagents: all must come out as if it had been read in one go.

use crate::model::conversation::{Body, Conversation, ToolItem, Touched};
use crate::model::todo::{self, TodoState};
use crate::model::*;
use serde_json::{Value, json};
use uuid::Uuid;

fn event(seq: u64, entry: Entry) -> Event {
    Event {
        seq,
        at: UnixTime(seq as f64),
        entry,
    }
}

fn events(entries: Vec<Entry>) -> Vec<Event> {
    let numbered = (1..).zip(entries);
    numbered.map(|(seq, entry)| event(seq, entry)).collect()
}

fn helper(call: &str) -> Option<AskingAgent> {
    Some(AskingAgent {
        id: format!("agent of {call}"),
        label: "Helper".to_owned(),
        call: Some(ToolUseId::from(call)),
    })
}

fn called(id: &str, name: &str, input: Value, agent: Option<AskingAgent>) -> Entry {
    Entry::ToolCalled {
        tool_use_id: ToolUseId::from(id),
        tool_name: name.to_owned(),
        tool_input: ToolInput::from_value(input),
        agent,
    }
}

fn finished(id: &str, text: &str) -> Entry {
    Entry::ToolFinished {
        tool_use_id: ToolUseId::from(id),
        text: text.to_owned(),
        is_error: false,
        stopped: false,
        images: Vec::new(),
    }
}

/// Any event, by a number: few ids, so that many belong together.
fn any_entry(number: u64) -> Entry {
    let (kind, id) = (number % 11, number / 11 % 4);
    let call = format!("t{id}");
    let agent = match number / 44 % 3 {
        0 => helper(&format!("t{}", number / 132 % 4)),
        _ => None,
    };
    // a call is asked about once
    let request_id = RequestId(Uuid::from_u128(u128::from(id)));
    match kind {
        0 => called(&call, "Agent", json!({}), agent),
        1 => called(
            &call,
            "TaskCreate",
            json!({"subject": number.to_string()}),
            agent,
        ),
        2 => called(
            &call,
            "TaskUpdate",
            json!({"taskId": id.to_string(), "status": "completed"}),
            agent,
        ),
        3 | 4 => finished(&call, &format!("Task #{id} of {number}")),
        5 => Entry::Asked {
            request: PendingRequest {
                request_id,
                tool_use_id: Some(ToolUseId(call)),
                agent,
                ..super::plain_request()
            },
        },
        6 => Entry::Resolved {
            request_id,
            outcome: Outcome::Allowed,
            by: ResolvedBy::User,
            waited: number as f64,
            response: None,
        },
        7 => Entry::MessageSent {
            message_id: MessageId(Uuid::from_u128(u128::from(id))),
            text: number.to_string(),
            queued: true,
            attachments: Vec::new(),
        },
        8 => Entry::MessageTaken {
            message_id: MessageId(Uuid::from_u128(u128::from(id))),
        },
        9 => Entry::TextWritten {
            text: number.to_string(),
            agent,
        },
        _ => Entry::ProcessEnded {
            reason: number.to_string(),
            error: None,
        },
    }
}

#[test]
fn what_is_put_in_front_later_is_as_if_it_had_always_been_there() {
    let mut number = 1_u64;
    for run in 0..200 {
        let entries = (0..24).map(|_| {
            number = number
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            any_entry(number >> 20)
        });
        let all = events(entries.collect());
        let whole = Conversation::from_events(&all);
        for cut in 1..all.len() {
            let (older, newer) = all.split_at(cut);
            let mut joined = Conversation::from_events(newer);
            assert!(joined.put_in_front(older));
            assert_eq!(joined, whole, "run {run}, cut at {cut}");
        }
    }
}

#[test]
fn only_what_comes_right_before_is_put_in_front() {
    let all = events((0..9).map(any_entry).collect());
    let mut conversation = Conversation::from_events(&all[5..]);
    let before = conversation.clone();
    assert!(!conversation.put_in_front(&all[..4]), "one is missing");
    assert!(
        !conversation.put_in_front(&all[..6]),
        "one is there already"
    );
    assert!(!conversation.put_in_front(&[]));
    assert_eq!(conversation, before);
    assert!(conversation.put_in_front(&all[2..5]));
    assert_eq!(conversation.first_seq, 3);
}

fn tool(conversation: &Conversation, index: usize) -> &ToolItem {
    match &conversation.items[index].body {
        Body::Tool(tool) => tool,
        other => panic!("a tool, not {other:?}"),
    }
}

#[test]
fn a_list_is_ticked_off_call_by_call() {
    let list = |states: [&str; 2]| {
        let todos: Vec<Value> = states
            .iter()
            .zip(["Look", "Tell"])
            .map(|(status, content)| json!({"content": content, "status": status}))
            .collect();
        json!({ "todos": todos })
    };
    let conversation = Conversation::from_events(&events(vec![
        called("t1", "TodoWrite", list(["in_progress", "pending"]), None),
        called("t2", "TodoWrite", list(["completed", "in_progress"]), None),
    ]));
    let states = |index: usize| -> Vec<TodoState> {
        let todos = &tool(&conversation, index).todos;
        todos.iter().map(|todo| todo.state).collect()
    };
    assert_eq!(states(0), [TodoState::Doing, TodoState::Open]);
    assert_eq!(states(1), [TodoState::Done, TodoState::Doing]);
    assert_eq!(
        todo::words(&tool(&conversation, 1).todos),
        "1 of 2 done · Tell"
    );
}

#[test]
fn tasks_made_one_by_one_are_one_list() {
    let mut conversation = Conversation::from_events(&events(vec![
        called("t1", "TaskCreate", json!({"subject": "Look"}), None),
        called("t2", "TaskCreate", json!({"subject": "Tell"}), None),
        finished("t1", "Task #7 created successfully: Look"),
        finished("t2", "Task #8 created successfully: Tell"),
    ]));
    let update = called(
        "t3",
        "TaskUpdate",
        json!({"taskId": "7", "status": "completed"}),
        None,
    );
    assert_eq!(conversation.apply(&event(5, update)), Touched::Added(2));
    assert_eq!(todo::words(&tool(&conversation, 2).todos), "1 of 2 done");
    assert_eq!(todo::words(&tool(&conversation, 1).todos), "0 of 2 done");
    let gone = called(
        "t4",
        "TaskUpdate",
        json!({"taskId": 8, "status": "deleted"}),
        None,
    );
    conversation.apply(&event(6, gone));
    assert_eq!(todo::words(&tool(&conversation, 3).todos), "1 of 1 done");
}

#[test]
fn what_a_subagent_does_stands_under_the_call_it_works_for() {
    let text = |agent| Entry::TextWritten {
        text: "words".to_owned(),
        agent,
    };
    let conversation = Conversation::from_events(&events(vec![
        called("a", "Agent", json!({}), None),
        called("b", "Agent", json!({}), None),
        text(helper("a")),
        called("c", "Bash", json!({}), helper("b")),
        text(None),
        // a subagent of a subagent, and one whose call is not here
        called("d", "Agent", json!({}), helper("a")),
        text(helper("d")),
        text(helper("elsewhere")),
    ]));
    let under: Vec<Option<u64>> = conversation.items.iter().map(|item| item.under).collect();
    assert_eq!(
        under,
        [None, None, Some(1), Some(2), None, Some(1), Some(6), None]
    );
}

#[test]
fn the_request_of_a_subagent_stands_there_before_its_call_is_known() {
    let asked = Entry::Asked {
        request: PendingRequest {
            tool_use_id: Some(ToolUseId::from("c")),
            agent: helper("a"),
            ..super::plain_request()
        },
    };
    let conversation = Conversation::from_events(&events(vec![
        called("a", "Agent", json!({}), None),
        asked,
        called("c", "Bash", json!({}), helper("a")),
    ]));
    assert_eq!(conversation.items.len(), 2);
    assert_eq!(conversation.items[1].under, Some(1));
}
