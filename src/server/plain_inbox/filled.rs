//! The fields of a plain form, read as an answer. Pure.

use crate::app::pending::payload::has_odd_characters;
use crate::model::question::joined;
use crate::model::{
    Code, Decision, Digest, PendingRequest, PermissionMode, PlanDecision, QuestionAnswers, Refusal,
    RequestId, RequestType, Response, SessionId, ToolDecision,
};
use std::collections::BTreeMap;

pub struct Filled(Vec<(String, String)>);

impl Filled {
    pub fn new(fields: Vec<(String, String)>) -> Self {
        Self(fields)
    }

    pub fn session_id(&self) -> Result<SessionId, Refusal> {
        self.id("session_id")
    }

    pub fn request_id(&self) -> Result<RequestId, Refusal> {
        self.id("request_id")
    }

    pub fn digest(&self) -> Option<Digest> {
        self.text("digest").map(Digest::from)
    }

    pub fn response(&self, request: &PendingRequest) -> Result<Response, Refusal> {
        let answer = self.text("answer").unwrap_or_default();
        let message = self.text("message").map(str::to_owned);
        match (request.request_type, answer) {
            (RequestType::ToolApproval, "allow") => {
                let is_seen = self.text("seen").is_some();
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
                let mode = self.text("mode").map(PermissionMode::from_word);
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
                let picked = self.picked(request);
                match picked.is_empty() {
                    true => Err(refused(
                        "Nothing is chosen yet: choose an option, write an answer, or skip.",
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
    fn picked(&self, request: &PendingRequest) -> BTreeMap<String, String> {
        let questions = request.tool_input.questions().into_iter().enumerate();
        questions
            .filter_map(|(index, question)| {
                let mut chosen = self.all(&format!("pick-{index}"));
                if let Some(other) = self.text(&format!("other-{index}")) {
                    // of a single choice one's own words are the answer
                    if !question.multi_select {
                        chosen.clear();
                    }
                    chosen.push(other.to_owned());
                }
                (!chosen.is_empty()).then(|| (question.question, joined(&chosen)))
            })
            .collect()
    }

    fn all(&self, name: &str) -> Vec<String> {
        let fields = self.0.iter().filter(|(field, _)| field == name);
        fields.map(|(_, value)| value.clone()).collect()
    }

    /// Without the blanks around it; one that is empty is as if it were not there.
    fn text(&self, name: &str) -> Option<&str> {
        let (_, value) = self.0.iter().find(|(field, _)| field == name)?;
        Some(value.trim()).filter(|value| !value.is_empty())
    }

    fn id<Id: std::str::FromStr>(&self, name: &str) -> Result<Id, Refusal> {
        self.text(name)
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
