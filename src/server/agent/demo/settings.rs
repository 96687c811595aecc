//! Owns the rules that a session starts with: `--allowedTools`, `--disallowedTools`, `--add-dir`, `--settings`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::arguments::Arguments;
use super::paths;
use super::rules::{Behavior, Rules};

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
    let permissions = &given_settings(arguments, project)["permissions"];
    for behavior in Behavior::ALL {
        for rule in permissions[behavior.name()]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
        {
            rules.add_written(behavior, "flagSettings", rule);
        }
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
