//! One word of the shell: its value with the quotes taken off, and what it hides: variables, substitutions, patterns.

use super::brackets::{after_backquote, after_brace, after_parenthesis};
use super::escapes;
use crate::model::insight::command::PieceKind;
use std::collections::HashMap;
use std::ops::Range;

/// A word that is longer with what its variables hold is one that nobody knows.
const LONGEST_EXPANDED: usize = 16 * 1024;

pub type Variables = HashMap<String, Known>;

/// What a variable holds for certain.
#[derive(Debug)]
pub struct Known {
    pub value: String,
    /// It was written as numbers, or made of a variable that was.
    pub encoded: bool,
}

#[derive(Debug, Default)]
pub struct Scanned {
    /// What the program will get, as far as it is known; unknown parts stay as they are written.
    pub value: String,
    /// Not all of the value is known before it runs.
    pub dynamic: bool,
    pub quoted: bool,
    /// `*`, `?`, `[…]` or `{a,b}` outside quotes.
    pub pattern: bool,
    /// Characters written as numbers: `$'\x72'`.
    pub encoded: bool,
    /// A variable in it has a known value that was written as numbers.
    pub by_encoded_variable: bool,
    /// Where in the value the last known value of a variable ends.
    expanded_to: Option<usize>,
    /// Variables whose value becomes a part of it, and is not known.
    pub reads: Vec<String>,
    /// Where in the value a known variable without quotes stands.
    pub loose: Vec<Range<usize>>,
    /// Variables that are given a value in passing: `${X:=…}`, `$((X++))`.
    pub sets: Vec<String>,
    pub paints: Vec<(usize, usize, PieceKind)>,
    pub substitutions: Vec<Substitution>,
    /// Where something was opened and never closed.
    pub unclosed: Option<usize>,
}

impl Scanned {
    /// `$X` and `/bin/$X`, but not `$BIN/rm`: a known variable gives the last part of the path, or of it some.
    pub fn names_by_variable(&self) -> bool {
        let name = self.value.rfind('/').map_or(0, |slash| slash + 1);
        self.expanded_to.is_some_and(|end| end > name)
    }
}

/// A command inside a word, in bytes of the word.
#[derive(Debug)]
pub struct Substitution {
    pub start: usize,
    pub end: usize,
    pub backquoted: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Word,
    InsideQuotes,
    HereDocument,
}

pub fn scan(text: &str, mode: Mode, variables: &Variables) -> Scanned {
    let mut scanner = Scanner {
        text,
        variables,
        found: Scanned::default(),
    };
    scanner.run(0, text.len(), mode);
    scanner.found
}

struct Scanner<'t> {
    text: &'t str,
    variables: &'t Variables,
    found: Scanned,
}

