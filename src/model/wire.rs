//! The WebSocket's vocabulary: JSON text frames, one object each. Unknown fields are ignored by both sides.

use super::by_value::read_by_value;
use super::{
    Answer, AnswerId, ClientId, Code, Event, Outcome, ProcessInfo, Refusal, RequestId, ResolvedBy,
    SessionId, UnixTime,
};
use serde::{Deserialize, Serialize};

read_by_value!(ServerMessage);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(
    clippy::large_enum_variant,
    reason = "most frames are the large one; none is kept"
)]
pub enum ServerMessage {
    /// The first frame of every connection, complete; again when a slow client has missed something.
    ActiveProcesses {
        processes: Vec<ProcessInfo>,
        /// How many sessions are archived.
        #[serde(default, skip_serializing_if = "is_none")]
        archived: usize,
    },
    /// On every change; replaces what is known of that session.
    ProcessState(ProcessInfo),
    RequestResolved {
        session_id: SessionId,
        request_id: RequestId,
        outcome: Outcome,
        by: ResolvedBy,
        at: UnixTime,
        /// Whose answer it was, if it had a name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answer_id: Option<AnswerId>,
    },
    /// To subscribers. `reset`: these replace what the client has, for what lies between is not sent.
    SessionEvents {
        session_id: SessionId,
        events: Vec<Event>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        reset: bool,
    },
    SessionDelta(Delta),
    /// A session was archived, brought back or deleted: so many are archived now. That of the session itself is told by
    /// its process; one that is deleted has none.
    Archive {
        archived: usize,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deleted: Option<SessionId>,
    },
    Error {
        code: Code,
        message: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        request_id: Option<RequestId>,
    },
    Pong,
}

fn is_none(count: &usize) -> bool {
    *count == 0
}

/// Text that is being written. `offset` = bytes of this block sent before; 0 begins a new block. The complete block
/// comes as an event afterwards and replaces it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Delta {
    pub session_id: SessionId,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub thinking: bool,
    pub offset: usize,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ClientMessage {
    /// Who it is: so it knows itself again in `held_by`, and is the same after a reconnect.
    Hello {
        client: ClientId,
    },
    Subscribe {
        session_id: SessionId,
        /// The last event the client has; absent = the newest page.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<u64>,
    },
    Unsubscribe {
        session_id: SessionId,
    },
    PendingRequestResponse(Answer),
    /// Where answers come from one client at a time: from here on from this one.
    TakeOver {
        session_id: SessionId,
    },
    Ping,
}

impl ClientMessage {
    const TYPES: [&'static str; 6] = [
        "hello",
        "subscribe",
        "unsubscribe",
        "pending_request_response",
        "take_over",
        "ping",
    ];

    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads a frame. What is not ours at all is an invalid message, what is ours with a bad field an invalid request.
    pub fn read(text: &str) -> Result<Self, Box<ServerMessage>> {
        let refuse = |code, message: String, request_id| {
            Err(Box::new(ServerMessage::Error {
                code,
                message,
                request_id,
            }))
        };
        let value: serde_json::Value = match serde_json::from_str(text) {
            Ok(value) => value,
            Err(error) => {
                return refuse(
                    Code::InvalidMessage,
                    format!("The frame is not JSON: {error}."),
                    None,
                );
            }
        };
        let kind = value.get("type").and_then(|kind| kind.as_str());
        match kind {
            None => {
                return refuse(
                    Code::InvalidMessage,
                    "The frame has no \"type\".".to_owned(),
                    None,
                );
            }
            Some(kind) if !Self::TYPES.contains(&kind) => {
                return refuse(
                    Code::InvalidMessage,
                    format!("There is no message of type \"{kind}\"."),
                    None,
                );
            }
            Some(_) => {}
        }
        let request_id = value
            .get("request_id")
            .and_then(|id| id.as_str())
            .and_then(|id| id.parse().ok());
        match serde_json::from_value(value) {
            Ok(message) => Ok(message),
            Err(error) => refuse(
                Code::InvalidRequest,
                format!("A field is missing or malformed: {error}."),
                request_id,
            ),
        }
    }
}

impl ServerMessage {
    /// Reads a frame. One that this client does not know is none of its business.
    pub fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    pub fn refused(refusal: Refusal, request_id: Option<RequestId>) -> Self {
        ServerMessage::Error {
            code: refusal.code,
            message: refusal.message,
            request_id,
        }
    }

    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}
