//! Runs what comes from the network without anybody having read it.

use super::Look;
use super::foreign::is_interpreter;
use crate::model::insight::command::MarkKind::DownloadsIntoShell;
use crate::server::insight::command::script::{Command, RedirectionKind, Word};
use crate::server::insight::command::wrappers::SHELLS;
use std::ops::Range;

const SENTENCE: &str = "Runs a download without anybody reading it";

pub fn is_download(command: &Command) -> bool {
    matches!(
        command.program(),
        "curl" | "wget" | "fetch" | "aria2c" | "http" | "https" | "xh" | "lwp-request" | "lynx"
    )
}

pub fn look(look: &mut Look<'_>, command: &Command) {
    if let Some(word) = executed_words(command)
        .find(|word| look.commands(&word.inside).iter().any(is_download))
        .cloned()
    {
        look.danger(command, DownloadsIntoShell, SENTENCE, &[&word]);
    }
}

/// The words whose text becomes code: the program itself, a script, a process substitution, a here-string.
pub fn executed_words(command: &Command) -> impl Iterator<Item = &Word> {
    let name = command.program();
    let shell = SHELLS.contains(&name) || is_interpreter(name);
    let runs_text = command.option("ceE", &["--eval", "--command"]).is_some();
    let evaluates = matches!(name, "eval" | "source" | ".");
    let program = command
        .words
        .first()
        .filter(|word| word.dynamic && !word.name().is_empty() && word.name().contains([')', '`']));
    let arguments = command
        .arguments()
        .iter()
        .filter(move |word| evaluates || (shell && (runs_text || word.value.starts_with("<("))));
    let inputs = command
        .redirections
        .iter()
        .filter(move |redirection| {
            shell
                && matches!(
                    redirection.kind,
                    RedirectionKind::HereString
                        | RedirectionKind::Read
                        | RedirectionKind::HereDocument
                )
        })
        .map(|redirection| &redirection.target);
    program.into_iter().chain(arguments).chain(inputs)
}

pub fn look_at_pipe(look: &mut Look<'_>, stages: &[Range<usize>]) {
    let Some(first) = stages
        .iter()
        .position(|stage| look.commands(stage).iter().any(is_download))
    else {
        return;
    };
    for stage in &stages[first + 1..] {
        let found = look
            .commands(stage)
            .iter()
            .find(|command| runs_its_input(command))
            .cloned();
        if let Some(command) = found {
            look.danger(&command, DownloadsIntoShell, SENTENCE, &[]);
        }
    }
}

pub fn runs_its_input(command: &Command) -> bool {
    if command.reads_script {
        return true;
    }
    let no_code = command.option("cemprn", &["--eval"]).is_none();
    is_interpreter(command.program())
        && no_code
        && command
            .operands()
            .next()
            .is_none_or(|word| word.value == "-")
}

/// `curl -o x.sh … && sh x.sh`
pub fn look_at_files(look: &mut Look<'_>) {
    let mut files: Vec<String> = Vec::new();
    let script = look.script;
    for command in &script.commands {
        let runs = if SHELLS.contains(&command.program())
            || is_interpreter(command.program())
            || matches!(command.program(), "source" | ".")
        {
            command.operands().next()
        } else {
            command
                .words
                .first()
                .filter(|word| word.value.contains('/'))
        };
        if let Some(word) =
            runs.filter(|word| files.iter().any(|file| same_file(file, &word.value)))
        {
            look.danger(command, DownloadsIntoShell, SENTENCE, &[word]);
        }
        if is_download(command) {
            files.extend(outputs(command));
        }
    }
}

fn same_file(one: &str, other: &str) -> bool {
    one.trim_start_matches("./") == other.trim_start_matches("./")
}

fn outputs(command: &Command) -> Vec<String> {
    let words = command.arguments();
    let mut outputs: Vec<String> = words
        .iter()
        .enumerate()
        .filter(|(_, word)| {
            matches!(word.value.as_str(), "--output" | "--output-document")
                || (word.is_option()
                    && !word.value.starts_with("--")
                    && (word.value.ends_with('o')
                        || (command.program() == "wget" && word.value.ends_with('O'))))
        })
        .filter_map(|(index, _)| words.get(index + 1))
        .map(|word| word.value.clone())
        .collect();
    let names_itself = command.program() == "wget"
        || words
            .iter()
            .any(|word| word.has_letter("O") || word.value == "--remote-name");
    if names_itself && outputs.is_empty() {
        outputs.extend(
            words
                .iter()
                .filter(|word| word.value.contains("://"))
                .map(|word| word.name().to_owned()),
        );
    }
    outputs.extend(
        command
            .redirections
            .iter()
            .filter(|redirection| redirection.kind == RedirectionKind::Write)
            .map(|redirection| redirection.target.value.clone()),
    );
    outputs.retain(|name| !name.is_empty() && name != "-" && name != "/dev/null");
    outputs
}
