//! Colours for code, by the shape of its words: comments, texts, numbers, keywords. A small scanner driven by a table of
//! languages, not a parser: it is fast on any input, cannot fail, and a wrong colour hides nothing.

mod languages;
mod markup;
mod scan;

use super::Limits;
use crate::model::insight::file::Class;
use languages::{Language, Style};
use scan::State;
use std::collections::HashSet;
use std::ops::Range;
use std::time::Instant;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub range: Range<usize>,
    pub class: Class,
}

/// The name of the language for a file, if it is known.
pub fn language_of(path: &str) -> Option<&'static str> {
    languages::by_path(path).map(|language| language.name)
}

/// Follows one text from its first line; lines are asked for in order.
pub struct Highlighter<'a> {
    language: Option<&'static Language>,
    keywords: HashSet<&'static str>,
    lines: &'a [&'a str],
    longest_line: usize,
    deadline: Instant,
    next: usize,
    state: State,
    spans: Vec<Span>,
}

impl<'a> Highlighter<'a> {
    /// A text that is too large has no colours.
    pub fn new(
        language: Option<&str>,
        lines: &'a [&'a str],
        limits: &Limits,
        deadline: Instant,
    ) -> Self {
        let bytes: usize = lines.iter().map(|line| line.len()).sum();
        let language = language
            .and_then(languages::by_name)
            .filter(|_| bytes <= limits.coloured_bytes);
        Self {
            language,
            keywords: language.map(Language::keywords).unwrap_or_default(),
            lines,
            longest_line: limits.line_bytes,
            deadline,
            next: 0,
            state: State::default(),
            spans: Vec::new(),
        }
    }

    pub fn line(&mut self, number: usize) -> &[Span] {
        let Some(language) = self.language else {
            return &[];
        };
        while self.next <= number {
            if self.next.is_multiple_of(256) && Instant::now() > self.deadline {
                self.language = None;
                return &[];
            }
            self.spans.clear();
            let line = self.lines.get(self.next).copied().unwrap_or_default();
            self.next += 1;
            if line.len() <= self.longest_line {
                let line = line.trim_end_matches(['\r', '\n']);
                self.state = match language.style {
                    Style::Code => {
                        scan::line(language, &self.keywords, self.state, line, &mut self.spans)
                    }
                    Style::Tags => markup::tags(self.state, line, &mut self.spans),
                    Style::Markdown => markup::markdown(self.state, line, &mut self.spans),
                };
            }
        }
        &self.spans
    }
}
