//! The fields of a plain form, read as an answer. Pure.

use crate::app::pending::payload::has_odd_characters;
use crate::app::plain_page::Entered;
use crate::model::question::joined;
use crate::model::{
    Code, Decision, Digest, PendingRequest, PermissionMode, PlanDecision, QuestionAnswers, Refusal,
    RequestId, RequestType, Response, SessionId, ToolDecision,
};
use std::collections::BTreeMap;

pub struct Filled(Entered);

impl Filled {
    pub fn new(entered: Entered) -> Self {
        Self(entered)
    }

    pub fn entered(&self) -> Entered {
        self.0.clone()
    }

    pub fn session_id(&self) -> Result<SessionId, Refusal> {
        self.id("session_id")
    }

    pub fn request_id(&self) -> Result<RequestId, Refusal> {
        self.id("request_id")
    }

    pub fn digest(&self) -> Option<Digest> {
        self.0.text("digest").map(Digest::from)
    }

    pub fn shown(&self) -> Option<String> {
        self.0.text("shown").map(str::to_owned)
    }

    pub fn response(&self, request: &PendingRequest) -> Result<Response, Refusal> {
        let answer = self.0.text("answer").unwrap_or_default();
        let message = self.0.text("message").map(str::to_owned);
        match (request.request_type, answer) {
            (RequestType::ToolApproval, "allow") => {
                let is_seen = self.0.text("seen").is_some();
                match has_odd_characters(&request.tool_input) && !is_seen {
                    true => Err(refused(
                        "There are hidden characters in it: tick that you have seen them, then allow it.",
                    )),
                    false => Ok(Response::allow()),
                }
            }
            (RequestType::ToolApproval, "deny" | "deny_and_stop") => {
                Ok(Response::ToolApproval(ToolDecision {
                    decision: Decision::Deny,
                    message,
                    interrupt: answer == "deny_and_stop",
                    updated_input: None,
                    remember: Vec::new(),
                    note: None,
                }))
            }
            (RequestType::PlanApproval, "allow" | "deny") => {
                let approves = answer == "allow";
                let mode = self.0.text("mode").map(PermissionMode::from_word);
                Ok(Response::PlanApproval(PlanDecision {
                    decision: if approves {
                        Decision::Allow
                    } else {
                        Decision::Deny
                    },
                    message: message.filter(|_| !approves),
                    plan: None,
                    mode: mode.filter(|_| approves),
                }))
            }
            (RequestType::AskUserQuestion, "cancel") => Ok(answers(BTreeMap::new(), true)),
            (RequestType::AskUserQuestion, "answer") => {
                let picked = self.picked(request)?;
                match picked.is_empty() {
                    true => Err(refused(
                        "Nothing is chosen yet: choose an option or write an answer. To give none, press \"Skip and stop\".",
                    )),
                    false => Ok(answers(picked, false)),
                }
            }
            _ => Err(refused(
                "This form does not fit the request it is for. Look again, and answer there.",
            )),
        }
    }

    /// What was picked and written, by the full text of its question.
    fn picked(&self, request: &PendingRequest) -> Result<BTreeMap<String, String>, Refusal> {
        let mut picked = BTreeMap::new();
        let mut open = Vec::new();
        let may_leave_out = self.0.text("partly").is_some();
        for (index, question) in request.tool_input.questions().into_iter().enumerate() {
            let mut chosen = self.0.all(&format!("pick-{index}"));
            let other = self.0.text(&format!("other-{index}"));
            if let ([option, ..], Some(_), false) = (&chosen[..], other, question.multi_select) {
                return Err(refused(&format!(
                    "To \"{}\" you chose \"{option}\" and also wrote another answer. Keep one of them.",
                    question.question
                )));
            }
            chosen.extend(other);
            let is_left_out = may_leave_out || self.0.has(&format!("pick-{index}"), "");
            if chosen.is_empty() && !is_left_out {
                open.push(question.question);
            } else if !chosen.is_empty() {
                let chosen: Vec<String> = chosen.into_iter().map(str::to_owned).collect();
                picked.insert(question.question, joined(&chosen));
            }
        }
        match open.first() {
            Some(question) if !picked.is_empty() => Err(refused(&format!(
                "\"{question}\" has no answer yet. Give one, or tick that questions without an answer are left out."
            ))),
            _ => Ok(picked),
        }
    }

    fn id<Id: std::str::FromStr>(&self, name: &str) -> Result<Id, Refusal> {
        self.0
            .text(name)
            .and_then(|text| text.parse().ok())
            .ok_or_else(|| {
                refused(
                    "This form does not say which request it is for. Look again, and answer there.",
                )
            })
    }
}

fn answers(answers: BTreeMap<String, String>, cancelled: bool) -> Response {
    Response::AskUserQuestion(QuestionAnswers {
        answers,
        cancelled,
        ..QuestionAnswers::default()
    })
}

