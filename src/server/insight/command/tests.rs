//! The whole analysis, from text to marks.

mod corpus;
mod hostile;
mod places;
mod rows;

use super::paths::Surroundings;
use crate::model::insight::command::{Break, CommandInsight, Parsed};

pub const CORPUS: &str = include_str!("tests/corpus.txt");

pub fn analyse(command: &str) -> CommandInsight {
    let exists = |path: &str| {
        [
            "README.md",
            "Cargo.toml",
            "src/.",
            "src/main.rs",
            "config.json",
        ]
        .iter()
        .any(|name| path == format!("/home/ada/api/{name}"))
    };
    super::analyse(
        command,
        &Surroundings {
            project: "/home/ada/api",
            directory: "/home/ada/api",
            home: Some("/home/ada"),
            exists: &exists,
        },
    )
}

/// The commands of the corpus with what is expected of them.
pub fn corpus() -> Vec<(String, String)> {
    CORPUS
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with("##"))
        .filter_map(|line| line.rsplit_once(" => "))
        .map(|(command, expected)| (command.replace('⏎', "\n"), expected.trim().to_owned()))
        .collect()
}

/// What holds for every text, sensible or not.
pub fn assert_sound(command: &str) -> CommandInsight {
    let insight = analyse(command);
    let mut at = 0;
    for piece in &insight.pieces {
        assert_eq!(piece.span.start, at, "a gap or an overlap in {command:?}");
        assert!(piece.span.end > at, "an empty piece in {command:?}");
        at = piece.span.end;
    }
    let together: String = insight
        .pieces
        .iter()
        .map(|piece| piece.span.of(command))
        .collect();
    assert_eq!(together, command);
    let mut end_of_last = 0;
    for Break { lead, .. } in &insight.breaks {
        assert!(
            lead.start > end_of_last && lead.start <= lead.end && lead.end < command.len(),
            "{lead:?} begins no row in {command:?}"
        );
        end_of_last = lead.end;
    }
    let breaks = insight.breaks.iter().map(|row| &row.lead);
    let spans = insight
        .marks
        .iter()
        .flat_map(|mark| mark.words.iter().chain([&mark.segment]));
    for span in spans
        .chain(breaks)
        .chain(insight.segments.iter().map(|segment| &segment.span))
    {
        assert!(
            command.get(span.start..span.end).is_some(),
            "{span:?} is not in {command:?}"
        );
    }
    if let Parsed::No { why, at } = &insight.parsed {
        assert!(!why.is_empty());
        assert!(at.is_none_or(|at| at <= command.len()));
    }
    insight
}