impl Scanner<'_> {
    fn run(&mut self, from: usize, to: usize, mode: Mode) {
        let bytes = self.text.as_bytes();
        let mut at = from;
        while at < to {
            at = match bytes[at] {
                b'\\' => self.escape(at, to, mode),
                b'\'' if mode == Mode::Word => self.single_quoted(at, to),
                b'"' if mode == Mode::Word => self.double_quoted(at, to),
                b'`' => self.backquoted(at, to),
                b'$' => self.dollar(at, to, mode),
                b'~' if at == 0 && mode == Mode::Word => self.home(at, to),
                byte => {
                    if mode == Mode::Word {
                        self.found.pattern |= matches!(byte, b'*' | b'?')
                            || (byte == b'[' && to - from > 2 && !self.text.starts_with("[["))
                            || (byte == b'{' && self.is_brace_expansion(at, to));
                    }
                    self.plain(at, to)
                }
            };
        }
    }

    /// `~` is what `HOME` holds, if the script itself set it.
    fn home(&mut self, at: usize, to: usize) -> usize {
        let is_own = matches!(self.text.as_bytes().get(at + 1), None | Some(b'/'));
        match self.variables.get("HOME").filter(|_| is_own) {
            Some(home) => {
                self.found.value.push_str(&home.value);
                at + 1
            }
            None => self.plain(at, to),
        }
    }

    fn plain(&mut self, at: usize, to: usize) -> usize {
        let length = self.text[at..to].chars().next().map_or(1, char::len_utf8);
        self.found.value.push_str(&self.text[at..at + length]);
        at + length
    }

    fn is_brace_expansion(&self, at: usize, to: usize) -> bool {
        self.text[at..to].split('}').next().is_some_and(|inside| {
            inside.len() < to - at && (inside.contains(',') || inside.contains(".."))
        })
    }

    fn escape(&mut self, at: usize, to: usize, mode: Mode) -> usize {
        let Some(next) = self.text[at + 1..to].chars().next() else {
            self.found.value.push('\\');
            return at + 1;
        };
        let takes = match mode {
            Mode::Word => true,
            Mode::InsideQuotes => matches!(next, '$' | '`' | '"' | '\\' | '\n'),
            Mode::HereDocument => matches!(next, '$' | '`' | '\\' | '\n'),
        };
        if !takes {
            self.found.value.push('\\');
        }
        if !(takes && next == '\n') {
            self.found.value.push(next);
        }
        at + 1 + next.len_utf8()
    }

    fn single_quoted(&mut self, at: usize, to: usize) -> usize {
        self.found.quoted = true;
        match self.text[at + 1..to].find('\'') {
            Some(length) => {
                self.found
                    .value
                    .push_str(&self.text[at + 1..at + 1 + length]);
                self.paint(at, at + length + 2, PieceKind::String)
            }
            None => self.give_up(at, to),
        }
    }

    fn double_quoted(&mut self, at: usize, to: usize) -> usize {
        self.found.quoted = true;
        match super::brackets::after_double_quote(self.text, at + 1).filter(|end| *end <= to) {
            Some(end) => {
                self.paint(at, end, PieceKind::String);
                self.run(at + 1, end - 1, Mode::InsideQuotes);
                end
            }
            None => self.give_up(at, to),
        }
    }

    fn backquoted(&mut self, at: usize, to: usize) -> usize {
        match after_backquote(self.text.as_bytes(), at + 1).filter(|end| *end <= to) {
            Some(end) => {
                self.substitution(at + 1, end - 1, true);
                self.unknown(at, end)
            }
            None => self.give_up(at, to),
        }
    }

    fn dollar(&mut self, at: usize, to: usize, mode: Mode) -> usize {
        let rest = &self.text[at + 1..to];
        match rest.bytes().next() {
            Some(b'\'') if mode == Mode::Word => match escapes::ansi_quoted(&rest[1..]) {
                Some((value, length, encoded)) => {
                    self.found.quoted = true;
                    self.found.encoded |= encoded;
                    self.found.value.push_str(&value);
                    self.paint(at, at + 2 + length, PieceKind::String)
                }
                None => self.give_up(at, to),
            },
            Some(b'"') if mode == Mode::Word => self.double_quoted(at + 1, to),
            Some(b'(') => match after_parenthesis(self.text, at + 2).filter(|end| *end <= to) {
                Some(end) if rest.starts_with("((") && self.is_arithmetic(at + 3, end) => {
                    self.paint(at, end, PieceKind::Variable);
                    self.arithmetic(at + 3, end - 2);
                    self.look_inside(at + 3, end - 2);
                    self.unknown(at, end)
                }
                Some(end) => {
                    self.substitution(at + 2, end - 1, false);
                    self.unknown(at, end)
                }
                None => self.give_up(at, to),
            },
            Some(b'{') => match after_brace(self.text, at + 2).filter(|end| *end <= to) {
                Some(end) => {
                    self.paint(at, end, PieceKind::Variable);
                    let name = &self.text[at + 2..end - 1];
                    if is_name(name) {
                        return self.variable(at, end, name, mode);
                    }
                    if let Some(read) = variable_of(name) {
                        if !self.variables.contains_key(read) {
                            self.found.reads.push(read.to_owned());
                        }
                        if name[read.len()..].trim_start_matches(':').starts_with('=') {
                            self.found.sets.push(read.to_owned());
                        }
                    }
                    self.look_inside(at + 2, end - 1);
                    self.unknown(at, end)
                }
                None => self.give_up(at, to),
            },
            Some(first) => {
                let length = if first.is_ascii_alphabetic() || first == b'_' {
                    rest.bytes()
                        .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
                        .count()
                } else {
                    usize::from(first.is_ascii_digit() || b"@*#?-$!".contains(&first))
                };
                if length == 0 {
                    self.found.value.push('$');
                    return at + 1;
                }
                self.paint(at, at + 1 + length, PieceKind::Variable);
                self.variable(at, at + 1 + length, &rest[..length], mode)
            }
            None => {
                self.found.value.push('$');
                at + 1
            }
        }
    }

    fn variable(&mut self, start: usize, end: usize, name: &str, mode: Mode) -> usize {
        match self.variables.get(name) {
            Some(known) if self.found.value.len() + known.value.len() <= LONGEST_EXPANDED => {
                let from = self.found.value.len();
                self.found.value.push_str(&known.value);
                let to = self.found.value.len();
                self.found.expanded_to = Some(to);
                if mode == Mode::Word {
                    self.found.loose.push(from..to);
                    self.found.pattern |= known.value.contains(['*', '?', '[']);
                }
                self.found.by_encoded_variable |= known.encoded;
                end
            }
            _ => {
                self.found.reads.push(name.to_owned());
                self.unknown(start, end)
            }
        }
    }

    /// Both brackets are closed together. `$((a);(b))` runs commands.
    fn is_arithmetic(&self, inside: usize, end: usize) -> bool {
        self.text[..end].ends_with("))") && after_parenthesis(self.text, inside) == Some(end - 1)
    }

    fn arithmetic(&mut self, start: usize, end: usize) {
        self.found
            .sets
            .extend(set_by_arithmetic(&self.text[start..end]));
    }

    /// Commands may also stand in arithmetic and in the default of a variable. Their text is not part of the value.
    fn look_inside(&mut self, start: usize, end: usize) {
        let value = std::mem::take(&mut self.found.value);
        let quoted = self.found.quoted;
        let pattern = self.found.pattern;
        let expanded_to = self.found.expanded_to;
        let loose = self.found.loose.len();
        self.run(start, end, Mode::Word);
        self.found.value = value;
        self.found.quoted = quoted;
        self.found.pattern = pattern;
        self.found.expanded_to = expanded_to;
        self.found.loose.truncate(loose);
    }

    fn unknown(&mut self, start: usize, end: usize) -> usize {
        self.found.dynamic = true;
        self.found.value.push_str(&self.text[start..end]);
        end
    }

    fn substitution(&mut self, start: usize, end: usize, backquoted: bool) {
        self.found.paints.push((
            start - 1 - usize::from(!backquoted),
            end + 1,
            PieceKind::Operator,
        ));
        self.found.paints.push((start, end, PieceKind::Plain));
        self.found.substitutions.push(Substitution {
            start,
            end,
            backquoted,
        });
    }

    fn paint(&mut self, start: usize, end: usize, kind: PieceKind) -> usize {
        self.found.paints.push((start, end, kind));
        end
    }

    fn give_up(&mut self, at: usize, to: usize) -> usize {
        self.found.unclosed.get_or_insert(at);
        self.found.dynamic = true;
        self.found.value.push_str(&self.text[at..to]);
        to
    }
}

/// The variable whose value `${…}` gives: `${#name}` gives a length, `${name:+text}` tells only whether there is one.
fn variable_of(text: &str) -> Option<&str> {
    let end = text
        .find(|character: char| !character.is_ascii_alphanumeric() && character != '_')
        .unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let gives_the_text = rest.starts_with('+') || rest.starts_with(":+");
    (!name.is_empty() && !gives_the_text).then_some(name)
}

/// Every name in it, if it sets one at all: `i=1`, `i++`.
pub fn set_by_arithmetic(text: &str) -> Vec<String> {
    let compared = ["==", "!=", "<=", ">="];
    let assigns = compared
        .iter()
        .fold(text.to_owned(), |text, sign| text.replace(sign, ""));
    let is_setting = assigns.contains('=') || text.contains("++") || text.contains("--");
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let names = text.split(|character| !is_part(character));
    let names =
        names.filter(|name| is_setting && name.starts_with(|first: char| !first.is_ascii_digit()));
    names.map(str::to_owned).collect()
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
