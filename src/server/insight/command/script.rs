//! A command as the rules see it: flat lists of what will run, with the place of each word.

use super::state::Directory;
use crate::model::insight::command::{PieceKind, Segment, Span};
use std::ops::Range;

/// Everything that was read. Commands stand in the order they are written, so that "all commands inside this word" is a
/// range of numbers.
#[derive(Debug, Default)]
pub struct Script {
    pub commands: Vec<Command>,
    pub pipelines: Vec<Vec<Range<usize>>>,
    pub segments: Vec<Segment>,
    pub functions: Vec<Function>,
    /// Where commands begin that follow another, in no order.
    pub followers: Vec<Follower>,
    /// What each byte of the command is.
    pub paint: Vec<PieceKind>,
    pub problem: Option<Problem>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub why: String,
    pub at: Option<usize>,
}

/// A command, also a loop or a group, that follows another one in the text itself.
#[derive(Clone, Copy, Debug)]
pub struct Follower {
    pub start: usize,
    pub depth: usize,
}

#[derive(Debug)]
pub struct Function {
    pub name: String,
    pub span: Span,
    pub body: Range<usize>,
}

/// One program and its arguments. A wrapper (`sudo`, `xargs`, …) and what it starts are two of them.
#[derive(Clone, Debug, Default)]
pub struct Command {
    /// The segment a person sees it in.
    pub span: Span,
    /// The name of the program without its directory: `/usr/bin/rm` is `rm`.
    pub name: String,
    /// The program first. Empty for a bare redirection or assignment.
    pub words: Vec<Word>,
    pub redirections: Vec<Redirection>,
    /// `NAME=value` in front of it, or alone.
    pub assignments: Vec<Word>,
    /// Where it runs, as far as `cd` in front of it can be followed.
    pub directory: Directory,
    /// It runs on another machine or in a container: paths mean nothing here.
    pub elsewhere: bool,
    /// What it starts: the wrapped command, the inner script.
    pub starts: Range<usize>,
    /// It reads what is piped in as a script.
    pub reads_script: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Word {
    pub span: Span,
    pub value: String,
    pub dynamic: bool,
    pub quoted: bool,
    pub pattern: bool,
    pub encoded: bool,
    /// The program in it is named by a variable whose value is known.
    pub by_variable: bool,
    /// It has a value in it that was written as numbers where the variable was set.
    pub by_encoded_variable: bool,
    /// Variables whose value becomes a part of it, and is not known.
    pub reads: Vec<String>,
    /// Where in the value a known variable without quotes stands: it falls into words there.
    pub loose: Vec<Range<usize>>,
    /// Written exactly like its value, from this byte on: an inner script can be shown in place.
    pub verbatim_at: Option<usize>,
    /// The commands inside its substitutions.
    pub inside: Range<usize>,
}

#[derive(Clone, Debug)]
pub struct Redirection {
    pub kind: RedirectionKind,
    pub span: Span,
    pub target: Word,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectionKind {
    Read,
    Write,
    Append,
    HereString,
    HereDocument,
}

impl Command {
    pub fn program(&self) -> &str {
        &self.name
    }

    pub fn arguments(&self) -> &[Word] {
        self.words.get(1..).unwrap_or_default()
    }

    /// The first argument that is not an option, with its place among the arguments.
    pub fn subcommand(&self) -> &str {
        self.arguments()
            .iter()
            .find(|word| !word.value.starts_with('-'))
            .map_or("", |word| word.value.as_str())
    }

    /// Arguments that are neither options nor after-effects of them.
    pub fn operands(&self) -> impl Iterator<Item = &Word> {
        let mut only_operands = false;
        self.arguments().iter().filter(move |word| {
            if only_operands {
                return true;
            }
            if word.value == "--" {
                only_operands = true;
                return false;
            }
            !word.is_option()
        })
    }

    /// A long option, or a letter in a cluster of short ones (`-rf` has `r` and `f`).
    pub fn option(&self, letters: &str, long: &[&str]) -> Option<&Word> {
        self.arguments()
            .iter()
            .take_while(|word| word.value != "--")
            .find(|word| word.has_letter(letters) || long.iter().any(|name| word.is_long(name)))
    }
}

impl Word {
    pub fn name(&self) -> &str {
        self.value.rsplit('/').next().unwrap_or_default()
    }

    pub fn is_option(&self) -> bool {
        self.value.len() > 1 && self.value.starts_with('-')
    }

    pub fn has_letter(&self, letters: &str) -> bool {
        self.value
            .strip_prefix('-')
            .filter(|cluster| !cluster.starts_with('-'))
            .is_some_and(|cluster| cluster.chars().any(|letter| letters.contains(letter)))
    }

    /// `--force`, `--force=…` and `--for`, never `--force-color`.
    pub fn is_long(&self, name: &str) -> bool {
        let written = self.value.split('=').next().unwrap_or_default();
        let is_abbreviation = written.len() > 2 && written.starts_with("--");
        written == name || (is_abbreviation && name.starts_with(written))
    }

    /// What stands after `name=`.
    pub fn after(&self, name: &str) -> Option<&str> {
        self.value.strip_prefix(name)?.strip_prefix('=')
    }
}
