//! A program that is run on whatever a list names (`xargs`, `parallel`): what it deletes or runs is not to be seen here.

use super::Look;
use crate::model::insight::command::{
    MarkKind::{DeletesRecursively, Obfuscated},
    Severity,
};
use crate::server::insight::command::script::{Command, Word};
use crate::server::insight::command::wrappers::SHELLS;

pub fn look(look: &mut Look<'_>, command: &Command) {
    if !matches!(command.program(), "xargs" | "gxargs" | "parallel") {
        return;
    }
    let placeholder = &placeholder(command);
    let started = look.commands(&command.starts);
    let deletes = |inner: &&Command| is_deleter(inner) && is_given(command, inner, placeholder);
    // the worst is the one that counts
    let deleter = started
        .iter()
        .filter(deletes)
        .min_by_key(|inner| severity(inner))
        .cloned();
    let runs = |inner: &&Command| runs_what_it_is_given(inner, placeholder);
    let runner = started.iter().find(runs).cloned();
    if let Some(inner) = deleter {
        delete(look, &inner);
    }
    if let Some(program) = runner.and_then(|inner| inner.words.first().cloned()) {
        look.caution(
            command,
            Obfuscated,
            "Runs what a list names as a command",
            &[&program],
        );
    }
}

/// It points at the words that the rule for the program itself points at, so that one place is told once.
fn delete(look: &mut Look<'_>, inner: &Command) {
    let operands: Vec<&Word> = inner.operands().collect();
    let (sentence, words) = match (inner.program(), recursive(inner)) {
        ("shred" | "srm" | "wipe", _) => ("Deletes beyond recovery what a list names", operands),
        (_, Some(option)) => (
            "Deletes recursively what a list names",
            [option].into_iter().chain(operands).collect(),
        ),
        _ => ("Deletes what a list names", Vec::new()),
    };
    look.mark(inner, DeletesRecursively, severity(inner), sentence, &words);
}

fn is_deleter(command: &Command) -> bool {
    matches!(
        command.program(),
        "rm" | "grm" | "unlink" | "rmdir" | "shred" | "srm" | "wipe"
    )
}

fn recursive(command: &Command) -> Option<&Word> {
    matches!(command.program(), "rm" | "grm")
        .then(|| command.option("rR", &["--recursive"]))
        .flatten()
}

fn severity(command: &Command) -> Severity {
    match command.program() {
        "shred" | "srm" | "wipe" => Severity::Danger,
        _ if recursive(command).is_some() => Severity::Danger,
        _ => Severity::Caution,
    }
}

/// It stands right behind, or in a script that hands on what the list names. `xargs sh -c 'rm old.log'` does not.
fn is_given(outer: &Command, inner: &Command, placeholder: &str) -> bool {
    inner.span == outer.span
        || inner
            .operands()
            .any(|word| word.dynamic || word.value.contains(placeholder))
}

/// `xargs sh -c`, `xargs -I{} sh -c '{}'`
fn runs_what_it_is_given(inner: &Command, placeholder: &str) -> bool {
    let has_no_script = SHELLS.contains(&inner.program())
        && inner
            .words
            .last()
            .is_some_and(|word| word.is_option() && word.has_letter("c"));
    has_no_script
        || inner
            .words
            .first()
            .is_some_and(|word| word.value == placeholder)
}

/// What stands for an item of the list: the value of `-I`, else `{}`.
fn placeholder(command: &Command) -> String {
    let mut words = command.arguments().iter();
    let replaced = words.find_map(|word| word.after("--replace").map(str::to_owned));
    let chosen = command.values("I", "JRSdEnLPsaj", &[]).into_iter().next();
    let chosen = replaced.or_else(|| chosen.map(|word| word.value));
    let chosen = chosen.filter(|value| !value.is_empty());
    chosen.unwrap_or_else(|| "{}".to_owned())
}
