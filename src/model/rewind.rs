//! What would change for one who goes back to before a message of theirs.

use serde::{Deserialize, Serialize};

/// Files that the agent itself has changed since; what commands changed is not known to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RewindPreview {
    pub files: Vec<String>,
    /// Lines that come back, and that go.
    pub added: u64,
    pub removed: u64,
    /// Why no file can be put back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why_not: Option<String>,
}
