//! Two texts, line by line: which lines stay, and which give way to which. Bounded in time and in memory; where the
//! time is up the result is coarser, never wrong.

use super::text::lines;
use sha2::{Digest, Sha256};
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};
use std::collections::HashMap;
use std::fmt::Write;
use std::ops::Range;
use std::time::Instant;

/// Beyond this many lines that differ somewhere, they are shown as all removed, then all added.
const MOST_LINES_COMPARED: usize = 200_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    Same {
        old: usize,
        new: usize,
        length: usize,
    },
    /// What goes, then what comes. Never two in a row.
    Changed {
        old: Range<usize>,
        new: Range<usize>,
    },
}

impl Segment {
    pub fn rows(&self) -> usize {
        match self {
            Segment::Same { length, .. } => *length,
            Segment::Changed { old, new } => old.len() + new.len(),
        }
    }
}

pub struct Compared<'a> {
    /// Lines with their ends.
    pub old: Vec<&'a str>,
    pub new: Vec<&'a str>,
    pub segments: Vec<Segment>,
    /// The first row of each segment.
    starts: Vec<usize>,
}

impl<'a> Compared<'a> {
    pub fn new(old: &'a str, new: &'a str, deadline: Instant) -> Self {
        let (old, new) = (lines(old), lines(new));
        let segments = segments(&old, &new, deadline);
        let starts = segments
            .iter()
            .scan(0, |next, segment| {
                let start = *next;
                *next += segment.rows();
                Some(start)
            })
            .collect();
        Self {
            old,
            new,
            segments,
            starts,
        }
    }

    pub fn rows(&self) -> usize {
        self.segments.iter().map(Segment::rows).sum()
    }

    /// The segments that these rows touch, each with the touched rows counted within it.
    pub fn within(&self, rows: Range<usize>) -> impl Iterator<Item = (&Segment, Range<usize>)> {
        let first = self.starts.partition_point(|start| *start <= rows.start);
        self.segments
            .iter()
            .zip(&self.starts)
            .skip(first.saturating_sub(1))
            .take_while(move |(_, start)| **start < rows.end)
            .map(move |(segment, start)| {
                let end = rows.end.min(start + segment.rows());
                (segment, rows.start.max(*start) - start..end - start)
            })
            .filter(|(_, touched)| !touched.is_empty())
    }

    /// Added and removed lines.
    pub fn size(&self) -> (usize, usize) {
        self.segments
            .iter()
            .fold((0, 0), |(added, removed), part| match part {
                Segment::Same { .. } => (added, removed),
                Segment::Changed { old, new } => (added + new.len(), removed + old.len()),
            })
    }

    /// The same only for the same result of comparing: so a row has one number in it. Where the time was up, two results for
    /// the same texts may differ.
    pub fn version(&self) -> String {
        let mut hash = Sha256::new();
        for segment in &self.segments {
            let numbers = match segment {
                Segment::Same { old, new, length } => [0, *old, *new, *length, 0],
                Segment::Changed { old, new } => [1, old.start, old.end, new.start, new.end],
            };
            for number in numbers {
                hash.update((number as u64).to_le_bytes());
            }
        }
        in_words(&hash.finalize())
    }
}

/// Enough of a fingerprint to tell versions apart.
pub fn in_words(hash: &[u8]) -> String {
    hash.iter().take(16).fold(String::new(), |mut text, byte| {
        // writing to a text cannot fail
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn segments(old: &[&str], new: &[&str], deadline: Instant) -> Vec<Segment> {
    let head = common(old.iter(), new.iter());
    let tail = common(old[head..].iter().rev(), new[head..].iter().rev());
    let (old_end, new_end) = (old.len() - tail, new.len() - tail);
    let (old_middle, new_middle) = (&old[head..old_end], &new[head..new_end]);

    let mut segments = Vec::new();
    push_same(&mut segments, 0, 0, head);
    let is_one_sided = old_middle.is_empty() || new_middle.is_empty();
    if is_one_sided || old_middle.len() + new_middle.len() > MOST_LINES_COMPARED {
        push_changed(&mut segments, head..old_end, head..new_end);
    } else {
        let (old_names, new_names) = named(old_middle, new_middle);
        let deadline = Some(deadline);
        let changes =
            capture_diff_slices_deadline(Algorithm::Patience, &old_names, &new_names, deadline);
        for change in changes {
            let (_, from, to) = change.as_tag_tuple();
            let moved = |range: Range<usize>| range.start + head..range.end + head;
            match change {
                DiffOp::Equal { len, .. } => {
                    push_same(&mut segments, from.start + head, to.start + head, len);
                }
                _ => push_changed(&mut segments, moved(from), moved(to)),
            }
        }
    }
    push_same(&mut segments, old_end, new_end, tail);
    segments
}

/// How many are the same from the start of both.
pub fn common<'a>(
    old: impl Iterator<Item = &'a &'a str>,
    new: impl Iterator<Item = &'a &'a str>,
) -> usize {
    old.zip(new).take_while(|(old, new)| old == new).count()
}

/// Numbers compare faster than lines.
fn named<'a>(old: &[&'a str], new: &[&'a str]) -> (Vec<u32>, Vec<u32>) {
    let mut names: HashMap<&'a str, u32> = HashMap::with_capacity(old.len() + new.len());
    let mut name = |lines: &[&'a str]| -> Vec<u32> {
        lines
            .iter()
            .map(|line| {
                let next = u32::try_from(names.len()).unwrap_or(u32::MAX);
                *names.entry(line).or_insert(next)
            })
            .collect()
    };
    (name(old), name(new))
}

fn push_same(segments: &mut Vec<Segment>, old: usize, new: usize, length: usize) {
    if length == 0 {
        return;
    }
    match segments.last_mut() {
        Some(Segment::Same { length: before, .. }) => *before += length,
        _ => segments.push(Segment::Same { old, new, length }),
    }
}

fn push_changed(segments: &mut Vec<Segment>, old: Range<usize>, new: Range<usize>) {
    if old.is_empty() && new.is_empty() {
        return;
    }
    match segments.last_mut() {
        Some(Segment::Changed {
            old: before_old,
            new: before_new,
        }) => {
            before_old.end = old.end;
            before_new.end = new.end;
        }
        _ => segments.push(Segment::Changed { old, new }),
    }
}
