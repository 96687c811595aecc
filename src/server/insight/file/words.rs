//! Inside changed lines: which removed line became which added one, and which words of them differ.

use super::compare::common;
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};
use std::cmp::Ordering;
use std::ops::Range;
use std::time::Instant;

/// Of a run of changed lines, so many on each side are weighed against each other.
const MOST_LINES_WEIGHED: usize = 32;
/// A longer run is not paired at all.
const MOST_LINES_PAIRED: usize = 4_000;
/// In longer lines no words are marked.
const LONGEST_LINE: usize = 2_000;
/// Lines that have less in common are two lines, not one that changed.
const LEAST_ALIKE: f32 = 0.5;

/// Byte ranges of a line that differ from its counterpart.
pub type Marks = Vec<Range<usize>>;

/// For each removed line the added one that it became. The order of both stays.
pub fn pairs(removed: &[&str], added: &[&str]) -> Vec<Option<usize>> {
    if removed.len() <= MOST_LINES_WEIGHED && added.len() <= MOST_LINES_WEIGHED {
        return best_pairs(removed, added);
    }
    if removed.len() == added.len() && removed.len() <= MOST_LINES_PAIRED {
        // a change all over: line for line, where the lines are alike
        return (0..removed.len())
            .map(|at| {
                let alike = alikeness(&bag(removed[at]), &bag(added[at]));
                (alike >= LEAST_ALIKE).then_some(at)
            })
            .collect();
    }
    vec![None; removed.len()]
}

/// The pairs in order that have most in common: `best[i][j]` = what can be had from `i` and `j` on.
fn best_pairs(removed: &[&str], added: &[&str]) -> Vec<Option<usize>> {
    let bags: Vec<Vec<&str>> = added.iter().map(|line| bag(line)).collect();
    let alike: Vec<Vec<f32>> = removed
        .iter()
        .map(|line| {
            let own = bag(line);
            bags.iter().map(|other| alikeness(&own, other)).collect()
        })
        .collect();
    let mut best = vec![vec![0.0f32; added.len() + 1]; removed.len() + 1];
    for i in (0..removed.len()).rev() {
        for j in (0..added.len()).rev() {
            let together = if alike[i][j] >= LEAST_ALIKE {
                alike[i][j] + best[i + 1][j + 1]
            } else {
                0.0
            };
            best[i][j] = together.max(best[i + 1][j]).max(best[i][j + 1]);
        }
    }
    let mut pairs = vec![None; removed.len()];
    let (mut i, mut j) = (0, 0);
    while i < removed.len() && j < added.len() {
        let value = best[i][j];
        if alike[i][j] >= LEAST_ALIKE && value <= alike[i][j] + best[i + 1][j + 1] {
            pairs[i] = Some(j);
            (i, j) = (i + 1, j + 1);
        } else if value <= best[i + 1][j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

/// The words of a line, sorted, blanks left out; of a very long line none.
fn bag(line: &str) -> Vec<&str> {
    if line.len() > LONGEST_LINE {
        return Vec::new();
    }
    let mut words: Vec<&str> = split(line)
        .map(|word| &line[word])
        .filter(|word| !word.starts_with(char::is_whitespace))
        .collect();
    words.sort_unstable();
    words
}

/// The share of words that both have.
fn alikeness(one: &[&str], other: &[&str]) -> f32 {
    let all = one.len() + other.len();
    if all == 0 {
        return 0.0;
    }
    let (mut i, mut j, mut common) = (0, 0, 0u32);
    while i < one.len() && j < other.len() {
        match one[i].cmp(other[j]) {
            Ordering::Less => i += 1,
            Ordering::Greater => j += 1,
            Ordering::Equal => {
                common += 1;
                (i, j) = (i + 1, j + 1);
            }
        }
    }
    2.0 * common as f32 / all as f32
}

/// What differs, on each side. Without their ends, both lines are not the same.
pub fn differences(old: &str, new: &str, deadline: Instant) -> (Marks, Marks) {
    if old.len() > LONGEST_LINE || new.len() > LONGEST_LINE {
        return (Vec::new(), Vec::new());
    }
    let old_words: Vec<Range<usize>> = split(old).collect();
    let new_words: Vec<Range<usize>> = split(new).collect();
    let old_texts: Vec<&str> = old_words.iter().map(|word| &old[word.clone()]).collect();
    let new_texts: Vec<&str> = new_words.iter().map(|word| &new[word.clone()]).collect();
    // most lines change in one place: then there is nothing left to compare
    let head = common(old_texts.iter(), new_texts.iter());
    let tail = common(
        old_texts[head..].iter().rev(),
        new_texts[head..].iter().rev(),
    );
    let (old_words, new_words) = (
        &old_words[head..old_words.len() - tail],
        &new_words[head..new_words.len() - tail],
    );
    let changes = capture_diff_slices_deadline(
        Algorithm::Myers,
        &old_texts[head..old_texts.len() - tail],
        &new_texts[head..new_texts.len() - tail],
        Some(deadline),
    );
    let mut marks = (Vec::new(), Vec::new());
    for change in changes {
        if let DiffOp::Equal { .. } = change {
            continue;
        }
        mark(&mut marks.0, old_words, change.old_range(), old);
        mark(&mut marks.1, new_words, change.new_range(), new);
    }
    marks
}

/// Two marks with only blanks between them are one: easier to read.
fn mark(marks: &mut Marks, words: &[Range<usize>], changed: Range<usize>, line: &str) {
    let (Some(first), Some(last)) = (
        words.get(changed.start),
        changed.end.checked_sub(1).and_then(|at| words.get(at)),
    ) else {
        return;
    };
    if changed.is_empty() {
        return;
    }
    match marks.last_mut() {
        Some(before) if line[before.end..first.start].chars().all(|c| c == ' ') => {
            before.end = last.end;
        }
        _ => marks.push(first.start..last.end),
    }
}

/// Words, runs of blanks, and every other character by itself.
fn split(line: &str) -> impl Iterator<Item = Range<usize>> {
    let kind = |character: char| match character {
        c if c.is_alphanumeric() || c == '_' => 1,
        c if c.is_whitespace() => 2,
        _ => 0,
    };
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at;
        let mut characters = line[start..].chars();
        let first = characters.next()?;
        at += first.len_utf8();
        if kind(first) != 0 {
            let more = characters.take_while(|c| kind(*c) == kind(first));
            at += more.map(char::len_utf8).sum::<usize>();
        }
        Some(start..at)
    })
}
