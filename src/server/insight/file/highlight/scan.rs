//! Scans one line of code. What goes on beyond the line, a comment or a text, is in the state.

use super::Span;
use super::languages::{Feature, Language};
use crate::model::insight::file::Class;
use std::collections::HashSet;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    #[default]
    Plain,
    /// In a comment, so deep.
    Comment(u8),
    /// In a text: the number of its rule.
    Text(u8),
    /// In a raw text of Rust that ends with so many `#`.
    Raw(u8),
    /// In a tag, or in a block of Markdown.
    Inside,
}

struct Scanner<'a> {
    language: &'static Language,
    keywords: &'a HashSet<&'static str>,
    line: &'a str,
    at: usize,
    state: State,
    spans: &'a mut Vec<Span>,
}

pub fn line(
    language: &'static Language,
    keywords: &HashSet<&'static str>,
    state: State,
    line: &str,
    spans: &mut Vec<Span>,
) -> State {
    let mut scanner = Scanner {
        language,
        keywords,
        line,
        at: 0,
        state,
        spans,
    };
    while scanner.at < line.len() {
        scanner.step();
    }
    scanner.state
}

impl Scanner<'_> {
    fn step(&mut self) {
        let start = self.at;
        match self.state {
            State::Comment(depth) => {
                self.comment(depth);
                self.span(start, Class::Comment);
            }
            State::Text(rule) => {
                self.text(rule);
                self.span(start, Class::Text);
            }
            State::Raw(hashes) => {
                self.raw(hashes);
                self.span(start, Class::Text);
            }
            State::Plain | State::Inside => self.plain(),
        }
    }

    fn plain(&mut self) {
        let start = self.at;
        let rest = &self.line[start..];
        if self.begins_line_comment(rest) {
            self.at = self.line.len();
            return self.span(start, Class::Comment);
        }
        if let Some((open, _)) = self.language.comment
            && rest.starts_with(open)
        {
            self.at += open.len();
            self.comment(1);
            return self.span(start, Class::Comment);
        }
        if self.language.has(Feature::RustTexts) && self.rust_text(rest) {
            return self.span(start, Class::Text);
        }
        let rules = (0u8..).zip(self.language.texts);
        if let Some((rule, text)) = rules
            .into_iter()
            .find(|(_, text)| rest.starts_with(text.open))
        {
            self.at += text.open.len();
            self.text(rule);
            let is_key = self.language.has(Feature::Keys) && self.is_before_colon();
            return self.span(start, if is_key { Class::Mark } else { Class::Text });
        }
        let first = rest.chars().next().unwrap_or(' ');
        if first.is_ascii_digit() {
            self.at += length(rest, |c| c.is_ascii_alphanumeric() || c == '_' || c == '.');
            self.span(start, Class::Number);
        } else if first.is_alphabetic() || first == '_' || self.is_sigil(rest) {
            self.word(rest);
        } else {
            self.at += first.len_utf8();
        }
    }

    fn begins_line_comment(&self, rest: &str) -> bool {
        self.language.line_comments.iter().any(|mark| rest.starts_with(mark))
            // in a shell `a#b` is a word
            && (!self.language.has(Feature::SpacedComments)
                || self.line[..self.at].chars().next_back().is_none_or(|c| c.is_whitespace() || c == ';'))
    }

    /// `@decorator`, `$variable`, `#[attribute]`: a word with a sign before it.
    fn is_sigil(&self, rest: &str) -> bool {
        let mut characters = rest.chars();
        let sign = characters.next().unwrap_or(' ');
        self.language.sigils.contains(sign)
            && characters
                .next()
                .is_some_and(|c| c.is_alphabetic() || matches!(c, '_' | '[' | '{'))
    }

    fn word(&mut self, rest: &str) {
        let start = self.at;
        let sign = usize::from(!rest.starts_with(|c: char| c.is_alphabetic() || c == '_'));
        let dashes = self.language.has(Feature::Dashes);
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || (dashes && c == '-');
        let name = &rest[sign..];
        let name = &name[..length(name, is_part)];
        self.at += (sign + name.len()).max(1);
        if sign == 1 {
            return self.span(start, Class::Mark);
        }
        let ignores_case = self.language.has(Feature::AnyCase);
        let is_keyword = if ignores_case {
            let lower = name.to_ascii_lowercase();
            self.keywords.contains(lower.as_str())
        } else {
            self.keywords.contains(name)
        };
        let next = self.line[self.at..].trim_start().chars().next();
        if self.language.has(Feature::Keys) && (self.is_before_colon() || self.is_assigned(start)) {
            self.span(start, Class::Mark);
        } else if is_keyword {
            self.span(start, Class::Keyword);
        } else if self.line[self.at..].starts_with('(') || (next == Some('!') && self.is_macro()) {
            self.span(start, Class::Function);
        } else if self.language.has(Feature::Types) && name.starts_with(char::is_uppercase) {
            self.span(start, Class::Type);
        }
    }

    fn is_macro(&self) -> bool {
        let rest = &self.line[self.at..];
        self.language.has(Feature::RustTexts)
            && ["!(", "![", "!{"].iter().any(|mark| rest.starts_with(mark))
    }

    fn is_before_colon(&self) -> bool {
        let rest = self.line[self.at..].trim_start();
        rest.starts_with(':') && !rest.starts_with("::")
    }

    /// `key = value` at the beginning of a line, and the dotted parts before it.
    fn is_assigned(&self, start: usize) -> bool {
        let is_name = |c: char| c.is_alphanumeric() || "._-\"' ".contains(c);
        self.language.has(Feature::Assignments)
            && self.line[..start].chars().all(is_name)
            && self.line[self.at..]
                .trim_start_matches(is_name)
                .starts_with('=')
    }

    fn comment(&mut self, mut depth: u8) {
        let (open, close) = self.language.comment.unwrap_or(("", "\0"));
        let nests = self.language.has(Feature::NestedComments);
        while self.at < self.line.len() {
            let rest = &self.line[self.at..];
            if rest.starts_with(close) {
                self.at += close.len();
                depth -= 1;
                if depth == 0 {
                    self.state = State::Plain;
                    return;
                }
            } else if nests && rest.starts_with(open) {
                self.at += open.len();
                depth = depth.saturating_add(1);
            } else {
                self.at += first_length(rest);
            }
        }
        self.state = State::Comment(depth);
    }

    fn text(&mut self, number: u8) {
        let Some(rule) = self.language.texts.get(usize::from(number)) else {
            self.at = self.line.len();
            return;
        };
        self.state = State::Plain;
        while self.at < self.line.len() {
            let rest = &self.line[self.at..];
            if rule.escapes && rest.starts_with('\\') {
                self.at += 1 + first_length(&rest[1..]);
            } else if rest.starts_with(rule.close) {
                self.at += rule.close.len();
                return;
            } else {
                self.at += first_length(rest);
            }
        }
        if rule.goes_on {
            self.state = State::Text(number);
        }
    }

    /// Rust: `'a'` is a character and `'a` a lifetime; `r#"…"#` ends where its signs say.
    fn rust_text(&mut self, rest: &str) -> bool {
        if let Some(inner) = rest.strip_prefix('\'') {
            let end = match inner.strip_prefix('\\') {
                Some(escaped) => escaped.find('\'').map(|at| at + 2),
                None => {
                    let first = first_length(inner);
                    inner[first..].starts_with('\'').then_some(first + 1)
                }
            };
            self.at += end.map_or(0, |end| 1 + end);
            return end.is_some();
        }
        let raw = rest.strip_prefix('b').unwrap_or(rest);
        let Some(marks) = raw.strip_prefix('r') else {
            return false;
        };
        let hashes = length(marks, |c| c == '#');
        let is_word = self.line[..self.at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        if is_word || !marks[hashes..].starts_with('"') {
            return false;
        }
        self.at += rest.len() - marks.len() + hashes + 1;
        self.raw(u8::try_from(hashes).unwrap_or(u8::MAX));
        true
    }

    fn raw(&mut self, hashes: u8) {
        let close = format!("\"{}", "#".repeat(usize::from(hashes)));
        match self.line[self.at..].find(&close) {
            Some(end) => {
                self.at += end + close.len();
                self.state = State::Plain;
            }
            None => {
                self.at = self.line.len();
                self.state = State::Raw(hashes);
            }
        }
    }

    fn span(&mut self, start: usize, class: Class) {
        if start < self.at {
            self.spans.push(Span {
                range: start..self.at,
                class,
            });
        }
    }
}

pub fn length(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

fn first_length(text: &str) -> usize {
    text.chars().next().map_or(0, char::len_utf8)
}
