//! The rules, one sentence each.

mod given_again;
mod turns;

use super::*;
use crate::model::samples;
use crate::model::{
    Decision, Digest, PermissionMode, PlanDecision, QuestionAnswers, RequestType, Suggestion,
    ToolDecision, ToolInput,
};
use serde_json::json;
use uuid::Uuid;

const AT: UnixTime = UnixTime(100.0);

pub fn session(number: u128) -> SessionId {
    SessionId(Uuid::from_u128(number))
}

pub fn request(number: u128, request_type: RequestType) -> PendingRequest {
    let (tool_name, input) = match request_type {
        RequestType::ToolApproval => ("Bash", json!({"command": "touch x"})),
        RequestType::AskUserQuestion => (
            "AskUserQuestion",
            json!({"questions": [{"question": "Which?", "header": "W", "options": [{"label": "A"}, {"label": "B"}]}]}),
        ),
        RequestType::PlanApproval => ("ExitPlanMode", json!({"plan": "1. Do it"})),
    };
    PendingRequest {
        request_id: RequestId(Uuid::from_u128(number)),
        request_type,
        tool_name: tool_name.to_owned(),
        tool_input: ToolInput::from_value(input),
        created_at: UnixTime(90.0),
        suggestions: vec![Suggestion(
            json!({"type": "setMode", "mode": "acceptEdits"}),
        )],
        digest: Some(Digest::from("d1")),
        ..samples::plain_request()
    }
}

fn answer(number: u128, response: Response) -> Event<u32> {
    Event::Answered {
        answer: Answer {
            session_id: session(1),
            request_id: RequestId(Uuid::from_u128(number)),
            digest: Some(Digest::from("d1")),
            shown: None,
            answer_id: None,
            response,
        },
    }
}

fn recorded(number: u128) -> Event<u32> {
    Event::Recorded {
        session_id: session(1),
        request_id: RequestId(Uuid::from_u128(number)),
        at: AT,
    }
}

/// A desk with one process at work that has asked the given things, replies numbered from 0.
fn asked(kinds: &[RequestType]) -> Desk<u32> {
    let mut desk = Desk::default();
    let session_id = session(1);
    for event in [
        Event::Started { session_id },
        Event::Ready { session_id },
        Event::TurnBegan { session_id },
    ] {
        desk.apply(event).expect("a process starts");
    }
    for (number, kind) in kinds.iter().enumerate() {
        let request = request(number as u128, *kind);
        desk.apply(Event::Asked {
            session_id,
            request,
            reply: number as u32,
        })
        .expect("it asks");
    }
    desk
}

fn deliveries(effects: &[Effect<u32>]) -> Vec<(u32, Verdict)> {
    effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Deliver { reply, verdict } => Some((*reply, verdict.clone())),
            _ => None,
        })
        .collect()
}

fn code_of(result: Result<Vec<Effect<u32>>, Refusal>) -> Code {
    result.expect_err("it must be refused").code
}

const TOOL: RequestType = RequestType::ToolApproval;

#[test]
fn asking_does_not_change_the_state() {
    let desk = asked(&[TOOL]);
    assert_eq!(desk.state(session(1)), Some(ProcessState::AssistantTurn));
    assert!(desk.is_waiting(session(1)));
}

#[test]
fn the_agent_hears_nothing_before_the_answer_is_stored() {
    let mut desk = asked(&[TOOL]);
    let effects = desk.apply(answer(0, Response::allow())).expect("accepted");
    assert!(matches!(effects.as_slice(), [Effect::Record { .. }]));
    let effects = desk.apply(recorded(0)).expect("stored");
    assert_eq!(
        deliveries(&effects),
        [(
            0,
            Verdict::Allow {
                updated_input: None,
                remember: vec![],
                mode: None
            }
        )]
    );
    assert!(!desk.is_waiting(session(1)));
}

#[test]
fn an_answer_that_could_not_be_stored_leaves_the_request_open() {
    let mut desk = asked(&[TOOL]);
    desk.apply(answer(0, Response::allow())).expect("accepted");
    let request_id = RequestId(Uuid::from_u128(0));
    desk.apply(Event::NotRecorded {
        session_id: session(1),
        request_id,
    })
    .expect("noted");
    assert!(desk.is_waiting(session(1)));
    desk.apply(answer(0, Response::allow()))
        .expect("it can be answered again");
}

#[test]
fn the_second_answer_is_refused_and_told_so() {
    let mut desk = asked(&[TOOL]);
    desk.apply(answer(0, Response::allow())).expect("first");
    assert_eq!(
        code_of(desk.apply(answer(0, Response::deny(None)))),
        Code::AlreadyResolved
    );
    desk.apply(recorded(0)).expect("stored");
    let refusal = desk
        .apply(answer(0, Response::deny(None)))
        .expect_err("late");
    assert_eq!(refusal.code, Code::AlreadyResolved);
    assert!(refusal.message.contains("allowed"), "{}", refusal.message);
}

