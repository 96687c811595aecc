//! What a request would do to a file: where it really is, what is there now, and the change, row by row. The browser
//! draws this, unified or side by side, and compares nothing itself.

mod sentences;

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileInsight {
    pub path: FilePath,
    pub before: Before,
    /// Why the tool, asked as it is, would refuse or do nothing. The change is then only what the request says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// How many places an edit replaces, when that is more than a matter of course.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub places: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cell: Option<Cell>,
    pub change: Change,
}

/// Where the file is. All of it is untrusted text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilePath {
    /// Relative to the project if it is named inside it, else absolute.
    pub shown: String,
    /// Where it really is, if a link leads elsewhere. Relative to the project if it is inside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub real: Option<String>,
    /// The last name is itself a link; today's Claude Code refuses to write through it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_link: bool,
    pub place: Place,
}

/// Where the file really is, all links followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    Project,
    Outside,
    /// Links in a circle, or a folder that may not be looked into.
    Unknown,
}

/// What is on the disk now. Only `Text` was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Before {
    #[default]
    Missing,
    Text {
        bytes: u64,
        lines: u32,
    },
    /// Not text that the tools could change.
    Binary {
        bytes: u64,
    },
    TooLarge {
        bytes: u64,
    },
    Directory,
    /// A pipe, a socket or a device: never opened.
    Special,
    /// Outside the project: never opened.
    Outside,
    /// It is there, or may be, and could not be read. In words of the system.
    Unreadable {
        reason: String,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Problem {
    /// The text to replace is not in the file. `edit` counts from 1.
    NotFound {
        edit: u32,
    },
    /// It is there several times, and the request is for one. The first lines where it begins.
    Several {
        edit: u32,
        count: u32,
        lines: Vec<u32>,
    },
    /// It is replaced by itself, or there is no edit at all.
    NothingChanges {
        edit: u32,
    },
    /// An edit without a text to replace makes a file, and there is one with text in it.
    AlreadyExists,
    /// An edit of a file that is not there.
    FileMissing,
    /// What is there is no text; today's Claude Code leaves it alone.
    NotText,
    InvalidPath,
    NotANotebook,
    CellMissing,
    CellNotNamed,
    CellTypeMissing,
}

/// What a person should know beside the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Note {
    /// The line ends of the whole file change.
    LineEnds {
        before: LineEnds,
        after: LineEnds,
    },
    /// The file uses CRLF and keeps it.
    KeepsCrLf,
    ByteOrderMark,
    Utf16,
    /// The file has curly quotes where the request has straight ones; the tool adapts the new text.
    QuotesAdapted,
    /// The line break after a deleted text goes with it.
    LineBreakGoesToo,
    /// The same file has other names, maybe outside the project.
    HardLink,
    /// The rows show the request alone: their line numbers are not those of the file.
    NotCompared,
    /// Both texts are the same.
    NoChange,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LineEnds {
    Lf,
    CrLf,
    Mixed,
}

/// The cell of a notebook that is changed; the rows are its source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    pub action: CellAction,
    /// Its place, from 1, and how many there are before the change.
    pub number: u32,
    pub of: u32,
    pub kind: String,
    /// The kind it becomes, if that is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_kind: Option<String>,
    /// Outputs that are lost.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub outputs_lost: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CellAction {
    Replace,
    Insert,
    Delete,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// True counts, however many rows are carried.
    pub added: u32,
    pub removed: u32,
    pub rows: Vec<Row>,
    /// Names exactly what was compared: gaps are opened in this version only.
    pub version: String,
}

/// One line, or a gap where lines are not carried. Names are short on the wire: there are many.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    #[serde(rename = "k")]
    pub kind: RowKind,
    #[serde(rename = "o", default, skip_serializing_if = "Option::is_none")]
    pub old_line: Option<u32>,
    #[serde(rename = "n", default, skip_serializing_if = "Option::is_none")]
    pub new_line: Option<u32>,
    #[serde(rename = "p", default, skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<Piece>,
    #[serde(default, skip_serializing_if = "LineEnd::is_usual")]
    pub end: LineEnd,
    /// The end of the line is a change, too.
    #[serde(default, skip_serializing_if = "is_false")]
    pub end_changed: bool,
    /// Has a counterpart: in a run of changed rows the n-th paired removed row became the n-th paired added one.
    #[serde(default, skip_serializing_if = "is_false")]
    pub paired: bool,
    /// Characters at the end of a very long line that are not carried.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<Gap>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RowKind {
    #[default]
    #[serde(rename = "c")]
    Context,
    #[serde(rename = "a")]
    Added,
    #[serde(rename = "r")]
    Removed,
    #[serde(rename = "g")]
    Gap,
}

