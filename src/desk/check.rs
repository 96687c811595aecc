//! Whether a response fits its request, and what it means for the agent.

use super::{Verdict, input};
use crate::model::question::Question;
use crate::model::{
    Code, Decision, Outcome, PendingRequest, PermissionMode, PlanDecision, QuestionAnswers,
    Refusal, RequestType, ResolvedBy, Response, ToolDecision, ToolInput,
};
use serde_json::{Map, Value};

type Checked = Result<(Verdict, Outcome), Refusal>;

/// The agent must hear a reason; this one stands in when the person gave none.
const NO_REASON: &str = "The user denied this action and gave no reason.";

pub fn verdict(request: &PendingRequest, response: &Response) -> Checked {
    match (request.request_type, response) {
        (RequestType::ToolApproval, Response::ToolApproval(decision)) => tool(request, decision),
        (RequestType::AskUserQuestion, Response::AskUserQuestion(answers)) => {
            questions(request, answers)
        }
        (RequestType::PlanApproval, Response::PlanApproval(decision)) => plan(request, decision),
        _ => Err(Refusal::new(
            Code::InvalidRequest,
            "This kind of answer does not fit the request: check \"request_type\".",
        )),
    }
}

fn tool(request: &PendingRequest, decision: &ToolDecision) -> Checked {
    if decision.decision == Decision::Deny && decision.note.is_some() {
        return Err(Refusal::new(
            Code::InvalidRequest,
            "A note goes with a call that is allowed. Give the reason of a denial as \"message\".",
        ));
    }
    match decision.decision {
        Decision::Deny => Ok((
            Verdict::Deny {
                message: reason(decision.message.as_deref(), NO_REASON),
                interrupt: decision.interrupt,
            },
            Outcome::Denied,
        )),
        Decision::Allow => {
            if let Some(edited) = &decision.updated_input
                && *edited != request.tool_input
            {
                input::check(&request.tool_name, &request.tool_input, edited)?;
            }
            if let Some(unknown) = decision
                .remember
                .iter()
                .find(|wanted| !wanted.is_one_of(&request.suggestions))
            {
                return Err(Refusal::new(
                    Code::InvalidRequest,
                    format!(
                        "\"{}\" was not offered to be remembered with this request.",
                        unknown.grants().join(", ")
                    ),
                ));
            }
            Ok((
                Verdict::Allow {
                    updated_input: decision
                        .updated_input
                        .clone()
                        .filter(|input| *input != request.tool_input),
                    remember: decision.remember.clone(),
                    mode: None,
                },
                Outcome::Allowed,
            ))
        }
    }
}

fn questions(request: &PendingRequest, given: &QuestionAnswers) -> Checked {
    if given.cancelled {
        return Ok((
            Verdict::Deny {
                message: "The user cancelled the question without an answer.".to_owned(),
                interrupt: true,
            },
            Outcome::Cancelled,
        ));
    }
    let asked = request.tool_input.questions();
    let known = |text: &str| {
        asked
            .iter()
            .any(|question: &Question| question.question == text)
    };
    if let Some(unknown) = given.answers.keys().find(|text| !known(text)) {
        return Err(Refusal::new(
            Code::InvalidAnswers,
            format!("There is no question \"{unknown}\" in this request."),
        ));
    }
    let answers: Map<String, Value> = given
        .answers
        .iter()
        .filter(|(_, answer)| !answer.trim().is_empty())
        .map(|(question, answer)| (question.clone(), Value::String(answer.clone())))
        .collect();
    if answers.is_empty() {
        return Err(Refusal::new(
            Code::InvalidAnswers,
            "Answer at least one question, or cancel the request.",
        ));
    }
    let mut input = request.tool_input.0.clone();
    input.insert("answers".to_owned(), Value::Object(answers));
    Ok((
        Verdict::Allow {
            updated_input: Some(ToolInput(input)),
            remember: Vec::new(),
            mode: None,
        },
        Outcome::Answered,
    ))
}

fn plan(request: &PendingRequest, decision: &PlanDecision) -> Checked {
    match decision.decision {
        Decision::Deny => Ok((
            Verdict::Deny {
                message: reason(
                    decision.message.as_deref(),
                    "The user wants to keep planning and gave no details: ask what to change.",
                ),
                interrupt: false,
            },
            Outcome::Denied,
        )),
        Decision::Allow => {
            // approving a plan must not turn permissions off as a side effect
            if let Some(mode) = &decision.mode
                && !matches!(mode, PermissionMode::Default | PermissionMode::AcceptEdits)
            {
                return Err(Refusal::new(
                    Code::InvalidRequest,
                    format!(
                        "A plan can be approved in the mode \"default\" or \"acceptEdits\", not \"{}\".",
                        mode.word()
                    ),
                ));
            }
            let edited = decision
                .plan
                .as_deref()
                .filter(|plan| Some(*plan) != request.tool_input.text("plan"));
            if edited.is_some_and(|plan| plan.trim().is_empty()) {
                return Err(Refusal::new(
                    Code::InvalidRequest,
                    "The edited plan is empty. Keep planning instead.",
                ));
            }
            Ok((
                Verdict::Allow {
                    updated_input: edited.map(|plan| request.tool_input.with_text("plan", plan)),
                    remember: Vec::new(),
                    mode: decision.mode.clone(),
                },
                Outcome::Allowed,
            ))
        }
    }
}

fn reason(given: Option<&str>, otherwise: &str) -> String {
    match given.map(str::trim) {
        Some(text) if !text.is_empty() => text.to_owned(),
        _ => otherwise.to_owned(),
    }
}

pub fn unknown_session() -> Refusal {
    Refusal::new(
        Code::UnknownSession,
        "There is no such session, or it has no running process.",
    )
}

pub fn unknown_request() -> Refusal {
    Refusal::new(
        Code::UnknownRequest,
        "There is no such request in this session.",
    )
}

/// For an answer to a request that has ended.
pub fn too_late(outcome: Outcome, by: ResolvedBy) -> Refusal {
    let (code, what) = match outcome {
        Outcome::Cancelled if by == ResolvedBy::Disconnect => (
            Code::AlreadyResolved,
            "It was given up because nobody was connected",
        ),
        Outcome::Cancelled if by == ResolvedBy::ModeChange => (
            Code::AlreadyResolved,
            "It was given up because the permission mode was changed",
        ),
        Outcome::Cancelled if by == ResolvedBy::Shutdown => {
            (Code::AlreadyResolved, "Countersign was being stopped")
        }
        Outcome::Allowed | Outcome::AllowedByRule => (Code::AlreadyResolved, "It was allowed"),
        Outcome::Denied | Outcome::DeniedByRule => (Code::AlreadyResolved, "It was denied"),
        Outcome::Answered => (Code::AlreadyResolved, "It was answered"),
        Outcome::Cancelled => (Code::AlreadyResolved, "It was cancelled"),
        Outcome::TimedOut => (Code::AlreadyResolved, "Nobody had answered in time"),
        Outcome::Withdrawn => (Code::Withdrawn, "The agent withdrew it"),
        Outcome::ProcessEnded => (Code::Withdrawn, "Its process ended"),
    };
    Refusal::new(
        code,
        format!("{what} before your answer arrived. Your answer changed nothing."),
    )
}
