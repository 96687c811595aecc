//! A variable whose value comes out of a decoder, and is then run: the same as to decode into a shell, in two steps.

use super::Look;
use super::downloads::runs_its_input;
use super::obfuscation::{DECODES_AND_RUNS, is_decoder};
use crate::model::insight::command::MarkKind::Obfuscated;
use crate::server::insight::command::script::{Command, Script, Word};
use std::collections::HashSet;
use std::ops::Range;

/// Names of variables.
type Names = HashSet<String>;

#[derive(Default)]
struct Variables {
    /// Those that now hold something decoded.
    decoded: Names,
    /// Those that did at some time.
    ever: Names,
}

impl Variables {
    fn set(&mut self, name: &str, is_decoded: bool) {
        if is_decoded {
            self.decoded.insert(name.to_owned());
            self.ever.insert(name.to_owned());
        } else {
            self.decoded.remove(name);
        }
    }
}

pub fn look_at_variables(look: &mut Look<'_>) {
    let script = look.script;
    let piped = behind_a_decoder(script);
    let mut variables = Variables::default();
    for (index, command) in script.commands.iter().enumerate() {
        if let Some(program) = command.words.first()
            && program.dynamic
            && mentions(program.name(), &variables.decoded)
        {
            look.danger(command, Obfuscated, DECODES_AND_RUNS, &[program]);
        }
        let is_piped = piped.iter().any(|range| range.contains(&index));
        follow(script, command, is_piped, &mut variables);
    }
    if !variables.ever.is_empty() {
        look_at_pipes(look, &variables.ever);
    }
}

/// `echo "$decoded" | sh`
fn look_at_pipes(look: &mut Look<'_>, decoded: &Names) {
    let script = look.script;
    let prints = |command: &Command| {
        matches!(command.program(), "echo" | "printf")
            && command
                .arguments()
                .iter()
                .any(|word| word.dynamic && mentions(&word.value, decoded))
    };
    for stages in &script.pipelines {
        for command in look.later(stages, prints, runs_its_input) {
            look.danger(command, Obfuscated, DECODES_AND_RUNS, &[]);
        }
    }
}

/// What variables hold after this command.
fn follow(script: &Script, command: &Command, is_piped: bool, variables: &mut Variables) {
    let comes_decoded = |word: &Word, variables: &Variables| {
        commands(script, &word.inside).iter().any(is_decoder)
            || (word.dynamic && mentions(&word.value, &variables.decoded))
    };
    let declared = match command.program() {
        "export" | "declare" | "local" | "readonly" | "typeset" => command.arguments(),
        _ => &[],
    };
    for word in command.assignments.iter().chain(declared) {
        let Some((name, _)) = word.value.split_once('=') else {
            continue;
        };
        let is_added = name.ends_with('+');
        let name = name.trim_end_matches('+');
        let name = name.split('[').next().unwrap_or(name);
        let is_decoded = comes_decoded(word, variables);
        if is_decoded || !is_added {
            variables.set(name, is_decoded);
        }
    }
    match command.program() {
        "read" | "mapfile" | "readarray" => {
            let mut sources = command.redirections.iter();
            let is_decoded =
                is_piped || sources.any(|source| comes_decoded(&source.target, variables));
            for word in command.operands() {
                variables.set(&word.value, is_decoded);
            }
        }
        // `printf -v name '\x72\x6d'`
        "printf" if is_decoder(command) => {
            let mut words = command.arguments().iter();
            if words.any(|word| word.value == "-v")
                && let Some(name) = words.next()
            {
                variables.set(&name.value, true);
            }
        }
        "unset" => {
            for word in command.operands() {
                variables.set(&word.value, false);
            }
        }
        _ => {}
    }
}

/// Where a decoder's output is read: `base64 -d list | while read line; do $line; done`.
fn behind_a_decoder(script: &Script) -> Vec<Range<usize>> {
    let behind = script.pipelines.iter().filter_map(|stages| {
        let decodes = |stage: &Range<usize>| commands(script, stage).iter().any(is_decoder);
        let first = stages.iter().position(decodes)?;
        Some(stages.get(first + 1)?.start..stages.last()?.end)
    });
    behind.collect()
}

fn commands<'s>(script: &'s Script, range: &Range<usize>) -> &'s [Command] {
    script.commands.get(range.clone()).unwrap_or_default()
}

/// `$name`, `${name}`, `${name:1}`, `${!name}`
fn mentions(text: &str, names: &Names) -> bool {
    !names.is_empty()
        && text.match_indices('$').any(|(at, _)| {
            let rest = text[at + 1..].trim_start_matches(['{', '!']);
            let end = rest
                .find(|character: char| !character.is_ascii_alphanumeric() && character != '_')
                .unwrap_or(rest.len());
            names.contains(&rest[..end])
        })
}
