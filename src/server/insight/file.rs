//! What a request would do to a file, found out before a person answers: the file is read as it is on the disk, the edit
//! is done in memory, and both are compared. [`look`] reads the disk once, and only the path the request names; all
//! that follows is pure. Blocking: call it where that is allowed.

mod compare;
mod disk;
mod draw;
mod edit;
mod findings;
mod highlight;
mod notebook;
mod on_disk;
mod path;
mod pieces;
mod quotes;
mod reading;
mod request;
mod select;
#[cfg(test)]
mod tests;
mod text;
mod words;

use crate::model::ToolInput;
use crate::model::insight::file::{Change, FileInsight, Row};
use draw::counted;
use findings::{content_of, find};
pub use reading::whereabouts;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

/// Where a session works.
#[derive(Clone, Copy, Debug)]
pub struct Workspace<'a> {
    /// The only folder beneath which files are read.
    pub project: &'a Path,
    /// What `~` means to the agent.
    pub home: Option<&'a Path>,
}

/// What a look may cost, and how much of it travels.
#[derive(Clone, Debug)]
pub struct Limits {
    pub file_bytes: u64,
    /// Lines around a change.
    pub context: usize,
    /// Changed lines that are carried at first: what a browser draws before anyone notices.
    pub carried_rows: usize,
    /// Rows for each gap that is opened.
    pub opened_rows: usize,
    /// All rows together, about.
    pub carried_bytes: usize,
    /// Of one line.
    pub line_bytes: usize,
    /// A larger text has no colours.
    pub coloured_bytes: usize,
    /// When it is over, the change is told coarsely. Only contrived texts take so long.
    pub time_to_compare: Duration,
    /// When it is over, words that differ are not marked and there are no colours.
    pub time_to_draw: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 8 * 1024 * 1024,
            context: 3,
            carried_rows: 200,
            opened_rows: 2_000,
            carried_bytes: 512 * 1024,
            line_bytes: 4_000,
            coloured_bytes: 2 * 1024 * 1024,
            time_to_compare: Duration::from_millis(200),
            time_to_draw: Duration::from_millis(80),
        }
    }
}

/// `None` if the tool does not change a file, or is asked in a way that makes no sense.
pub fn look(
    workspace: Workspace,
    tool: &str,
    input: &ToolInput,
    limits: &Limits,
) -> Option<FileInsight> {
    let findings = find(workspace, tool, input, limits)?;
    let compared = findings.compared(limits);
    let parts = select::hunks(&compared, limits.context, limits.carried_rows);
    let (added, removed) = compared.size();
    let change = Change {
        added: counted(added),
        removed: counted(removed),
        rows: findings.draw(&compared, &parts, limits),
        version: findings.version(&compared),
    };
    Some(FileInsight {
        path: findings.path,
        before: findings.before,
        problem: findings.problem,
        notes: findings.notes,
        places: findings.places,
        cell: findings.cell,
        change,
    })
}

/// Whether the change is still the one that [`look`] gave this version. How it is drawn does not matter here: where the time
/// was up, it may be drawn otherwise each time.
pub fn is_still(
    version: &str,
    workspace: Workspace,
    tool: &str,
    input: &ToolInput,
    limits: &Limits,
) -> bool {
    let findings = find(workspace, tool, input, limits);
    findings.is_some_and(|findings| findings.content() == content_of(version))
}

/// The rows of a gap, in place of it. `None` if the file is no longer what it was: the card has to be made anew. To see
/// a very long line whole, ask for it alone with larger limits.
pub fn open_gap(
    workspace: Workspace,
    tool: &str,
    input: &ToolInput,
    version: &str,
    rows: Range<usize>,
    limits: &Limits,
) -> Option<Vec<Row>> {
    let findings = find(workspace, tool, input, limits)?;
    let compared = findings.compared(limits);
    if findings.version(&compared) != version {
        return None;
    }
    let parts = select::opened(rows, compared.rows(), limits.opened_rows);
    Some(findings.draw(&compared, &parts, limits))
}
