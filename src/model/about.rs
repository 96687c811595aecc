//! What an agent tells of itself when it is asked. The server puts it into words and rows; the page only lays them out.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AboutPart {
    /// By which it is opened: `status`, `context`, `permissions`, `mcp`, `hooks`, `memory`, `help`.
    pub name: String,
    pub title: String,
    /// What is to be said before the rows, or in their place.
    #[serde(default)]
    pub note: String,
    pub rows: Vec<AboutRow>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AboutRow {
    /// Rows that follow one another in the same group stand under it.
    #[serde(default)]
    pub group: String,
    #[serde(default)]
    pub label: String,
    #[serde(default)]
    pub value: String,
    /// What is less important, or why it is as it is.
    #[serde(default)]
    pub detail: String,
    /// How much of the whole it takes, in thousandths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<u16>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_trouble: bool,
    /// What can be done to the MCP server that the row is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<ServerAction>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ServerAction {
    Reconnect,
    SwitchOn,
    SwitchOff,
}
