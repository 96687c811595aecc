//! The files that the CLI reads before everything else: which there are, which could be, and what it noted by itself.

use super::{grouped, list, text, word};
use crate::model::{AboutRow, FileAction};
use serde_json::Value;

/// `dialog`: the files as it lists them for a person who wants to change them; an older one cannot. `context`: what fills its
/// window, with the files that are in it.
pub fn memory(dialog: &Value, context: &Value) -> Vec<AboutRow> {
    let loaded = list(&context["memoryFiles"]);
    if dialog["files"].is_null() {
        return loaded.iter().map(loaded_row).collect();
    }
    let size = |path: &str| {
        let mut loaded = loaded.iter();
        let file = loaded.find(|file| word(file, "path") == path)?;
        Some(tokens(file)).filter(|tokens| !tokens.is_empty())
    };
    let file = |file: &Value| {
        let is_there = file["exists"] == true;
        let about = Some(text(file, "description")).filter(|words| !words.is_empty());
        let state = match is_there {
            true => size(word(file, "path")),
            false => Some("Not there yet".to_owned()),
        };
        AboutRow {
            // what another file includes is drawn as a branch in a terminal
            label: word(file, "label").trim_start_matches("L ").to_owned(),
            value: text(file, "path"),
            detail: about
                .into_iter()
                .chain(state)
                .collect::<Vec<_>>()
                .join(" · "),
            file: Some(match is_there {
                true => FileAction::Edit,
                false => FileAction::Create,
            }),
            ..AboutRow::default()
        }
    };
    let noted = |note: &Value| AboutRow {
        group: "What it noted by itself".to_owned(),
        label: text(note, "name"),
        value: text(note, "path"),
        detail: text(note, "description"),
        file: Some(FileAction::Edit),
        ..AboutRow::default()
    };
    let files = list(&dialog["files"]).iter().map(file);
    files
        .chain(list(&dialog["memories"]).iter().map(noted))
        .collect()
}

fn loaded_row(file: &Value) -> AboutRow {
    AboutRow {
        label: text(file, "type"),
        value: text(file, "path"),
        detail: tokens(file),
        ..AboutRow::default()
    }
}

fn tokens(file: &Value) -> String {
    let tokens = file["tokens"].as_u64().map(grouped);
    tokens
        .map(|tokens| format!("{tokens} tokens"))
        .unwrap_or_default()
}

/// Whether it is one of the files that it lists: no other is read or written for a page.
pub fn is_listed(dialog: &Value, path: &str) -> bool {
    let rows = memory(dialog, &Value::Null);
    rows.iter().any(|row| row.value == path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn files_that_are_there_are_edited_and_those_that_could_be_are_created() {
        let context = json!({"memoryFiles": [{"path": "/code/CLAUDE.md", "type": "Project", "tokens": 1009}]});
        let dialog = json!({
            "files": [
                {"kind": "project", "path": "/code/CLAUDE.md", "label": "Project instructions", "description": "Saved in ./CLAUDE.md", "exists": true},
                {"kind": "other", "path": "/code/extra.md", "label": "L extra.md", "description": "@-imported", "exists": true},
                {"kind": "user", "path": "/own/CLAUDE.md", "label": "User instructions", "description": "", "exists": false},
            ],
            "memories": [{"name": "MEMORY.md", "path": "/own/memory/MEMORY.md", "description": null, "type": null, "modified_ms": 1}],
        });
        let rows = memory(&dialog, &context);
        let shown: Vec<_> = rows
            .iter()
            .map(|row| (row.label.as_str(), row.detail.as_str(), row.file))
            .collect();
        assert_eq!(
            shown,
            [
                (
                    "Project instructions",
                    "Saved in ./CLAUDE.md · 1,009 tokens",
                    Some(FileAction::Edit)
                ),
                ("extra.md", "@-imported", Some(FileAction::Edit)),
                (
                    "User instructions",
                    "Not there yet",
                    Some(FileAction::Create)
                ),
                ("MEMORY.md", "", Some(FileAction::Edit)),
            ]
        );
        for path in [
            "/code/CLAUDE.md",
            "/code/extra.md",
            "/own/CLAUDE.md",
            "/own/memory/MEMORY.md",
        ] {
            assert!(is_listed(&dialog, path), "{path}");
        }
        for path in ["", "/etc/passwd", "/code/../code/CLAUDE.md", "CLAUDE.md"] {
            assert!(!is_listed(&dialog, path), "{path}");
        }
    }

    #[test]
    fn an_agent_that_lists_only_what_it_loaded_has_them_shown() {
        let context =
            json!({"memoryFiles": [{"path": "/code/CLAUDE.md", "type": "Project", "tokens": 9}]});
        let rows = memory(&Value::Null, &context);
        assert_eq!(
            (rows[0].value.as_str(), rows[0].file),
            ("/code/CLAUDE.md", None)
        );
        assert_eq!(rows[0].detail, "9 tokens");
        assert!(!is_listed(&Value::Null, "/code/CLAUDE.md"));
    }
}
