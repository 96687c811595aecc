//! How much the model is to think. The agent takes any word for it, and its environment or its settings may overrule one: so
//! after all that may change it, it is asked what applies.

use super::{Awaited, Protocol, Told, list, outgoing};
use crate::model::MessageId;
use crate::server::agent::process::{Applies, Heard};
use serde_json::{Value, json};
use std::collections::HashMap;

/// The word by which a message leaves it to the agent.
const OF_ITS_OWN: &str = "auto";

#[derive(Default)]
pub struct Effort {
    /// It has models that can be told: older ones are asked nothing that they do not know.
    is_told: bool,
    /// The model that it applied to.
    model: Option<String>,
    /// Messages that ask for another one, and which.
    messages: HashMap<MessageId, String>,
}

/// Why it is asked what applies.
pub enum AskedFor {
    Knowing,
    /// A person has chosen one.
    Order(Applies),
    /// A message has asked for this one.
    Message(String),
}

impl Protocol {
    /// Without a word it goes back to its own choice. What else it was told for this session stays as it is.
    pub fn set_effort(&mut self, effort: Option<&str>, done: Applies) -> String {
        let id = self.next_request();
        let settings = json!({"effortLevel": effort});
        let request = json!({"subtype": "apply_flag_settings", "settings": settings});
        let line = outgoing::control(&id, &request);
        self.awaited.insert(id, Awaited::Effort(done));
        line
    }

    /// It has said what its models can be told.
    pub(super) fn can_be_told_effort(&mut self) -> Told {
        self.effort.is_told = true;
        self.ask_effort(AskedFor::Knowing)
    }

    pub(super) fn ask_effort(&mut self, asked_for: AskedFor) -> Told {
        let id = self.next_request();
        let line = outgoing::control(&id, &json!({"subtype": "get_settings"}));
        self.awaited.insert(id, Awaited::Settings(asked_for));
        Told::Answer(line)
    }

    /// Another model may think as much, or not be told.
    pub(super) fn model_is(&mut self, model: &str) -> Vec<Told> {
        let mut told = vec![Told::Heard(Heard::ModelIs(model.to_owned()))];
        let before = self.effort.model.replace(model.to_owned());
        if self.effort.is_told && before.is_some_and(|before| before != model) {
            told.push(self.ask_effort(AskedFor::Knowing));
        }
        told
    }

    pub(super) fn note_effort_asked_for(&mut self, id: MessageId, text: &str) {
        let mut words = text.split_whitespace();
        if words.next() == Some("/effort") {
            let word = words.next().unwrap_or_default().to_owned();
            self.effort.messages.insert(id, word);
        }
    }

    /// It is done with this message.
    pub(super) fn effort_after(&mut self, id: MessageId) -> Option<Told> {
        let word = self.effort.messages.remove(&id)?;
        let is_told = self.effort.is_told;
        is_told.then(|| self.ask_effort(AskedFor::Message(word)))
    }

    pub(super) fn settings_are(
        &mut self,
        asked_for: AskedFor,
        response: &Value,
        error: Option<String>,
    ) -> Vec<Told> {
        let applied = &response["response"]["applied"];
        let effort = applied["effort"].as_str().map(str::to_owned);
        if let Some(model) = applied["model"].as_str() {
            self.effort.model = Some(model.to_owned());
        }
        let mut told = match error {
            None => vec![Told::Heard(Heard::EffortIs(effort.clone()))],
            Some(_) => Vec::new(),
        };
        match asked_for {
            AskedFor::Knowing => {}
            AskedFor::Order(done) => {
                let _ = done.send(error.map_or(Ok(effort), Err));
            }
            AskedFor::Message(asked) if asked == OF_ITS_OWN => {
                told.push(Told::Heard(Heard::EffortChosen(None)));
            }
            // one that it did not take was no choice
            AskedFor::Message(asked) => {
                let taken = effort.filter(|effort| *effort == asked);
                told.extend(taken.map(|taken| Told::Heard(Heard::EffortChosen(Some(taken)))));
            }
        }
        told
    }
}

/// What a model may be told, as it says.
pub fn levels(model: &Value) -> Vec<String> {
    let levels = list(&model["supportedEffortLevels"]).iter();
    match model["supportsEffort"] == true {
        true => levels
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
        false => Vec::new(),
    }
}
