//! What other clients rely on: the frames of the socket, and events.

use super::*;
use crate::model::transcript::Level;

#[test]
fn what_the_server_says() {
    is_written(
        &ServerMessage::ActiveProcesses {
            processes: vec![plain_process()],
            archived: 2,
        },
        json!({"type": "active_processes", "processes": [plain_process_json()], "archived": 2}),
    );
    let older = json!({"type": "active_processes", "processes": []}).to_string();
    assert!(
        matches!(
            ServerMessage::read(&older),
            Some(ServerMessage::ActiveProcesses { archived: 0, .. })
        ),
        "an older server does not say how many are archived"
    );
    is_written(
        &ServerMessage::Archive {
            archived: 1,
            deleted: Some(session()),
        },
        json!({"type": "archive", "archived": 1, "deleted": SESSION}),
    );
    is_written(
        &ServerMessage::Archive {
            archived: 0,
            deleted: None,
        },
        json!({"type": "archive", "archived": 0}),
    );
    let put_away = ProcessInfo {
        archived_at: Some(UnixTime(1003.5)),
        cut_off: vec![crate::model::samples::plain_request()],
        ..plain_process()
    };
    let written = serde_json::to_value(&put_away).expect("JSON");
    assert_eq!(written["archived_at"], 1003.5);
    assert_eq!(written["cut_off"][0]["tool_name"], "Bash");
    assert_eq!(written.get("pending_requests"), None);
    let read: ProcessInfo = serde_json::from_value(written).expect("a process");
    assert_eq!(read, put_away);
    is_written(
        &ClientMessage::Hello {
            client: ClientId(session().0),
        },
        json!({"type": "hello", "client": SESSION}),
    );
    is_written(
        &ClientMessage::TakeOver {
            session_id: session(),
        },
        json!({"type": "take_over", "session_id": SESSION}),
    );
    let mut state = plain_process_json();
    state["type"] = json!("process_state");
    is_written(&ServerMessage::ProcessState(plain_process()), state);
    is_written(
        &ServerMessage::RequestResolved {
            session_id: session(),
            request_id: request(),
            outcome: Outcome::TimedOut,
            by: ResolvedBy::Timeout,
            at: UnixTime(1002.0),
            answer_id: None,
        },
        json!({
            "type": "request_resolved", "session_id": SESSION, "request_id": REQUEST, "outcome": "timed_out",
            "by": "timeout", "at": 1002.0,
        }),
    );
    let event = Event {
        seq: 7,
        at: UnixTime(1003.0),
        entry: Entry::Thought {
            text: "Hm".to_owned(),
            agent: None,
        },
    };
    let event_json = json!({"seq": 7, "at": 1003.0, "kind": "thought", "text": "Hm"});
    for (reset, mut golden) in [(false, json!({})), (true, json!({"reset": true}))] {
        golden["type"] = json!("session_events");
        golden["session_id"] = json!(SESSION);
        golden["events"] = json!([event_json]);
        let events = vec![event.clone()];
        let message = ServerMessage::SessionEvents {
            session_id: session(),
            events,
            reset,
        };
        is_written(&message, golden);
    }
    let delta = |thinking| {
        ServerMessage::SessionDelta(Delta {
            session_id: session(),
            thinking,
            offset: 4,
            text: "more".to_owned(),
        })
    };
    is_written(
        &delta(false),
        json!({"type": "session_delta", "session_id": SESSION, "offset": 4, "text": "more"}),
    );
    is_written(
        &delta(true),
        json!({"type": "session_delta", "session_id": SESSION, "offset": 4, "text": "more", "thinking": true}),
    );
    let refusal = Refusal::new(Code::AlreadyResolved, "Too late.");
    is_written(
        &ServerMessage::refused(refusal.clone(), Some(request())),
        json!({"type": "error", "code": "already_resolved", "message": "Too late.", "request_id": REQUEST}),
    );
    is_written(
        &ServerMessage::refused(refusal, None),
        json!({"type": "error", "code": "already_resolved", "message": "Too late."}),
    );
    is_written(&ServerMessage::Pong, json!({"type": "pong"}));
    assert_eq!(ServerMessage::read(r#"{"type":"of_tomorrow"}"#), None);
}

#[test]
fn what_a_client_says() {
    is_written(
        &ClientMessage::Subscribe {
            session_id: session(),
            after: None,
        },
        json!({"type": "subscribe", "session_id": SESSION}),
    );
    is_written(
        &ClientMessage::Subscribe {
            session_id: session(),
            after: Some(3),
        },
        json!({"type": "subscribe", "session_id": SESSION, "after": 3}),
    );
    is_written(
        &ClientMessage::Unsubscribe {
            session_id: session(),
        },
        json!({"type": "unsubscribe", "session_id": SESSION}),
    );
    is_written(&ClientMessage::Ping, json!({"type": "ping"}));
    let answer = |digest: Option<&str>| {
        ClientMessage::PendingRequestResponse(Answer {
            session_id: session(),
            request_id: request(),
            digest: digest.map(Digest::from),
            shown: None,
            answer_id: None,
            response: Response::allow(),
        })
    };
    let mut golden = json!({
        "type": "pending_request_response", "session_id": SESSION, "request_id": REQUEST,
        "request_type": "tool_approval", "decision": "allow",
    });
    is_written(&answer(None), golden.clone());
    golden["digest"] = json!("abc");
    is_written(&answer(Some("abc")), golden.clone());
    let ClientMessage::PendingRequestResponse(plain) = answer(Some("abc")) else {
        unreachable!("an answer");
    };
    golden["shown"] = json!("v1");
    golden["answer_id"] = json!(REQUEST);
    is_written(
        &ClientMessage::PendingRequestResponse(Answer {
            shown: Some("v1".to_owned()),
            answer_id: Some(AnswerId(request().0)),
            ..plain
        }),
        golden,
    );
}

#[test]
fn a_frame_that_is_not_ours_is_told_from_one_with_a_bad_field() {
    let code = |text: &str| match ClientMessage::read(text).map_err(|error| *error) {
        Err(ServerMessage::Error {
            code, request_id, ..
        }) => (code, request_id),
        other => panic!("{text}: {other:?}"),
    };
    for text in ["", "{", "[]", "{}", r#"{"type":1}"#, r#"{"type":"pong"}"#] {
        assert_eq!(code(text), (Code::InvalidMessage, None), "{text}");
    }
    assert_eq!(
        code(r#"{"type":"subscribe"}"#),
        (Code::InvalidRequest, None)
    );
    let answer =
        json!({"type": "pending_request_response", "session_id": SESSION, "request_id": REQUEST});
    assert_eq!(
        code(&answer.to_string()),
        (Code::InvalidRequest, Some(request()))
    );
}

#[test]
fn every_entry_has_its_form() {
    let agent = || {
        Some(AskingAgent {
            id: "a1".to_owned(),
            label: "Helper".to_owned(),
            call: None,
        })
    };
    let entries = [
        (
            Entry::MessageSent {
                message_id: message(),
                text: "Hello".to_owned(),
                queued: false,
                attachments: Vec::new(),
            },
            json!({"kind": "message_sent", "message_id": MESSAGE, "text": "Hello"}),
        ),
        (
            Entry::MessageSent {
                message_id: message(),
                text: "Hello".to_owned(),
                queued: true,
                attachments: Vec::new(),
            },
            json!({"kind": "message_sent", "message_id": MESSAGE, "text": "Hello", "queued": true}),
        ),
        (
            Entry::MessageTaken {
                message_id: message(),
            },
            json!({"kind": "message_taken", "message_id": MESSAGE}),
        ),
        (
            Entry::MessageCancelled {
                message_id: message(),
            },
            json!({"kind": "message_cancelled", "message_id": MESSAGE}),
        ),
        (
            Entry::MessageNotRead {
                message_id: message(),
            },
            json!({"kind": "message_not_read", "message_id": MESSAGE}),
        ),
        (
            Entry::ConversationCleared,
            json!({"kind": "conversation_cleared"}),
        ),
        (
            Entry::Rewound {
                before: message(),
                conversation: true,
                files: vec!["/w/a.txt".to_owned()],
            },
            json!({"kind": "rewound", "before": MESSAGE, "conversation": true, "files": ["/w/a.txt"]}),
        ),
        (
            Entry::TextWritten {
                text: "Hi".to_owned(),
                agent: agent(),
            },
            json!({"kind": "text_written", "text": "Hi", "agent": {"id": "a1", "label": "Helper"}}),
        ),
        (
            Entry::ToolCalled {
                tool_use_id: ToolUseId::from("t1"),
                tool_name: "Bash".to_owned(),
                tool_input: input(json!({"command": "ls"})),
                agent: None,
            },
            json!({"kind": "tool_called", "tool_use_id": "t1", "tool_name": "Bash", "tool_input": {"command": "ls"}}),
        ),
        (
            Entry::ToolFinished {
                tool_use_id: ToolUseId::from("t1"),
                text: "done".to_owned(),
                is_error: true,
                stopped: false,
                images: Vec::new(),
            },
            json!({"kind": "tool_finished", "tool_use_id": "t1", "text": "done", "is_error": true}),
        ),
        (
            Entry::Asked {
                request: plain_request(),
            },
            json!({"kind": "asked", "request": plain_request_json()}),
        ),
        (
            Entry::Resolved {
                request_id: request(),
                outcome: Outcome::Allowed,
                by: ResolvedBy::User,
                waited: 12.5,
                response: Some(Response::allow()),
            },
            json!({
                "kind": "resolved", "request_id": REQUEST, "outcome": "allowed", "by": "user", "waited": 12.5,
                "response": {"request_type": "tool_approval", "decision": "allow"},
            }),
        ),
        (
            Entry::TurnFinished {
                error: Some("It failed.".to_owned()),
                interrupted: true,
                duration_ms: 9,
                unasked: false,
            },
            json!({"kind": "turn_finished", "error": "It failed.", "interrupted": true, "duration_ms": 9}),
        ),
        (
            Entry::Noticed {
                level: Level::Warning,
                text: "Odd".to_owned(),
            },
            json!({"kind": "noticed", "level": "warning", "text": "Odd"}),
        ),
        (
            Entry::ProcessStarted { resumed: true },
            json!({"kind": "process_started", "resumed": true}),
        ),
        (
            Entry::ProcessEnded {
                reason: "Ended by you.".to_owned(),
                error: None,
            },
            json!({"kind": "process_ended", "reason": "Ended by you."}),
        ),
    ];
    for (number, (entry, mut golden)) in entries.into_iter().enumerate() {
        golden["seq"] = json!(number);
        golden["at"] = json!(1000.0);
        let event = Event {
            seq: number as u64,
            at: UnixTime(1000.0),
            entry,
        };
        is_written(&event, golden);
    }
}

#[test]
fn outcomes_and_causes_have_their_words() {
    let words = |value: Value| value.as_str().map(str::to_owned).expect("a word");
    let outcomes = [
        Outcome::Allowed,
        Outcome::Denied,
        Outcome::Answered,
        Outcome::Cancelled,
        Outcome::TimedOut,
        Outcome::Withdrawn,
        Outcome::ProcessEnded,
        Outcome::AllowedByRule,
        Outcome::DeniedByRule,
    ];
    assert_eq!(
        outcomes.map(|outcome| words(json!(outcome))),
        [
            "allowed",
            "denied",
            "answered",
            "cancelled",
            "timed_out",
            "withdrawn",
            "process_ended",
            "allowed_by_rule",
            "denied_by_rule"
        ]
    );
    let causes = [
        ResolvedBy::User,
        ResolvedBy::Agent,
        ResolvedBy::Timeout,
        ResolvedBy::Process,
        ResolvedBy::Shutdown,
        ResolvedBy::Rule,
    ];
    assert_eq!(
        causes.map(|cause| words(json!(cause))),
        ["user", "agent", "timeout", "process", "shutdown", "rule"]
    );
}
