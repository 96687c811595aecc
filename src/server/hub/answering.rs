//! A person's answer on its way: checked, stored, and only then given to the agent.

use super::Hub;
use crate::desk::{Effect, Event as DeskEvent};
use crate::model::{Answer, Code, Refusal, RequestId, Response, SessionId};

impl Hub {
    /// Returns when the answer is stored and given to the agent, or why it was not accepted.
    pub async fn answer(&self, answer: Answer) -> Result<(), Refusal> {
        self.check_size(&answer.response)?;
        let (session_id, request_id, response) = self.claim(answer)?;
        // in a task of its own: a client that goes away in between must not leave the request claimed for ever
        let hub = self.clone();
        let storing = tokio::spawn(async move {
            let at = hub.0.clock.now();
            let stored = hub.0.store.record_answer(request_id, response, at).await;
            let mut state = hub.lock();
            match stored {
                Ok(()) => {
                    let effects = state.desk.apply(DeskEvent::Recorded {
                        session_id,
                        request_id,
                        at,
                    })?;
                    hub.carry_out(&mut state, effects);
                    Ok(())
                }
                Err(refusal) => {
                    hub.apply(
                        &mut state,
                        DeskEvent::NotRecorded {
                            session_id,
                            request_id,
                        },
                    );
                    Err(refusal)
                }
            }
        });
        storing.await.unwrap_or_else(|_| {
            Err(Refusal::new(
                Code::Internal,
                "The answer could not be stored. Try again.",
            ))
        })
    }

    fn claim(&self, answer: Answer) -> Result<(SessionId, RequestId, Response), Refusal> {
        let mut state = self.lock();
        if !state.sessions.contains_key(&answer.session_id) {
            return Err(super::unknown_session());
        }
        let effects = state.desk.apply(DeskEvent::Answered { answer })?;
        let claimed = effects.into_iter().find_map(|effect| match effect {
            Effect::Record {
                session_id,
                request_id,
                response,
            } => Some((session_id, request_id, response)),
            _ => None,
        });
        claimed.ok_or_else(|| Refusal::new(Code::Internal, "The answer was not understood."))
    }

    fn check_size(&self, response: &Response) -> Result<(), Refusal> {
        let limit = self.0.setup.settings.limits.message_bytes;
        let size = serde_json::to_string(response).map_or(0, |text| text.len());
        match size > limit {
            true => Err(Refusal::new(
                Code::TooLarge,
                format!("The answer has {size} bytes; at most {limit} are taken. Shorten it."),
            )),
            false => Ok(()),
        }
    }
}
