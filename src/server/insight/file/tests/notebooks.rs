//! Cells of notebooks.

use super::{World, drawn};
use crate::model::insight::file::{Cell, CellAction, FileInsight, Note, Problem};
use serde_json::{Value, json};

fn world() -> World {
    let world = World::new();
    let notebook = json!({
        "cells": [
            {"cell_type": "markdown", "id": "intro", "metadata": {}, "source": ["# Title\n", "text"]},
            {"cell_type": "code", "id": "sum", "execution_count": 3, "metadata": {},
             "outputs": [{"output_type": "stream", "text": ["1\n"]}], "source": ["a = 1\n", "print(a)"]},
            {"cell_type": "code", "metadata": {}, "outputs": [], "source": "nameless"},
        ],
        "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5,
    });
    world.file("n.ipynb", notebook.to_string());
    world
}

fn look(world: &World, fields: Value) -> FileInsight {
    let mut input = json!({"notebook_path": world.project().join("n.ipynb")});
    let all = input.as_object_mut().expect("an object");
    all.extend(fields.as_object().expect("an object").clone());
    world.look("NotebookEdit", input)
}

#[test]
fn a_cell_is_compared_with_its_own_source() {
    let insight = look(
        &world(),
        json!({"cell_id": "sum", "new_source": "a = 2\nprint(a)"}),
    );
    let cell = Cell {
        action: CellAction::Replace,
        number: 2,
        of: 3,
        kind: "code".to_owned(),
        new_kind: None,
        outputs_lost: 1,
    };
    assert_eq!(insight.cell, Some(cell));
    assert_eq!(
        drawn(&insight.change.rows),
        ["-1 · a = [1]", "+· 1 a = [2]", " 2 2 print(a)∅"]
    );
    assert!(insight.notes.is_empty());
}

#[test]
fn a_cell_can_be_named_by_its_place_and_change_its_kind() {
    let fields = json!({"cell_id": "cell-2", "new_source": "x", "cell_type": "markdown"});
    let cell = look(&world(), fields).cell.expect("a cell");
    assert_eq!(
        (cell.number, cell.new_kind.as_deref()),
        (3, Some("markdown"))
    );
}

#[test]
fn a_cell_comes_after_the_one_that_is_named_or_first() {
    for (fields, number) in [(json!({"cell_id": "intro"}), 2), (json!({}), 1)] {
        let mut fields = fields;
        fields["new_source"] = json!("n\nm");
        fields["cell_type"] = json!("code");
        fields["edit_mode"] = json!("insert");
        let insight = look(&world(), fields);
        let cell = insight.cell.expect("a cell");
        assert_eq!((cell.action, cell.number), (CellAction::Insert, number));
        assert_eq!(drawn(&insight.change.rows), ["+· 1 n", "+· 2 m∅"]);
    }
}

#[test]
fn a_deleted_cell_shows_what_is_lost() {
    let insight = look(
        &world(),
        json!({"cell_id": "sum", "new_source": "", "edit_mode": "delete"}),
    );
    assert_eq!(
        drawn(&insight.change.rows),
        ["-1 · a = 1", "-2 · print(a)∅"]
    );
    assert_eq!(insight.cell.expect("a cell").outputs_lost, 1);
}

#[test]
fn what_cannot_be_done_says_why_and_shows_the_new_source() {
    for (fields, problem) in [
        (json!({"cell_id": "gone"}), Problem::CellMissing),
        (json!({"cell_id": "cell-3"}), Problem::CellMissing),
        (json!({}), Problem::CellNotNamed),
        (json!({"edit_mode": "insert"}), Problem::CellTypeMissing),
    ] {
        let mut fields = fields;
        fields["new_source"] = json!("q");
        let insight = look(&world(), fields);
        assert_eq!(insight.problem, Some(problem));
        assert_eq!(insight.notes, [Note::NotCompared]);
        assert_eq!(drawn(&insight.change.rows), ["+· · q∅"]);
    }
    let other = World::new();
    other.file("n.ipynb", "not JSON");
    let fields = || json!({"cell_id": "a", "new_source": "q"});
    assert_eq!(look(&other, fields()).problem, Some(Problem::NotANotebook));
    assert_eq!(
        look(&World::new(), fields()).problem,
        Some(Problem::FileMissing)
    );
}
