//! A question from a process that waits for a person, and how it ended.

pub mod written;

use super::by_value::read_by_value;
use super::{Digest, Grounds, PermissionMode, RequestId, ToolInput, ToolUseId, UnixTime};
use serde::{Deserialize, Serialize};
use serde_json::Value;

read_by_value!(PendingRequest);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestType {
    ToolApproval,
    AskUserQuestion,
    PlanApproval,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct PendingRequest {
    pub request_id: RequestId,
    pub request_type: RequestType,
    pub tool_name: String,
    pub tool_input: ToolInput,
    pub created_at: UnixTime,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_use_id: Option<ToolUseId>,
    /// The subagent that asks, if it is not the main one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AskingAgent>,
    /// The agent's own words about the call. Untrusted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision_reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocked_path: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<Suggestion>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mcp_server: Option<String>,
    #[serde(flatten)]
    /// In a box: most events of a transcript are not requests, and are as large as the largest.
    pub grounds: Box<Grounds>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<UnixTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
}

impl PendingRequest {
    /// As much of it as fits on a line or two: for lists of what is over.
    pub fn abridged(self) -> Self {
        Self {
            tool_input: self.tool_input.abridged(),
            description: None,
            suggestions: Vec::new(),
            grounds: Box::default(),
            digest: None,
            ..self
        }
    }

    /// What may be remembered with it: nothing where the agent says that it must be asked each time.
    pub fn offered(&self) -> &[Suggestion] {
        match self.grounds.suppress_always_allow_rule {
            true => &[],
            false => &self.suggestions,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskingAgent {
    pub id: String,
    pub label: String,
    /// The call that it works for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<ToolUseId>,
}

/// Where a rule can be kept, the narrowest first.
pub const PLACES: [&str; 4] = [
    "session",
    "localSettings",
    "projectSettings",
    "userSettings",
];

/// A permission update that the CLI offers to remember, kept exactly as it came.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Suggestion(pub Value);

impl Suggestion {
    fn field(&self, name: &str) -> &str {
        self.0.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// The literal rules, directories or mode that would be granted, as they are written to a file.
    pub fn grants(&self) -> Vec<String> {
        let list = |name: &str| -> Vec<Value> {
            self.0
                .get(name)
                .and_then(Value::as_array)
                .cloned()
                .unwrap_or_default()
        };
        match self.field("type") {
            "addRules" | "replaceRules" | "removeRules" => list("rules")
                .iter()
                .map(|rule| {
                    let tool = rule["toolName"].as_str().unwrap_or("?");
                    written::written(tool, rule["ruleContent"].as_str())
                })
                .collect(),
            "addDirectories" | "removeDirectories" => list("directories")
                .iter()
                .filter_map(|directory| directory.as_str().map(str::to_owned))
                .collect(),
            "setMode" => vec![
                PermissionMode::from_word(self.field("mode"))
                    .label()
                    .to_owned(),
            ],
            _ => vec![self.0.to_string()],
        }
    }

    /// The same but for one of what it grants; None when nothing is left of it.
    pub fn without(mut self, grant: &str) -> Option<Self> {
        let granted = self.grants();
        let list = match self.field("type") {
            "addRules" => "rules",
            "addDirectories" => "directories",
            _ => return Some(self),
        };
        let list = self.0.get_mut(list).and_then(Value::as_array_mut)?;
        let mut granted = granted.iter();
        list.retain(|_| granted.next().is_none_or(|granted| granted != grant));
        (!list.is_empty()).then_some(self)
    }

    /// Of what it grants this one alone; None when it does not grant it.
    pub fn only(&self, grant: &str) -> Option<Self> {
        let granted = self.grants();
        if !granted.iter().any(|one| one == grant) {
            return None;
        }
        let mut others = granted.iter().filter(|one| *one != grant);
        others.try_fold(self.clone(), |rest, other| rest.without(other))
    }

    /// It is one of these, as it was offered. A rule or a folder may be kept in another place; the text of a rule may be
    /// another one for the same tool, as long as it is not about everything that the tool does.
    pub fn is_one_of(&self, offered: &[Suggestion]) -> bool {
        let is_same = |offered: &Suggestion| {
            let mut here = offered.clone();
            if self.may_move() && PLACES.contains(&self.place()) {
                here = here.kept_in(self.place());
            }
            if let (Some(_), Some(text)) = (offered.rule_text(), self.rule_text())
                && self.trouble().is_none()
            {
                here = here.with_rule_text(text);
            }
            here == *self
        };
        offered
            .iter()
            .any(|offered| offered == self || is_same(offered))
    }

    /// Where it is kept, in the agent's own word.
    pub fn place(&self) -> &str {
        self.field("destination")
    }

    /// A person may choose where it is kept.
    pub fn may_move(&self) -> bool {
        matches!(self.field("type"), "addRules" | "addDirectories")
    }

    pub fn kept_in(mut self, place: &str) -> Self {
        if let Some(fields) = self.0.as_object_mut() {
            fields.insert("destination".to_owned(), Value::from(place));
        }
        self
    }

    /// Adds rules that allow.
    pub fn allows(&self) -> bool {
        self.field("type") == "addRules" && self.field("behavior") == "allow"
    }

    /// Which list of an agent's settings it adds to.
    pub fn list_in_settings(&self) -> Option<&'static str> {
        match (self.field("type"), self.field("behavior")) {
            ("addRules", "allow") => Some("allow"),
            ("addRules", "deny") => Some("deny"),
            ("addRules", "ask") => Some("ask"),
            ("addDirectories", _) => Some("additionalDirectories"),
            _ => None,
        }
    }

    /// What is between the brackets of the one rule it adds.
    pub fn rule_text(&self) -> Option<&str> {
        match self.0.get("rules")?.as_array()?.as_slice() {
            [rule] if self.field("type") == "addRules" => rule["ruleContent"].as_str(),
            _ => None,
        }
    }

    /// What is wrong with the text that a person gave a rule.
    pub fn trouble(&self) -> Option<String> {
        let text = self.rule_text()?.trim();
        let tool = self.rule_tool();
        if text.is_empty() {
            return Some("The text of the rule is empty. Write what it is to allow.".to_owned());
        }
        if text.chars().all(|c| matches!(c, '*' | ':' | ' ')) {
            return Some(format!(
                "{tool}({text}) would allow everything that {tool} does. Write something narrower."
            ));
        }
        text.starts_with(&format!("{tool}(")).then(|| {
            format!("Write only what stands between the brackets of {tool}( ), not the whole rule.")
        })
    }

    pub fn rule_tool(&self) -> &str {
        self.0["rules"][0]["toolName"].as_str().unwrap_or_default()
    }

    pub fn with_rule_text(mut self, text: &str) -> Self {
        let rule = self.0.get_mut("rules").and_then(|rules| rules.get_mut(0));
        if let Some(fields) = rule.and_then(Value::as_object_mut) {
            fields.insert("ruleContent".to_owned(), Value::from(text));
        }
        self
    }

    /// What it does, before the grants.
    pub fn verb(&self) -> &'static str {
        match (self.field("type"), self.field("behavior")) {
            ("addRules" | "replaceRules", "deny") => "Always deny",
            ("addRules" | "replaceRules", "ask") => "Always ask for",
            ("addRules" | "replaceRules", _) => "Always allow",
            ("removeRules", _) => "Remove the rule",
            ("addDirectories", _) => "Let it work in",
            ("removeDirectories", _) => "No longer work in",
            ("setMode", _) => "Switch the mode to",
            _ => "Apply",
        }
    }

    /// Where it is kept.
    pub fn scope(&self) -> &'static str {
        Self::scope_of(self.place())
    }

    pub fn scope_of(place: &str) -> &'static str {
        match place {
            "session" | "cliArg" => "this session",
            "localSettings" => "this project, for you (.claude/settings.local.json)",
            "projectSettings" => "this project, for everyone (.claude/settings.json)",
            "userSettings" => "all your projects (user settings)",
            _ => "an unknown place",
        }
    }
}

/// How a request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Allowed,
    Denied,
    Answered,
    Cancelled,
    TimedOut,
    Withdrawn,
    ProcessEnded,
    AllowedByRule,
    DeniedByRule,
}

