//! Programs that run another command: through them the rules see what really runs.

use super::handed;
use super::prefixes::{self, after_options};
use super::printed::{self, place};
use super::read::Reader;
use super::script::{Command, RedirectionKind, Word};
use super::source::Place;
use crate::model::insight::command::{Span, Within};
use std::ops::Range;

pub const SHELLS: &[&str] = &[
    "sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "rbash", "mksh",
];

/// Reads what the command starts. True when it runs as a script what it reads from its input.
pub fn follow(reader: &mut Reader, command: &Command) -> bool {
    let program = command.program();
    handed::follow_variables(reader, command);
    // `$SUDO rm` is `rm` where the variable is empty
    let may_be_nothing =
        |word: &&Word| word.dynamic && !word.quoted && word.value.starts_with(['$', '`']);
    if command
        .words
        .first()
        .is_some_and(|word| may_be_nothing(&word))
    {
        run(reader, command, 1..command.words.len());
        run_printed_program(reader, command);
        return false;
    }
    if let Some((values, operands)) = prefixes::find(program) {
        if program == "command" && command.option("vV", &[]).is_some() {
            return false;
        }
        if program == "env" {
            split_string(reader, command);
        }
        let start = after_options(&command.words, values, operands);
        reader.aside(|reader| {
            elsewhere_on_this_machine(reader, command, values);
            run(reader, command, start..command.words.len());
        });
        handed::follow(reader, command);
        return start >= command.words.len() && is_root_shell(command);
    }
    handed::follow(reader, command);
    match program {
        "su" | "runuser" => after_option_c(reader, command),
        "find" | "fd" | "fdfind" => find(reader, command),
        "ssh" => ssh(reader, command),
        "docker" | "podman" | "nerdctl" | "kubectl" | "oc" => container(reader, command),
        "eval" => {
            for word in command.arguments() {
                reader.run_what_is_inside(word);
            }
            joined(command, 1, |text, place| {
                reader.inner(text, place, Within::Script);
            });
        }
        "source" | "." => {
            if let Some(word) = command.operands().next() {
                reader.run_what_is_inside(word);
                reader.run_file(word, true);
            }
            if command.operands().next().is_some_and(is_input) {
                documents(reader, command);
            }
        }
        "trap" => {
            if let Some(word) = command.operands().next() {
                reader.trap(&word.value, place(word));
            }
        }
        "alias" => {
            for word in command.operands().cloned().collect::<Vec<_>>() {
                if let Some((_, value)) = word.value.split_once('=') {
                    reader.new_shell(value, Place::Whole(word.span));
                }
            }
        }
        "tmux" | "screen" => {
            for word in command
                .operands()
                .filter(|word| word.value.contains(' '))
                .cloned()
                .collect::<Vec<_>>()
            {
                script(reader, &word);
            }
        }
        shell if SHELLS.contains(&shell) => return follow_shell(reader, command),
        _ => {
            if let Some(word) = command
                .words
                .first()
                .filter(|word| word.value.contains('/'))
            {
                reader.run_file(word, false);
            }
        }
    }
    false
}

/// The command from word `range.start` on, as a command of its own.
fn run(reader: &mut Reader, command: &Command, range: Range<usize>) {
    if let Some(words) = command.words.get(range) {
        reader.start(command, words.to_vec());
    }
}

impl Reader {
    /// These words as a command that another one starts.
    pub fn start(&mut self, command: &Command, words: Vec<Word>) {
        let Some(first) = words.first() else {
            return;
        };
        // `watch 'df -h'`, `parallel 'rm {}'`: one word that is a whole script.
        if let [only] = words.as_slice()
            && only.quoted
            && only.value.contains(' ')
        {
            return script(self, only);
        }
        let is_input = |kind| !matches!(kind, RedirectionKind::Write | RedirectionKind::Append);
        let input = command
            .redirections
            .iter()
            .filter(|input| is_input(input.kind));
        let inner = Command {
            span: command.span,
            name: first.name().to_owned(),
            redirections: input.cloned().collect(),
            words,
            ..Command::default()
        };
        if self.depth < super::limits::DEEPEST {
            self.depth += 1;
            self.push(inner);
            self.depth -= 1;
        } else {
            self.problem("It nests deeper than is looked through.", None);
        }
    }
}

/// `env -C directory`, `sudo -D directory`: where it runs what it starts.
fn elsewhere_on_this_machine(reader: &mut Reader, command: &Command, values: &str) {
    let letter = match command.program() {
        "env" => "C",
        "sudo" => "D",
        _ => return,
    };
    let others: String = values
        .chars()
        .filter(|other| !letter.contains(*other))
        .collect();
    if let Some(word) = command.values(letter, &others, &["--chdir"]).last() {
        reader.go(std::slice::from_ref(word), false);
    }
}

/// `$(echo rm) -rf x`
fn run_printed_program(reader: &mut Reader, command: &Command) {
    let Some((program, arguments)) = command.words.split_first() else {
        return;
    };
    let inside = &reader.script.commands[program.inside.clone()];
    if let [only] = inside
        && let [(text, _)] = printed::printed(only).as_slice()
    {
        let word = |value: &str| Word {
            value: value.to_owned(),
            span: program.span,
            ..Word::default()
        };
        let words = text.split_whitespace().map(word);
        reader.start(command, words.chain(arguments.iter().cloned()).collect());
    }
}