#[test]
fn requests_are_answered_in_any_order_and_shown_oldest_first() {
    let mut desk = asked(&[TOOL, TOOL, TOOL]);
    desk.apply(answer(1, Response::allow()))
        .expect("the middle one");
    let effects = desk.apply(recorded(1)).expect("stored");
    assert_eq!(deliveries(&effects)[0].0, 1);
    let left: Vec<u128> = desk
        .pending(session(1))
        .map(|r| r.request_id.0.as_u128())
        .collect();
    assert_eq!(left, [0, 2]);
}

#[test]
fn an_answer_to_other_content_is_refused() {
    let mut desk = asked(&[TOOL]);
    let stale = Event::Answered {
        answer: Answer {
            session_id: session(1),
            request_id: RequestId(Uuid::from_u128(0)),
            digest: Some(Digest::from("something else")),
            shown: None,
            answer_id: None,
            response: Response::allow(),
        },
    };
    assert_eq!(code_of(desk.apply(stale)), Code::ContentChanged);
    assert!(desk.is_waiting(session(1)));
}

#[test]
fn a_withdrawn_request_cannot_be_answered_not_even_by_an_answer_on_its_way() {
    let mut desk = asked(&[TOOL]);
    desk.apply(answer(0, Response::allow())).expect("accepted");
    let request_id = RequestId(Uuid::from_u128(0));
    let effects = desk
        .apply(Event::Withdrawn {
            session_id: session(1),
            request_id,
            stopped: false,
            at: AT,
        })
        .expect("withdrawn");
    assert_eq!(deliveries(&effects), [(0, Verdict::Nothing)]);
    assert_eq!(code_of(desk.apply(recorded(0))), Code::Withdrawn);
    assert_eq!(
        code_of(desk.apply(answer(0, Response::allow()))),
        Code::Withdrawn
    );
}

#[test]
fn the_end_of_a_process_ends_its_requests() {
    let mut desk = asked(&[TOOL, RequestType::AskUserQuestion]);
    let effects = desk
        .apply(Event::Died {
            session_id: session(1),
            at: AT,
        })
        .expect("dead");
    assert_eq!(
        deliveries(&effects),
        [(0, Verdict::Nothing), (1, Verdict::Nothing)]
    );
    assert_eq!(desk.state(session(1)), Some(ProcessState::Dead));
    assert!(!desk.is_waiting(session(1)));
    assert_eq!(
        code_of(desk.apply(answer(0, Response::allow()))),
        Code::Withdrawn
    );
}

#[test]
fn a_timeout_is_never_a_denial_by_the_user() {
    let mut desk = asked(&[TOOL]);
    let request_id = RequestId(Uuid::from_u128(0));
    let effects = desk
        .apply(Event::TimedOut {
            session_id: session(1),
            request_id,
            and_stop: false,
            at: AT,
        })
        .expect("timed out");
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Settle(settlement)
        if settlement.outcome == Outcome::TimedOut && settlement.by == ResolvedBy::Timeout && settlement.waited == 10.0)));
    let [
        (
            0,
            Verdict::Undecided {
                message,
                interrupt: false,
            },
        ),
    ] = &deliveries(&effects)[..]
    else {
        panic!("one denial");
    };
    assert!(message.contains("Nobody answered"));
}

#[test]
fn an_answer_being_stored_beats_the_timeout() {
    let mut desk = asked(&[TOOL]);
    desk.apply(answer(0, Response::allow())).expect("accepted");
    let request_id = RequestId(Uuid::from_u128(0));
    let effects = desk
        .apply(Event::TimedOut {
            session_id: session(1),
            request_id,
            and_stop: true,
            at: AT,
        })
        .expect("nothing happens");
    assert!(effects.is_empty());
    desk.apply(recorded(0)).expect("the answer counts");
}

#[test]
fn shutdown_answers_what_is_open_and_what_still_comes() {
    let mut desk = asked(&[TOOL]);
    let effects = desk.apply(Event::ShuttingDown { at: AT }).expect("closing");
    assert!(matches!(
        deliveries(&effects)[..],
        [(
            0,
            Verdict::Undecided {
                interrupt: true,
                ..
            }
        )]
    ));
    let late = Event::Asked {
        session_id: session(1),
        request: request(7, TOOL),
        reply: 7,
    };
    let effects = desk.apply(late).expect("denied at once");
    assert!(matches!(
        deliveries(&effects)[..],
        [(7, Verdict::Undecided { .. })]
    ));
}

#[test]
fn a_denial_always_carries_words() {
    for given in [None, Some(String::new()), Some("  ".to_owned())] {
        let mut desk = asked(&[TOOL]);
        desk.apply(answer(0, Response::deny(given)))
            .expect("accepted");
        let effects = desk.apply(recorded(0)).expect("stored");
        let [(0, Verdict::Deny { message, .. })] = &deliveries(&effects)[..] else {
            panic!("a denial")
        };
        assert!(!message.trim().is_empty());
    }
}

fn edited(input: serde_json::Value, remember: Vec<Suggestion>) -> Response {
    Response::ToolApproval(ToolDecision {
        decision: Decision::Allow,
        message: None,
        interrupt: false,
        updated_input: Some(ToolInput::from_value(input)),
        remember,
        note: None,
    })
}

