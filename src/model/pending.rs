//! A question from a process that waits for a person, and how it ended.

use super::{Digest, Grounds, RequestId, ToolInput, ToolUseId, UnixTime};
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestType {
    ToolApproval,
    AskUserQuestion,
    PlanApproval,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskingAgent {
    pub id: String,
    pub label: String,
}

/// A permission update that the CLI offers to remember, kept exactly as it came.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Suggestion(pub Value);

impl Suggestion {
    fn field(&self, name: &str) -> &str {
        self.0.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// The literal rules, directories or mode that would be granted.
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
                    match rule["ruleContent"].as_str() {
                        Some(content) => format!("{tool}({content})"),
                        None => tool.to_owned(),
                    }
                })
                .collect(),
            "addDirectories" | "removeDirectories" => list("directories")
                .iter()
                .filter_map(|directory| directory.as_str().map(str::to_owned))
                .collect(),
            "setMode" => vec![self.field("mode").to_owned()],
            _ => vec![self.0.to_string()],
        }
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
        match self.field("destination") {
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
    /// The server was stopped.
    Shutdown,
    Rule,
}