/// Rows that are not carried: asked for by these numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    pub first: u32,
    pub rows: u32,
    /// How many of them are changes.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub changed: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LineEnd {
    #[default]
    Lf,
    CrLf,
    /// The text ends here, without a line break.
    Missing,
}

/// Part of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    #[serde(rename = "t")]
    pub text: String,
    #[serde(rename = "c", default, skip_serializing_if = "Option::is_none")]
    pub class: Option<Class>,
    /// The part of a changed line that is different.
    #[serde(rename = "x", default, skip_serializing_if = "is_false")]
    pub changed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Class {
    #[serde(rename = "k")]
    Keyword,
    #[serde(rename = "s")]
    Text,
    #[serde(rename = "n")]
    Number,
    #[serde(rename = "c")]
    Comment,
    #[serde(rename = "y")]
    Type,
    #[serde(rename = "f")]
    Function,
    /// A key, a tag, an attribute, a heading.
    #[serde(rename = "m")]
    Mark,
}

impl Class {
    /// The name of the style.
    pub fn name(self) -> &'static str {
        match self {
            Class::Keyword => "tok-keyword",
            Class::Text => "tok-text",
            Class::Number => "tok-number",
            Class::Comment => "tok-comment",
            Class::Type => "tok-type",
            Class::Function => "tok-function",
            Class::Mark => "tok-mark",
        }
    }
}

impl LineEnd {
    fn is_usual(&self) -> bool {
        *self == LineEnd::Lf
    }
}

/// Two columns of the same rows: left what was, right what will be. A gap is on both sides.
pub fn side_by_side(rows: &[Row]) -> Vec<(Option<&Row>, Option<&Row>)> {
    let mut lines = Vec::with_capacity(rows.len());
    let mut rest = rows;
    while let Some(first) = rest.first() {
        if matches!(first.kind, RowKind::Context | RowKind::Gap) {
            lines.push((Some(first), Some(first)));
            rest = &rest[1..];
            continue;
        }
        let removed = run(rest, RowKind::Removed);
        let (left_out, after) = left_out_between(removed, &rest[removed.len()..]);
        let added = run(after, RowKind::Added);
        rest = &after[added.len()..];
        beside(&mut lines, removed, added);
        lines.extend(left_out.map(|gap| (Some(gap), Some(gap))));
    }
    lines
}

/// Of a large change the rest of what goes is left out, and then comes what comes: these two belong beside each other.
fn left_out_between<'a>(removed: &[Row], after: &'a [Row]) -> (Option<&'a Row>, &'a [Row]) {
    let is_of_the_change =
        |row: &Row| row.gap.is_some_and(|gap| gap.changed == gap.rows) && !removed.is_empty();
    match after {
        [gap, rest @ ..]
            if is_of_the_change(gap)
                && rest.first().is_some_and(|row| row.kind == RowKind::Added) =>
        {
            (Some(gap), rest)
        }
        _ => (None, after),
    }
}

fn run(rows: &[Row], kind: RowKind) -> &[Row] {
    let length = rows.iter().take_while(|row| row.kind == kind).count();
    &rows[..length]
}

/// Counterparts stand beside each other; what is between two of them fills up from the top.
fn beside<'a>(
    lines: &mut Vec<(Option<&'a Row>, Option<&'a Row>)>,
    mut removed: &'a [Row],
    mut added: &'a [Row],
) {
    let next = |rows: &[Row]| rows.iter().position(|row| row.paired);
    while let (Some(left), Some(right)) = (next(removed), next(added)) {
        fill(lines, &removed[..left], &added[..right]);
        lines.push((Some(&removed[left]), Some(&added[right])));
        (removed, added) = (&removed[left + 1..], &added[right + 1..]);
    }
    fill(lines, removed, added);
}

fn fill<'a>(
    lines: &mut Vec<(Option<&'a Row>, Option<&'a Row>)>,
    removed: &'a [Row],
    added: &'a [Row],
) {
    let longer = removed.len().max(added.len());
    lines.extend((0..longer).map(|at| (removed.get(at), added.get(at))));
}

fn is_false(flag: &bool) -> bool {
    !flag
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}
