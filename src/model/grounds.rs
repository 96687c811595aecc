//! Why a request is asked and what may be answered, as far as the agent says so beyond the common fields.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Everything here is optional; what we do not know is kept in `extra`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Grounds {
    /// The tool's name for people. Untrusted for tools of an MCP server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// The agent's own headline. Untrusted, never shown as ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// `rule`, `hook`, `mode`, `workingDir`, `safetyCheck` …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision_reason_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision_reason_rule_source: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision_reason_hook_event: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision_reason_hook_source: Option<String>,
    /// A rule of the person's own settings wants this to be asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matched_ask_rule: Option<MatchedRule>,
    /// `false`: the agent's program takes it for dangerous.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classifier_approvable: Option<bool>,
    /// More than a yes or no is wanted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub requires_user_interaction: bool,
    /// Nothing may be offered to be remembered.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub suppress_always_allow_rule: bool,
    /// A key pressed without looking must not allow it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub default_to_no: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mcp_server_source: Option<String>,
    /// Fields that this version does not know, as they came.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchedRule {
    pub source: String,
    pub tool_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule_content: Option<String>,
}

impl MatchedRule {
    /// As it stands in a settings file: `Bash(git push *)`.
    pub fn written(&self) -> String {
        match &self.rule_content {
            Some(content) => format!("{}({content})", self.tool_name),
            None => self.tool_name.clone(),
        }
    }

    pub fn place(&self) -> &str {
        settings_place(&self.source)
    }
}

impl Grounds {
    /// What else decides, in sentences of ours, the most important one first.
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        if self.classifier_approvable == Some(false) {
            sentences.push("The agent’s program takes this for dangerous.".to_owned());
        }
        if let Some(event) = &self.decision_reason_hook_event {
            let place = self
                .decision_reason_hook_source
                .as_deref()
                .map(|source| format!(" from {}", settings_place(source)))
                .unwrap_or_default();
            sentences.push(format!("A {event} hook{place} wants it asked."));
        }
        if self.matched_ask_rule.is_none()
            && let Some(source) = &self.decision_reason_rule_source
        {
            sentences.push(format!(
                "A rule from {} wants it asked.",
                settings_place(source)
            ));
        }
        if self.suppress_always_allow_rule {
            sentences.push("It cannot be allowed for good, only once.".to_owned());
        }
        sentences
    }
}

/// The agent's word for a settings file, for a person.
fn settings_place(source: &str) -> &str {
    match source {
        "userSettings" => "your user settings",
        "projectSettings" => "the project’s settings",
        "localSettings" => "your settings for this project",
        "policySettings" => "your organisation’s policy",
        "flagSettings" | "cliArg" | "command" => "the command line",
        "session" => "this session",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_request_has_nothing_to_add() {
        assert!(Grounds::default().sentences().is_empty());
        assert_eq!(
            serde_json::to_string(&Grounds::default()).expect("json"),
            "{}"
        );
    }

    #[test]
    fn danger_comes_first_and_a_rule_is_named_with_its_place() {
        let grounds = Grounds {
            classifier_approvable: Some(false),
            decision_reason_rule_source: Some("localSettings".to_owned()),
            suppress_always_allow_rule: true,
            ..Grounds::default()
        };
        assert_eq!(
            grounds.sentences(),
            [
                "The agent’s program takes this for dangerous.",
                "A rule from your settings for this project wants it asked.",
                "It cannot be allowed for good, only once.",
            ]
        );
        let rule = MatchedRule {
            source: "userSettings".to_owned(),
            tool_name: "Bash".to_owned(),
            rule_content: Some("git push *".to_owned()),
        };
        assert_eq!(
            (rule.written().as_str(), rule.place()),
            ("Bash(git push *)", "your user settings")
        );
    }
}
