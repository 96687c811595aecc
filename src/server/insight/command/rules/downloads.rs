//! Runs what comes from the network without anybody having read it.

use super::Look;
use super::foreign::is_interpreter;
use super::writes::{CURL, WGET};
use crate::model::insight::command::MarkKind::DownloadsIntoShell;
use crate::server::insight::command::script::{Command, RedirectionKind, Word};
use crate::server::insight::command::wrappers::SHELLS;
use std::collections::HashSet;
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
    for command in look.later(stages, is_download, runs_its_input) {
        look.danger(command, DownloadsIntoShell, SENTENCE, &[]);
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
    let mut files: HashSet<String> = HashSet::new();
    let script = look.script;
    for command in &script.commands {
        for word in executed_files(command) {
            if files.contains(word.name()) {
                look.danger(command, DownloadsIntoShell, SENTENCE, &[word]);
            }
        }
        if is_download(command) {
            files.extend(outputs(command));
        }
    }
    let prints = |command: &Command| {
        let mut operands = command.operands();
        matches!(command.program(), "cat" | "tac" | "head" | "tail")
            && operands.any(|word| files.contains(word.name()))
    };
    for stages in script.pipelines.iter().filter(|_| !files.is_empty()) {
        for command in look.later(stages, prints, runs_its_input) {
            look.danger(command, DownloadsIntoShell, SENTENCE, &[]);
        }
    }
}

/// The files whose text it runs.
fn executed_files(command: &Command) -> impl Iterator<Item = &Word> {
    let name = command.program();
    let runs_files = SHELLS.contains(&name) || is_interpreter(name);
    let evaluates = runs_files || matches!(name, "source" | ".");
    let program = command.words.first();
    let program = program.filter(|word| !evaluates && word.value.contains('/'));
    let inputs = command
        .redirections
        .iter()
        .filter(move |redirection| runs_files && redirection.kind == RedirectionKind::Read)
        .map(|redirection| &redirection.target);
    let operand = command.operands().next().filter(|_| evaluates);
    program.into_iter().chain(operand).chain(inputs)
}

/// The names of the files it makes, wherever they are put.
fn outputs(command: &Command) -> HashSet<String> {
    let words = command.arguments();
    let named = match command.program() {
        "wget" => command.values("O", &format!("{WGET}P"), &["--output-document"]),
        "curl" => command.values("o", CURL, &["--output"]),
        _ => command.values("o", "", &["--output", "--out"]),
    };
    let names_itself = match command.program() {
        "wget" => named.is_empty(),
        _ => command
            .option("O", &["--remote-name", "--remote-name-all"])
            .is_some(),
    };
    let addresses = words
        .iter()
        .filter(|word| names_itself && word.value.contains("://"));
    let redirected = command
        .redirections
        .iter()
        .filter(|redirection| redirection.kind == RedirectionKind::Write)
        .map(|redirection| &redirection.target);
    let files = named.iter().chain(addresses).chain(redirected);
    let names = files.map(|word| word.name().to_owned());
    names
        .filter(|name| !matches!(name.as_str(), "" | "-" | "null"))
        .collect()
}
