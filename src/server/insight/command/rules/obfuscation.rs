//! Hides what runs: decoded, put together, held in a variable.

use super::downloads::{executed_words, is_download, runs_its_input};
use super::foreign::decodes;
use super::{Look, list};
use crate::model::insight::command::MarkKind::Obfuscated;
use crate::model::text;
use crate::server::insight::command::script::{Command, Word};
use std::ops::Range;

pub const DECODES_AND_RUNS: &str = "Decodes something and runs it";

pub fn look(look: &mut Look<'_>, command: &Command) {
    if let Some(program) = command.words.first() {
        look_at_program(look, command, program);
    }
    if command.program() == "eval" {
        look.caution(
            command,
            Obfuscated,
            "Puts a command together and runs it (eval)",
            &[],
        );
    }
    let decoded = executed_words(command)
        .find(|word| look.commands(&word.inside).iter().any(is_decoder))
        .cloned();
    if let Some(word) = decoded {
        look.danger(command, Obfuscated, DECODES_AND_RUNS, &[&word]);
    }
    for word in command.arguments() {
        if let Some(sentence) = text::about_host(&word.value) {
            look.caution(command, Obfuscated, sentence, &[word]);
        }
    }
    let encoded: Vec<&Word> = command
        .arguments()
        .iter()
        .filter(|word| word.encoded)
        .collect();
    if !encoded.is_empty() {
        look.caution(
            command,
            Obfuscated,
            format!(
                "Letters are written as numbers; they say: {}",
                list(encoded.iter().copied())
            ),
            &encoded,
        );
    }
}

/// A known variable as the program is everyday (`$CARGO build`), unless what it names earned a mark.
pub fn look_at_named_program(look: &mut Look<'_>, command: &Command) {
    let Some(program) = command.words.first().filter(|word| word.by_variable) else {
        return;
    };
    if !program.by_encoded_variable {
        let name = super::short(program.name());
        let sentence = format!("The program is named by a variable; it is: {name}");
        look.caution(command, Obfuscated, sentence, &[program]);
    }
}

fn look_at_program(look: &mut Look<'_>, command: &Command, program: &Word) {
    let name = program.name();
    if program.encoded || program.by_encoded_variable {
        return look.danger(
            command,
            Obfuscated,
            format!(
                "The program is written as numbers; it is: {}",
                list([program])
            ),
            &[program],
        );
    }
    if program.pattern && !matches!(program.value.as_str(), "[" | "[[") {
        return look.danger(
            command,
            Obfuscated,
            format!("The program is a pattern: {}", list([program])),
            &[program],
        );
    }
    if !name.is_ascii()
        && name
            .chars()
            .any(|character| character.is_ascii_alphabetic())
    {
        return look.danger(
            command,
            Obfuscated,
            format!("The program's name mixes alphabets: {}", list([program])),
            &[program],
        );
    }
    if !program.dynamic || !(name.contains('$') || name.contains('`') || name.contains(')')) {
        return;
    }
    let inside = look.commands(&program.inside);
    if inside.iter().any(is_download) {
        // The rule of downloads says it better.
    } else if inside.is_empty() {
        look.caution(
            command,
            Obfuscated,
            format!("Runs what a variable holds: {}", list([program])),
            &[program],
        );
    } else if inside.iter().any(is_decoder) {
        look.danger(command, Obfuscated, DECODES_AND_RUNS, &[program]);
    } else if !inside
        .iter()
        .all(|inner| matches!(inner.program(), "which" | "command" | "type"))
    {
        look.caution(
            command,
            Obfuscated,
            "Runs what another command prints",
            &[program],
        );
    }
}

pub fn look_at_pipe(look: &mut Look<'_>, stages: &[Range<usize>]) {
    for command in look.later(stages, is_decoder, runs_its_input) {
        look.danger(command, Obfuscated, DECODES_AND_RUNS, &[]);
    }
    // A download is told by its own rule, and what is printed as it stands is read.
    let is_told = |command: &Command| is_decoder(command) || is_download(command);
    let mut commands = stages.iter().flat_map(|stage| look.commands(stage));
    if commands.any(is_told) {
        return;
    }
    let changes = |command: &Command| {
        let hands_on = ["cat", "echo", "printf", "tee", ""];
        !hands_on.contains(&command.program()) && !runs_its_input(command)
    };
    for command in look.later(stages, changes, runs_its_input) {
        let sentence = "Runs what another command prints";
        look.caution(command, Obfuscated, sentence, &[]);
    }
}

pub fn is_decoder(command: &Command) -> bool {
    match command.program() {
        "base64" | "base32" | "gbase64" | "uudecode" => {
            command.program() == "uudecode" || command.option("dD", &["--decode"]).is_some()
        }
        "xxd" => command.option("r", &["-revert"]).is_some(),
        // `-nodes` has a d, too
        "openssl" => command
            .arguments()
            .iter()
            .any(|word| matches!(word.value.as_str(), "-d" | "-decrypt")),
        "gpg" => command.option("d", &["--decrypt"]).is_some(),
        "rev" | "tr" | "uncompress" | "zcat" | "gunzip" | "unxz" | "xzcat" | "bzcat" => true,
        "gzip" | "xz" | "bzip2" | "zstd" => command.option("d", &["--decompress"]).is_some(),
        "printf" | "echo" => command
            .arguments()
            .iter()
            .any(|word| has_encoded_text(&word.value)),
        _ => decodes(command),
    }
}

/// `\x72\x6d` or `\162\155`
fn has_encoded_text(text: &str) -> bool {
    text.match_indices('\\')
        .filter(|(at, _)| {
            let mut after = text[at + 1..].chars();
            match after.next() {
                Some('x') => after.next().is_some_and(|digit| digit.is_ascii_hexdigit()),
                Some('0'..='7') => after.next().is_some_and(|digit| digit.is_digit(8)),
                _ => false,
            }
        })
        .nth(1)
        .is_some()
}
