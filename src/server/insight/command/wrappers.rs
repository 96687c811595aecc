//! Programs that run another command: through them the rules see what really runs.

use super::prefixes::{self, after_options};
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
    // `$SUDO rm` is `rm` where the variable is empty
    let may_be_nothing =
        |word: &&Word| word.dynamic && !word.quoted && word.value.starts_with(['$', '`']);
    if command
        .words
        .first()
        .is_some_and(|word| may_be_nothing(&word))
    {
        run(reader, command, 1..command.words.len());
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
        run(reader, command, start..command.words.len());
        return start >= command.words.len() && is_root_shell(command);
    }
    match program {
        "su" | "runuser" => after_option_c(reader, command),
        "find" | "fd" | "fdfind" => find(reader, command),
        "ssh" => ssh(reader, command),
        "docker" | "podman" | "nerdctl" | "kubectl" | "oc" => container(reader, command),
        "eval" => joined(command, 1, |text, place| {
            reader.inner(text, place, Within::Script);
        }),
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
        _ => {}
    }
    false
}

/// `echo 'rm -rf x' | sh` and `cat <<EOF | sh`: what is printed is what runs.
pub fn follow_pipe(reader: &mut Reader, stages: &[Range<usize>]) {
    for pair in stages.windows(2) {
        let reads = reader.script.commands[pair[1].clone()]
            .iter()
            .any(|command| command.reads_script);
        if !reads {
            continue;
        }
        let printers = reader.script.commands[pair[0].clone()].to_vec();
        for command in printers {
            if matches!(command.program(), "echo" | "printf") {
                for word in command
                    .operands()
                    .filter(|word| !word.dynamic)
                    .cloned()
                    .collect::<Vec<_>>()
                {
                    let text = word.value.replace("\\n", "\n");
                    let place = if text == word.value {
                        place(&word)
                    } else {
                        Place::Whole(word.span)
                    };
                    reader.new_shell(&text, place);
                }
            }
            documents(reader, &command);
        }
    }
}

/// The command from word `range.start` on, as a command of its own.
fn run(reader: &mut Reader, command: &Command, range: Range<usize>) {
    let Some(words) = command.words.get(range).filter(|words| !words.is_empty()) else {
        return;
    };
    let input = command.redirections.iter().filter(|redirection| {
        matches!(
            redirection.kind,
            RedirectionKind::HereDocument | RedirectionKind::HereString
        )
    });
    let inner = Command {
        span: command.span,
        name: words[0].name().to_owned(),
        words: words.to_vec(),
        redirections: input.cloned().collect(),
        ..Command::default()
    };
    // `watch 'df -h'`, `parallel 'rm {}'`: one word that is a whole script.
    if let [only] = words
        && only.quoted
        && only.value.contains(' ')
    {
        return script(reader, only);
    }
    if reader.depth < super::limits::DEEPEST {
        reader.depth += 1;
        reader.push(inner);
        reader.depth -= 1;
    } else {
        reader.problem("It nests deeper than is looked through.", None);
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
            }
            return false;
        }
        if word.has_letter("s") {
            documents(reader, command);
            return true;
        }
        at += 1 + usize::from(matches!(
            word.value.as_str(),
            "-o" | "-O" | "+o" | "+O" | "--rcfile" | "--init-file"
        ));
    }
    let reads = command
        .words
        .get(at)
        .is_none_or(|word| matches!(word.value.as_str(), "-" | "/dev/stdin" | "/dev/fd/0"));
    if reads {
        documents(reader, command);
    }
    reads
}

/// Here-documents and here-strings of a shell are scripts.
fn documents(reader: &mut Reader, command: &Command) {
    for redirection in &command.redirections {
        if matches!(
            redirection.kind,
            RedirectionKind::HereDocument | RedirectionKind::HereString
        ) {
            let word = redirection.target.clone();
            reader.new_shell(&word.value, place(&word));
        }
    }
}

fn script(reader: &mut Reader, word: &Word) {
    reader.new_shell(&word.value, place(word));
}

fn place(word: &Word) -> Place {
    word.verbatim_at
        .map_or(Place::Whole(word.span), Place::Exact)
}