fn refused(words: &str) -> Refusal {
    Refusal::new(Code::InvalidRequest, words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ToolInput;
    use crate::model::samples::plain_request;
    use serde_json::json;

    fn filled(fields: &[(&str, &str)]) -> Filled {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Filled::new(Entered::new(fields.iter().map(owned).collect()))
    }

    fn request(kind: RequestType, input: serde_json::Value) -> PendingRequest {
        PendingRequest {
            request_type: kind,
            tool_input: ToolInput::from_value(input),
            ..plain_request()
        }
    }

    fn questions() -> PendingRequest {
        let question = |words: &str, several: bool| {
            json!({"question": words, "header": "H", "multiSelect": several,
                   "options": [{"label": "One", "description": ""}, {"label": "Two", "description": ""}]})
        };
        let questions = json!([question("Which?", false), question("Which ones?", true)]);
        request(
            RequestType::AskUserQuestion,
            json!({"questions": questions}),
        )
    }

    fn given(fields: &[(&str, &str)]) -> Result<BTreeMap<String, String>, Refusal> {
        match filled(fields).response(&questions())? {
            Response::AskUserQuestion(given) => Ok(given.answers),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_answer_fits_its_kind_of_request_alone() {
        use RequestType::{AskUserQuestion, PlanApproval, ToolApproval};
        let fits = [
            (ToolApproval, ["allow", "deny", "deny_and_stop"].as_slice()),
            (PlanApproval, &["allow", "deny"]),
            (AskUserQuestion, &["cancel", "answer"]),
        ];
        let words = [
            "allow",
            "deny",
            "deny_and_stop",
            "cancel",
            "answer",
            "",
            "yes",
        ];
        for (kind, right) in fits {
            for word in words {
                let request = PendingRequest {
                    request_type: kind,
                    ..questions()
                };
                let fields = [("answer", word), ("pick-0", "One"), ("pick-1", "Two")];
                let response = filled(&fields).response(&request);
                assert_eq!(response.is_ok(), right.contains(&word), "{kind:?} {word:?}");
            }
        }
    }

    #[test]
    fn a_denial_carries_the_words_and_whether_to_stop() {
        let request = request(RequestType::ToolApproval, json!({"command": "ls"}));
        for (answer, stops) in [("deny", false), ("deny_and_stop", true)] {
            let fields = [("answer", answer), ("message", "  not now \n")];
            let response = filled(&fields).response(&request).expect("a denial");
            let Response::ToolApproval(decision) = response else {
                panic!("{response:?}");
            };
            assert_eq!(decision.decision, Decision::Deny);
            assert_eq!(decision.message.as_deref(), Some("not now"));
            assert_eq!(decision.interrupt, stops);
        }
    }

    #[test]
    fn hidden_characters_are_allowed_only_when_seen() {
        let request = request(RequestType::ToolApproval, json!({"command": "ls \u{202e}"}));
        assert!(filled(&[("answer", "allow")]).response(&request).is_err());
        let seen = [("answer", "allow"), ("seen", "on")];
        assert!(filled(&seen).response(&request).is_ok());
        assert!(filled(&[("answer", "deny")]).response(&request).is_ok());
    }

    #[test]
    fn ones_own_words_are_the_answer_to_a_single_choice_and_one_more_of_several() {
        let answers = given(&[
            ("answer", "answer"),
            ("pick-0", ""),
            ("other-0", "Neither"),
            ("pick-1", "One"),
            ("pick-1", "Two"),
            ("other-1", "Three"),
        ])
        .expect("answers");
        assert_eq!(answers["Which?"], "Neither");
        assert_eq!(answers["Which ones?"], "One, Two, Three");
    }

    #[test]
    fn a_single_choice_and_ones_own_words_are_refused_and_both_are_kept() {
        let fields = [
            ("answer", "answer"),
            ("pick-0", "One"),
            ("other-0", "Neither"),
        ];
        let refusal = given(&fields).expect_err("two answers to one question");
        assert_eq!(
            refusal.message,
            "To \"Which?\" you chose \"One\" and also wrote another answer. Keep one of them."
        );
        let entered = filled(&fields).entered();
        assert!(entered.has("pick-0", "One"));
        assert_eq!(entered.written("other-0").as_deref(), Some("Neither"));
    }

    #[test]
    fn a_question_is_left_out_on_purpose_only_and_nothing_at_all_is_refused() {
        let fields = [("answer", "answer"), ("pick-1", "Two"), ("other-0", "  ")];
        let refusal = given(&fields).expect_err("half of it");
        assert!(refusal.message.starts_with("\"Which?\" has no answer yet."));
        for on_purpose in [("partly", "yes"), ("pick-0", "")] {
            let one = given(&[fields.as_slice(), &[on_purpose]].concat());
            assert_eq!(one.expect("answers").len(), 1);
        }
        let nothing = [("answer", "answer"), ("pick-0", ""), ("other-0", " ")];
        let refusal = given(&nothing).expect_err("no answer");
        assert!(refusal.message.contains("Skip and stop"), "{refusal:?}");
    }

    #[test]
    fn a_plan_takes_the_mode_when_approved_and_the_words_when_not() {
        let request = request(RequestType::PlanApproval, json!({"plan": "# Plan"}));
        for (answer, approved) in [("allow", true), ("deny", false)] {
            let fields = [
                ("answer", answer),
                ("mode", "acceptEdits"),
                ("message", "more"),
            ];
            let response = filled(&fields).response(&request).expect("fits");
            let Response::PlanApproval(decision) = response else {
                panic!("{response:?}");
            };
            assert_eq!(decision.mode.is_some(), approved);
            assert_eq!(decision.message.is_some(), !approved);
        }
    }

    #[test]
    fn a_form_that_names_no_request_is_refused() {
        for id in ["", "7", "not-an-id"] {
            assert!(filled(&[("request_id", id)]).request_id().is_err(), "{id}");
        }
        assert!(filled(&[]).session_id().is_err());
    }
}
