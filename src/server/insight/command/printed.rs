//! What a command prints, as far as it stands in the command itself: handed to a shell, it is a script.

use super::escapes;
use super::read::{BESIDES, Reader};
use super::script::{Command, RedirectionKind, Word};
use super::source::Place;
use crate::model::insight::command::{Span, Within};
use std::collections::BTreeSet;
use std::ops::Range;

/// A text that is printed, and where it stands.
pub type Text = (String, Place);

pub fn printed(command: &Command) -> Vec<Text> {
    let words = command.arguments();
    let text = match command.program() {
        "echo" => {
            let is_option = |word: &&Word| {
                word.value.len() > 1
                    && word
                        .value
                        .trim_start_matches(['n', 'e', 'E', '-'])
                        .is_empty()
            };
            let options = words.iter().take_while(is_option).count();
            let values: Vec<&str> = words[options..]
                .iter()
                .map(|word| word.value.as_str())
                .collect();
            together(&words[options..], values.join(" "))
        }
        "printf" => {
            let words = match words.first() {
                Some(first) if first.value == "--" => &words[1..],
                _ => words,
            };
            together(words, formatted(words))
        }
        "cat" | "tee" => None,
        _ => return Vec::new(),
    };
    text.into_iter().chain(documents(command)).collect()
}

/// Here-documents and here-strings.
pub fn documents(command: &Command) -> impl Iterator<Item = Text> {
    let is_text = |kind| {
        matches!(
            kind,
            RedirectionKind::HereDocument | RedirectionKind::HereString
        )
    };
    let inputs = command
        .redirections
        .iter()
        .filter(move |input| is_text(input.kind));
    inputs.map(|input| (input.target.value.clone(), place(&input.target)))
}

pub fn place(word: &Word) -> Place {
    word.verbatim_at
        .map_or(Place::Whole(word.span), Place::Exact)
}

fn together(words: &[Word], text: String) -> Option<Text> {
    let (first, last) = (words.first()?, words.last()?);
    let decoded = decoded(&text);
    if let [only] = words
        && decoded == only.value
    {
        return Some((decoded, place(only)));
    }
    let span = Span::new(first.span.start, last.span.end);
    Some((decoded, Place::Whole(span)))
}

/// Each `%s` is one of the others in turn; when they are more, the format is used again.
fn formatted(words: &[Word]) -> String {
    let Some((format, values)) = words.split_first() else {
        return String::new();
    };
    let mut text = format.value.clone();
    let mut from = 0;
    for value in values {
        if !text[from..].contains('%') {
            text.push_str(&format.value);
        }
        let Some(at) = text[from..].find('%').map(|at| from + at) else {
            break;
        };
        let end = text[at + 1..]
            .chars()
            .next()
            .map_or(at + 1, |kind| at + 1 + kind.len_utf8());
        text.replace_range(at..end, &value.value);
        from = at + value.value.len();
    }
    text
}

/// `\n`, `\x20`: read as such also where `echo` leaves them alone.
fn decoded(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let quoted = format!("{}'", text.replace('\'', "\\'"));
    escapes::ansi_quoted(&quoted).map_or_else(|| text.to_owned(), |(text, ..)| text)
}

impl Reader {
    /// `echo 'rm -rf x' | sh` and `cat <<EOF | sh`: what is printed is what runs, also when it is handed on.
    pub fn run_what_is_piped(&mut self, stages: &[Range<usize>]) {
        let mut texts = Vec::new();
        for (index, stage) in stages.iter().enumerate() {
            let commands = self.script.commands[stage.clone()].to_vec();
            if index > 0 && !texts.is_empty() {
                for command in &commands {
                    self.write(command, &texts);
                }
                if commands.iter().any(|command| command.reads_script) {
                    self.run_texts(texts.clone());
                }
            }
            let hands_on = |command: &Command| matches!(command.program(), "cat" | "tee");
            if !commands.iter().all(hands_on) {
                texts.clear();
            }
            texts.extend(commands.iter().flat_map(printed));
        }
    }

    /// `bash -c "$(echo …)"`, `source <(echo …)`: a word of which all is printed inside.
    pub fn run_what_is_inside(&mut self, word: &Word) {
        let inside = &self.script.commands[word.inside.clone()];
        let texts: Vec<Vec<Text>> = inside.iter().map(printed).collect();
        if texts.iter().all(|texts| !texts.is_empty()) {
            self.run_texts(texts.into_iter().flatten().collect());
        }
    }

    pub fn run_texts(&mut self, texts: Vec<Text>) {
        for (text, place) in texts {
            self.new_shell(&text, place);
        }
    }

    /// Remembers what is written to a file.
    pub fn write(&mut self, command: &Command, texts: &[Text]) {
        let is_written = |kind| matches!(kind, RedirectionKind::Write | RedirectionKind::Append);
        let outputs = command
            .redirections
            .iter()
            .filter(|output| is_written(output.kind));
        let outputs = outputs.map(|output| &output.target);
        let copies = command.operands().filter(|_| command.program() == "tee");
        // each file once
        let files: BTreeSet<&str> = outputs.chain(copies).map(Word::name).collect();
        let bytes: usize = texts.iter().map(|(text, _)| text.len() + BESIDES).sum();
        let bytes = bytes.saturating_mul(files.len());
        if bytes > self.budget {
            let why = "It writes more scripts than are looked through.";
            return self.problem(why, Some(command.span.start));
        }
        self.budget -= bytes;
        for file in files.into_iter().filter(|_| !texts.is_empty()) {
            let known = self.written.entry(file.to_owned()).or_default();
            known.extend(texts.iter().cloned());
        }
    }

    /// Runs a file whose text was written before, if it is for a shell.
    pub fn run_file(&mut self, file: &Word, in_this_shell: bool) {
        let Some(texts) = self.written.get(file.name()).cloned() else {
            return;
        };
        let first = texts.first().and_then(|(text, _)| text.lines().next());
        let is_foreign = first.is_some_and(|line| line.starts_with("#!") && !line.contains("sh"));
        for (text, place) in texts.into_iter().filter(|_| !is_foreign) {
            if in_this_shell {
                self.inner(&text, place, Within::Script);
            } else {
                self.new_shell(&text, place);
            }
        }
    }
}
