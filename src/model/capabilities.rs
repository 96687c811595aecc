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
    /// How much it may be told to think, the least first. None: it cannot be told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub efforts: Vec<String>,
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

/// The effort that is the agent's own choice.
pub const OWN_EFFORT: &str = "default";
/// What a person may write instead.
const AUTO: &str = "auto";
/// What is in the full name of a model, also of one that is served elsewhere: nobody's slip, and perhaps newer than the list.
const IN_A_FULL_NAME: [&str; 4] = ["claude-", ":", "/", "."];
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

    /// The efforts to choose from. Of a model that is not listed they are known only when the agent tells that one
    /// applies.
    pub fn efforts(&self, in_use: Option<&str>, applies: Option<&str>) -> &[String] {
        match self.model_in_use(plain(in_use.unwrap_or("default"))) {
            Some(model) => &model.efforts,
            None if applies.is_some() => self.all_efforts(),
            None => &[],
        }
    }

    /// Of the model that has the most.
    pub fn all_efforts(&self) -> &[String] {
        let all = self.models.iter().map(|model| model.efforts.as_slice());
        all.max_by_key(|efforts| efforts.len()).unwrap_or_default()
    }

    /// What the agent calls the model that a person calls so: it knows no other way to write it.
    pub fn model_called(&self, name: &str) -> String {
        let plain = plain(name);
        let is_it = |known: &str| known.eq_ignore_ascii_case(plain);
        let mut models = self.models.iter();
        let found = models.find(|model| is_it(&model.value) || is_it(&model.name));
        let rest = name.strip_prefix(plain).unwrap_or_default();
        found.map_or_else(|| name.to_owned(), |model| model.value.clone() + rest)
    }

    /// Why a model would not be found, with those there are. An agent that lists none may know it.
    pub fn no_such_model(&self, name: &str) -> Option<String> {
        let name = plain(name);
        let is_it = |known: &str| known.eq_ignore_ascii_case(name);
        let is_listed = |model: &Model| {
            let names = [
                Some(&model.value),
                Some(&model.name),
                model.resolved.as_ref(),
            ];
            names.into_iter().flatten().any(|known| is_it(known))
        };
        if self.models.is_empty()
            || self.models.iter().any(is_listed)
            || is_it("default")
            || IN_A_FULL_NAME.iter().any(|part| name.contains(part))
        {
            return None;
        }
        let known: Vec<&str> = self.models.iter().map(|model| &*model.value).collect();
        Some(format!(
            "The agent lists no model \"{name}\": it has {}.",
            listed(&known, "and")
        ))
    }

    /// The same, with what Countersign itself answers among them; most of it needs a session.
    pub fn offered_for(&self, text: &str, in_session: bool) -> Vec<SlashCommand> {
        if !text.starts_with('/') {
            return self.commands_for(text);
        }
        let own = slash::own_commands(self);
        let own: Vec<SlashCommand> = own
            .filter(|command| in_session || slash::before_a_session(command))
            .collect();
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

/// What is meant by the word for an effort: none is the agent's own choice. The error names those there are.
pub fn effort_named(word: &str, efforts: &[String]) -> Result<Option<String>, String> {
    let word = word.trim();
    if is_own_effort(word) {
        return Ok(None);
    }
    let mut known = efforts.iter();
    match known.find(|known| known.eq_ignore_ascii_case(word)) {
        Some(known) => Ok(Some(known.clone())),
        None if efforts.is_empty() => Err(
            "The model in use cannot be told how much to think. Choose another model.".to_owned(),
        ),
        None => {
            let known = efforts.iter().map(String::as_str);
            let known: Vec<&str> = known.chain([OWN_EFFORT]).collect();
            let known = listed(&known, "or");
            Err(format!("There is no effort \"{word}\". Choose {known}."))
        }
    }
}

/// It is left to the agent.
pub fn is_own_effort(word: &str) -> bool {
    let own = ["", OWN_EFFORT, AUTO];
    own.iter().any(|own| own.eq_ignore_ascii_case(word))
}

/// "High effort"
pub fn effort_label(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    let word: String = first.into_iter().chain(letters).collect();
    format!("{word} effort")
}

/// Without what is said in brackets about its window.
fn plain(model: &str) -> &str {
    model.split_once('[').map_or(model, |(name, _)| name).trim()
}

fn listed(names: &[&str], joined: &str) -> String {
    match names {
        [most @ .., last] if !most.is_empty() => format!("{} {joined} {last}", most.join(", ")),
        _ => names.concat(),
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
        assert_eq!(names, ["mcp", "memory", "compact", "permissions", "resume"]);
        assert!(offered[0].description.starts_with("Countersign shows"));
        let the_agents = known.offered_for("/status", true);
        assert_eq!(
            the_agents[0].description, "",
            "the agent has one of that name"
        );
        assert_eq!(known.offered_for("/mem", false), []);
        for (typed, name) in [("/pl", "plan"), ("/re", "resume")] {
            let offered = known.offered_for(typed, false);
            let names: Vec<_> = offered.iter().map(|one| one.name.as_str()).collect();
            assert_eq!(names, [name], "there is no session yet");
        }
        assert_eq!(known.offered_for("hello", true), []);
    }

    fn with_models() -> Capabilities {
        let model = |value: &str, resolved: &str, efforts: &[&str]| Model {
            value: value.to_owned(),
            resolved: Some(resolved.to_owned()),
            name: value.to_uppercase(),
            efforts: efforts.iter().map(|effort| (*effort).to_owned()).collect(),
            ..Model::default()
        };
        Capabilities {
            models: vec![
                model("default", "claude-big-5", &["low", "high", "max"]),
                model("big", "claude-big-5", &["low", "high", "max"]),
                model("small", "claude-small-5", &[]),
            ],
            ..Capabilities::default()
        }
    }

    #[test]
    fn the_efforts_are_those_of_the_model_in_use() {
        let known = with_models();
        let all = ["low", "high", "max"];
        for in_use in [None, Some("big"), Some("claude-big-5"), Some("big[1m]")] {
            assert_eq!(known.efforts(in_use, None), all, "{in_use:?}");
        }
        assert!(known.efforts(Some("small"), None).is_empty());
        assert!(known.efforts(Some("claude-new"), None).is_empty());
        assert_eq!(known.efforts(Some("claude-new"), Some("high")), all);
        assert!(Capabilities::default().efforts(None, None).is_empty());
    }

    #[test]
    fn an_effort_is_named_by_its_word_and_one_that_is_none_is_told() {
        let known = with_models();
        let named = |word: &str| effort_named(word, known.all_efforts());
        assert_eq!(named("HIGH "), Ok(Some("high".to_owned())));
        assert_eq!(effort_label("xhigh"), "Xhigh effort");
        for own in ["default", "auto", ""] {
            assert_eq!(named(own), Ok(None));
        }
        assert_eq!(
            named("silly"),
            Err("There is no effort \"silly\". Choose low, high, max or default.".to_owned())
        );
        assert!(effort_named("high", &[]).is_err_and(|words| words.contains("another model")));
    }

    #[test]
    fn a_model_that_nobody_listed_is_told_unless_its_name_may_be_newer() {
        let known = with_models();
        let told = known.no_such_model("bog").expect("unknown");
        assert_eq!(
            told,
            "The agent lists no model \"bog\": it has default, big and small."
        );
        for fine in [
            "big",
            "Big",
            "big[1m]",
            "claude-small-5",
            "claude-next-9",
            "us.anthropic.claude-next-9",
            "default",
        ] {
            assert_eq!(known.no_such_model(fine), None, "{fine}");
        }
        assert_eq!(Capabilities::default().no_such_model("bog"), None);
        for (called, value) in [
            ("Big", "big"),
            ("BIG[1m]", "big[1m]"),
            ("claude-small-5", "claude-small-5"),
            ("bog", "bog"),
        ] {
            assert_eq!(known.model_called(called), value);
        }
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
