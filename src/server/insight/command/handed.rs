//! Commands that are handed to a program in an option, for it to run them later: `tar --to-command='…'`.

use super::printed::place;
use super::read::Reader;
use super::script::{Command, Word};
use super::source::Place;

/// Program, letters of the options, other letters that take a value, long options.
const OPTIONS: &[(&str, &str, &str, &[&str])] = &[
    (
        "tar",
        "IF",
        "fbTXgKNVLHC",
        &[
            "--to-command",
            "--use-compress-program",
            "--checkpoint-action",
            "--info-script",
            "--new-volume-script",
            "--rsh-command",
        ],
    ),
    ("rsync", "e", "fBMT", &["--rsh", "--rsync-path"]),
    ("ssh", "o", "bcDeFIiJLlmOpQRSWw", &[]),
    ("scp", "oS", "cFiJlPD", &[]),
    ("sftp", "oS", "bBcDFiJlPR", &[]),
    ("script", "c", "", &["--command"]),
    ("nix-shell", "", "", &["--run", "--command"]),
    ("npx", "c", "p", &["--call"]),
    ("flock", "c", "wE", &["--command"]),
    ("man", "P", "", &["--pager"]),
    ("sort", "", "kotST", &["--compress-program"]),
    ("split", "", "abCln", &["--filter"]),
    ("vi", "c", "SstTuUwW", &["--cmd"]),
    ("vim", "c", "SstTuUwW", &["--cmd"]),
    ("nvim", "c", "SstTuUwW", &["--cmd"]),
];

/// Variables and settings of git that hold a command.
const VARIABLES: &[&str] = &[
    "EDITOR",
    "VISUAL",
    "PAGER",
    "MANPAGER",
    "BROWSER",
    "PROMPT_COMMAND",
    "GIT_EDITOR",
    "GIT_PAGER",
    "GIT_SEQUENCE_EDITOR",
    "GIT_SSH_COMMAND",
    "GIT_EXTERNAL_DIFF",
    "GIT_PROXY_COMMAND",
    "RSYNC_RSH",
];
const SETTINGS: &[&str] = &[
    "core.pager",
    "core.editor",
    "core.sshcommand",
    "core.fsmonitor",
    "core.askpass",
    "sequence.editor",
    "diff.external",
    "gpg.program",
];

/// What stands in front of a program, or is exported.
pub fn follow_variables(reader: &mut Reader, command: &Command) {
    let sets = matches!(
        command.program(),
        "export" | "declare" | "typeset" | "readonly" | "env" | "sudo"
    );
    let arguments = command.arguments().iter().filter(|_| sets);
    for word in command.assignments.iter().chain(arguments) {
        let set = word.value.split_once('=');
        if let Some((_, value)) = set.filter(|(name, _)| VARIABLES.contains(name)) {
            reader.new_shell(value, Place::Whole(word.span));
        }
    }
}

pub fn follow(reader: &mut Reader, command: &Command) {
    let options = OPTIONS.iter().find(|(name, ..)| *name == command.program());
    if let Some((_, letters, others, long)) = options {
        // an editor has commands of its own
        let is_editor = command.program().ends_with("vi") || command.program().ends_with("vim");
        for word in command.values(letters, others, long) {
            let takes_settings = TAKES_SETTINGS.contains(&command.program());
            if !is_editor || word.value.trim_start_matches(':').starts_with('!') {
                run(reader, &word, takes_settings);
            }
        }
    }
    if command.program() == "git" {
        git(reader, command);
    }
}

/// Their options have settings for values, and some of these are commands: `-o ProxyCommand=…`. Elsewhere `A=1 sh` is a command.
const TAKES_SETTINGS: &[&str] = &["ssh", "scp", "sftp", "tar", "bsdtar", "gtar"];

/// `exec=…`, `ProxyCommand=…`, `!…`: what stands behind is the command.
fn run(reader: &mut Reader, word: &Word, takes_settings: bool) {
    let starts = [
        "exec=",
        "ProxyCommand=",
        "ProxyCommand ",
        "LocalCommand=",
        "!",
        ":!",
    ];
    let inside = starts
        .iter()
        .find_map(|start| word.value.strip_prefix(start));
    let place = match (inside, place(word)) {
        (Some(inside), Place::Exact(at)) => Place::Exact(at + word.value.len() - inside.len()),
        (_, place) => place,
    };
    let is_setting = takes_settings
        && inside.is_none()
        && word
            .value
            .split(' ')
            .next()
            .is_some_and(|first| first.contains('='));
    if !is_setting {
        reader.new_shell(inside.unwrap_or(&word.value), place);
    }
}

/// Aliases, and what is run on each commit.
fn git(reader: &mut Reader, command: &Command) {
    let words = command.arguments();
    for word in words {
        if let Some((name, value)) = word.value.split_once('=') {
            set(reader, word, name, value);
        }
        if let Some(address) = word.value.strip_prefix("ext::") {
            reader.new_shell(&address.replace("% ", "\\ "), Place::Whole(word.span));
        }
    }
    for pair in words.windows(2) {
        set(reader, &pair[1], &pair[0].value, &pair[1].value);
    }
    let long = ["--upload-pack", "--receive-pack"];
    for word in command.values("", "", &long) {
        run(reader, &word, false);
    }
    let has = |name: &str| words.iter().any(|word| word.value == name);
    if has("rebase") {
        for word in command.values("x", "CcsX", &["--exec"]) {
            run(reader, &word, false);
        }
    }
    let starts = [("bisect", "run"), ("submodule", "foreach")];
    for (_, start) in starts.iter().filter(|(name, _)| has(name)) {
        let at = words.iter().position(|word| word.value == *start);
        let rest = at.and_then(|at| words.get(at + 1..)).unwrap_or_default();
        let rest: Vec<Word> = rest
            .iter()
            .skip_while(|word| word.is_option())
            .cloned()
            .collect();
        match rest.as_slice() {
            [only] => run(reader, only, false),
            _ => reader.start(command, rest),
        }
    }
}

/// An alias runs as a command of the shell only with a `!` in front.
fn set(reader: &mut Reader, word: &Word, name: &str, value: &str) {
    let name = name.to_ascii_lowercase();
    let script = match value.strip_prefix('!') {
        Some(script) if name.starts_with("alias.") || name.starts_with("credential.") => script,
        _ if SETTINGS.contains(&name.as_str()) => value,
        _ => return,
    };
    reader.new_shell(script, Place::Whole(word.span));
}
