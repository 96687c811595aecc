//! The questions of an AskUserQuestion call, read from its input.

use super::ToolInput;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    pub question: String,
    #[serde(default)]
    pub header: String,
    #[serde(default, rename = "multiSelect")]
    pub multi_select: bool,
    #[serde(default)]
    pub options: Vec<Choice>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    pub label: String,
    #[serde(default)]
    pub description: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
}

impl ToolInput {
    /// The questions that can be read; one that is malformed does not hide the others.
    pub fn questions(&self) -> Vec<Question> {
        let Some(Value::Array(list)) = self.0.get("questions") else {
            return Vec::new();
        };
        list.iter()
            .filter_map(|value| Question::deserialize(value).ok())
            .collect()
    }
}

/// Several chosen labels and a free text as the CLI wants them: one string.
pub fn joined(chosen: &[String]) -> String {
    chosen.join(", ")
}
