//! Which rows are carried to the browser. All rows of a comparison have a number, as if nothing were left out; what is
//! not carried is a gap, which names the numbers it stands for.

use super::compare::{Compared, Segment};
use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    Rows(Range<usize>),
    Gap(Range<usize>),
}

/// Changes with some lines around them, as long as the room lasts.
pub fn hunks(compared: &Compared, context: usize, most_changed: usize) -> Vec<Part> {
    let mut wanted: Vec<Range<usize>> = Vec::new();
    let total = compared.rows();
    let mut room = most_changed;
    let mut start = 0;
    for segment in &compared.segments {
        let end = start + segment.rows();
        if let Segment::Changed { old, new } = segment {
            if room == 0 {
                break;
            }
            let (removed, added) = shares(old.len(), new.len(), room);
            room -= removed + added;
            let middle = start + old.len();
            want(&mut wanted, start.saturating_sub(context)..start + removed);
            want(&mut wanted, middle..middle + added);
            if added == new.len() {
                want(&mut wanted, end..(end + context).min(total));
            }
        }
        start = end;
    }
    with_gaps(wanted, total)
}

/// The rows of a gap that is opened; what is too much for once is a gap again.
pub fn opened(asked: Range<usize>, total: usize, most: usize) -> Vec<Part> {
    let end = asked.end.min(total);
    let start = asked.start.min(end);
    let middle = end.min(start + most);
    let mut parts = vec![Part::Rows(start..middle)];
    if middle < end {
        parts.push(Part::Gap(middle..end));
    }
    parts
}

/// Neither side may use up the room alone: one sees what goes and what comes.
fn shares(removed: usize, added: usize, room: usize) -> (usize, usize) {
    if removed + added <= room {
        return (removed, added);
    }
    let half = room.div_ceil(2);
    let added = added.min(half.max(room.saturating_sub(removed)));
    (removed.min(room - added), added)
}

fn want(wanted: &mut Vec<Range<usize>>, rows: Range<usize>) {
    if rows.is_empty() {
        return;
    }
    match wanted.last_mut() {
        // a gap of one row would take as much room as the row
        Some(last) if rows.start <= last.end + 1 => last.end = last.end.max(rows.end),
        _ => wanted.push(rows),
    }
}

fn with_gaps(wanted: Vec<Range<usize>>, total: usize) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut at = 0;
    for rows in wanted {
        if at < rows.start {
            parts.push(Part::Gap(at..rows.start));
        }
        at = rows.end;
        parts.push(Part::Rows(rows));
    }
    if at < total {
        parts.push(Part::Gap(at..total));
    }
    parts
}

impl Part {
    pub fn end(&self) -> usize {
        match self {
            Part::Rows(range) | Part::Gap(range) => range.end,
        }
    }
}
