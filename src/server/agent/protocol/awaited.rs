//! What we asked the agent for, and what its answer means.

use super::effort::AskedFor;
use super::questions::{self, Answered};
use super::{Protocol, Told, list, outgoing, word};
use crate::model::{MessageId, PermissionMode};
use crate::server::agent::process::{Applies, Done, Heard};
use serde_json::Value;
use tokio::sync::oneshot;

pub enum Awaited {
    Interrupt,
    Mode(PermissionMode, Done),
    Model(Done),
    /// What applies then is asked, and told.
    Effort(Applies),
    Settings(AskedFor),
    Cancel(MessageId, oneshot::Sender<Result<bool, String>>),
    /// To end a task, or to let it go on in the background. That it does is told by itself.
    Task(Done),
    Question(Answered),
}

impl Protocol {
    pub(super) fn control_response(&mut self, message: &Value) -> Vec<Told> {
        let response = &message["response"];
        let id = word(response, "request_id");
        let error =
            (word(response, "subtype") == "error").then(|| word(response, "error").to_owned());
        if id == outgoing::INITIALIZE {
            return self.initialized(response, error);
        }
        match self.awaited.remove(id) {
            Some(Awaited::Mode(mode, done)) => {
                let result = error.map_or(Ok(()), Err);
                let accepted = result.is_ok();
                let _ = done.send(result);
                accepted
                    .then(|| self.mode_is(mode))
                    .flatten()
                    .into_iter()
                    .collect()
            }
            Some(Awaited::Model(done)) => {
                let accepted = error.is_none();
                let _ = done.send(error.map_or(Ok(()), Err));
                let model = response["response"]["model"].as_str();
                let model = model.filter(|_| accepted);
                model.map(|model| self.model_is(model)).unwrap_or_default()
            }
            Some(Awaited::Effort(done)) => match error {
                Some(error) => {
                    let _ = done.send(Err(error));
                    Vec::new()
                }
                None => vec![self.ask_effort(AskedFor::Order(done))],
            },
            Some(Awaited::Settings(asked_for)) => self.settings_are(asked_for, response, error),
            Some(Awaited::Cancel(message_id, done)) => {
                let in_time = response["response"]["cancelled"].as_bool().unwrap_or(false);
                let _ = done.send(error.map_or(Ok(in_time), Err));
                in_time
                    .then_some(Told::Heard(Heard::MessageCancelled(message_id)))
                    .into_iter()
                    .collect()
            }
            Some(Awaited::Question(answer)) => {
                let _ = answer.send(questions::answered(response));
                Vec::new()
            }
            Some(Awaited::Task(done)) => {
                let _ = done.send(error.map_or(Ok(()), Err));
                Vec::new()
            }
            // nothing that was queued begins
            Some(Awaited::Interrupt) => list(&response["response"]["cancelled"])
                .iter()
                .filter_map(|id| id.as_str()?.parse().ok())
                .map(|id| {
                    let message = self.names.ours(MessageId(id));
                    self.names.was_given_back(message);
                    Told::Heard(Heard::MessageGivenBack(message))
                })
                .collect(),
            None => Vec::new(),
        }
    }
}
