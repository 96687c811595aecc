//! Git's own folder: what is put there as a hook or a setting, git runs by itself later.

use super::git::subcommand;
use super::{Look, short};
use crate::model::insight::command::MarkKind::WritesOutside;
use crate::server::insight::command::script::{Command, Word};

/// Settings that name what git runs.
const RUN_BY_GIT: &[&str] = &["core.hooksPath", "core.fsmonitor", "core.sshCommand"];

pub fn look(look: &mut Look<'_>, command: &Command) {
    if command.program() != "git" {
        return;
    }
    let arguments = command.arguments();
    let Some(start) = subcommand(arguments) else {
        return;
    };
    let (own, rest) = arguments.split_at(start);
    for pair in own.windows(2) {
        if pair[0].value == "-c"
            && let Some((name, value)) = pair[1].value.split_once('=')
        {
            set(look, command, &pair[1], name, value);
        }
    }
    if rest.first().is_some_and(|name| name.value == "config") {
        let operands: Vec<&Word> = rest.iter().filter(|word| !word.is_option()).collect();
        // A name without a value is only asked for, or forgotten.
        for pair in operands.windows(2) {
            set(look, command, pair[0], &pair[0].value, &pair[1].value);
        }
    }
}

fn set(look: &mut Look<'_>, command: &Command, word: &Word, name: &str, value: &str) {
    let is_run = RUN_BY_GIT
        .iter()
        .any(|setting| setting.eq_ignore_ascii_case(name));
    // `core.fsmonitor=false` names no program.
    if is_run && !matches!(value, "true" | "false") {
        let sentence = format!("Changes what git runs by itself later: {}", short(name));
        look.caution(command, WritesOutside, sentence, &[word]);
    }
}

/// Inside the project, but where git looks and a person seldom does.
pub fn writes(look: &mut Look<'_>, command: &Command, target: &Word, path: &str, verb: &str) {
    // What is taken away does not run, and an empty folder neither.
    if matches!(verb, "Deletes" | "Moves away") || command.program() == "mkdir" {
        return;
    }
    let path = path.strip_prefix(look.surroundings.project).unwrap_or(path);
    let Some(inside) = inside_git(path) else {
        return;
    };
    let place = short(&target.value);
    if is_hook(path) {
        let sentence = format!("Writes what git runs by itself later: {place}");
        look.danger(command, WritesOutside, sentence, &[target]);
    } else if !is_everyday(&inside) {
        let sentence = format!("{verb} in git's own folder: {place}");
        look.caution(command, WritesOutside, sentence, &[target]);
    }
}

pub fn is_hook(path: &str) -> bool {
    inside_git(path).is_some_and(|inside| inside.contains(&"hooks"))
}

/// `.git/info/exclude`, and the message of a commit
fn is_everyday(inside: &[&str]) -> bool {
    inside.first() == Some(&"info") || inside.last().is_some_and(|name| name.ends_with("MSG"))
}

/// The parts of the path behind `.git`.
fn inside_git(path: &str) -> Option<Vec<&str>> {
    let mut parts = path.split('/');
    // Some disks do not tell `.GIT` from it.
    parts.find(|part| part.eq_ignore_ascii_case(".git"))?;
    Some(parts.collect())
}
