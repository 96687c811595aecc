//! Takes a shell command apart and says in words what it would do, before a person lets it run.
//!
//! Parser: `brush-parser`, for it gets here-documents, `time` and two here-documents on a line right, where
//! tree-sitter-bash does not. The text is never run, the disk never touched; equal input gives equal output.

mod braces;
mod brackets;
mod breaks;
mod escapes;
mod functions;
mod globs;
mod handed;
mod limits;
mod options;
mod paint;
mod paths;
mod prefixes;
mod printed;
mod read;
mod read_compound;
mod read_list;
mod read_simple;
mod remember;
mod rules;
mod script;
mod source;
mod state;
#[cfg(test)]
mod tests;
mod textual;
mod word;
mod wrappers;

use crate::model::insight::command::{CommandInsight, Mark, MarkKind, Parsed, Span};
use crate::model::text;
pub use limits::LONGEST;
pub use paths::Surroundings;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// Never fails and never panics on any text. Takes time in proportion to the text.
pub fn analyse(command: &str, surroundings: &Surroundings<'_>) -> CommandInsight {
    let mut script = read::read(command, surroundings.directory);
    let mut marks = rules::marks(&script, surroundings);
    marks.extend(rules::hidden_characters(
        command,
        &script.segments,
        text::is_odd,
    ));
    let parsed = match script.problem.take() {
        None => Parsed::Yes,
        Some(problem) => {
            marks.extend(textual::marks(command));
            Parsed::No {
                why: problem.why,
                at: problem.at.map(|at| at.min(command.len())),
            }
        }
    };
    let mut seen = HashSet::new();
    script.segments.retain(|segment| {
        segment.span != Span::default() && seen.insert((segment.span, segment.program.clone()))
    });
    CommandInsight {
        parsed,
        pieces: paint::pieces(command, &script.paint),
        breaks: breaks::breaks(command, &script.paint, script.followers),
        segments: script.segments,
        marks: in_order(marks),
    }
}

/// Worst first; what two ways of looking found twice is said once. Two segments that earn the same mark both carry it,
/// unless one is inside the very words that the other was earned by: `eval "$(…)"` and what it runs are one thing.
fn in_order(mut marks: Vec<Mark>) -> Vec<Mark> {
    marks.sort_by_key(|mark| {
        let Span { start, end } = mark.segment;
        (mark.severity, start, Reverse(end), mark.kind)
    });
    let mut sentences = HashSet::new();
    let mut places = HashSet::new();
    let mut around: HashMap<(MarkKind, String), Vec<Span>> = HashMap::new();
    marks.retain(|mark| {
        let place = mark.words.first().copied().unwrap_or(mark.segment);
        let said = (mark.kind, mark.sentence.clone());
        // sorted by their start, the last one that was kept is the only one that can be around this one
        let is_inside = around.get(&said).is_some_and(|words| {
            let mut inner = mark.words.iter();
            !mark.words.is_empty()
                && inner.all(|inner| words.iter().any(|word| word.contains(*inner)))
        });
        if is_inside {
            return false;
        }
        let is_new = sentences.insert((mark.kind, mark.segment, mark.sentence.clone()))
            && places.insert((mark.kind, place));
        if is_new {
            around.insert(said, mark.words.clone());
        }
        is_new
    });
    marks
}
