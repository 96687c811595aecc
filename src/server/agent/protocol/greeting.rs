//! The greeting and its answer: that the agent is ready, what it can do, and what it waits for. It may be greeted again
//! at any time: so nothing that was in an unreadable line stays hidden.

use super::{Protocol, Told, effort, list, notice, outgoing, word};
use crate::model::transcript::Level;
use crate::model::{Capabilities, Model, PermissionMode, SlashCommand};
use crate::server::agent::process::Heard;
use serde_json::Value;

/// Other names of commands, which it answers without listing them.
const UNLISTED: [(&str, &str); 5] = [
    ("cost", "usage"),
    ("stats", "usage"),
    ("new", "clear"),
    ("reset", "clear"),
    ("settings", "config"),
];
/// An agent that keeps writing what cannot be read is not asked for ever.
const MOST_ASKED_AGAIN: u32 = 100;

impl Protocol {
    /// The line that asks what it waits for; none while an answer to that is still to come.
    pub fn ask_again(&mut self) -> Option<String> {
        if self.greeting || self.asked_again >= MOST_ASKED_AGAIN {
            return None;
        }
        self.greeting = true;
        self.asked_again += 1;
        Some(outgoing::initialize())
    }

    pub(super) fn initialized(&mut self, response: &Value, error: Option<String>) -> Vec<Told> {
        self.greeting = false;
        let mut told = Vec::new();
        if let Some(error) = error {
            // the second greeting is ours alone: who does not take it has nothing to tell
            if self.asked_again > 0 {
                tracing::warn!(%error, "the agent does not say again what it waits for");
                return told;
            }
            told.push(notice(
                Level::Error,
                &format!("The agent did not accept the greeting: {error}"),
            ));
        }
        let answer = &response["response"];
        told.extend(self.version_is(answer["claude_code_version"].as_str()));
        if self.asked_again == 0 {
            let can = capabilities(answer);
            if !can.all_efforts().is_empty() {
                told.push(self.can_be_told_effort());
            }
            told.push(Told::Heard(Heard::Can(can)));
        }
        told.push(Told::Heard(Heard::Ready));
        if let Some(mode) = answer["current_permission_mode"].as_str() {
            told.extend(self.mode_is(PermissionMode::from_word(mode)));
        }
        // what was asked before we listened, or in a line that could not be read
        for open in list(&response["pending_permission_requests"]) {
            told.extend(self.still_open(open));
        }
        told
    }

    /// One of the requests that it still waits for.
    pub(super) fn still_open(&mut self, open: &Value) -> Vec<Told> {
        match word(&open["request"], "subtype") {
            "can_use_tool" => self.control_request(open),
            _ => Vec::new(),
        }
    }

    /// Told once: newer programs say it when greeted, older ones at the head of a turn.
    pub(super) fn version_is(&mut self, version: Option<&str>) -> Option<Told> {
        let version = version.filter(|_| !self.told_version)?;
        self.told_version = true;
        Some(Told::Version(version.to_owned()))
    }
}

fn capabilities(answer: &Value) -> Capabilities {
    let text = |value: &Value, field: &str| word(value, field).to_owned();
    let model = |value: &Value| Model {
        value: text(value, "value"),
        resolved: value["resolvedModel"].as_str().map(str::to_owned),
        name: text(value, "displayName"),
        description: text(value, "description"),
        efforts: effort::levels(value),
    };
    let command = |value: &Value| SlashCommand {
        name: text(value, "name"),
        description: text(value, "description"),
        argument_hint: text(value, "argumentHint"),
    };
    let mut commands: Vec<SlashCommand> = list(&answer["commands"]).iter().map(command).collect();
    for (name, same_as) in UNLISTED {
        let has = |name: &str| commands.iter().any(|command| command.name == name);
        if has(same_as) && !has(name) {
            commands.push(SlashCommand {
                name: name.to_owned(),
                description: format!("The same as /{same_as}"),
                ..SlashCommand::default()
            });
        }
    }
    Capabilities {
        version: answer["claude_code_version"].as_str().map(str::to_owned),
        models: list(&answer["models"]).iter().map(model).collect(),
        commands,
    }
}
