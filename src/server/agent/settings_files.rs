//! The agent's own settings files: which there are, the deny rules in them, and their rules changed by a person. The agent
//! reads the deny rules when it decides whether to ask; an input that was edited afterwards it does not look at again, so
//! we do.

use super::{settings_text, text_file};
use crate::desk::DenyRule;
use crate::desk::rules::form;
use crate::model::{Behavior, PermissionRule, RulePlace};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// `own`: where the agent keeps its things; `project`: where it works. Blocks for moments.
pub fn deny_rules(own: &Path, project: &Path) -> Vec<DenyRule> {
    let kept = [
        (RulePlace::User, "your user settings"),
        (RulePlace::Project, "the project’s settings"),
        (RulePlace::Local, "your settings for this project"),
    ];
    let kept = kept.into_iter().flat_map(|(place, words)| {
        let files = files(place, own, project).into_iter();
        files.map(move |(file, root)| (file, root, words))
    });
    let managed = (
        PathBuf::from("/etc/claude-code/managed-settings.json"),
        project.to_owned(),
        "your organisation’s policy",
    );
    kept.chain([managed])
        .flat_map(|(file, root, words)| rules_in(&file, &root, words))
        .collect()
}

/// The file that a new rule of this place is written to.
fn file(place: RulePlace, own: &Path, project: &Path) -> PathBuf {
    match place {
        RulePlace::User => own.join("settings.json"),
        RulePlace::Project => project.join(".claude/settings.json"),
        RulePlace::Local => project.join(".claude/settings.local.json"),
    }
}

/// All files that keep rules of this place, each with the folder that its paths begin at.
fn files(place: RulePlace, own: &Path, project: &Path) -> Vec<(PathBuf, PathBuf)> {
    let roots = match place {
        RulePlace::User => vec![own.to_owned()],
        RulePlace::Project => vec![project.to_owned()],
        RulePlace::Local => {
            let shared = repository(project).filter(|root| root != project);
            std::iter::once(project.to_owned()).chain(shared).collect()
        }
    };
    let roots = roots.into_iter();
    roots.map(|root| (file(place, own, &root), root)).collect()
}

/// The first checkout of the repository that the project is in: there the agent keeps what is for one person, also for
/// folders within and for further work trees.
fn repository(project: &Path) -> Option<PathBuf> {
    let mut folders = project.ancestors();
    let root = folders.find(|folder| folder.join(".git").exists())?;
    Some(first_checkout(&root.join(".git")).unwrap_or_else(|| root.to_owned()))
}

/// In a further work tree this file says `gitdir: /first/.git/worktrees/name`.
fn first_checkout(git: &Path) -> Option<PathBuf> {
    let file = git.is_file().then(|| text_file::read(git).ok())??;
    let text = file?.text;
    let folder = Path::new(text.strip_prefix("gitdir:")?.trim());
    // a submodule has such a file, too, and is a repository of its own
    let is_work_tree = |folder: &&Path| folder.is_absolute() && folder.ends_with(".git/worktrees");
    let git = folder.parent().filter(is_work_tree)?.parent()?;
    Some(git.parent()?.to_owned())
}

fn rules_in(file: &Path, root: &Path, place: &str) -> Vec<DenyRule> {
    let settings = match text_file::read(file) {
        Ok(Some(found)) => settings_text::read(&found.text),
        Ok(None) => return Vec::new(),
        Err(why_not) => Err(why_not),
    };
    let settings: Value = match settings {
        Ok(settings) => settings,
        Err(error) => {
            tracing::warn!(file = %file.display(), %error, "a settings file of the agent cannot be read");
            return Vec::new();
        }
    };
    settings_text::rules(&settings, "deny")
        .filter_map(|rule| DenyRule::read(rule, place, &root.to_string_lossy()))
        .collect()
}

/// What the project's own settings allow: rules, then folders. A file that cannot be read allows nothing.
pub fn allowed_by(project: &Path) -> Vec<String> {
    let file = text_file::read(&file(RulePlace::Project, project, project));
    let text = file.ok().flatten().map(|file| file.text);
    let settings = text.and_then(|text| settings_text::read(&text).ok());
    let settings = settings.unwrap_or_default();
    ["allow", "additionalDirectories"]
        .into_iter()
        .flat_map(|list| settings_text::rules(&settings, list))
        .map(str::to_owned)
        .collect()
}

/// Writes a rule into the file of its place. False: it is there already.
pub fn add_rule(rule: &PermissionRule, own: &Path, project: &Path) -> Result<bool, String> {
    let list = list_of(rule.behavior);
    let file = file(rule.place, own, project);
    let mut is_new = true;
    text_file::change(&file, |before| {
        let text = before.map_or("", |file| &file.text);
        let settings = settings_text::read(text).map_err(|why| untouched(&file, &why))?;
        is_new = !settings_text::rules(&settings, list).any(|one| form::is_same(one, &rule.rule));
        let added = is_new.then(|| settings_text::with_rule(text, list, &rule.rule));
        added.transpose().map_err(|why| untouched(&file, &why))
    })?;
    Ok(is_new)
}

