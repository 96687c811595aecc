//! Scans one line of HTML and its kin, or of Markdown.

use super::Span;
use super::scan::{State, length};
use crate::model::insight::file::Class;

/// Tags, their attributes and values, comments. What is between tags has no colour.
pub fn tags(mut state: State, line: &str, spans: &mut Vec<Span>) -> State {
    let mut at = 0;
    while at < line.len() {
        let rest = &line[at..];
        let (end, class) = match state {
            State::Comment(_) => match rest.find("-->") {
                Some(end) => {
                    state = State::Plain;
                    (end + 3, Some(Class::Comment))
                }
                None => (rest.len(), Some(Class::Comment)),
            },
            State::Inside => in_tag(rest, &mut state),
            _ if rest.starts_with("<!--") => {
                state = State::Comment(1);
                (4, Some(Class::Comment))
            }
            _ if rest.starts_with('<') => {
                state = State::Inside;
                let signs = length(rest, |c| matches!(c, '<' | '/' | '!' | '?'));
                let name = length(&rest[signs..], |c| {
                    !c.is_whitespace() && c != '>' && c != '/'
                });
                (signs + name, Some(Class::Keyword))
            }
            _ => (rest.find('<').unwrap_or(rest.len()), None),
        };
        if let Some(class) = class {
            spans.push(Span {
                range: at..at + end,
                class,
            });
        }
        at += end.max(1);
        while !line.is_char_boundary(at) {
            at += 1;
        }
    }
    state
}

fn in_tag(rest: &str, state: &mut State) -> (usize, Option<Class>) {
    let first = rest.chars().next().unwrap_or(' ');
    match first {
        '>' => {
            *state = State::Plain;
            (1, Some(Class::Keyword))
        }
        '"' | '\'' => {
            let end = rest[1..].find(first).map_or(rest.len(), |end| end + 2);
            (end, Some(Class::Text))
        }
        c if c.is_alphabetic() || matches!(c, '@' | ':' | '_') => {
            let name = length(rest, |c| {
                !c.is_whitespace() && !matches!(c, '=' | '>' | '/')
            });
            (name.max(1), Some(Class::Mark))
        }
        other => (other.len_utf8(), None),
    }
}

/// Headings, quotes, fenced blocks and code in a line.
pub fn markdown(state: State, line: &str, spans: &mut Vec<Span>) -> State {
    let whole = |spans: &mut Vec<Span>, class| {
        if !line.is_empty() {
            spans.push(Span {
                range: 0..line.len(),
                class,
            });
        }
    };
    let trimmed = line.trim_start();
    if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
        whole(spans, Class::Text);
        return match state {
            State::Inside => State::Plain,
            _ => State::Inside,
        };
    }
    if state == State::Inside {
        whole(spans, Class::Text);
        return state;
    }
    let signs = length(trimmed, |c| c == '#');
    if (1..=6).contains(&signs) && trimmed[signs..].starts_with(' ') {
        whole(spans, Class::Mark);
    } else if trimmed.starts_with('>') {
        whole(spans, Class::Comment);
    } else {
        code_in_line(line, spans);
    }
    State::Plain
}

fn code_in_line(line: &str, spans: &mut Vec<Span>) {
    let mut at = 0;
    while let Some(start) = line[at..].find('`').map(|start| at + start) {
        let Some(end) = line[start + 1..].find('`') else {
            return;
        };
        at = start + 1 + end + 1;
        spans.push(Span {
            range: start..at,
            class: Class::Text,
        });
    }
}
