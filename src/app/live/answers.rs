//! Answers on their way over the socket. The fastest way there is: no new request, no new headers. Each waits for its
//! refusal, or for the news that its request is over.

use super::Live;
use crate::api;
use crate::model::{Answer, ClientMessage, Code, Refusal, RequestId};
use futures::channel::oneshot;
use leptos::prelude::*;
use std::collections::HashMap;

pub type OnTheirWay = HashMap<RequestId, oneshot::Sender<Result<(), Refusal>>>;

#[derive(Debug, PartialEq)]
enum OverSocket {
    NotSent,
    /// The socket closed before the outcome was known.
    Unknown,
    Went(Result<(), Refusal>),
}

impl Live {
    /// Gives an answer, over the socket when it is open, else by an ordinary call.
    pub async fn answer(self, answer: Answer) -> Result<(), Refusal> {
        let over_socket = self.answer_over_socket(answer.clone()).await;
        if let OverSocket::Went(result) = over_socket {
            return result;
        }
        let Answer {
            session_id,
            request_id,
            digest,
            response,
        } = answer;
        match api::respond(session_id, request_id, digest, response).await {
            // the answer that came first may be this very one
            Err(refusal)
                if over_socket == OverSocket::Unknown && refusal.code == Code::AlreadyResolved =>
            {
                Ok(())
            }
            result => result,
        }
    }

    async fn answer_over_socket(self, answer: Answer) -> OverSocket {
        let (sender, outcome) = oneshot::channel();
        let request_id = answer.request_id;
        let _ = self
            .answers
            .try_update_value(|answers| answers.insert(request_id, sender));
        if !self.send(ClientMessage::PendingRequestResponse(answer)) {
            let _ = self
                .answers
                .try_update_value(|answers| answers.remove(&request_id));
            return OverSocket::NotSent;
        }
        match outcome.await {
            Ok(result) => OverSocket::Went(result),
            Err(_) => OverSocket::Unknown,
        }
    }

    /// The server said how it went with an answer.
    pub(super) fn answer_went(self, request_id: RequestId, result: Result<(), Refusal>) {
        let waiting = self
            .answers
            .try_update_value(|answers| answers.remove(&request_id))
            .flatten();
        match (waiting, result) {
            (Some(waiting), result) => {
                let _ = waiting.send(result);
            }
            // another answer was heard of first, and the card went with it
            (None, Err(refusal)) => self.tell(refusal.message),
            (None, Ok(())) => {}
        }
    }

    /// The socket closed: whoever waits goes the other way.
    pub(super) fn forget_answers(self) {
        let _ = self.answers.try_update_value(HashMap::clear);
    }
}