/// Takes a rule out of the files of its place. False: none of them has it.
pub fn remove_rule(rule: &PermissionRule, own: &Path, project: &Path) -> Result<bool, String> {
    let list = list_of(rule.behavior);
    let is_it = |one: &str| form::is_same(one, &rule.rule);
    let mut was_there = false;
    for (file, _) in &files(rule.place, own, project) {
        text_file::change(file, |before| {
            let text = before.map_or("", |file| &file.text);
            let changed = settings_text::without_rule(text, list, is_it);
            let changed = changed.map_err(|why| untouched(file, &why))?;
            was_there |= changed.is_some();
            Ok::<_, String>(changed)
        })?;
    }
    Ok(was_there)
}

fn list_of(behavior: Behavior) -> &'static str {
    match behavior {
        Behavior::Allow => "allow",
        Behavior::Ask => "ask",
        Behavior::Deny => "deny",
    }
}

fn untouched(file: &Path, why: &str) -> String {
    let file = file.display();
    format!("The file {file} was left as it is: {why}. Correct it by hand first.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn folders() -> (tempfile::TempDir, PathBuf, PathBuf) {
        let directory = tempfile::tempdir().expect("directory");
        let root = directory.path().canonicalize().expect("a path");
        let (own, project) = (root.join("own"), root.join("project"));
        fs::create_dir_all(&own).expect("a folder");
        fs::create_dir_all(project.join(".claude")).expect("a folder");
        (directory, own, project)
    }

    fn rule(place: RulePlace, rule: &str) -> PermissionRule {
        PermissionRule {
            behavior: Behavior::Deny,
            place,
            rule: rule.to_owned(),
        }
    }

    #[test]
    fn every_file_is_read_and_what_is_broken_is_passed_over() {
        let (_directory, own, project) = folders();
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
            fs::write(file, text).expect("written");
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

    #[test]
    fn a_rule_is_written_once_to_the_file_of_its_place_and_taken_out_again() {
        let (_directory, own, project) = folders();
        for (place, file) in [
            (RulePlace::User, own.join("settings.json")),
            (RulePlace::Project, project.join(".claude/settings.json")),
            (
                RulePlace::Local,
                project.join(".claude/settings.local.json"),
            ),
        ] {
            let rule = rule(place, "Bash(echo (a))");
            assert_eq!(add_rule(&rule, &own, &project), Ok(true));
            assert_eq!(add_rule(&rule, &own, &project), Ok(false));
            let text = fs::read_to_string(&file).expect("text");
            assert_eq!(text.matches("Bash(echo (a))").count(), 1, "{text}");
            // as the agent lists it
            let listed = self::rule(place, r"Bash(echo \(a\))");
            assert_eq!(remove_rule(&listed, &own, &project), Ok(true));
            assert_eq!(remove_rule(&listed, &own, &project), Ok(false));
        }
        assert_eq!(deny_rules(&own, &project), []);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_left_alone() {
        let (_directory, own, project) = folders();
        let file = own.join("settings.json");
        fs::write(&file, "{ broken").expect("written");
        let rule = rule(RulePlace::User, "Read");
        for refused in [
            add_rule(&rule, &own, &project),
            remove_rule(&rule, &own, &project),
        ] {
            let said = refused.expect_err("unreadable");
            assert!(
                said.contains("settings.json was left as it is: it is not valid JSON"),
                "{said}"
            );
        }
        assert_eq!(fs::read_to_string(&file).expect("text"), "{ broken");
    }

    #[test]
    fn what_is_for_one_person_may_be_kept_where_the_repository_was_first_checked_out() {
        let (_directory, own, project) = folders();
        let text = r#"{"permissions": {"deny": ["Read(.env)"]}}"#;
        fs::write(project.join(".claude/settings.local.json"), text).expect("written");
        fs::create_dir_all(project.join(".git/worktrees/tree")).expect("a folder");
        let (within, tree) = (project.join("within"), own.join("tree"));
        fs::create_dir_all(&within).expect("a folder");
        fs::create_dir_all(&tree).expect("a folder");
        let git = format!(
            "gitdir: {}\n",
            project.join(".git/worktrees/tree").display()
        );
        fs::write(tree.join(".git"), git).expect("written");
        for place in [&within, &tree] {
            let found = deny_rules(&own, place);
            assert_eq!(found.len(), 1, "{}", place.display());
        }
        let rule = rule(RulePlace::Local, "Read(.env)");
        assert_eq!(remove_rule(&rule, &own, &tree), Ok(true));
        assert_eq!(deny_rules(&own, &within), []);
    }
}
