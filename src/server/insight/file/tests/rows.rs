//! Gaps, and two columns.

use super::super::{Limits, Workspace, open_gap};
use super::{World, draw, drawn, no_limits};
use crate::model::ToolInput;
use crate::model::insight::file::{FileInsight, Row, RowKind, side_by_side};
use serde_json::{Value, json};
use std::ops::Range;

fn open(
    world: &World,
    input: &Value,
    version: &str,
    rows: Range<usize>,
    limits: &Limits,
) -> Option<Vec<Row>> {
    let project = world.project();
    let workspace = Workspace {
        project: &project,
        home: None,
    };
    let input = ToolInput::from_value(input.clone());
    open_gap(workspace, "Write", &input, version, rows, limits)
}

/// Opens every gap until there is none.
fn opened(world: &World, input: &Value, insight: &FileInsight, limits: &Limits) -> Vec<Row> {
    let mut rows = insight.change.rows.clone();
    while let Some((at, gap)) = rows
        .iter()
        .enumerate()
        .find_map(|(at, row)| Some((at, row.gap?)))
    {
        let first = gap.first as usize;
        let range = first..first + gap.rows as usize;
        let more = open(world, input, &insight.change.version, range, limits).expect("rows");
        rows.splice(at..=at, more);
    }
    rows
}

#[test]
fn every_gap_can_be_opened_until_everything_is_seen() {
    let world = World::new();
    let old: String = (0..300)
        .map(|line| format!("fn line_{line}() {{}}\n"))
        .collect();
    let new = old
        .replace("line_1", "row_1")
        .replace("fn line_250() {}\n", "")
        + "let end = 1;";
    world.file("a.rs", &old);
    let input = json!({"file_path": world.project().join("a.rs"), "content": new});
    let limits = Limits {
        carried_rows: 40,
        ..super::patient()
    };
    let insight = world.look_with(&limits, "Write", input.clone());
    assert!(insight.change.rows.len() < 100);
    let whole = world.look_with(&no_limits(), "Write", input.clone());
    assert_eq!(opened(&world, &input, &insight, &limits), whole.change.rows);
}

#[test]
fn a_gap_is_not_opened_in_another_text() {
    let world = World::new();
    world.file("a.txt", "a\n".repeat(50));
    let input = json!({"file_path": world.project().join("a.txt"), "content": "a\n".repeat(51)});
    let insight = world.look("Write", input.clone());
    let version = &insight.change.version;
    assert!(open(&world, &input, version, 0..10, &super::patient()).is_some());
    let beyond = open(&world, &input, version, 1_000..2_000, &super::patient());
    assert_eq!(beyond, Some(Vec::new()));
    world.file("a.txt", "b\n".repeat(50));
    assert_eq!(
        open(&world, &input, version, 0..10, &super::patient()),
        None
    );
}

#[test]
fn a_long_line_can_be_seen_whole() {
    let world = World::new();
    let line = "word ".repeat(2_000);
    let input = json!({"file_path": world.project().join("a.txt"), "content": line});
    let insight = world.look("Write", input.clone());
    assert!(insight.change.rows[0].left_out > 0);
    let rows = open(&world, &input, &insight.change.version, 0..1, &no_limits()).expect("rows");
    assert_eq!(super::text(&rows[0]), line);
}

#[test]
fn counterparts_stand_beside_each_other() {
    let world = World::new();
    world.file(
        "a.txt",
        "start\nlet a = 1;\ngone entirely\nlet b = 2;\nend\n",
    );
    let insight = world.write(
        "a.txt",
        "start\nlet a = 10;\nlet b = 20;\nnothing like it, quite new\nend\n",
    );
    assert_eq!(
        drawn(&insight.change.rows),
        [
            " 1 1 start",
            "-2 · let a = [1];",
            "-3 · gone entirely",
            "-4 · let b = [2];",
            "+· 2 let a = [10];",
            "+· 3 let b = [20];",
            "+· 4 nothing like it, quite new",
            " 5 5 end",
        ]
    );
    let lines: Vec<(String, String)> = side_by_side(&insight.change.rows)
        .into_iter()
        .map(|(left, right)| {
            (
                left.map(draw).unwrap_or_default(),
                right.map(draw).unwrap_or_default(),
            )
        })
        .collect();
    let pair = |left: &str, right: &str| (left.to_owned(), right.to_owned());
    assert_eq!(
        lines,
        [
            pair(" 1 1 start", " 1 1 start"),
            pair("-2 · let a = [1];", "+· 2 let a = [10];"),
            pair("-3 · gone entirely", ""),
            pair("-4 · let b = [2];", "+· 3 let b = [20];"),
            pair("", "+· 4 nothing like it, quite new"),
            pair(" 5 5 end", " 5 5 end"),
        ]
    );
}

#[test]
fn of_a_large_change_what_goes_stands_beside_what_comes() {
    let world = World::new();
    world.file("a.txt", "old\n".repeat(1_000));
    let insight = world.write("a.txt", &"new\n".repeat(1_200));
    let lines = side_by_side(&insight.change.rows);
    let beside = |(left, right): &(Option<&Row>, Option<&Row>)| {
        left.is_some_and(|row| row.kind == RowKind::Removed)
            && right.is_some_and(|row| row.kind == RowKind::Added)
    };
    assert_eq!(lines.iter().filter(|line| beside(line)).count(), 100);
    assert!(beside(&lines[0]));
    let is_gap = |line: &(Option<&Row>, Option<&Row>)| line.0.is_some_and(|row| row.gap.is_some());
    let gaps = lines.iter().filter(|line| is_gap(line));
    assert_eq!(gaps.count(), 2, "the rest of each side can be opened");
    assert_eq!(lines.len(), 102);
}

#[test]
fn the_wire_form_is_read_back() {
    let world = World::new();
    world.file("a.rs", "fn a() {}\r\n".repeat(20));
    let insight = world.edit_all("a.rs", "fn", "async fn");
    let json = serde_json::to_string(&insight).expect("json");
    assert_eq!(
        serde_json::from_str::<FileInsight>(&json).expect("an insight"),
        insight
    );
}
