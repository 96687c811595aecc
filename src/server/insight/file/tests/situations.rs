//! What a file can be, and what is asked of it.

use super::super::Limits;
use super::{World, both_texts, drawn, text};
use crate::model::insight::file::{Before, LineEnds, Note, Place, Problem, RowKind};
use serde_json::json;

#[test]
fn a_new_file_is_all_added_with_numbers() {
    let world = World::new();
    let insight = world.write("deep/in/new.txt", "a\n\nb\n");
    assert_eq!(insight.before, Before::Missing);
    assert_eq!(insight.path.shown, "deep/in/new.txt");
    assert_eq!(insight.path.place, Place::Project);
    assert_eq!(insight.path.real, None);
    assert_eq!(drawn(&insight.change.rows), ["+· 1 a", "+· 2 ", "+· 3 b"]);
    assert_eq!((insight.change.added, insight.change.removed), (3, 0));
    assert!(insight.notes.is_empty() && insight.problem.is_none());
}

#[test]
fn an_edit_is_shown_in_its_file_with_three_lines_around_it() {
    let world = World::new();
    let before: String = (1..=20).map(|line| format!("line {line}\n")).collect();
    world.file("a.txt", &before);
    let insight = world.edit("a.txt", "line 10\n", "line ten\nand a half\n");
    assert_eq!(
        drawn(&insight.change.rows),
        [
            "… 6 rows from 0, 0 changed",
            " 7 7 line 7",
            " 8 8 line 8",
            " 9 9 line 9",
            "-10 · line [10]",
            "+· 10 line [ten]",
            "+· 11 and a half",
            " 11 12 line 11",
            " 12 13 line 12",
            " 13 14 line 13",
            "… 7 rows from 15, 0 changed",
        ]
    );
    assert_eq!((insight.change.added, insight.change.removed), (2, 1));
    assert_eq!(insight.places, None);
    assert!(matches!(insight.before, Before::Text { lines: 20, .. }));
}

#[test]
fn replace_all_counts_its_places() {
    let world = World::new();
    world.file("a.txt", "x = 1\ny = x + x\n");
    let insight = world.edit_all("a.txt", "x", "z");
    assert_eq!(insight.places, Some(3));
    let rows = drawn(&insight.change.rows);
    assert_eq!(
        rows,
        [
            "-1 · [x] = 1",
            "-2 · y = [x] + [x]",
            "+· 1 [z] = 1",
            "+· 2 y = [z] + [z]"
        ]
    );
}

#[test]
fn what_no_longer_matches_says_so_and_shows_the_request_alone() {
    let world = World::new();
    world.file("a.txt", "something else\n");
    let insight = world.edit("a.txt", "old", "new");
    assert_eq!(insight.problem, Some(Problem::NotFound { edit: 1 }));
    assert_eq!(insight.notes, [Note::NotCompared]);
    assert_eq!(drawn(&insight.change.rows), ["-· · old∅", "+· · new∅"]);
}

#[test]
fn several_matches_for_one_edit_are_named_by_line() {
    let world = World::new();
    world.file("a.txt", "a b\nc\na a\n");
    let problem = world.edit("a.txt", "a", "x").problem;
    let lines = vec![1, 3, 3];
    assert_eq!(
        problem,
        Some(Problem::Several {
            edit: 1,
            count: 3,
            lines
        })
    );
}

#[test]
fn edits_in_a_row_build_on_each_other_and_the_one_that_fails_is_named() {
    let world = World::new();
    world.file("a.txt", "one\ntwo\n");
    let multi = |edits| {
        world.look(
            "MultiEdit",
            json!({"file_path": world.project().join("a.txt"), "edits": edits}),
        )
    };
    let insight = multi(json!([
        {"old_string": "one", "new_string": "1 two"},
        {"old_string": "two", "new_string": "2", "replace_all": true},
    ]));
    assert_eq!(insight.places, Some(3));
    assert_eq!(both_texts(&insight.change.rows).1, "1 2\n2\n");
    let insight = multi(json!([
        {"old_string": "one", "new_string": "1"},
        {"old_string": "one", "new_string": "2"},
    ]));
    assert_eq!(insight.problem, Some(Problem::NotFound { edit: 2 }));
    assert_eq!(
        multi(json!([])).problem,
        Some(Problem::NothingChanges { edit: 0 })
    );
}

