//! From a comparison to rows: line numbers, line ends, words that differ, colours of the language. Only what is carried
//! costs anything, except that the language has to be followed from the first line on.

use super::Limits;
use super::compare::{Compared, Segment};
use super::highlight::{Highlighter, Span};
use super::pieces::pieces;
use super::select::Part;
use super::words::{Marks, differences, pairs};
use crate::model::insight::file::{Gap, LineEnd, Row, RowKind};
use std::ops::Range;
use std::time::Instant;

pub struct Drawing<'a> {
    pub compared: &'a Compared<'a>,
    pub language: Option<&'a str>,
    pub limits: &'a Limits,
    /// When time is up, rows are plain.
    pub deadline: Instant,
    /// Rows of a request alone have no place in a file.
    pub has_numbers: bool,
}

impl Drawing<'_> {
    pub fn rows(&self, parts: &[Part]) -> Vec<Row> {
        let mut sides = [&self.compared.old, &self.compared.new]
            .map(|lines| Highlighter::new(self.language, lines, self.limits, self.deadline));
        let mut rows = Vec::new();
        let mut room = self.limits.carried_bytes;
        let mut parts = parts.iter();
        while let Some(part) = parts.next() {
            let range = match part {
                Part::Gap(range) => {
                    rows.push(self.gap(range.clone()));
                    continue;
                }
                Part::Rows(range) => range.clone(),
            };
            let drawn = self.draw(range.clone(), &mut sides, &mut room, &mut rows);
            if drawn < range.end {
                // the room is used up: the rest is one gap
                let end = parts.next_back().map_or(range.end, Part::end);
                rows.push(self.gap(drawn..end));
                break;
            }
        }
        rows
    }

    /// Ends early, at the returned row, when there is no room for more.
    fn draw(
        &self,
        range: Range<usize>,
        sides: &mut [Highlighter; 2],
        room: &mut usize,
        rows: &mut Vec<Row>,
    ) -> usize {
        let mut at = range.start;
        for (segment, touched) in self.compared.within(range.clone()) {
            let mut lines = Lines::of(self.compared, segment, self.deadline);
            for line in touched.map(|at| lines.line(at)) {
                let row = self.row(line, sides);
                let Some(left) = room.checked_sub(weight(&row)) else {
                    return at;
                };
                *room = left;
                at += 1;
                rows.push(row);
            }
        }
        range.end
    }

    fn row(&self, line: Line, sides: &mut [Highlighter; 2]) -> Row {
        let (text, end) = without_end(line.text);
        let shown = cut(text, self.limits.line_bytes);
        let side = usize::from(line.kind != RowKind::Removed);
        let number = if side == 0 { line.old } else { line.new };
        let spans: &[Span] = number.map_or(&[], |number| sides[side].line(number));
        let numbered = |line: Option<usize>| line.filter(|_| self.has_numbers).map(one_based);
        Row {
            kind: line.kind,
            old_line: numbered(line.old),
            new_line: numbered(line.new),
            pieces: pieces(shown, spans, &line.marks),
            end,
            end_changed: line.end_changed,
            paired: line.paired,
            left_out: counted(text[shown.len()..].chars().count()),
            gap: None,
        }
    }

    fn gap(&self, range: Range<usize>) -> Row {
        let mut changed = 0;
        let mut numbers = None;
        for (segment, touched) in self.compared.within(range.clone()) {
            if let Segment::Changed { .. } = segment {
                changed += touched.len();
            }
            numbers = numbers.or(Some(position(segment, touched.start)));
        }
        let numbers = numbers.unwrap_or_default();
        let numbered = |line: Option<usize>| line.filter(|_| self.has_numbers).map(one_based);
        Row {
            kind: RowKind::Gap,
            old_line: numbered(numbers.0),
            new_line: numbered(numbers.1),
            gap: Some(Gap {
                first: counted(range.start),
                rows: counted(range.len()),
                changed: counted(changed),
            }),
            ..Row::default()
        }
    }
}

/// About as many bytes as it has on the wire.
fn weight(row: &Row) -> usize {
    let pieces = row.pieces.iter().map(|piece| piece.text.len() + 16);
    40 + pieces.sum::<usize>()
}

struct Line<'a> {
    kind: RowKind,
    text: &'a str,
    old: Option<usize>,
    new: Option<usize>,
    marks: Marks,
    paired: bool,
    end_changed: bool,
}

