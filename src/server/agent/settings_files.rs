//! The agent's own settings files: which there are, the deny rules in them, and their rules changed by a person. The agent
//! reads the deny rules when it decides whether to ask; an input that was edited afterwards it does not look at again, so
//! we do.

use super::{settings_text, text_file};
use crate::desk::DenyRule;
use crate::desk::rules::form;
use crate::model::{AllowedBy, Behavior, PermissionRule, RulePlace};
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

/// What the settings that a project brings along allow, file by file: rules and folders. Those for one person are among them,
/// for a project may bring these, too. Files that allow nothing are left out; one that cannot be read is an error.
pub fn allowed_by(project: &Path) -> Result<Vec<AllowedBy>, String> {
    let mut found = Vec::new();
    for place in [RulePlace::Project, RulePlace::Local] {
        for (file, _) in files(place, project, project) {
            let Some(text) = text_file::read(&file)?.map(|file| file.text) else {
                continue;
            };
            let settings = settings_text::read(&text)
                .map_err(|why| format!("The file {} cannot be read: {why}.", file.display()))?;
            let list = |name| settings_text::rules(&settings, name).map(str::to_owned);
            let one = AllowedBy {
                rules: list("allow").collect(),
                folders: list("additionalDirectories").collect(),
                file: file.display().to_string(),
            };
            if !one.rules.is_empty() || !one.folders.is_empty() {
                found.push(one);
            }
        }
    }
    Ok(found)
}

/// A project may bring a link: what is said to be kept in it must not be written elsewhere.
fn stays_within(file: &Path, root: &Path) -> Result<(), String> {
    let mut there = file.ancestors();
    let there = there.find_map(|path| path.canonicalize().ok());
    let root = root.canonicalize();
    match (there, root) {
        (Some(there), Ok(root)) if !there.starts_with(&root) => Err(format!(
            "The file {} is a link that leads out of the project, to {}. Nothing was written. Change it there by hand.",
            file.display(),
            there.display()
        )),
        _ => Ok(()),
    }
}

/// Writes a rule into the file of its place. The file, unless the rule is in it already.
pub fn add_rule(rule: &PermissionRule, own: &Path, project: &Path) -> Result<Vec<PathBuf>, String> {
    let list = list_of(rule.behavior);
    let file = file(rule.place, own, project);
    if rule.place != RulePlace::User {
        stays_within(&file, project)?;
    }
    let mut is_new = true;
    text_file::change(&file, |before| {
        let text = before.map_or("", |file| &file.text);
        let settings = settings_text::read(text).map_err(|why| untouched(&file, &why))?;
        is_new = !settings_text::rules(&settings, list).any(|one| form::is_same(one, &rule.rule));
        let added = is_new.then(|| settings_text::with_rule(text, list, &rule.rule));
        added.transpose().map_err(|why| untouched(&file, &why))
    })?;
    Ok(is_new.then_some(file).into_iter().collect())
}

/// Takes a rule out of the files of its place: those that had it.
pub fn remove_rule(
    rule: &PermissionRule,
    own: &Path,
    project: &Path,
) -> Result<Vec<PathBuf>, String> {
    let list = list_of(rule.behavior);
    let is_it = |one: &str| form::is_same(one, &rule.rule);
    let without = |file: &Path, before: Option<&text_file::TextFile>| {
        let text = before.map_or("", |file| &file.text);
        let changed = settings_text::without_rule(text, list, is_it);
        changed.map_err(|why| untouched(file, &why))
    };
    // all of them before the first is written: one that cannot be read must not leave half of it done
    let mut changes = Vec::new();
    for (file, root) in files(rule.place, own, project) {
        if without(&file, text_file::read(&file)?.as_ref())?.is_some() {
            if rule.place != RulePlace::User {
                stays_within(&file, &root)?;
            }
            changes.push(file);
        }
    }
    for file in &changes {
        text_file::change(file, |before| without(file, before))?;
    }
    Ok(changes)
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
            assert_eq!(add_rule(&rule, &own, &project), Ok(vec![file.clone()]));
            assert_eq!(add_rule(&rule, &own, &project), Ok(vec![]));
            let text = fs::read_to_string(&file).expect("text");
            assert_eq!(text.matches("Bash(echo (a))").count(), 1, "{text}");
            // as the agent lists it
            let listed = self::rule(place, r"Bash(echo \(a\))");
            assert_eq!(remove_rule(&listed, &own, &project), Ok(vec![file]));
            assert_eq!(remove_rule(&listed, &own, &project), Ok(vec![]));
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
        // of several files all are changed or none
        let broken = tree.join(".claude/settings.local.json");
        fs::create_dir_all(tree.join(".claude")).expect("a folder");
        fs::write(&broken, "{ broken").expect("written");
        remove_rule(&rule, &own, &tree).expect_err("one is unreadable");
        assert_eq!(deny_rules(&own, &within).len(), 1);
        fs::write(&broken, text).expect("written");
        let first = project.join(".claude/settings.local.json");
        assert_eq!(remove_rule(&rule, &own, &tree), Ok(vec![broken, first]));
        assert_eq!(deny_rules(&own, &within), []);
    }

    #[test]
    fn a_link_of_the_project_does_not_lead_a_rule_out_of_it() {
        let (_directory, own, project) = folders();
        fs::write(own.join("settings.json"), "{}").expect("written");
        let file = project.join(".claude/settings.json");
        std::os::unix::fs::symlink(own.join("settings.json"), &file).expect("a link");
        let said = add_rule(&rule(RulePlace::Project, "Read"), &own, &project);
        let said = said.expect_err("elsewhere");
        assert!(said.contains("leads out of the project"), "{said}");
        // also by its folder
        let other = project.join("other");
        fs::create_dir(&other).expect("a folder");
        std::os::unix::fs::symlink(&own, other.join(".claude")).expect("a link");
        for place in [RulePlace::Project, RulePlace::Local] {
            add_rule(&rule(place, "Read"), &own, &other).expect_err("elsewhere");
        }
        let kept = fs::read_to_string(own.join("settings.json")).expect("text");
        assert_eq!(kept, "{}");
        assert!(!own.join("settings.local.json").exists());
        // one's own settings may be wherever one keeps them
        add_rule(&rule(RulePlace::User, "Read"), &own, &project).expect("written");
    }

    #[test]
    fn what_a_project_would_allow_is_told_of_all_its_files() {
        let (_directory, _, project) = folders();
        assert_eq!(allowed_by(&project), Ok(vec![]));
        let at = |name: &str| project.join(".claude").join(name);
        let shared = r#"{"permissions": {"allow": ["Read"], "additionalDirectories": ["/more"]}}"#;
        fs::write(at("settings.json"), shared).expect("written");
        let personal = r#"{"permissions": {"allow": ["Bash(*)"]}}"#;
        fs::write(at("settings.local.json"), personal).expect("written");
        let one = |name: &str, rule: &str, folders: &[&str]| AllowedBy {
            file: at(name).display().to_string(),
            rules: vec![rule.to_owned()],
            folders: folders.iter().map(|&folder| folder.to_owned()).collect(),
        };
        assert_eq!(
            allowed_by(&project),
            Ok(vec![
                one("settings.json", "Read", &["/more"]),
                one("settings.local.json", "Bash(*)", &[]),
            ])
        );
        fs::write(at("settings.local.json"), "{ broken").expect("written");
        let said = allowed_by(&project).expect_err("unreadable");
        assert!(
            said.contains("settings.local.json cannot be read"),
            "{said}"
        );
    }
}
