//! Thousands of made-up files: the rows, put together again, are exactly the text that was and the text that will be.

use super::{World, both_texts, no_limits};
use crate::model::insight::file::{FileInsight, LineEnd, RowKind, side_by_side};
use serde_json::json;

/// One for each language with rules of its own.
const FILES: [&str; 17] = [
    "a.rs", "a.ts", "a.py", "a.go", "a.c", "a.sh", "a.json", "a.yml", "a.toml", "a.css", "a.sql",
    "a.rb", "a.lua", "Makefile", "a.html", "a.md", "a.txt",
];

/// The same numbers in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % most as u64).expect("a number")
    }

    fn text(&mut self, most_lines: usize) -> String {
        const WORDS: [&str; 24] = [
            "a",
            "b",
            "let x = 1;",
            "\t",
            "  ",
            "ü",
            "日本",
            "🎉",
            "\"quote",
            "/* open",
            "*/",
            "'",
            "\\",
            "{",
            "word",
            "\r",
            "<tag ",
            ">",
            "<!--",
            "```",
            "#",
            "r#\"",
            "$",
            "\u{202e}",
        ];
        let style = self.below(4);
        let mut text = String::new();
        for _ in 0..self.below(most_lines + 1) {
            for _ in 0..self.below(4) {
                text.push_str(WORDS[self.below(WORDS.len())]);
            }
            text.push_str(match style {
                0 => "\r\n",
                1 if self.below(2) == 0 => "\r\n",
                _ => "\n",
            });
        }
        if self.below(3) == 0 {
            text.push_str("no end");
        }
        text
    }

    /// Some lines go, some come, some are doubled.
    fn changed(&mut self, text: &str) -> String {
        text.split_inclusive('\n')
            .map(|line| match self.below(8) {
                0 => String::new(),
                1 => format!("{line}{line}"),
                2 => line.replace('a', "changed"),
                3 => self.text(2),
                _ => line.to_owned(),
            })
            .collect()
    }
}

fn check(insight: &FileInsight, before: &str, after: &str) {
    let rows = &insight.change.rows;
    if before == after {
        return;
    }
    assert_eq!(both_texts(rows), (before.to_owned(), after.to_owned()));
    let numbers = |of: fn(&crate::model::insight::file::Row) -> Option<u32>| -> Vec<u32> {
        rows.iter().filter_map(of).collect()
    };
    for lines in [numbers(|row| row.old_line), numbers(|row| row.new_line)] {
        assert!(
            lines
                .iter()
                .copied()
                .eq(1..=u32::try_from(lines.len()).expect("a number"))
        );
    }
    let count = |kind| rows.iter().filter(|row| row.kind == kind).count();
    assert_eq!(count(RowKind::Added), insight.change.added as usize);
    assert_eq!(count(RowKind::Removed), insight.change.removed as usize);
    let missing = rows
        .iter()
        .filter(|row| row.end == LineEnd::Missing)
        .count();
    assert!(missing <= 2);
    let columns = side_by_side(rows);
    let seen = columns.iter().filter(|(left, _)| left.is_some()).count();
    assert_eq!(seen, rows.len() - count(RowKind::Added));
}

#[test]
fn a_write_shows_exactly_what_is_written() {
    let world = World::new();
    let mut dice = Dice(0x1234_5678_9abc_def1);
    for round in 0..2_550 {
        let before = dice.text(30);
        let after = if round % 3 == 0 {
            dice.text(30)
        } else {
            dice.changed(&before)
        };
        let name = FILES[round % FILES.len()];
        world.file(name, &before);
        let input = json!({"file_path": world.project().join(name), "content": after});
        check(
            &world.look_with(&no_limits(), "Write", input),
            &before,
            &after,
        );
    }
}

/// The text is found by hand here: only the first rule of an edit is used, on a text that is there once.
#[test]
fn an_edit_shows_exactly_what_is_written() {
    let world = World::new();
    let mut dice = Dice(0xfeed_5678_9abc_def1);
    let mut tried = 0;
    while tried < 700 {
        let before = dice.text(12).replace('\r', "");
        let ends: Vec<usize> = before
            .char_indices()
            .map(|(at, _)| at)
            .chain([before.len()])
            .collect();
        let (one, other) = (ends[dice.below(ends.len())], ends[dice.below(ends.len())]);
        let (start, end) = (one.min(other), one.max(other));
        let old = &before[start..end];
        let new = format!("new {}", dice.text(3)).replace('\r', "");
        if old.is_empty() || before.matches(old).count() != 1 || old == new {
            continue;
        }
        tried += 1;
        let after = format!("{}{new}{}", &before[..start], &before[end..]);
        let is_crlf = dice.below(2) == 0;
        let on_disk = |text: &str| {
            if is_crlf {
                text.replace('\n', "\r\n")
            } else {
                text.to_owned()
            }
        };
        let has_lines = before.contains('\n');
        let (before, after) = if has_lines {
            (on_disk(&before), on_disk(&after))
        } else {
            (before.clone(), after)
        };
        world.file("a.rs", &before);
        let input = json!({"file_path": world.project().join("a.rs"), "old_string": old, "new_string": new});
        let insight = world.look_with(&no_limits(), "Edit", input);
        assert_eq!(insight.problem, None);
        check(&insight, &before, &after);
    }
}

/// Prints what it costs; `cargo run --release --example measure` does so for more situations.
#[test]
fn a_write_of_five_thousand_lines_is_quick() {
    let world = World::new();
    let line = |line: usize| format!("    let value_{line} = compute(\"text\", {line}); // why\n");
    let before: String = (0..5_000).map(line).collect();
    let after = before.replace("5 = compute", "5 = computed_again");
    world.file("a.rs", &before);
    let start = std::time::Instant::now();
    let insight = world.write("a.rs", &after);
    let took = start.elapsed();
    eprintln!(
        "5,000 lines, {} of them changed: {took:?}, {} rows, {} bytes of JSON",
        insight.change.added,
        insight.change.rows.len(),
        serde_json::to_vec(&insight).expect("json").len()
    );
    assert_eq!((insight.change.added, insight.change.removed), (500, 500));
    // unoptimised, on a busy machine: only a gross fault is caught here
    assert!(took < std::time::Duration::from_secs(20), "{took:?}");
}
