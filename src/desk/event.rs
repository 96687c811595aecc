//! What the desk is told, and what it wants done about it.

use super::Verdict;
use crate::model::{
    Answer, AnswerId, Outcome, PendingRequest, PermissionMode, RequestId, ResolvedBy, Response,
    SessionId, UnixTime,
};

/// What happened.
#[derive(Clone, Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "each is applied at once and none is kept"
)]
pub enum Event<Reply> {
    Started {
        session_id: SessionId,
    },
    Ready {
        session_id: SessionId,
    },
    TurnBegan {
        session_id: SessionId,
    },
    TurnFinished {
        session_id: SessionId,
    },
    Asked {
        session_id: SessionId,
        request: PendingRequest,
        reply: Reply,
    },
    Answered {
        answer: Answer,
    },
    Recorded {
        session_id: SessionId,
        request_id: RequestId,
        at: UnixTime,
    },
    NotRecorded {
        session_id: SessionId,
        request_id: RequestId,
    },
    Withdrawn {
        session_id: SessionId,
        request_id: RequestId,
        /// Because a person stopped the turn.
        stopped: bool,
        at: UnixTime,
    },
    TimedOut {
        session_id: SessionId,
        request_id: RequestId,
        and_stop: bool,
        at: UnixTime,
    },
    /// Ended without an answer, for a reason that is no one's decision about it.
    GivenUp {
        session_id: SessionId,
        request_id: RequestId,
        why: GivenUp,
        at: UnixTime,
    },
    Died {
        session_id: SessionId,
        at: UnixTime,
    },
    ShuttingDown {
        at: UnixTime,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum GivenUp {
    NobodyConnected,
    ModeChanged(PermissionMode),
}

impl GivenUp {
    pub fn by(&self) -> ResolvedBy {
        match self {
            GivenUp::NobodyConnected => ResolvedBy::Disconnect,
            GivenUp::ModeChanged(_) => ResolvedBy::ModeChange,
        }
    }
}

/// What to do about it.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect<Reply> {
    /// Store the answer, then come back with `Recorded` or `NotRecorded`.
    Record {
        session_id: SessionId,
        request_id: RequestId,
        response: Response,
    },
    /// This very answer is being stored: it has the result of the first time.
    AwaitStoring,
    /// This very answer was taken before.
    Confirm,
    /// Give the waiting agent its verdict.
    Deliver { reply: Reply, verdict: Verdict },
    /// Store and tell everyone how it ended.
    Settle(Settlement),
    /// The process looks different now.
    Publish { session_id: SessionId },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Settlement {
    pub session_id: SessionId,
    pub request_id: RequestId,
    pub outcome: Outcome,
    pub by: ResolvedBy,
    pub at: UnixTime,
    pub waited: f64,
    pub response: Option<Response>,
    pub answer_id: Option<AnswerId>,
}
