//! The rules: each looks at one kind of harm, and points at the words that would do it.

mod containers;
mod decoded;
mod deletes;
mod disks;
mod downloads;
mod environment;
mod foreign;
mod git;
mod git_folder;
mod links;
mod lists;
mod loaded_code;
mod network;
mod obfuscation;
mod overwrites;
mod permissions;
mod processes;
mod publishing;
mod root;
mod secrets;
mod services;
mod system;
mod unknown_places;
mod writes;

use super::paths::Surroundings;
use super::script::{Command, Script, Word};
use crate::model::insight::command::{Mark, MarkKind, Segment, Severity, Span};
use std::ops::Range;

pub struct Look<'l> {
    pub script: &'l Script,
    pub surroundings: &'l Surroundings<'l>,
    marks: Vec<Mark>,
}

pub fn marks(script: &Script, surroundings: &Surroundings<'_>) -> Vec<Mark> {
    let mut look = Look {
        script,
        surroundings,
        marks: Vec::new(),
    };
    for command in &script.commands {
        let before = look.marks.len();
        for rule in [
            root::look,
            lists::look,
            deletes::look,
            writes::look,
            overwrites::look,
            links::look,
            unknown_places::look,
            git::look,
            git_folder::look,
            permissions::look,
            network::look,
            secrets::look,
            environment::look,
            obfuscation::look,
            loaded_code::look,
            downloads::look,
            foreign::look,
            processes::look,
            system::look,
            publishing::look,
            services::look,
            containers::look,
            disks::look,
        ] {
            rule(&mut look, command);
        }
        // what its output is written to is no matter of the program
        let is_output = |mark: &Mark| {
            let mut outputs = command.redirections.iter();
            outputs.any(|output| mark.words.contains(&output.target.span))
        };
        if look.marks[before..].iter().any(|mark| !is_output(mark)) {
            obfuscation::look_at_named_program(&mut look, command);
        }
    }
    for stages in &script.pipelines {
        downloads::look_at_pipe(&mut look, stages);
        obfuscation::look_at_pipe(&mut look, stages);
        secrets::look_at_pipe(&mut look, stages);
    }
    downloads::look_at_files(&mut look);
    decoded::look_at_variables(&mut look);
    processes::look_at_functions(&mut look);
    look.marks
}

/// Characters that hide, reorder or imitate others, wherever they are in the text: each on the innermost segment around it.
pub fn hidden_characters(text: &str, segments: &[Segment], is_odd: fn(char) -> bool) -> Vec<Mark> {
    let whole = Span::new(0, text.len());
    let mut marks: Vec<Mark> = Vec::new();
    let odd = text
        .char_indices()
        .filter(|(_, character)| is_odd(*character))
        .map(|(at, character)| Span::new(at, at + character.len_utf8()));
    for character in odd.take(100) {
        let around = segments.iter().map(|segment| segment.span);
        let segment = around
            .filter(|span| span.contains(character))
            .min_by_key(|span| span.end - span.start)
            .unwrap_or(whole);
        match marks.iter_mut().find(|mark| mark.segment == segment) {
            Some(mark) => mark.words.push(character),
            None => marks.push(Mark {
                kind: MarkKind::HiddenCharacters,
                severity: Severity::Danger,
                sentence: "Contains characters that cannot be seen or look like others".to_owned(),
                segment,
                words: vec![character],
            }),
        }
    }
    marks
}

impl<'l> Look<'l> {
    /// What stands in a pipe behind a source: in each stage the first one that takes it up.
    pub fn later(
        &self,
        stages: &[Range<usize>],
        is_source: impl Fn(&Command) -> bool,
        is_sink: impl Fn(&Command) -> bool,
    ) -> Vec<&'l Command> {
        let script = self.script;
        let commands =
            |stage: &Range<usize>| script.commands.get(stage.clone()).unwrap_or_default();
        let has_source = |stage: &Range<usize>| commands(stage).iter().any(&is_source);
        let behind = stages.iter().skip_while(|stage| !has_source(stage)).skip(1);
        let sinks =
            behind.filter_map(|stage| commands(stage).iter().find(|command| is_sink(command)));
        sinks.collect()
    }

    pub fn danger(
        &mut self,
        command: &Command,
        kind: MarkKind,
        sentence: impl Into<String>,
        words: &[&Word],
    ) {
        self.mark(command, kind, Severity::Danger, sentence, words);
    }

    pub fn caution(
        &mut self,
        command: &Command,
        kind: MarkKind,
        sentence: impl Into<String>,
        words: &[&Word],
    ) {
        self.mark(command, kind, Severity::Caution, sentence, words);
    }

    pub fn mark(
        &mut self,
        command: &Command,
        kind: MarkKind,
        severity: Severity,
        sentence: impl Into<String>,
        words: &[&Word],
    ) {
        let mut spans: Vec<Span> = words.iter().map(|word| word.span).collect();
        if spans.is_empty() {
            spans.extend(command.words.first().map(|word| word.span));
        }
        spans.sort();
        spans.dedup();
        self.marks.push(Mark {
            kind,
            severity,
            sentence: sentence.into(),
            segment: command.span,
            words: spans,
        });
    }

    pub fn commands(&self, range: &Range<usize>) -> &'l [Command] {
        self.script.commands.get(range.clone()).unwrap_or_default()
    }
}

/// "a, b, c and 4 more". The command itself is always shown whole; this is only its summary.
pub fn list<'w>(words: impl IntoIterator<Item = &'w Word>) -> String {
    let values: Vec<String> = words.into_iter().map(|word| short(&word.value)).collect();
    listed(&values)
}

pub fn listed(values: &[String]) -> String {
    match values.len() {
        0..=3 => values.join(", "),
        more => format!("{} and {} more", values[..3].join(", "), more - 3),
    }
}

pub fn short(text: &str) -> String {
    let line = text.split('\n').next().unwrap_or_default();
    if line.len() < text.len() || line.chars().count() > 60 {
        format!("{}…", line.chars().take(59).collect::<String>())
    } else {
        line.to_owned()
    }
}