/// The lines of one segment, with what is known of their counterparts.
struct Lines<'a> {
    compared: &'a Compared<'a>,
    segment: &'a Segment,
    /// For each removed line its added one, and the reverse; counted within the segment.
    became: Vec<Option<usize>>,
    came_from: Vec<Option<usize>>,
    /// For each removed line with a counterpart, once it is known, how they differ.
    known: Vec<Option<Difference>>,
    deadline: Instant,
}

#[derive(Clone)]
struct Difference {
    old: Marks,
    new: Marks,
    end_changed: bool,
}

impl<'a> Lines<'a> {
    fn of(compared: &'a Compared<'a>, segment: &'a Segment, deadline: Instant) -> Self {
        let (became, came_from) = match segment {
            Segment::Changed { old, new } if Instant::now() < deadline => {
                let became = pairs(&compared.old[old.clone()], &compared.new[new.clone()]);
                let mut came_from = vec![None; new.len()];
                for (from, to) in became.iter().enumerate() {
                    if let Some(to) = to {
                        came_from[*to] = Some(from);
                    }
                }
                (became, came_from)
            }
            _ => (Vec::new(), Vec::new()),
        };
        Self {
            compared,
            segment,
            known: vec![None; became.len()],
            became,
            came_from,
            deadline,
        }
    }

    fn line(&mut self, at: usize) -> Line<'a> {
        match self.segment {
            Segment::Same { old, new, .. } => Line {
                kind: RowKind::Context,
                text: self.compared.old[old + at],
                old: Some(old + at),
                new: Some(new + at),
                marks: Vec::new(),
                paired: false,
                end_changed: false,
            },
            Segment::Changed { old, new } if at < old.len() => {
                let partner = self.became.get(at).copied().flatten();
                let difference = partner.map(|to| self.difference(old.start, at, new.start, to));
                Line {
                    kind: RowKind::Removed,
                    text: self.compared.old[old.start + at],
                    old: Some(old.start + at),
                    new: None,
                    paired: partner.is_some(),
                    end_changed: difference.as_ref().is_some_and(|both| both.end_changed),
                    marks: difference.map(|both| both.old).unwrap_or_default(),
                }
            }
            Segment::Changed { old, new } => {
                let at = at - old.len();
                let partner = self.came_from.get(at).copied().flatten();
                let difference =
                    partner.map(|from| self.difference(old.start, from, new.start, at));
                Line {
                    kind: RowKind::Added,
                    text: self.compared.new[new.start + at],
                    old: None,
                    new: Some(new.start + at),
                    paired: partner.is_some(),
                    end_changed: difference.as_ref().is_some_and(|both| both.end_changed),
                    marks: difference.map(|both| both.new).unwrap_or_default(),
                }
            }
        }
    }

    fn difference(&mut self, old: usize, from: usize, new: usize, to: usize) -> Difference {
        if let Some(Some(known)) = self.known.get(from) {
            return known.clone();
        }
        let (old, old_end) = without_end(self.compared.old[old + from]);
        let (new, new_end) = without_end(self.compared.new[new + to]);
        let marks = differences(old, new, self.deadline);
        let found = Difference {
            old: marks.0,
            new: marks.1,
            end_changed: old_end != new_end,
        };
        if let Some(place) = self.known.get_mut(from) {
            *place = Some(found.clone());
        }
        found
    }
}

fn position(segment: &Segment, at: usize) -> (Option<usize>, Option<usize>) {
    match segment {
        Segment::Same { old, new, .. } => (Some(old + at), Some(new + at)),
        Segment::Changed { old, .. } if at < old.len() => (Some(old.start + at), None),
        Segment::Changed { old, new } => (None, Some(new.start + at - old.len())),
    }
}

fn without_end(line: &str) -> (&str, LineEnd) {
    if let Some(text) = line.strip_suffix("\r\n") {
        (text, LineEnd::CrLf)
    } else if let Some(text) = line.strip_suffix('\n') {
        (text, LineEnd::Lf)
    } else {
        (line, LineEnd::Missing)
    }
}

fn cut(text: &str, most_bytes: usize) -> &str {
    let mut end = text.len().min(most_bytes);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

fn one_based(line: usize) -> u32 {
    counted(line + 1)
}

pub fn counted(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