#[test]
fn crlf_is_kept_by_an_edit_and_lost_by_a_write_and_both_are_told() {
    let world = World::new();
    world.file("a.txt", "a\r\nb\r\n");
    let insight = world.edit("a.txt", "b", "c");
    assert_eq!(insight.notes, [Note::KeepsCrLf]);
    assert_eq!(
        drawn(&insight.change.rows),
        [" 1 1 a␍", "-2 · b␍", "+· 2 c␍"]
    );
    let insight = world.write("a.txt", "a\nb\n");
    let (before, after) = (LineEnds::CrLf, LineEnds::Lf);
    assert_eq!(insight.notes, [Note::LineEnds { before, after }]);
    let rows = &insight.change.rows;
    assert_eq!(drawn(rows), ["-1 · a␍", "-2 · b␍", "+· 1 a", "+· 2 b"]);
    assert!(rows.iter().all(|row| row.paired && row.end_changed));
}

#[test]
fn a_missing_line_break_at_the_end_is_a_change() {
    let world = World::new();
    world.file("a.txt", "a\nb");
    let insight = world.write("a.txt", "a\nb\n");
    assert_eq!(drawn(&insight.change.rows), [" 1 1 a", "-2 · b∅", "+· 2 b"]);
    assert!(insight.change.rows[1].end_changed);
}

#[test]
fn the_same_text_is_no_change() {
    let world = World::new();
    world.file("a.txt", "a\nb\n");
    let insight = world.write("a.txt", "a\nb\n");
    assert_eq!(insight.notes, [Note::NoChange]);
    assert_eq!((insight.change.added, insight.change.removed), (0, 0));
    assert_eq!(drawn(&insight.change.rows), ["… 2 rows from 0, 0 changed"]);
}

#[test]
fn an_empty_file_is_there_and_gets_its_first_lines() {
    let world = World::new();
    world.file("a.txt", "");
    let insight = world.write("a.txt", "a\n");
    assert_eq!(insight.before, Before::Text { bytes: 0, lines: 0 });
    assert_eq!(drawn(&insight.change.rows), ["+· 1 a"]);
    let emptied = World::new();
    emptied.file("a.txt", "a\n");
    assert_eq!(drawn(&emptied.write("a.txt", "").change.rows), ["-1 · a"]);
}

#[test]
fn what_is_no_text_is_not_compared() {
    let world = World::new();
    world.file("picture.png", b"\x89PNG\0\0\0");
    world.file("latin.txt", b"gr\xfc\xdfe\n");
    for name in ["picture.png", "latin.txt"] {
        let insight = world.write(name, "text\n");
        assert!(matches!(insight.before, Before::Binary { .. }));
        assert_eq!(insight.problem, Some(Problem::NotText));
        assert_eq!(drawn(&insight.change.rows), ["+· · text"]);
        let edit = world.edit(name, "a", "b");
        assert_eq!(edit.problem, Some(Problem::NotText));
        assert_eq!(drawn(&edit.change.rows), ["-· · a∅", "+· · b∅"]);
    }
}

#[test]
fn marks_and_encodings_are_told_and_do_not_disturb_the_comparison() {
    let world = World::new();
    world.file("bom.txt", "\u{feff}a\nb\n");
    let insight = world.edit("bom.txt", "a\nb", "a\nc");
    assert_eq!(insight.notes, [Note::ByteOrderMark]);
    assert_eq!(drawn(&insight.change.rows), [" 1 1 a", "-2 · b", "+· 2 c"]);
    let wide: Vec<u8> = "\u{feff}ä\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    world.file("wide.txt", wide);
    let insight = world.edit("wide.txt", "ä", "ö");
    assert_eq!(insight.notes, [Note::Utf16]);
    assert_eq!(drawn(&insight.change.rows), ["-1 · ä", "+· 1 ö"]);
}

