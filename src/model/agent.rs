//! What is known of the program behind the sessions, and the permission modes it has.

use serde::{Deserialize, Serialize};

/// Which agent this server runs, in words for the page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentDescription {
    /// "Claude Code", "Demo agent", or the program's name.
    pub name: String,
    pub is_demo: bool,
    /// Why this one was taken when the person did not choose it, or what is amiss with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// How much the agent may do without asking. The CLI's own words on the wire; a word we do not know is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PermissionMode {
    #[default]
    Default,
    AcceptEdits,
    Plan,
    DontAsk,
    Auto,
    BypassPermissions,
    #[serde(untagged)]
    Other(String),
}

impl PermissionMode {
    /// The modes a person can choose for a session at any time. `BypassPermissions` is not among them: a session must
    /// be started for it.
    pub const CHOICES: [PermissionMode; 5] = [
        PermissionMode::Default,
        PermissionMode::AcceptEdits,
        PermissionMode::Plan,
        PermissionMode::Auto,
        PermissionMode::DontAsk,
    ];

    /// The one after it, for a key that goes through those that change most: ask, write, plan.
    pub fn next(&self) -> Self {
        match self {
            PermissionMode::Default => PermissionMode::AcceptEdits,
            PermissionMode::AcceptEdits => PermissionMode::Plan,
            _ => PermissionMode::Default,
        }
    }

    /// The CLI's word.
    pub fn word(&self) -> &str {
        match self {
            PermissionMode::Default => "default",
            PermissionMode::AcceptEdits => "acceptEdits",
            PermissionMode::Plan => "plan",
            PermissionMode::DontAsk => "dontAsk",
            PermissionMode::Auto => "auto",
            PermissionMode::BypassPermissions => "bypassPermissions",
            PermissionMode::Other(word) => word,
        }
    }

    pub fn from_word(word: &str) -> Self {
        match word {
            "default" | "manual" => PermissionMode::Default,
            "acceptEdits" => PermissionMode::AcceptEdits,
            "plan" => PermissionMode::Plan,
            "dontAsk" => PermissionMode::DontAsk,
            "auto" => PermissionMode::Auto,
            "bypassPermissions" => PermissionMode::BypassPermissions,
            other => PermissionMode::Other(other.to_owned()),
        }
    }

    /// What it means for whoever chooses it.
    pub fn explanation(&self) -> &'static str {
        match self {
            PermissionMode::Default => {
                "You are asked before a file is changed, and before a command does more than look."
            }
            PermissionMode::AcceptEdits => {
                "Files of the project are changed without asking; you are asked before other commands run."
            }
            PermissionMode::Plan => {
                "It looks around and shows you a plan; nothing is changed before you approve it."
            }
            PermissionMode::DontAsk => {
                "What your rules do not allow is refused, and you are not asked."
            }
            PermissionMode::Auto => {
                "A second model judges every call instead of you: what it finds safe runs, the rest is refused. Not every account and model has it."
            }
            PermissionMode::BypassPermissions | PermissionMode::Other(_) => "",
        }
    }

    /// For a person.
    pub fn label(&self) -> &str {
        match self {
            PermissionMode::Default => "Ask before edits",
            PermissionMode::AcceptEdits => "Accept edits",
            PermissionMode::Plan => "Plan first",
            PermissionMode::DontAsk => "Never ask, refuse",
            PermissionMode::Auto => "Let a classifier decide",
            PermissionMode::BypassPermissions => "Never ask, allow everything",
            PermissionMode::Other(word) => word,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_keep_the_words_of_the_cli() {
        for word in [
            "default",
            "acceptEdits",
            "plan",
            "dontAsk",
            "auto",
            "bypassPermissions",
            "somethingNew",
        ] {
            let mode = PermissionMode::from_word(word);
            assert_eq!(mode.word(), word);
            let json = serde_json::to_string(&mode).expect("json");
            assert_eq!(json, format!("\"{word}\""));
            assert_eq!(
                serde_json::from_str::<PermissionMode>(&json).expect("mode"),
                mode
            );
        }
    }
}
