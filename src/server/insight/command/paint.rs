//! Colours, put down byte by byte: what is put down later covers what was there. Whatever happens, the pieces made of
//! them are the whole text in order.

use super::source::{Place, Source};
use crate::model::insight::command::{Piece, PieceKind, Span};
use brush_parser::Token;

pub fn cover(paint: &mut [PieceKind], span: Span, kind: PieceKind) {
    if let Some(part) = paint.get_mut(span.start..span.end) {
        part.fill(kind);
    }
}

/// Only where one colour is; strings and variables inside keep their own.
pub fn recolour(paint: &mut [PieceKind], span: Span, from: PieceKind, to: PieceKind) {
    if let Some(part) = paint.get_mut(span.start..span.end) {
        for kind in part.iter_mut().filter(|kind| **kind == from) {
            *kind = to;
        }
    }
}

/// The first coat: what each token is by its looks, before it is known which word is the program.
pub fn tokens(paint: &mut [PieceKind], source: &Source<'_>, tokens: &[Token]) {
    let Place::Exact(_) = source.place else {
        return;
    };
    let mut end_of_last = 0;
    let mut gaps = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let (start, end) = source.range(token.location());
        let kind = match token {
            Token::Operator(operator, _) if operator.contains(['<', '>']) => PieceKind::Redirection,
            Token::Operator(operator, _) if operator == "\n" => {
                gaps.push((start, end));
                PieceKind::Plain
            }
            Token::Operator(..) => PieceKind::Operator,
            Token::Word(word, _) if is_keyword(word) => PieceKind::Keyword,
            Token::Word(word, _) if is_descriptor(word, tokens.get(index + 1), end, source) => {
                PieceKind::Redirection
            }
            Token::Word(..) => PieceKind::Argument,
        };
        cover(paint, source.span(start, end), kind);
        if start > end_of_last {
            gaps.push((end_of_last, start));
        }
        end_of_last = end_of_last.max(end);
    }
    gaps.push((end_of_last, source.text.len()));
    for (start, end) in gaps {
        comments(paint, source, start, end);
    }
}

/// Comments are no tokens: they are what stands between them.
fn comments(paint: &mut [PieceKind], source: &Source<'_>, start: usize, end: usize) {
    let mut at = start;
    for line in source.slice(start, end).split_inclusive('\n') {
        let text = line.trim_end_matches('\n');
        if let Some(sign) = text.find('#') {
            cover(
                paint,
                source.span(at + sign, at + text.len()),
                PieceKind::Comment,
            );
        }
        at += line.len();
    }
}

fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "if" | "then"
            | "elif"
            | "else"
            | "fi"
            | "for"
            | "in"
            | "do"
            | "done"
            | "while"
            | "until"
            | "case"
            | "esac"
            | "function"
            | "select"
            | "coproc"
            | "time"
            | "!"
            | "{"
            | "}"
            | "[["
            | "]]"
    )
}

/// The `2` of `2>&1`.
fn is_descriptor(word: &str, next: Option<&Token>, end: usize, source: &Source<'_>) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
        && next.is_some_and(|next| {
            matches!(next, Token::Operator(operator, _) if operator.contains(['<', '>']))
                && source.range(next.location()).0 == end
        })
}

/// Stretches of one colour. The text is cut only where the colour changes, and never inside a character.
pub fn pieces(text: &str, paint: &[PieceKind]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for (at, character) in text.char_indices() {
        let kind = paint.get(at).copied().unwrap_or_default();
        let end = at + character.len_utf8();
        match pieces.last_mut() {
            Some(last) if last.kind == kind => last.span.end = end,
            _ => pieces.push(Piece {
                kind,
                span: Span::new(at, end),
            }),
        }
    }
    pieces
}
