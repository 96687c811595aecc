//! Deletes more than a named file.

use super::{Look, list};
use crate::model::insight::command::{
    MarkKind::{DeletesRecursively, Forces},
    Severity,
};
use crate::server::insight::command::globs;
use crate::server::insight::command::paths::{Reach, after_working_directory, normal};
use crate::server::insight::command::script::{Command, Word};

pub fn look(look: &mut Look<'_>, command: &Command) {
    match command.program() {
        "rm" | "grm" => remove(look, command),
        "find" | "fd" | "fdfind" => find(look, command),
        "rsync" => {
            if let Some(option) = command
                .arguments()
                .iter()
                .find(|word| word.value.starts_with("--delete"))
            {
                look.caution(
                    command,
                    DeletesRecursively,
                    "Deletes what the source does not have",
                    &[option],
                );
            }
        }
        "rimraf" | "del-cli" => {
            let targets: Vec<&Word> = command.operands().collect();
            recursive(look, command, &targets, &[]);
        }
        "npx" | "bunx" | "pnpx" if matches!(command.subcommand(), "rimraf" | "del-cli") => {
            let targets: Vec<&Word> = command.operands().skip(1).collect();
            recursive(look, command, &targets, &[]);
        }
        "shred" | "srm" | "wipe" => {
            let targets: Vec<&Word> = command.operands().collect();
            let sentence = if targets.is_empty() {
                "Deletes beyond recovery whatever it is given".to_owned()
            } else {
                format!("Deletes beyond recovery: {}", list(targets.iter().copied()))
            };
            look.danger(command, DeletesRecursively, sentence, &targets);
        }
        _ => {}
    }
}

fn remove(look: &mut Look<'_>, command: &Command) {
    let targets: Vec<&Word> = command.operands().collect();
    if let Some(option) = command.option("rR", &["--recursive"]) {
        return recursive(look, command, &targets, &[option]);
    }
    if let (Some(option), false) = (command.option("f", &["--force"]), targets.is_empty()) {
        let matches = if targets.iter().any(|word| word.pattern) {
            " whatever matches"
        } else {
            ""
        };
        let sentence = format!(
            "Deletes without asking{matches}: {}",
            list(targets.iter().copied())
        );
        let words: Vec<&Word> = [option].into_iter().chain(targets).collect();
        look.caution(command, Forces, sentence, &words);
    }
}

pub fn recursive(look: &mut Look<'_>, command: &Command, targets: &[&Word], options: &[&Word]) {
    let severity =
        if targets.is_empty() || targets.iter().any(|target| is_grave(look, command, target)) {
            Severity::Danger
        } else {
            Severity::Caution
        };
    let sentence = if targets.is_empty() {
        "Deletes recursively whatever it is given".to_owned()
    } else {
        format!("Deletes recursively: {}", list(targets.iter().copied()))
    };
    let words: Vec<&Word> = options.iter().chain(targets).copied().collect();
    look.mark(command, DeletesRecursively, severity, sentence, &words);
}

/// More than a directory by name inside the project.
fn is_grave(look: &Look<'_>, command: &Command, target: &Word) -> bool {
    // `$PWD/*` is `*`
    let written = after_working_directory(&target.value)
        .filter(|_| target.dynamic)
        .map_or(target.value.as_str(), |rest| rest.trim_start_matches('/'));
    if command.elsewhere
        || matches!(
            written.trim_end_matches('/'),
            "" | "." | ".." | "*" | "./*" | ".*" | ".git"
        )
    {
        return true;
    }
    // `/home/ada/api/$X` is all of it where X is empty
    let rest = written.strip_prefix("$HOME").unwrap_or(written);
    let rest = rest
        .strip_prefix("${HOME}")
        .unwrap_or(rest)
        .replace("$$", "");
    if target.dynamic && rest.contains(['$', '`', '(']) {
        return true;
    }
    let parts = target.value.trim_end_matches('/').rsplit('/');
    if parts.skip(1).any(globs::leads_up) {
        return true;
    }
    match reach(look, command, target) {
        Reach::Inside(path) => {
            let place = without_globs(&path);
            let name = place.rsplit('/').next().unwrap_or_default();
            place == normal(look.surroundings.project)
                || (name.starts_with('.') && globs::fits(name, ".git"))
        }
        Reach::Temporary(path) => without_globs(&path).matches('/').count() < 2,
        // `rm -rf "$X/build"` with an empty X starts at the root.
        Reach::Outside(_) | Reach::Nowhere | Reach::Unknown => true,
    }
}

fn reach(look: &Look<'_>, command: &Command, target: &Word) -> Reach {
    look.surroundings
        .reach(target, command.directory.as_deref())
}

/// All that is in a directory is as much as the directory.
fn without_globs(path: &str) -> &str {
    let mut path = path;
    while let Some((before, name)) = path.rsplit_once('/')
        && globs::is_everything(name)
    {
        path = before;
    }
    path
}

/// Deletes what it finds, by itself or by what it starts.
fn find(look: &mut Look<'_>, command: &Command) {
    let by_itself = command
        .arguments()
        .iter()
        .find(|word| word.value == "-delete")
        .cloned();
    let deletes = |inner: &&Command| matches!(inner.program(), "rm" | "unlink" | "shred" | "rmdir");
    let Some(word) = by_itself.or_else(|| {
        let inner = look.commands(&command.starts);
        inner.iter().find(deletes)?.words.first().cloned()
    }) else {
        return;
    };
    let here = Word {
        value: ".".to_owned(),
        ..Word::default()
    };
    let mut starts = starts(command);
    if starts.is_empty() {
        starts.push(&here);
    }
    let from = list(starts.iter().copied());
    let grave = starts.iter().any(|start| match start.value.as_str() {
        "." | "./" => !matches!(reach(look, command, start), Reach::Inside(_)),
        _ => is_grave(look, command, start),
    });
    let words = command.arguments();
    let narrowed = words.iter().enumerate().any(|(index, word)| {
        let is_name = matches!(word.value.as_str(), "-name" | "-iname" | "-path" | "-regex");
        let pattern = words.get(index + 1).filter(|_| is_name);
        word.value == "-empty" || pattern.is_some_and(|word| !globs::is_everything(&word.value))
    });
    let severity = if grave || !narrowed {
        Severity::Danger
    } else {
        Severity::Caution
    };
    look.mark(
        command,
        DeletesRecursively,
        severity,
        format!("Deletes everything it finds in: {from}"),
        &[&word],
    );
}

/// Where it begins to look: what stands in front of the tests. `fd` takes a pattern first.
pub fn starts(command: &Command) -> Vec<&Word> {
    let mut words = command.arguments();
    while let Some((first, rest)) = words.split_first()
        && matches!(first.value.as_str(), "-L" | "-H" | "-P")
    {
        words = rest;
    }
    if command.program() != "find" {
        let is_start =
            |word: &&Word| !matches!(word.value.as_str(), "-x" | "-X" | "--exec" | "--exec-batch");
        let words = words.iter().take_while(is_start);
        return words.filter(|word| !word.is_option()).collect();
    }
    let is_start = |word: &&Word| !word.is_option() && !matches!(word.value.as_str(), "(" | "!");
    words.iter().take_while(is_start).collect()
}
