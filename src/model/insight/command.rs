//! What a shell command would do, in words and in places: the parts it consists of, and the marks they earned.
//! All positions are bytes of the exact text that will run; the pieces put together again are that text.

use serde::{Deserialize, Serialize};

/// From `start` up to, not including, `end`, in bytes of the command; always on character boundaries.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}

impl Span {
    pub fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }

    /// The text it covers; empty when it does not fit the text.
    pub fn of<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.start..self.end).unwrap_or_default()
    }

    pub fn contains(&self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandInsight {
    pub parsed: Parsed,
    /// Highlighting. Covers the text without gap or overlap.
    pub pieces: Vec<Piece>,
    /// The simple commands in the order they are written, also those inside substitutions and inner scripts.
    pub segments: Vec<Segment>,
    /// Where a new row begins, in the order of the text. The first row begins with the text and is not among them.
    #[serde(default)]
    pub breaks: Vec<Break>,
    /// Worst first, then in the order of the text.
    pub marks: Vec<Mark>,
}

impl CommandInsight {
    pub fn has_danger(&self) -> bool {
        self.marks
            .iter()
            .any(|mark| mark.severity == Severity::Danger)
    }

    /// Nobody can tell from the marks what it does.
    pub fn is_unreadable(&self) -> bool {
        self.parsed != Parsed::Yes
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "state")]
pub enum Parsed {
    #[default]
    Yes,
    /// The marks then come from a look at the bare words, and may be too many or too few.
    No { why: String, at: Option<usize> },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    pub kind: PieceKind,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PieceKind {
    /// Spaces, line ends, and everything in a text that does not parse.
    #[default]
    Plain,
    Program,
    Argument,
    Option,
    String,
    Variable,
    /// `NAME=value` in front of a command.
    Assignment,
    Operator,
    Redirection,
    Keyword,
    Comment,
    HereDocument,
}

/// One simple command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    pub span: Span,
    pub joined: Joined,
    pub within: Within,
    /// How many substitutions, groups and inner scripts are around it.
    pub depth: usize,
    pub background: bool,
    /// The program after quotes are taken off, as far as it is known before it runs.
    pub program: Option<String>,
}

/// A place between two commands, also between those inside loops, conditions and groups; never inside a substitution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Break {
    /// The operator or the line end that stands there, with the blanks around. May be empty.
    pub lead: Span,
    /// How many loops, conditions, groups and functions the row begins inside of.
    pub depth: usize,
}

/// How a segment follows the one before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Joined {
    #[default]
    First,
    Pipe,
    And,
    Or,
    /// `;`, `&` or a new line.
    Then,
}

/// What a segment is directly inside of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Within {
    #[default]
    Command,
    Substitution,
    Group,
    Condition,
    Loop,
    Function,
    /// Text handed to a shell: `bash -c '…'`, `ssh host '…'`, `eval …`, a here-document.
    Script,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    pub kind: MarkKind,
    pub severity: Severity,
    /// For a person: "Deletes recursively: build/".
    pub sentence: String,
    /// The segment that earned it.
    pub segment: Span,
    /// The words of it that earned it.
    pub words: Vec<Span>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    Danger,
    Caution,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MarkKind {
    DownloadsIntoShell,
    RunsAsRoot,
    DeletesRecursively,
    WritesDisk,
    ShutsDown,
    Obfuscated,
    HiddenCharacters,
    ReadsSecrets,
    SendsSecrets,
    RewritesHistory,
    Forces,
    DeletesData,
    KillsProcesses,
    Publishes,
    ChangesPermissions,
    ListensOnNetwork,
    WritesOutside,
    WritesTemporary,
    Overwrites,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wire_form_uses_snake_case_words() -> Result<(), serde_json::Error> {
        let mark = Mark {
            kind: MarkKind::DownloadsIntoShell,
            severity: Severity::Danger,
            sentence: String::new(),
            segment: Span::new(0, 1),
            words: Vec::new(),
        };
        let json = serde_json::to_value(&mark)?;
        assert_eq!(json["kind"], "downloads_into_shell");
        assert_eq!(json["severity"], "danger");
        let unparsed = Parsed::No {
            why: "no".into(),
            at: Some(3),
        };
        let json = serde_json::to_value(&unparsed)?;
        assert_eq!(json["state"], "no");
        assert_eq!(serde_json::from_value::<Parsed>(json)?, unparsed);
        Ok(())
    }

    #[test]
    fn a_span_that_does_not_fit_shows_nothing() {
        assert_eq!(Span::new(2, 9).of("abc"), "");
        assert_eq!(Span::new(1, 2).of("ü"), "");
        assert_eq!(Span::new(1, 3).of("abc"), "bc");
    }
}
