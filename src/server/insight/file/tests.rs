//! A workspace on the disk for each test, and rows read as a person would.

mod claude_code;
mod colours;
mod disk;
mod notebooks;
mod randomly;
mod rows;
mod situations;

use super::{Limits, Workspace, look};
use crate::model::ToolInput;
use crate::model::insight::file::{FileInsight, LineEnd, Row, RowKind};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;

/// A project, and a folder beside it.
struct World {
    folder: TempDir,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("project")).expect("a folder");
        fs::create_dir(folder.path().join("elsewhere")).expect("a folder");
        Self { folder }
    }

    fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    fn elsewhere(&self) -> PathBuf {
        self.folder.path().join("elsewhere")
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.project().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(path, bytes).expect("a file");
    }

    fn look_with(&self, limits: &Limits, tool: &str, input: Value) -> FileInsight {
        let project = self.project();
        let workspace = Workspace {
            project: &project,
            home: Some(self.folder.path()),
        };
        look(workspace, tool, &ToolInput::from_value(input), limits).expect("an insight")
    }

    fn look(&self, tool: &str, input: Value) -> FileInsight {
        self.look_with(&patient(), tool, input)
    }

    fn write(&self, name: &str, content: &str) -> FileInsight {
        let input = json!({"file_path": self.project().join(name), "content": content});
        self.look("Write", input)
    }

    fn edit(&self, name: &str, old: &str, new: &str) -> FileInsight {
        let path = self.project().join(name);
        let input = json!({"file_path": path, "old_string": old, "new_string": new});
        self.look("Edit", input)
    }

    fn edit_all(&self, name: &str, old: &str, new: &str) -> FileInsight {
        let path = self.project().join(name);
        let input =
            json!({"file_path": path, "old_string": old, "new_string": new, "replace_all": true});
        self.look("Edit", input)
    }
}

/// As ever, but on a busy machine too.
fn patient() -> Limits {
    Limits {
        time_to_compare: Duration::from_secs(60),
        time_to_draw: Duration::from_secs(60),
        ..Limits::default()
    }
}

/// No gaps, nothing cut.
fn no_limits() -> Limits {
    Limits {
        context: 1_000_000,
        carried_rows: 1_000_000,
        opened_rows: 1_000_000,
        carried_bytes: usize::MAX,
        line_bytes: 10_000_000,
        ..patient()
    }
}

fn text(row: &Row) -> String {
    row.pieces.iter().map(|piece| piece.text.as_str()).collect()
}

/// `-2   b`: sign, numbers, text, and the end of the line if it is unusual; changed words in brackets.
fn drawn(rows: &[Row]) -> Vec<String> {
    rows.iter().map(draw).collect()
}

fn draw(row: &Row) -> String {
    let sign = match row.kind {
        RowKind::Context => ' ',
        RowKind::Added => '+',
        RowKind::Removed => '-',
        RowKind::Gap => {
            let gap = row.gap.expect("a gap");
            return format!(
                "… {} rows from {}, {} changed",
                gap.rows, gap.first, gap.changed
            );
        }
    };
    let number = |line: Option<u32>| line.map_or("·".to_owned(), |line| line.to_string());
    let end = match row.end {
        LineEnd::Lf => "",
        LineEnd::CrLf => "␍",
        LineEnd::Missing => "∅",
    };
    let mut words = String::new();
    let mut is_open = false;
    for piece in &row.pieces {
        if piece.changed != is_open {
            words.push(if is_open { ']' } else { '[' });
            is_open = piece.changed;
        }
        words.push_str(&piece.text);
    }
    if is_open {
        words.push(']');
    }
    let (old, new) = (number(row.old_line), number(row.new_line));
    format!("{sign}{old} {new} {words}{end}")
}

/// What the rows say that the text was, and what it becomes.
fn both_texts(rows: &[Row]) -> (String, String) {
    let side = |left_out: RowKind| -> String {
        rows.iter()
            .filter(|row| row.kind != left_out)
            .map(|row| {
                assert_ne!(row.kind, RowKind::Gap);
                let end = match row.end {
                    LineEnd::Lf => "\n",
                    LineEnd::CrLf => "\r\n",
                    LineEnd::Missing => "",
                };
                text(row) + end
            })
            .collect()
    };
    (side(RowKind::Added), side(RowKind::Removed))
}
