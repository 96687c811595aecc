//! Why something was not done: a code for programs, a sentence for people. One type for server functions,
//! the socket and the views.

use super::by_value::read_by_value;
use serde::{Deserialize, Serialize};

read_by_value!(Refusal);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    InvalidMessage,
    InvalidRequest,
    UnknownSession,
    UnknownRequest,
    AlreadyResolved,
    Withdrawn,
    ContentChanged,
    InvalidAnswers,
    SessionTaken,
    TooLarge,
    StoreUnavailable,
    Unauthorized,
    Forbidden,
    TooMany,
    AgentUnavailable,
    NotFound,
    /// The server could not be reached, or answered something that is not ours.
    Unreachable,
    Internal,
}

impl Code {
    /// The HTTP status that fits.
    pub fn status(self) -> u16 {
        match self {
            Code::InvalidMessage | Code::InvalidRequest | Code::InvalidAnswers => 400,
            Code::Unauthorized => 401,
            Code::Forbidden => 403,
            Code::UnknownSession | Code::UnknownRequest | Code::NotFound => 404,
            Code::AlreadyResolved | Code::ContentChanged | Code::SessionTaken => 409,
            Code::Withdrawn => 410,
            Code::TooLarge => 413,
            Code::TooMany => 429,
            Code::StoreUnavailable | Code::AgentUnavailable | Code::Unreachable => 503,
            Code::Internal => 500,
        }
    }
}

/// `{"code", "message"}`: the message is a whole sentence that says what happened and what to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(remote = "Self")]
#[error("{message}")]
pub struct Refusal {
    pub code: Code,
    pub message: String,
}

impl Refusal {
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }
}
