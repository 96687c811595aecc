//! The permission rules that the CLI lists, by where they are kept, and which of them a person can change.

use super::{list, text, word};
use crate::desk::rules::form;
use crate::model::{AboutRow, Behavior, PermissionRule, RulePlace};
use serde_json::Value;
use std::path::Path;

/// The rules by where they are kept, then the folders. `own`: where the agent keeps its things.
/// `granted`: rules and folders that a person allowed for this session.
pub fn rules(answer: &Value, own: &Path, project: &Path, granted: &[String]) -> Vec<AboutRow> {
    let state = &answer["state"];
    let faults = list(&state["errors"]).iter().map(|fault| AboutRow {
        group: "Settings that cannot be read".to_owned(),
        label: "Ignored".to_owned(),
        value: text(fault, "file"),
        detail: text(fault, "message"),
        ..AboutRow::default()
    });
    let row = |rule: &Value| {
        let is_granted = is_granted(rule, granted);
        let source = match is_granted {
            true => "session",
            false => word(rule, "source"),
        };
        AboutRow {
            group: place(source, own, project),
            label: match word(rule, "behavior") {
                "allow" => "Allow".to_owned(),
                "deny" => "Deny".to_owned(),
                "ask" => "Ask".to_owned(),
                other => other.to_owned(),
            },
            value: text(rule, "rule"),
            detail: ["prefix", "emphasis", "suffix"]
                .map(|part| word(&rule["description"], part))
                .concat(),
            rule: removable(rule),
            is_granted,
            ..AboutRow::default()
        }
    };
    let mut rows: Vec<AboutRow> = Vec::new();
    for row in list(&state["rules"]).iter().map(row) {
        // what it learned from an answer we may have told it, too
        if !(row.is_granted && rows.contains(&row)) {
            rows.push(row);
        }
    }
    // those of one place stand together
    rows.sort_by(|one, other| one.group.cmp(&other.group));
    rows.splice(0..0, faults);
    let folder = |label: &str, path: &str, source: &str, is_granted: bool| AboutRow {
        group: "Folders".to_owned(),
        label: label.to_owned(),
        value: path.to_owned(),
        detail: match source {
            "" => String::new(),
            source => place(source, own, project),
        },
        is_granted,
        ..AboutRow::default()
    };
    let directory = word(state, "originalCwd");
    if !directory.is_empty() {
        rows.push(folder("Works in", directory, "", false));
    }
    for (path, source) in folders(answer) {
        // it has no name of its own for what we tell it
        let is_granted = granted.iter().any(|folder| folder == path);
        let source = if is_granted { "session" } else { source };
        rows.push(folder("Also in", path, source, is_granted));
    }
    rows
}

/// The folders beside the project, each with where that is kept.
fn folders(answer: &Value) -> impl Iterator<Item = (&str, &str)> {
    let listed = list(&answer["state"]["workspaceDirectories"]).iter();
    listed.map(|folder| {
        let path = folder.as_str().unwrap_or_else(|| word(folder, "path"));
        (path, word(folder, "source"))
    })
}

/// What a person allowed for this session, whether the agent heard it as an answer or from us at its start.
fn is_granted(rule: &Value, granted: &[String]) -> bool {
    let is_of_the_session = matches!(word(rule, "source"), "session" | "flagSettings" | "cliArg");
    let mut granted = granted.iter();
    is_of_the_session && granted.any(|granted| form::is_same(granted, word(rule, "rule")))
}

/// Whether the agent still goes by something that was granted for the session.
pub fn still_goes_by(answer: &Value, grant: &str) -> bool {
    let granted = [grant.to_owned()];
    let mut rules = list(&answer["state"]["rules"]).iter();
    rules.any(|rule| is_granted(rule, &granted)) || folders(answer).any(|(path, _)| path == grant)
}

/// Where a rule is kept, with the path of the file if it is one.
fn place(source: &str, own: &Path, project: &Path) -> String {
    let file = |words: &str, path: std::path::PathBuf| format!("{words} · {}", path.display());
    match source {
        "userSettings" => file("Your settings", own.join("settings.json")),
        "projectSettings" => file(
            "The project’s settings",
            project.join(".claude/settings.json"),
        ),
        "localSettings" => file(
            "Your settings for this project",
            project.join(".claude/settings.local.json"),
        ),
        // why these cannot be removed here
        "policySettings" => "Your organisation’s policy, which only it can change".to_owned(),
        "session" => "This session, until its process is ended".to_owned(),
        "cliArg" | "flagSettings" => "How the agent was started, for as long as it runs".to_owned(),
        other => other.to_owned(),
    }
}

/// One that a settings file of the person or the project keeps. What is for all of an organisation to follow is not.
fn removable(rule: &Value) -> Option<PermissionRule> {
    if word(rule, "editability") == "readonly" {
        return None;
    }
    Some(PermissionRule {
        behavior: match word(rule, "behavior") {
            "allow" => Behavior::Allow,
            "ask" => Behavior::Ask,
            "deny" => Behavior::Deny,
            _ => return None,
        },
        place: match word(rule, "source") {
            "localSettings" => RulePlace::Local,
            "projectSettings" => RulePlace::Project,
            "userSettings" => RulePlace::User,
            _ => return None,
        },
        rule: text(rule, "rule"),
    })
}

