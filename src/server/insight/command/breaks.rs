//! Where a person sees a new row: in front of each command that follows another, with the operator between them. Words that
//! open something (`then`, `do`, `!`) go with the command behind them, words that close it with the one in front.

use super::script::Follower;
use crate::model::insight::command::{Break, PieceKind, Span};

/// They belong to the command behind them.
const OPENING: &[&str] = &["then", "else", "elif", "do", "!", "function", "time"];

/// In the order of the text, none inside another. Each walks back no further than the one before it: all together take
/// time in proportion to the text.
pub fn breaks(text: &str, paint: &[PieceKind], mut followers: Vec<Follower>) -> Vec<Break> {
    followers.sort_by_key(|follower| follower.start);
    let mut breaks: Vec<Break> = Vec::with_capacity(followers.len());
    for follower in followers {
        let floor = breaks.last().map_or(0, |last| last.lead.end);
        let before = Before { text, paint, floor };
        let end = before.opening(follower.start);
        let lead = Span::new(before.operator(end), end);
        // there is a row in front of it
        if lead.start > floor && lead.of(text).len() == lead.end - lead.start {
            let depth = follower.depth;
            breaks.push(Break { lead, depth });
        }
    }
    breaks
}

/// What stands in front of a command.
struct Before<'t> {
    text: &'t str,
    paint: &'t [PieceKind],
    /// Nothing before this is looked at.
    floor: usize,
}

impl Before<'_> {
    /// Where the words begin that open what the command stands in.
    fn opening(&self, start: usize) -> usize {
        // `(a) ls ;;`: the pattern of a case may stand in brackets
        let bracket = start.wrapping_sub(1);
        let has_bracket = self.byte(bracket) == Some(b'(') && self.is(bracket, PieceKind::Operator);
        let mut found = if has_bracket { bracket } else { start };
        loop {
            let end = self.comments(self.blanks(found));
            let word = self.back_while(end, |at| self.is(at, PieceKind::Keyword));
            let text = Span::new(word, end).of(self.text);
            if !OPENING.contains(&text) {
                return found;
            }
            found = word;
        }
    }

    /// Where the operator in front begins, with the blanks around it.
    fn operator(&self, end: usize) -> usize {
        let after = self.blanks(end);
        let sign = self.back_while(after, |at| {
            self.is(at, PieceKind::Operator) && matches!(self.byte(at), Some(b'|' | b'&' | b';'))
        });
        if sign < after {
            self.blanks(sign)
        } else {
            after
        }
    }

    /// Back over blanks, line ends and joined lines, as far as they are no part of a word.
    fn blanks(&self, end: usize) -> usize {
        let mut at = end;
        while at > self.floor {
            let is_blank = match self.byte(at - 1) {
                Some(b' ' | b'\t') => self.is(at - 1, PieceKind::Plain),
                // the line end of a here-document is painted as a part of it
                Some(b'\n' | b'\r') => {
                    self.is(at - 1, PieceKind::Plain) || self.is(at - 1, PieceKind::HereDocument)
                }
                Some(b'\\') => {
                    at < end && self.byte(at) == Some(b'\n') && self.is(at - 1, PieceKind::Plain)
                }
                _ => false,
            };
            if !is_blank {
                break;
            }
            at -= 1;
        }
        at
    }

    /// Back over comments and the blanks between them.
    fn comments(&self, end: usize) -> usize {
        let mut at = end;
        loop {
            let comment = self.back_while(at, |at| self.is(at, PieceKind::Comment));
            if comment == at {
                return at;
            }
            at = self.blanks(comment);
        }
    }

    fn back_while(&self, end: usize, holds: impl Fn(usize) -> bool) -> usize {
        let mut at = end;
        while at > self.floor && holds(at - 1) {
            at -= 1;
        }
        at
    }

    fn is(&self, at: usize, kind: PieceKind) -> bool {
        self.paint.get(at) == Some(&kind)
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }
}