fn is_root_shell(command: &Command) -> bool {
    command.program() == "sudo" && command.option("is", &["--login", "--shell"]).is_some()
}

fn split_string(reader: &mut Reader, command: &Command) {
    for (index, word) in command.words.iter().enumerate() {
        if word.is_option() && word.has_letter("S") {
            if let Some(word) = command.words.get(index + 1).cloned() {
                script(reader, &word);
            }
        } else if let Some(text) = word.after("--split-string").map(str::to_owned) {
            reader.new_shell(&text, Place::Whole(word.span));
        }
    }
}

fn after_option_c(reader: &mut Reader, command: &Command) {
    for (index, word) in command.words.iter().enumerate() {
        if (word.has_letter("c") || word.value == "--command")
            && let Some(word) = command.words.get(index + 1).cloned()
        {
            return script(reader, &word);
        }
    }
}

fn find(reader: &mut Reader, command: &Command) {
    let mut start = None;
    for (index, word) in command.words.iter().enumerate() {
        match word.value.as_str() {
            "-exec" | "-execdir" | "-ok" | "-okdir" | "-x" | "--exec" | "-X" | "--exec-batch"
                if start.is_none() =>
            {
                start = Some(index + 1);
            }
            ";" | "+" => {
                if let Some(from) = start.take() {
                    run(reader, command, from..index);
                }
            }
            _ => {}
        }
    }
    if let Some(from) = start {
        run(reader, command, from..command.words.len());
    }
}

fn ssh(reader: &mut Reader, command: &Command) {
    let start = after_options(&command.words, "bcDeFIiJLlmOopQRSWw", 1);
    elsewhere(reader, |reader| {
        joined(command, start, |text, place| {
            reader.new_shell(text, place);
        });
    });
}

fn container(reader: &mut Reader, command: &Command) {
    if !command
        .arguments()
        .iter()
        .any(|word| matches!(word.value.as_str(), "exec" | "run"))
    {
        return;
    }
    let shell = command
        .words
        .iter()
        .skip(2)
        .position(|word| SHELLS.contains(&word.name()))
        .map(|index| index + 2);
    let dashes = command
        .words
        .iter()
        .position(|word| word.value == "--")
        .map(|index| index + 1);
    if let Some(start) = shell.or(dashes) {
        elsewhere(reader, |reader| {
            run(reader, command, start..command.words.len())
        });
    }
}

fn elsewhere(reader: &mut Reader, body: impl FnOnce(&mut Reader)) {
    let outer = std::mem::replace(&mut reader.elsewhere, true);
    body(reader);
    reader.elsewhere = outer;
}

/// `bash -c '"$@"' _ rm x`: what stands behind a script, the script may run.
fn arguments(reader: &mut Reader, command: &Command, script: &Word) {
    let is_script = |word: &Word| word.span == script.span && word.value == script.value;
    let Some(at) = command.words.iter().position(is_script) else {
        return;
    };
    for (sign, from) in [("$0", 1), ("$@", 2), ("$*", 2), ("$1", 2)] {
        if script.value.contains(sign) {
            run(reader, command, at + from..command.words.len());
        }
    }
}

fn is_input(word: &Word) -> bool {
    matches!(
        word.value.as_str(),
        "-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0"
    )
}

/// The words from `start` on, put together with blanks: one script.
fn joined(command: &Command, start: usize, read: impl FnOnce(&str, Place)) {
    match command.words.get(start..).unwrap_or_default() {
        [] => {}
        [only] => read(&only.value, place(only)),
        words @ [first, .., last] => {
            let values: Vec<&str> = words.iter().map(|word| word.value.as_str()).collect();
            let span = Span::new(first.span.start, last.span.end);
            read(&values.join(" "), Place::Whole(span));
        }
    }
}

fn follow_shell(reader: &mut Reader, command: &Command) -> bool {
    let mut at = 1;
    while let Some(word) = command.words.get(at) {
        if !word.is_option() && !word.value.starts_with('+') {
            break;
        }
        if word.has_letter("c") {
            let script_word = command.words[at + 1..]
                .iter()
                .find(|word| !word.is_option())
                .cloned();
            if let Some(word) = script_word {
                script(reader, &word);
                arguments(reader, command, &word);
            }
            return false;
        }
        if word.has_letter("s") {
            documents(reader, command);
            return true;
        }
        // `-o pipefail`, `-euo pipefail`: the next word is its value
        let is_short = !word.value.starts_with("--");
        let has_value = match word.value.as_str() {
            "--rcfile" | "--init-file" => true,
            short => is_short && short.ends_with(['o', 'O']),
        };
        at += 1 + usize::from(has_value);
    }
    let reads = command.words.get(at).is_none_or(is_input);
    if reads {
        documents(reader, command);
    }
    if let Some(word) = command.words.get(at) {
        reader.run_what_is_inside(word);
        reader.run_file(word, false);
    }
    reads
}

/// Here-documents and here-strings of a shell are scripts, and what is printed for it to read.
fn documents(reader: &mut Reader, command: &Command) {
    reader.run_texts(printed::documents(command).collect());
    for input in &command.redirections {
        if input.kind == RedirectionKind::Read {
            reader.run_what_is_inside(&input.target);
            reader.run_file(&input.target, false);
        }
    }
}

fn script(reader: &mut Reader, word: &Word) {
    reader.run_what_is_inside(word);
    reader.new_shell(&word.value, place(word));
}
