//! Work that goes on beside the conversation: subagents, and commands in the background. Which there are, and how they ended.

use super::{Protocol, Told, list, word};
use crate::model::{AskingAgent, ToolUseId};
use crate::server::agent::process::{Heard, InBackground, TaskEnd};
use serde_json::Value;

impl Protocol {
    pub(super) fn task_started(&mut self, message: &Value) -> Vec<Told> {
        let id = word(message, "task_id").to_owned();
        let call = word(message, "tool_use_id").to_owned();
        let label = [
            word(message, "description"),
            word(message, "subagent_type"),
            "subagent",
        ]
        .into_iter()
        .find(|label| !label.is_empty())
        .unwrap_or_default();
        self.subagents.insert(
            id.clone(),
            AskingAgent {
                id: id.clone(),
                label: label.to_owned(),
                call: Some(ToolUseId(call.clone())),
            },
        );
        // that it runs in the background is told before by what it was begun
        let is_known = list(&self.background)
            .iter()
            .any(|task| word(task, "task_id") == id);
        self.subagent_of_call.insert(call, id);
        match is_known {
            true => vec![self.runs_in_background()],
            false => Vec::new(),
        }
    }

    pub(super) fn background_changed(&mut self, message: &Value) -> Vec<Told> {
        self.background.clone_from(&message["tasks"]);
        let begun = list(&self.background).iter();
        let begun = begun.map(|task| word(task, "task_id").to_owned());
        self.went_on.extend(begun);
        vec![self.runs_in_background()]
    }

    /// What its call was told first is that it goes on; now it is known how it ended.
    pub(super) fn task_ended(&mut self, message: &Value) -> Vec<Told> {
        let call = word(message, "tool_use_id");
        if call.is_empty() || !self.went_on.remove(word(message, "task_id")) {
            return Vec::new();
        }
        let output = word(message, "output_file");
        vec![Told::Heard(Heard::TaskEnded(TaskEnd {
            call: ToolUseId(call.to_owned()),
            summary: word(message, "summary").to_owned(),
            failed: word(message, "status") == "failed",
            stopped: word(message, "status") == "stopped",
            output: (!output.is_empty()).then(|| output.into()),
        }))]
    }

    pub(super) fn runs_in_background(&self) -> Told {
        let running = list(&self.background).iter().map(|task| InBackground {
            words: word(task, "description").to_owned(),
            call: self
                .subagents
                .get(word(task, "task_id"))
                .and_then(|known| known.call.clone()),
        });
        Told::Heard(Heard::Background(running.collect()))
    }
}
