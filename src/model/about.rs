//! What an agent tells of itself when it is asked. The server puts it into words and rows; the page only lays them out.

use super::Digest;
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
    /// The rule that the row is about, when a person can remove it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<PermissionRule>,
    /// `value` was allowed for this session, and can be taken back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_granted: bool,
    /// What can be done with the file that `value` names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<FileAction>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ServerAction {
    Reconnect,
    SwitchOn,
    SwitchOff,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileAction {
    Edit,
    /// It is not there yet.
    Create,
}

/// A permission rule that a settings file keeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PermissionRule {
    pub behavior: Behavior,
    pub place: RulePlace,
    /// `Read`, `Bash(npm test:*)`.
    pub rule: String,
}

/// What the agent does when a rule fits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Behavior {
    #[default]
    Allow,
    Ask,
    Deny,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RulePlace {
    /// This project, for one person.
    #[default]
    Local,
    /// This project, for everyone who works in it.
    Project,
    /// All projects of one person.
    User,
}

/// What one settings file that a project brings along would allow if its folder were trusted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AllowedBy {
    pub file: String,
    #[serde(default)]
    pub rules: Vec<String>,
    /// Beside the project.
    #[serde(default)]
    pub folders: Vec<String>,
}

/// What a person reads before they trust a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderTrust {
    /// The repository that the folder is in, if it is another folder: all of it is trusted with it, and each of its work trees.
    #[serde(default)]
    pub root: Option<String>,
    #[serde(default)]
    pub allows: Vec<AllowedBy>,
}

/// A memory file as it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryText {
    pub text: String,
    /// None: the file is not there yet.
    #[serde(default)]
    pub digest: Option<Digest>,
    /// Where the text really is, when the file is a link.
    #[serde(default)]
    pub target: Option<String>,
}
