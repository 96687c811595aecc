//! Lays the colours of the language and the marks of changed words over one line.

use super::highlight::Span;
use super::words::Marks;
use crate::model::insight::file::{Class, Piece};

/// The pieces put together again are the text. Spans and marks are in order and do not overlap among themselves.
pub fn pieces(text: &str, spans: &[Span], marks: &Marks) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut spans = spans.iter().peekable();
    let mut marks = marks.iter().peekable();
    let mut at = 0;
    while at < text.len() {
        while spans.next_if(|span| span.range.end <= at).is_some() {}
        while marks.next_if(|mark| mark.end <= at).is_some() {}
        let mut end = text.len();
        let mut class: Option<Class> = None;
        if let Some(span) = spans.peek() {
            if span.range.start <= at {
                class = Some(span.class);
                end = end.min(span.range.end);
            } else {
                end = end.min(span.range.start);
            }
        }
        let mut changed = false;
        if let Some(mark) = marks.peek() {
            if mark.start <= at {
                changed = true;
                end = end.min(mark.end);
            } else {
                end = end.min(mark.start);
            }
        }
        // a range that splits a character would be a fault here; the text is more important than its colour
        while !text.is_char_boundary(end) {
            end += 1;
        }
        pieces.push(Piece {
            text: text[at..end].to_owned(),
            class,
            changed,
        });
        at = end;
    }
    pieces
}
