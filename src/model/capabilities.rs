//! What the program behind a session can do, as it says when it starts: its models and its slash commands.

use super::slash;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capabilities {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    #[serde(default)]
    pub models: Vec<Model>,
    #[serde(default)]
    pub commands: Vec<SlashCommand>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Model {
    /// What the agent is told.
    pub value: String,
    /// What it stands for at the moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved: Option<String>,
    pub name: String,
    #[serde(default)]
    pub description: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlashCommand {
    /// Without its slash.
    pub name: String,
    #[serde(default)]
    pub description: String,
    #[serde(default)]
    pub argument_hint: String,
}

/// So many are listed; whoever looks for another one types more of its name.
const MOST_OFFERED: usize = 100;

impl Capabilities {
    /// The choice that a model in use belongs to.
    pub fn model_in_use(&self, in_use: &str) -> Option<&Model> {
        let is_it =
            |model: &&Model| model.value == in_use || model.resolved.as_deref() == Some(in_use);
        // "default" stands for one of the others: the more telling name wins
        let mut fitting = self.models.iter().filter(is_it);
        let first = fitting.next()?;
        match first.value.as_str() {
            "default" => Some(fitting.next().unwrap_or(first)),
            _ => Some(first),
        }
    }

    /// The same, with what Countersign itself answers among them.
    pub fn offered_for(&self, text: &str, with_own: bool) -> Vec<SlashCommand> {
        if !with_own || !text.starts_with('/') {
            return self.commands_for(text);
        }
        let own: Vec<SlashCommand> = slash::own_commands(self).collect();
        let is_ours = |command: &SlashCommand| own.iter().any(|own| own.name == command.name);
        let mut all = self.clone();
        all.commands.retain(|command| !is_ours(command));
        all.commands.extend(own);
        all.commands_for(text)
    }

    /// What a text that begins with a slash may become: names that begin so come first, then those that have it inside.
    pub fn commands_for(&self, text: &str) -> Vec<SlashCommand> {
        let Some(typed) = text.strip_prefix('/') else {
            return Vec::new();
        };
        if typed.contains(char::is_whitespace) {
            return Vec::new();
        }
        let typed = typed.to_lowercase();
        // what begins with an underscore is the program's own business
        let named =
            |command: &&SlashCommand| !command.name.is_empty() && !command.name.starts_with('_');
        let (mut begins, inside): (Vec<&SlashCommand>, Vec<&SlashCommand>) = self
            .commands
            .iter()
            .filter(named)
            .filter(|command| command.name.to_lowercase().contains(&typed))
            .partition(|command| command.name.to_lowercase().starts_with(&typed));
        begins.sort_by(|a, b| a.name.cmp(&b.name));
        begins
            .into_iter()
            .chain(inside)
            .take(MOST_OFFERED)
            .cloned()
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(names: &[&str]) -> Capabilities {
        let command = |name: &&str| SlashCommand {
            name: (*name).to_owned(),
            ..SlashCommand::default()
        };
        Capabilities {
            commands: names.iter().map(command).collect(),
            ..Capabilities::default()
        }
    }

    fn offered(capabilities: &Capabilities, text: &str) -> Vec<String> {
        let commands = capabilities.commands_for(text);
        commands.into_iter().map(|command| command.name).collect()
    }

    #[test]
    fn commands_are_offered_while_their_name_is_typed() {
        let known = named(&[
            "deep-research",
            "compact",
            "clear",
            "init",
            "__hidden",
            "recompact",
        ]);
        assert_eq!(
            offered(&known, "/c"),
            ["clear", "compact", "deep-research", "recompact"]
        );
        assert_eq!(offered(&known, "/COMP"), ["compact", "recompact"]);
        for nothing in ["", "c", "hello /c", "/clear now", "/nothing", "/__"] {
            assert_eq!(offered(&known, nothing), Vec::<String>::new(), "{nothing}");
        }
    }

    #[test]
    fn what_countersign_answers_is_offered_once_and_said_to_be_its_own() {
        let known = named(&["mcp", "compact", "status"]);
        let offered = known.offered_for("/m", true);
        let names: Vec<_> = offered.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["mcp", "memory", "compact", "permissions"]);
        assert!(offered[0].description.starts_with("Countersign shows"));
        let the_agents = known.offered_for("/status", true);
        assert_eq!(
            the_agents[0].description, "",
            "the agent has one of that name"
        );
        assert_eq!(known.offered_for("/mem", false), []);
        assert_eq!(known.offered_for("hello", true), []);
    }

    #[test]
    fn a_model_in_use_is_called_by_its_own_name_rather_than_default() {
        let model = |value: &str, resolved: &str| Model {
            value: value.to_owned(),
            resolved: Some(resolved.to_owned()),
            name: value.to_uppercase(),
            ..Model::default()
        };
        let capabilities = Capabilities {
            models: vec![
                model("default", "big-5"),
                model("big", "big-5"),
                model("small", "small-5"),
            ],
            ..Capabilities::default()
        };
        let called = |in_use: &str| {
            capabilities
                .model_in_use(in_use)
                .map(|model| model.value.as_str())
        };
        assert_eq!(called("big-5"), Some("big"));
        assert_eq!(called("small"), Some("small"));
        assert_eq!(called("other"), None);
    }
}
