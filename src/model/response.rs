//! What a person answers.

use super::by_value::read_by_value;
use super::{
    AnswerId, Digest, Outcome, PendingRequest, PermissionMode, RequestId, SessionId, Suggestion,
    ToolInput,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

read_by_value!(Response);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    Allow,
    Deny,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
#[serde(tag = "request_type", rename_all = "snake_case")]
pub enum Response {
    ToolApproval(ToolDecision),
    AskUserQuestion(QuestionAnswers),
    PlanApproval(PlanDecision),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolDecision {
    pub decision: Decision,
    /// The reason of a denial, which the agent reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Deny and stop the turn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interrupt: bool,
    /// The input as edited by the person; absent = as shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_input: Option<ToolInput>,
    /// Suggestions to be remembered, each as offered; where it is kept and the text of a rule may be chosen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remember: Vec<Suggestion>,
    /// "Yes, but …": allowed, and the agent gets these words as a message right after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QuestionAnswers {
    /// By the full text of the question: a label, labels joined with ", ", or free text.
    #[serde(default)]
    pub answers: BTreeMap<String, String>,
    /// Of these answers, those that are made of options alone: each label is checked.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub choices: BTreeMap<String, Vec<String>>,
    /// What else the person has to say to a question.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub notes: BTreeMap<String, String>,
    /// Questions left out on purpose.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cancelled: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanDecision {
    pub decision: Decision,
    /// What to change, when the plan is not approved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The plan as edited by the person; absent = as shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// The mode to go on in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<PermissionMode>,
}

/// A response with the request it is for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    pub session_id: SessionId,
    pub request_id: RequestId,
    /// Of what the person saw. Absent from scripts that answer by id alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// The version of the file's change that the person saw: files change while a request waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_id: Option<AnswerId>,
    #[serde(flatten)]
    pub response: Response,
}

impl Answer {
    /// To a request as it was asked.
    pub fn to(session_id: SessionId, request: &PendingRequest, response: Response) -> Self {
        Self {
            session_id,
            request_id: request.request_id,
            digest: request.digest.clone(),
            shown: None,
            answer_id: None,
            response,
        }
    }
}

impl Response {
    pub fn allow() -> Self {
        Self::tool(Decision::Allow, None)
    }

    pub fn deny(reason: Option<String>) -> Self {
        Self::tool(Decision::Deny, reason)
    }

    /// How a request ends that is answered so.
    pub fn outcome(&self) -> Outcome {
        match self {
            Response::AskUserQuestion(given) if given.cancelled => Outcome::Cancelled,
            Response::AskUserQuestion(_) => Outcome::Answered,
            Response::ToolApproval(ToolDecision { decision, .. })
            | Response::PlanApproval(PlanDecision { decision, .. }) => match decision {
                Decision::Allow => Outcome::Allowed,
                Decision::Deny => Outcome::Denied,
            },
        }
    }

    /// What the agent is to be told right after, when it is allowed.
    pub fn note(&self) -> Option<&str> {
        match self {
            Response::ToolApproval(ToolDecision {
                decision: Decision::Allow,
                note,
                ..
            }) => note
                .as_deref()
                .map(str::trim)
                .filter(|note| !note.is_empty()),
            _ => None,
        }
    }

    /// Why it was denied, when the turn was stopped with it: an agent that is stopped does not read it.
    pub fn reason_nobody_reads(&self) -> Option<&str> {
        match self {
            Response::ToolApproval(ToolDecision {
                decision: Decision::Deny,
                interrupt: true,
                message,
                ..
            }) => message
                .as_deref()
                .map(str::trim)
                .filter(|reason| !reason.is_empty()),
            _ => None,
        }
    }

    /// What is granted for as long as the session lasts: no file keeps it.
    pub fn granted_for_the_session(&self) -> Vec<Suggestion> {
        match self {
            Response::ToolApproval(given) if given.decision == Decision::Allow => {
                let kept = given.remember.iter();
                let here = kept.filter(|one| one.place() == "session" && one.may_move());
                here.cloned().collect()
            }
            _ => Vec::new(),
        }
    }

    pub fn tool(decision: Decision, message: Option<String>) -> Self {
        Response::ToolApproval(ToolDecision {
            decision,
            message,
            interrupt: false,
            updated_input: None,
            remember: Vec::new(),
            note: None,
        })
    }
}
