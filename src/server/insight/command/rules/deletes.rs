//! Deletes more than a named file.

use super::{Look, list};
use crate::model::insight::command::{
    MarkKind::{DeletesRecursively, Forces},
    Severity,
};
use crate::server::insight::command::paths::{Reach, after_working_directory};
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
    match look
        .surroundings
        .reach(target, command.directory.as_deref())
    {
        Reach::Inside(path) => path == look.surroundings.project || path.ends_with("/.git"),
        Reach::Temporary(path) => path.matches('/').count() < 2,
        Reach::Outside(_) | Reach::Nowhere => true,
        // `rm -rf "$X/build"` with an empty X starts at the root.
        Reach::Unknown => true,
    }
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
    let start = command.operands().next();
    let from = start.map_or_else(|| ".".to_owned(), |word| super::short(&word.value));
    let grave = start.is_some_and(|word| {
        !matches!(word.value.as_str(), "." | "./") && is_grave(look, command, word)
    });
    let narrowed = command.arguments().iter().any(|word| {
        matches!(
            word.value.as_str(),
            "-name" | "-iname" | "-path" | "-regex" | "-empty"
        )
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