/// Whether the agent goes by a rule of that place now.
pub fn is_in_force(answer: &Value, rule: &PermissionRule) -> bool {
    let mut listed = list(&answer["state"]["rules"]).iter();
    listed.any(|one| {
        let listed = removable(one);
        listed.is_some_and(|listed| {
            (listed.behavior, listed.place) == (rule.behavior, rule.place)
                && form::is_same(&listed.rule, &rule.rule)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn rules_stand_together_by_the_file_that_keeps_them() {
        let answer = json!({"state": {
            "rules": [
                {"behavior": "ask", "source": "projectSettings", "rule": "Bash(git push:*)",
                 "description": {"prefix": "Any Bash command starting with ", "emphasis": "git push"}},
                {"behavior": "allow", "source": "session", "rule": "Read"},
                {"behavior": "allow", "source": "flagSettings", "rule": "Read"},
                {"behavior": "deny", "source": "projectSettings", "rule": "Read(./.env)"},
            ],
            "workspaceDirectories": [{"path": "/more", "source": "cliArg"}, "/plain", {"path": "/added", "source": "localSettings"}],
            "errors": [{"file": "/code/.claude/settings.local.json", "message": "Invalid JSON"}],
            "originalCwd": "/code",
        }});
        let granted = ["/added".to_owned(), "Read".to_owned()];
        let rows = rules(&answer, Path::new("/own"), Path::new("/code"), &granted);
        let shown: Vec<_> = rows
            .iter()
            .map(|row| (row.group.as_str(), row.label.as_str(), row.value.as_str()))
            .collect();
        let project = "The project’s settings · /code/.claude/settings.json";
        assert_eq!(
            shown,
            [
                (
                    "Settings that cannot be read",
                    "Ignored",
                    "/code/.claude/settings.local.json"
                ),
                (project, "Ask", "Bash(git push:*)"),
                (project, "Deny", "Read(./.env)"),
                ("This session, until its process is ended", "Allow", "Read"),
                ("Folders", "Works in", "/code"),
                ("Folders", "Also in", "/more"),
                ("Folders", "Also in", "/plain"),
                ("Folders", "Also in", "/added"),
            ]
        );
        let granted: Vec<_> = rows.iter().filter(|row| row.is_granted).collect();
        assert_eq!(
            granted.iter().map(|row| &*row.value).collect::<Vec<_>>(),
            ["Read", "/added"]
        );
        assert!(still_goes_by(&answer, "Read") && still_goes_by(&answer, "/added"));
        assert!(!still_goes_by(&answer, "Read(./.env)") && !still_goes_by(&answer, "/code"));
        assert_eq!(rows[1].detail, "Any Bash command starting with git push");
        assert_eq!(
            rows[5].detail,
            "How the agent was started, for as long as it runs"
        );
    }

    #[test]
    fn what_a_file_keeps_can_be_removed_and_what_others_set_cannot() {
        let answer = json!({"state": {"rules": [
            {"behavior": "deny", "source": "userSettings", "rule": "Read", "editability": "persistent"},
            {"behavior": "ask", "source": "localSettings", "rule": r"Bash(a \(b\))"},
            {"behavior": "allow", "source": "projectSettings", "rule": "Edit", "editability": "readonly", "notInEffect": true},
            {"behavior": "allow", "source": "policySettings", "rule": "Edit", "editability": "readonly"},
            {"behavior": "allow", "source": "session", "rule": "Edit", "editability": "session"},
            {"behavior": "allow", "source": "cliArg", "rule": "Edit", "editability": "session"},
            {"behavior": "odd", "source": "userSettings", "rule": "Edit"},
        ]}});
        let nowhere = Path::new("/");
        let rows = rules(&answer, nowhere, nowhere, &[]);
        let can: Vec<_> = rows.iter().filter_map(|row| row.rule.clone()).collect();
        let rule = |behavior, place, rule: &str| PermissionRule {
            behavior,
            place,
            rule: rule.to_owned(),
        };
        let read = rule(Behavior::Deny, RulePlace::User, "Read");
        let bash = rule(Behavior::Ask, RulePlace::Local, r"Bash(a \(b\))");
        assert_eq!(can.len(), 2, "{can:?}");
        assert!(can.contains(&read) && can.contains(&bash), "{can:?}");
        assert!(is_in_force(&answer, &read));
        let typed = rule(Behavior::Ask, RulePlace::Local, "Bash(a (b))");
        assert!(is_in_force(&answer, &typed), "another spelling");
        for other in [
            rule(Behavior::Allow, RulePlace::User, "Read"),
            rule(Behavior::Deny, RulePlace::Local, "Read"),
            rule(Behavior::Deny, RulePlace::User, "Edit"),
            rule(Behavior::Allow, RulePlace::Project, "Edit"),
        ] {
            assert!(!is_in_force(&answer, &other), "{other:?}");
        }
    }
}
