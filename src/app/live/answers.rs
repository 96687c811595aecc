//! Answers on their way over the socket. The fastest way there is: no new request, no new headers. Each waits for its
//! refusal, or for the news that its request is over.

use super::Live;
use crate::api;
use crate::app::draft;
use crate::model::{Answer, AnswerId, ClientMessage, Refusal, RequestId, SessionId};
use futures::channel::oneshot;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::collections::HashMap;

pub type OnTheirWay = HashMap<RequestId, Sent>;

/// An answer of this tab, and who waits to hear what became of it.
pub struct Sent {
    answer_id: Option<AnswerId>,
    waiting: oneshot::Sender<Result<(), Refusal>>,
}

/// The note of the last answer that had one.
pub type LastNote = Option<(RequestId, SessionId, String)>;

type Outcome = oneshot::Receiver<Result<(), Refusal>>;

impl Live {
    /// Gives an answer, over the socket when it is open, else by an ordinary call. It is on its way when this returns, before
    /// the page shows anything of it; how it went is told later.
    pub fn answer(self, answer: Answer) -> impl Future<Output = Result<(), Refusal>> {
        if let Some(note) = answer.response.note() {
            let note = (answer.request_id, answer.session_id, note.to_owned());
            let _ = self.last_note.try_set_value(Some(note));
        }
        let outcome = self.hand_to_socket(answer.clone());
        self.answered(answer, outcome)
    }

    async fn answered(self, answer: Answer, outcome: Option<Outcome>) -> Result<(), Refusal> {
        if let Some(outcome) = outcome
            && let Ok(result) = outcome.await
        {
            return result;
        }
        // it was not sent, or the socket closed before the outcome was known: under the same id it is the same answer
        let Answer {
            session_id,
            request_id,
            digest,
            shown,
            answer_id,
            response,
        } = answer;
        let client = Some(self.client);
        api::respond(
            session_id, request_id, digest, shown, answer_id, client, response,
        )
        .await
    }

    fn hand_to_socket(self, answer: Answer) -> Option<Outcome> {
        let (waiting, outcome) = oneshot::channel();
        let (request_id, answer_id) = (answer.request_id, answer.answer_id);
        let sent = Sent { answer_id, waiting };
        let _ = self
            .answers
            .try_update_value(|answers| answers.insert(request_id, sent));
        if self.send(ClientMessage::PendingRequestResponse(answer)) {
            return Some(outcome);
        }
        let _ = self
            .answers
            .try_update_value(|answers| answers.remove(&request_id));
        None
    }

    /// A request is over by an answer: by ours, or else the server says why ours does not count.
    pub(super) fn answer_was_taken(self, request_id: RequestId, answer_id: Option<AnswerId>) {
        let taken = self.answers.try_update_value(|answers| {
            let is_ours = answers
                .get(&request_id)
                .is_some_and(|sent| sent.answer_id == answer_id);
            is_ours.then(|| answers.remove(&request_id)).flatten()
        });
        if let Some(sent) = taken.flatten() {
            let _ = sent.waiting.send(Ok(()));
        }
    }

    pub(super) fn answer_was_refused(self, request_id: RequestId, refusal: Refusal) {
        let sent = self
            .answers
            .try_update_value(|answers| answers.remove(&request_id))
            .flatten();
        match sent {
            Some(sent) => drop(sent.waiting.send(Err(refusal))),
            None => self.tell_refused(request_id, refusal.message),
        }
    }

    /// Another client answers this session, one at a time.
    pub fn is_taken(self, id: SessionId) -> Memo<bool> {
        let holder = self.of_process(id, |process| process.held_by);
        Memo::new(move |_| {
            let holder = holder.get().flatten();
            holder.is_some_and(|holder| holder != self.client)
        })
    }

    pub fn take_over(self, session_id: SessionId) {
        if self.send(ClientMessage::TakeOver { session_id }) {
            return;
        }
        spawn_local(async move {
            if let Err(refusal) = api::take_over(session_id, Some(self.client)).await {
                self.tell(refusal.message);
            }
        });
    }

    /// An answer did not count and its card is gone. A note that was not sent belongs to the person: it goes into the
    /// message input.
    pub fn tell_refused(self, request_id: RequestId, message: String) {
        let note = self.last_note.try_update_value(|last| {
            last.take_if(|(of, ..)| *of == request_id)
                .map(|(_, session_id, note)| (session_id, note))
        });
        let Some((session_id, note)) = note.flatten() else {
            return self.tell(message);
        };
        self.tell(format!("{message} Your note was not sent: “{note}”"));
        draft::keep_for_message(session_id, &note);
        self.give_back(session_id, note);
    }

    /// A request ended while someone wrote an answer to it: the words go into the message input, and it is said.
    pub fn tell_unsent(self, session_id: SessionId, words: String) {
        let said = self.notice.try_get_untracked().flatten();
        let words_said = match said {
            // the answer was refused a moment ago, and that is said with the reason
            Some(said) if said.contains(&words) => said,
            Some(said) => format!("{said} You had written: “{}”", beginning(&words)),
            None => format!(
                "The request you were answering is over; your answer was not sent. You had written: “{}”",
                beginning(&words)
            ),
        };
        self.tell(words_said);
        draft::keep_for_message(session_id, &words);
        self.give_back(session_id, words);
    }

    /// The socket closed, or has left something out: whoever waits goes the other way.
    pub(super) fn forget_answers(self) {
        let _ = self.answers.try_update_value(HashMap::clear);
    }
}

/// As much as fits into a line or two.
fn beginning(words: &str) -> String {
    const LONGEST: usize = 200;
    match words.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", words.get(..end).unwrap_or_default()),
        None => words.to_owned(),
    }
}
