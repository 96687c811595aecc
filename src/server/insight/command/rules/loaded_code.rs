//! Loads code into a program that is not the program's own.

use super::{Look, list};
use crate::model::insight::command::MarkKind::Obfuscated;
use crate::server::insight::command::prefixes;
use crate::server::insight::command::script::{Command, Word};

/// Read by the system when it starts a program.
const LOADERS: &[&str] = &[
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "LD_AUDIT",
    "BASH_ENV",
    "DYLD_INSERT_LIBRARIES",
    "DYLD_LIBRARY_PATH",
];

pub fn look(look: &mut Look<'_>, command: &Command) {
    let loading: Vec<&Word> = command
        .assignments
        .iter()
        .chain(assigned_by_program(command))
        .filter(|word| is_loading(word))
        .collect();
    if !loading.is_empty() {
        let sentence = format!(
            "Loads other code into the program: {}",
            list(loading.iter().copied())
        );
        look.caution(command, Obfuscated, sentence, &loading);
    }
}

/// `export NAME=value`, `env NAME=value program`, `sudo NAME=value program`
fn assigned_by_program(command: &Command) -> &[Word] {
    let words = &command.words;
    let end = match command.program() {
        "export" | "declare" | "typeset" | "readonly" => words.len(),
        program => prefixes::find(program).map_or(1, |(values, operands)| {
            prefixes::after_options(words, values, operands).min(words.len())
        }),
    };
    words.get(1..end).unwrap_or_default()
}

/// Without a value nothing is loaded.
fn is_loading(word: &Word) -> bool {
    word.value.split_once('=').is_some_and(|(name, value)| {
        !value.is_empty() && LOADERS.contains(&name.trim_end_matches('+'))
    })
}