#[test]
fn an_input_sent_back_unchanged_counts_as_unchanged_and_an_empty_one_is_refused() {
    let mut desk = asked(&[TOOL]);
    assert_eq!(
        code_of(desk.apply(answer(0, edited(json!({}), vec![])))),
        Code::InvalidRequest
    );
    desk.apply(answer(0, edited(json!({"command": "touch x"}), vec![])))
        .expect("accepted");
    let effects = desk.apply(recorded(0)).expect("stored");
    assert!(matches!(
        deliveries(&effects)[0].1,
        Verdict::Allow {
            updated_input: None,
            ..
        }
    ));
}

#[test]
fn only_what_was_offered_is_remembered() {
    let mut desk = asked(&[TOOL]);
    let more = vec![Suggestion(
        json!({"type": "setMode", "mode": "bypassPermissions"}),
    )];
    assert_eq!(
        code_of(desk.apply(answer(0, edited(json!({"command": "ls"}), more)))),
        Code::InvalidRequest
    );
}

fn answers(pairs: &[(&str, &str)]) -> Response {
    Response::AskUserQuestion(QuestionAnswers {
        answers: pairs
            .iter()
            .map(|(q, a)| ((*q).to_owned(), (*a).to_owned()))
            .collect(),
        cancelled: false,
        ..QuestionAnswers::default()
    })
}

#[test]
fn answers_name_the_whole_question() {
    let mut desk = asked(&[RequestType::AskUserQuestion]);
    let refusal = desk
        .apply(answer(0, answers(&[("W", "A")])))
        .expect_err("by header");
    assert_eq!(refusal.code, Code::InvalidAnswers);
    assert!(refusal.message.contains("\"W\""));
    assert_eq!(
        code_of(desk.apply(answer(0, answers(&[])))),
        Code::InvalidAnswers
    );
    desk.apply(answer(0, answers(&[("Which?", "something of my own")])))
        .expect("free text is fine");
    let effects = desk.apply(recorded(0)).expect("stored");
    let Verdict::Allow {
        updated_input: Some(input),
        ..
    } = &deliveries(&effects)[0].1
    else {
        panic!("allowed")
    };
    assert_eq!(input.0["answers"], json!({"Which?": "something of my own"}));
    assert_eq!(input.questions().len(), 1);
}

#[test]
fn cancelling_a_question_denies_and_stops() {
    let mut desk = asked(&[RequestType::AskUserQuestion]);
    let cancel = Response::AskUserQuestion(QuestionAnswers {
        cancelled: true,
        ..QuestionAnswers::default()
    });
    desk.apply(answer(0, cancel)).expect("accepted");
    let effects = desk.apply(recorded(0)).expect("stored");
    assert!(matches!(
        deliveries(&effects)[..],
        [(
            0,
            Verdict::Deny {
                interrupt: true,
                ..
            }
        )]
    ));
    assert!(
        effects
            .iter()
            .any(|e| matches!(e, Effect::Settle(s) if s.outcome == Outcome::Cancelled))
    );
}

fn plan(mode: Option<PermissionMode>, plan: Option<&str>) -> Response {
    Response::PlanApproval(PlanDecision {
        decision: Decision::Allow,
        message: None,
        plan: plan.map(str::to_owned),
        mode,
    })
}

#[test]
fn approving_a_plan_cannot_turn_permissions_off() {
    let mut desk = asked(&[RequestType::PlanApproval]);
    for mode in [
        PermissionMode::BypassPermissions,
        PermissionMode::DontAsk,
        PermissionMode::Other("x".into()),
    ] {
        assert_eq!(
            code_of(desk.apply(answer(0, plan(Some(mode), None)))),
            Code::InvalidRequest
        );
    }
    desk.apply(answer(
        0,
        plan(Some(PermissionMode::AcceptEdits), Some("1. Do less")),
    ))
    .expect("accepted");
    let effects = desk.apply(recorded(0)).expect("stored");
    let Verdict::Allow {
        updated_input: Some(input),
        mode,
        ..
    } = &deliveries(&effects)[0].1
    else {
        panic!("allowed")
    };
    assert_eq!(input.text("plan"), Some("1. Do less"));
    assert_eq!(*mode, Some(PermissionMode::AcceptEdits));
}

#[test]
fn an_answer_of_another_kind_is_refused() {
    let mut desk = asked(&[RequestType::AskUserQuestion]);
    assert_eq!(
        code_of(desk.apply(answer(0, Response::allow()))),
        Code::InvalidRequest
    );
}

#[test]
fn an_answer_never_reaches_another_session() {
    let mut desk = asked(&[TOOL]);
    desk.apply(Event::Started {
        session_id: session(2),
    })
    .expect("another process");
    let astray = Event::Answered {
        answer: Answer {
            session_id: session(2),
            request_id: RequestId(Uuid::from_u128(0)),
            digest: None,
            shown: None,
            answer_id: None,
            response: Response::allow(),
        },
    };
    assert_eq!(code_of(desk.apply(astray)), Code::UnknownRequest);
    assert!(desk.is_waiting(session(1)));
}
