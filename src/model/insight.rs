//! What the server found out about a request, for a person who has two seconds.

pub mod command;
pub mod file;

use command::CommandInsight;
use file::{FileInsight, FilePath};
use serde::{Deserialize, Serialize};

/// Empty for a request that neither runs a command nor touches a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Insight {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<CommandInsight>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<FileInsight>,
    /// Where a tool that only reads would look.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reads: Option<FilePath>,
}
