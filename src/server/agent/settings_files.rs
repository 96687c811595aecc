//! The deny rules in the agent's own settings files. It reads them when it decides whether to ask; an input that was
//! edited afterwards it does not look at again, so we do.

use crate::desk::DenyRule;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A settings file is small; anything much larger is none.
const LARGEST: u64 = 1024 * 1024;

/// `own`: where the agent keeps its things; `project`: where it works. Blocks for moments.
pub fn deny_rules(own: &Path, project: &Path) -> Vec<DenyRule> {
    let in_project = project.join(".claude");
    let files: [(PathBuf, &Path, &str); 4] = [
        (own.join("settings.json"), own, "your user settings"),
        (
            in_project.join("settings.json"),
            project,
            "the project’s settings",
        ),
        (
            in_project.join("settings.local.json"),
            project,
            "your settings for this project",
        ),
        (
            PathBuf::from("/etc/claude-code/managed-settings.json"),
            project,
            "your organisation’s policy",
        ),
    ];
    files
        .iter()
        .flat_map(|(file, root, place)| rules_in(file, root, place))
        .collect()
}

fn rules_in(file: &Path, root: &Path, place: &str) -> Vec<DenyRule> {
    let is_readable = file
        .metadata()
        .is_ok_and(|data| data.is_file() && data.len() <= LARGEST);
    let text = is_readable.then(|| std::fs::read(file).ok()).flatten();
    let Some(text) = text else {
        return Vec::new();
    };
    let settings: Value = match serde_json::from_slice(&text) {
        Ok(settings) => settings,
        Err(error) => {
            tracing::warn!(file = %file.display(), %error, "a settings file of the agent cannot be read");
            return Vec::new();
        }
    };
    let rules = settings["permissions"]["deny"].as_array();
    rules
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .filter_map(|rule| DenyRule::read(rule, place, &root.to_string_lossy()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_read_and_what_is_broken_is_passed_over() {
        let directory = tempfile::tempdir().expect("directory");
        let (own, project) = (
            directory.path().join("own"),
            directory.path().join("project"),
        );
        std::fs::create_dir_all(&own).expect("a folder");
        std::fs::create_dir_all(project.join(".claude")).expect("a folder");
        assert_eq!(deny_rules(&own, &project), []);
        for (file, text) in [
            (
                own.join("settings.json"),
                r#"{"permissions": {"deny": ["Bash(rm *)", 7]}}"#,
            ),
            (project.join(".claude/settings.json"), "{ broken"),
            (
                project.join(".claude/settings.local.json"),
                r#"{"permissions": {"deny": ["Read(.env)"]}}"#,
            ),
        ] {
            std::fs::write(file, text).expect("written");
        }
        let found: Vec<(String, String)> = deny_rules(&own, &project)
            .into_iter()
            .map(|rule| (rule.written(), rule.place))
            .collect();
        assert_eq!(
            found,
            [
                ("Bash(rm *)".to_owned(), "your user settings".to_owned()),
                (
                    "Read(.env)".to_owned(),
                    "your settings for this project".to_owned()
                ),
            ]
        );
    }
}
