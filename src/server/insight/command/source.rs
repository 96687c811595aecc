//! A text that is read as a script, and where it stands in the command a person sees.

use crate::model::insight::command::Span;
use brush_parser::SourceSpan;

pub struct Source<'t> {
    pub text: &'t str,
    pub place: Place,
    /// Byte of each character, since the parser counts characters. Absent when they are the same.
    bytes: Option<Vec<usize>>,
}

#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// The text is a verbatim part of the command, from this byte on.
    Exact(usize),
    /// The text was unescaped, joined or expanded: all of it is shown as these bytes.
    Whole(Span),
}

impl<'t> Source<'t> {
    pub fn new(text: &'t str, place: Place) -> Self {
        let bytes = (!text.is_ascii()).then(|| {
            let mut bytes: Vec<usize> = text.char_indices().map(|(byte, _)| byte).collect();
            bytes.push(text.len());
            bytes
        });
        Source { text, place, bytes }
    }

    pub fn byte(&self, character: usize) -> usize {
        match &self.bytes {
            None => character.min(self.text.len()),
            Some(bytes) => bytes.get(character).copied().unwrap_or(self.text.len()),
        }
    }

    /// The bytes of this text that the parser means, without what it counts in front of a token: blanks and joined lines.
    pub fn range(&self, location: &SourceSpan) -> (usize, usize) {
        let mut start = self.byte(location.start.index);
        let end = self.byte(location.end.index).max(start);
        let bytes = self.text.as_bytes();
        while start < end {
            match bytes[start] {
                b' ' | b'\t' => start += 1,
                b'\\' if bytes.get(start + 1) == Some(&b'\n') && start + 2 <= end => start += 2,
                // of a joined line it sometimes counts the second half only
                b'\n' if start > 0 && bytes[start - 1] == b'\\' && start + 1 < end => start += 1,
                _ => break,
            }
        }
        (start, end)
    }

    /// Where bytes of this text are in the command.
    pub fn span(&self, start: usize, end: usize) -> Span {
        match self.place {
            Place::Exact(base) => Span::new(base + start, base + end),
            Place::Whole(span) => span,
        }
    }

    pub fn slice(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// The place of a part of this text.
    pub fn part(&self, start: usize) -> Place {
        match self.place {
            Place::Exact(base) => Place::Exact(base + start),
            whole @ Place::Whole(_) => whole,
        }
    }
}