/// Who or what ended it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResolvedBy {
    /// A person, in any tab or through a script.
    User,
    /// The agent withdrew it.
    Agent,
    /// Nobody answered in time.
    Timeout,
    /// The process went away.
    Process,
    /// Everyone was gone, and the policy is not to wait.
    Disconnect,
    /// A person changed the permission mode meanwhile.
    ModeChange,
    /// The server was stopped.
    Shutdown,
    Rule,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn one_of_several_grants_is_taken_out() {
        let rules = Suggestion(
            json!({"type": "addRules", "behavior": "allow", "destination": "session",
            "rules": [{"toolName": "Read"}, {"toolName": "Bash", "ruleContent": "ls:*"}]}),
        );
        let left = rules.clone().without("Read").expect("one is left");
        assert_eq!(left.grants(), ["Bash(ls:*)"]);
        assert_eq!(left.without("Bash(ls:*)"), None);
        assert_eq!(rules.clone().without("Write"), Some(rules));
        let mode = Suggestion(json!({"type": "setMode", "mode": "acceptEdits"}));
        assert_eq!(mode.clone().without("Read"), Some(mode));
    }

    #[test]
    fn a_rule_may_be_kept_elsewhere_and_be_worded_otherwise_but_not_be_about_everything() {
        let offer = |value: Value| Suggestion(value);
        let rule = json!({"type": "addRules", "rules": [{"toolName": "Bash", "ruleContent": "ls *"}],
            "behavior": "allow", "destination": "localSettings"});
        let mode = json!({"type": "setMode", "mode": "acceptEdits", "destination": "session"});
        let offered = [offer(rule.clone()), offer(mode.clone())];
        let changed = |value: &Value, field: &str, new: Value| {
            let mut changed = value.clone();
            changed[field] = new;
            offer(changed)
        };
        assert!(offer(rule.clone()).is_one_of(&offered));
        for place in ["session", "projectSettings", "userSettings"] {
            assert!(
                changed(&rule, "destination", json!(place)).is_one_of(&offered),
                "{place}"
            );
        }
        let edited = json!([{"toolName": "Bash", "ruleContent": "ls -l *"}]);
        assert!(changed(&rule, "rules", edited).is_one_of(&offered));
        for other in [
            changed(&rule, "destination", json!("cliArg")),
            changed(&rule, "destination", json!(null)),
            changed(&rule, "rules", json!([{"toolName": "Bash"}])),
            changed(
                &rule,
                "rules",
                json!([{"toolName": "Read", "ruleContent": "ls *"}]),
            ),
            changed(
                &rule,
                "rules",
                json!([{"toolName": "Bash", "ruleContent": "*"}]),
            ),
            changed(
                &rule,
                "rules",
                json!([{"toolName": "Bash", "ruleContent": ""}]),
            ),
            changed(
                &rule,
                "rules",
                json!([{"toolName": "Bash", "ruleContent": ":*"}]),
            ),
            changed(
                &rule,
                "rules",
                json!([{"toolName": "Bash", "ruleContent": "Bash(ls *)"}]),
            ),
            changed(&rule, "behavior", json!("deny")),
            // a mode for all projects would be far more than a mode for this session
            changed(&mode, "destination", json!("userSettings")),
            offer(json!("setMode")),
        ] {
            assert!(!other.is_one_of(&offered), "{other:?}");
        }
    }
}
