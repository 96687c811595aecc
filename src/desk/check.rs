//! Whether a response fits its request, and what it means for the agent.

use super::{Verdict, input};
use crate::model::question::{Question, joined};
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
            let offered = request.offered();
            if let Some(unknown) = decision
                .remember
                .iter()
                .find(|wanted| !wanted.is_one_of(offered))
            {
                let otherwise = || {
                    format!(
                        "\"{}\" was not offered to be remembered with this request.",
                        unknown.grants().join(", ")
                    )
                };
                return Err(Refusal::new(
                    Code::InvalidRequest,
                    unknown.trouble().unwrap_or_else(otherwise),
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
    let named = given.answers.keys().chain(given.choices.keys());
    let named = named.chain(given.notes.keys()).chain(&given.skipped);
    for text in named {
        if !asked.iter().any(|question| question.question == *text) {
            return Err(Refusal::new(
                Code::InvalidAnswers,
                format!("There is no question \"{text}\" in this request."),
            ));
        }
    }
    let mut answers = Map::new();
    let mut annotations = Map::new();
    for question in &asked {
        let text = &question.question;
        if let Some(answer) = answer_to(question, given)? {
            if given.skipped.contains(text) {
                return Err(Refusal::new(
                    Code::InvalidAnswers,
                    format!("\"{text}\" is both answered and skipped. Do one of them."),
                ));
            }
            answers.insert(text.clone(), Value::String(answer));
        }
        let annotation = annotation_to(text, given, answers.contains_key(text));
        if !annotation.is_empty() {
            annotations.insert(text.clone(), Value::Object(annotation));
        }
    }
    if answers.is_empty() {
        return Err(Refusal::new(
            Code::InvalidAnswers,
            "Answer at least one question, or cancel the request.",
        ));
    }
    let mut input = request.tool_input.0.clone();
    input.insert("answers".to_owned(), Value::Object(answers));
    if !annotations.is_empty() {
        input.insert("annotations".to_owned(), Value::Object(annotations));
    }
    Ok((
        Verdict::Allow {
            updated_input: Some(ToolInput(input)),
            remember: Vec::new(),
            mode: None,
        },
        Outcome::Answered,
    ))
}

/// Options that were chosen must be there; free text is always an answer.
fn answer_to(question: &Question, given: &QuestionAnswers) -> Result<Option<String>, Refusal> {
    let text = &question.question;
    let written = given.answers.get(text).map(|answer| answer.trim());
    let written = written.filter(|answer| !answer.is_empty());
    let Some(labels) = given.choices.get(text) else {
        return Ok(written.map(str::to_owned));
    };
    let refused = |words: String| Err(Refusal::new(Code::InvalidAnswers, words));
    let is_offered = |label: &String| question.options.iter().any(|option| option.label == *label);
    if let Some(unknown) = labels.iter().find(|label| !is_offered(label)) {
        return refused(format!("\"{unknown}\" is no option of \"{text}\"."));
    }
    if labels.len() > 1 && !question.multi_select {
        return refused(format!(
            "\"{text}\" takes one option, not {}.",
            labels.len()
        ));
    }
    let chosen = joined(labels);
    match written {
        Some(written) if written != chosen => refused(format!(
            "The answer to \"{text}\" is not made of the options that are said to be chosen."
        )),
        _ => Ok((!chosen.is_empty()).then_some(chosen)),
    }
}

fn annotation_to(text: &str, given: &QuestionAnswers, is_answered: bool) -> Map<String, Value> {
    let mut annotation = Map::new();
    let note = given.notes.get(text).map(|note| note.trim());
    if let Some(note) = note.filter(|note| !note.is_empty()) {
        annotation.insert("notes".to_owned(), Value::from(note));
    }
    if !is_answered && given.skipped.iter().any(|skipped| skipped == text) {
        annotation.insert("unanswered".to_owned(), Value::from("skipped"));
    }
    annotation
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
        Outcome::Withdrawn if by == ResolvedBy::User => (Code::Withdrawn, "The turn was stopped"),
        Outcome::Withdrawn => (Code::Withdrawn, "The agent withdrew it"),
        Outcome::ProcessEnded => (Code::Withdrawn, "Its process ended"),
    };
    Refusal::new(
        code,
        format!("{what} before your answer arrived. Your answer changed nothing."),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::samples;
    use serde_json::json;

    fn asked() -> PendingRequest {
        let option = |label: &str| json!({"label": label});
        let input = json!({"questions": [
            {"question": "Which?", "options": [option("Red"), option("Blue")]},
            {"question": "Sizes?", "multiSelect": true, "options": [option("S"), option("L")]},
        ]});
        PendingRequest {
            tool_name: "AskUserQuestion".to_owned(),
            tool_input: ToolInput::from_value(input),
            ..samples::plain_request()
        }
    }

    fn answered(given: Value) -> Result<Value, Refusal> {
        let given: QuestionAnswers = serde_json::from_value(given).expect("answers");
        match questions(&asked(), &given)?.0 {
            Verdict::Allow {
                updated_input: Some(input),
                ..
            } => Ok(Value::Object(input.0)),
            other => panic!("not answered: {other:?}"),
        }
    }

    #[test]
    fn options_that_were_chosen_must_be_there_and_free_text_need_not() {
        for given in [
            json!({"answers": {"Which?": "Green"}}),
            json!({"choices": {"Which?": ["Red"]}}),
            json!({"answers": {"Sizes?": "S, L"}, "choices": {"Sizes?": ["S", "L"]}}),
        ] {
            answered(given.clone()).unwrap_or_else(|refusal| panic!("{given}: {refusal}"));
        }
        for (given, named) in [
            (
                json!({"choices": {"Which?": ["Green"]}}),
                "\"Green\" is no option of \"Which?\"",
            ),
            (
                json!({"choices": {"Which?": ["Red", "Blue"]}}),
                "takes one option, not 2",
            ),
            (
                json!({"answers": {"Which?": "Blue"}, "choices": {"Which?": ["Red"]}}),
                "not made of the options",
            ),
            (
                json!({"choices": {"Size?": ["S"]}}),
                "no question \"Size?\"",
            ),
            (
                json!({"answers": {"Which?": "Red"}, "notes": {"What?": "x"}}),
                "no question \"What?\"",
            ),
            (
                json!({"answers": {"Which?": "Red"}, "skipped": ["What?"]}),
                "no question \"What?\"",
            ),
            (
                json!({"skipped": ["Which?", "Sizes?"]}),
                "Answer at least one",
            ),
            (json!({"choices": {"Which?": []}}), "Answer at least one"),
            (
                json!({"answers": {"Which?": "Red"}, "skipped": ["Which?"]}),
                "\"Which?\" is both answered and skipped",
            ),
        ] {
            let refusal = answered(given.clone()).expect_err(named);
            assert_eq!(refusal.code, Code::InvalidAnswers, "{given}");
            assert!(refusal.message.contains(named), "{given}: {refusal}");
        }
    }

    #[test]
    fn notes_and_what_was_left_out_reach_the_agent_beside_the_answers() {
        let input = answered(json!({
            "choices": {"Which?": ["Red"]}, "notes": {"Which?": " a dark one "}, "skipped": ["Sizes?"],
        }))
        .expect("answered");
        assert_eq!(input["answers"], json!({"Which?": "Red"}));
        assert_eq!(
            input["annotations"],
            json!({"Which?": {"notes": "a dark one"}, "Sizes?": {"unanswered": "skipped"}})
        );
        let plain = answered(json!({"answers": {"Which?": "Red"}})).expect("answered");
        assert!(plain.get("annotations").is_none(), "{plain}");
    }
}
