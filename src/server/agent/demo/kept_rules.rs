//! Owns the rules in settings files: the person's own below the configuration directory, those of the project in its
//! `.claude`. An answer that wants a rule kept there finds it there again.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::rules::{Behavior, Rules};

const PLACES: [&str; 3] = ["userSettings", "projectSettings", "localSettings"];

/// Where the settings of a session lie.
#[derive(Clone, Copy, Debug)]
pub struct Around<'a> {
    /// The configuration directory.
    pub own: &'a Path,
    pub project: &'a Path,
}

impl Around<'_> {
    /// Nothing for rules that end with the session.
    fn file(self, place: &str) -> Option<PathBuf> {
        match place {
            "userSettings" => Some(self.own.join("settings.json")),
            "projectSettings" => Some(self.project.join(".claude/settings.json")),
            "localSettings" => Some(self.project.join(".claude/settings.local.json")),
            _ => None,
        }
    }
}

/// As the files have them now: a person may have changed one meanwhile.
pub fn read_again(rules: &mut Rules, around: Around<'_>) {
    for place in PLACES {
        rules.forget(place);
    }
    add_rules(rules, around);
}

pub fn add_rules(rules: &mut Rules, around: Around<'_>) {
    for place in PLACES {
        let Some(file) = around.file(place) else {
            continue;
        };
        // a file that cannot be read holds no rules; it is not touched either
        if let Some(settings) = read(&file) {
            take(rules, &settings, place);
        }
    }
}

/// Keeps one entry of `updatedPermissions` where it says; whatever else the file holds stays.
pub fn keep(update: &Value, around: Around<'_>) -> Option<()> {
    let place = update["destination"].as_str()?;
    let file = around.file(place)?;
    let mut settings = match file.exists() {
        true => read(&file)?,
        false => Map::new(),
    };
    let mut rules = Rules::default();
    take(&mut rules, &settings, place);
    rules.apply(update);
    let permissions = settings.entry("permissions").or_insert_with(|| json!({}));
    put(permissions.as_object_mut()?, &rules);
    fs::create_dir_all(file.parent()?).ok()?;
    let text = serde_json::to_string_pretty(&settings).ok()?;
    fs::write(&file, text + "\n").ok()
}

fn read(file: &Path) -> Option<Map<String, Value>> {
    serde_json::from_slice(&fs::read(file).ok()?).ok()
}

pub fn take(rules: &mut Rules, settings: &Map<String, Value>, place: &str) {
    let permissions = settings.get("permissions").unwrap_or(&Value::Null);
    let texts = |list: &str| -> Vec<&str> {
        let list = permissions[list].as_array().into_iter().flatten();
        list.filter_map(Value::as_str).collect()
    };
    for behavior in Behavior::ALL {
        for rule in texts(behavior.name()) {
            rules.add_written(behavior, place, rule);
        }
    }
    let directories = texts("additionalDirectories").into_iter();
    let directories = directories.map(|path| (PathBuf::from(path), place.to_owned()));
    rules.directories.extend(directories);
}

fn put(permissions: &mut Map<String, Value>, rules: &Rules) {
    let mut set = |list: &str, entries: Vec<String>| {
        if !entries.is_empty() || permissions.contains_key(list) {
            permissions.insert(list.to_owned(), json!(entries));
        }
    };
    for behavior in Behavior::ALL {
        let of_kind = rules.rules.iter().filter(|rule| rule.behavior == behavior);
        set(
            behavior.name(),
            of_kind.map(|rule| rule.written()).collect(),
        );
    }
    let directories = rules.directories.iter();
    set(
        "additionalDirectories",
        directories
            .map(|(path, _)| path.display().to_string())
            .collect(),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_found_again_and_what_else_was_there_stays() {
        let directory = tempfile::tempdir().expect("a directory");
        let (own, project) = (directory.path().join("own"), directory.path().join("work"));
        fs::create_dir_all(project.join(".claude")).expect("a folder");
        let local = project.join(".claude/settings.local.json");
        fs::write(
            &local,
            r#"{"theme":"dark","permissions":{"deny":["Bash(rm *)"]}}"#,
        )
        .expect("written");
        let around = Around {
            own: &own,
            project: &project,
        };
        for place in [
            "userSettings",
            "projectSettings",
            "localSettings",
            "session",
        ] {
            let rule = json!({"toolName": "Bash", "ruleContent": format!("echo {place}")});
            keep(
                &json!({"type": "addRules", "rules": [rule], "behavior": "allow", "destination": place}),
                around,
            );
        }
        let mut rules = Rules::default();
        add_rules(&mut rules, around);
        let written: Vec<String> = rules.rules.iter().map(|rule| rule.written()).collect();
        assert_eq!(
            written,
            [
                "Bash(echo userSettings)",
                "Bash(echo projectSettings)",
                "Bash(echo localSettings)",
                "Bash(rm *)",
            ]
        );
        let kept = read(&local).expect("settings");
        assert_eq!(kept["theme"], "dark");
        fs::remove_file(&local).expect("removed");
        read_again(&mut rules, around);
        let left: Vec<String> = rules.rules.iter().map(|rule| rule.written()).collect();
        assert_eq!(left, written[..2]);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_left_alone() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("settings.json");
        fs::write(&file, "{ broken").expect("written");
        let around = Around {
            own: directory.path(),
            project: directory.path(),
        };
        let update = json!({"type": "addRules", "rules": [{"toolName": "Read"}], "behavior": "allow", "destination": "userSettings"});
        assert_eq!(keep(&update, around), None);
        assert_eq!(fs::read_to_string(&file).expect("text"), "{ broken");
    }
}
