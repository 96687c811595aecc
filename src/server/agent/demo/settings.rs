//! Owns the rules that a session starts with: `--allowedTools`, `--disallowedTools`, `--add-dir`, `--settings`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::arguments::Arguments;
use super::rules::{Behavior, Rules};
use super::{kept_rules, paths};

pub fn add_rules(rules: &mut Rules, arguments: &Arguments, project: &Path) {
    for rule in &arguments.allowed_tools {
        rules.add_written(Behavior::Allow, "cliArg", rule);
    }
    for rule in &arguments.disallowed_tools {
        rules.add_written(Behavior::Deny, "cliArg", rule);
    }
    for directory in &arguments.additional_directories {
        let directory = paths::absolute(project, &directory.display().to_string());
        rules.directories.push((directory, "cliArg".into()));
    }
    if let Some(settings) = given_settings(arguments, project).as_object() {
        kept_rules::take(rules, settings, "flagSettings");
    }
}

/// `--settings` holds either JSON or the path of a file with JSON.
fn given_settings(arguments: &Arguments, project: &Path) -> Value {
    let Some(given) = &arguments.settings else {
        return Value::Null;
    };
    serde_json::from_str(given)
        .ok()
        .or_else(|| {
            let text = fs::read_to_string(paths::absolute(project, given)).ok()?;
            serde_json::from_str(&text).ok()
        })
        .unwrap_or(Value::Null)
}