#[test]
fn words_that_changed_are_marked_and_nothing_else() {
    let world = World::new();
    world.file("a.txt", "\tgröße = breite * höhe; // 日本語\n");
    let insight = world.write("a.txt", "\tgröße = breite * tiefe; // 中国語 🎉\n");
    assert_eq!(
        drawn(&insight.change.rows),
        [
            "-1 · \tgröße = breite * [höhe]; // [日本語]",
            "+· 1 \tgröße = breite * [tiefe]; // [中国語 🎉]"
        ]
    );
}

#[test]
fn a_huge_change_is_carried_in_part_and_counted_in_full() {
    let world = World::new();
    let old: String = (0..9_000).map(|line| format!("old {line}\n")).collect();
    let new: String = (0..7_000)
        .map(|line| format!("new things {line}\n"))
        .collect();
    world.file("a.txt", &old);
    let insight = world.write("a.txt", &new);
    assert_eq!(
        (insight.change.added, insight.change.removed),
        (7_000, 9_000)
    );
    let count = |kind| {
        insight
            .change
            .rows
            .iter()
            .filter(|row| row.kind == kind)
            .count()
    };
    assert_eq!((count(RowKind::Added), count(RowKind::Removed)), (100, 100));
    let hidden: u32 = insight
        .change
        .rows
        .iter()
        .filter_map(|row| row.gap)
        .map(|gap| gap.changed)
        .sum();
    assert_eq!(hidden, 15_800);
    let bytes = serde_json::to_vec(&insight).expect("json").len();
    assert!(bytes < 80_000, "{bytes}");
}

#[test]
fn the_bytes_that_travel_are_bounded_too() {
    let world = World::new();
    let lines: String = (0..2_000)
        .map(|line| format!("{line} {}\n", "word ".repeat(600)))
        .collect();
    let insight = world.write("a.txt", &lines);
    assert_eq!(insight.change.added, 2_000);
    let bytes = serde_json::to_vec(&insight).expect("json").len();
    assert!(bytes < 700_000, "{bytes}");
    let last = insight
        .change
        .rows
        .last()
        .and_then(|row| row.gap)
        .expect("a gap");
    assert_eq!(last.first + last.rows, 2_000);
}

#[test]
fn a_very_long_line_says_how_much_of_it_is_left_out() {
    let world = World::new();
    let insight = world.write("a.txt", &format!("{}\n", "ü".repeat(5_000)));
    let row = &insight.change.rows[0];
    assert_eq!(text(row).chars().count(), 2_000);
    assert_eq!(row.left_out, 3_000);
}

#[test]
fn a_file_that_is_too_large_is_not_read() {
    let world = World::new();
    world.file("a.txt", "123456789\n");
    let limits = Limits {
        file_bytes: 9,
        ..super::patient()
    };
    let path = world.project().join("a.txt");
    let input = json!({"file_path": path, "content": "x"});
    let insight = world.look_with(&limits, "Write", input);
    assert_eq!(insight.before, Before::TooLarge { bytes: 10 });
    assert_eq!(insight.notes, [Note::NotCompared]);
}

#[test]
fn a_tool_that_changes_no_file_has_no_insight() {
    let world = World::new();
    let project = world.project();
    let workspace = super::Workspace {
        project: &project,
        home: None,
    };
    for (tool, input) in [
        ("Bash", json!({"command": "ls"})),
        ("Read", json!({"file_path": "/etc/passwd"})),
        ("Write", json!({"file_path": "/a"})),
        ("Edit", json!({"old_string": "a", "new_string": "b"})),
        ("MultiEdit", json!({"file_path": "/a", "edits": [1]})),
        (
            "NotebookEdit",
            json!({"notebook_path": "/a", "new_source": "", "edit_mode": "burn"}),
        ),
    ] {
        let input = crate::model::ToolInput::from_value(input);
        assert_eq!(
            super::look(workspace, tool, &input, &super::patient()),
            None,
            "{tool}"
        );
    }
}
