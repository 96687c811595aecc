//! The one cell of a notebook that a request changes: its source before and after.

use super::draw::counted;
use super::request::CellEdit;
use crate::model::insight::file::{Cell, CellAction, Problem};
use serde_json::Value;

pub struct CellChange {
    pub cell: Cell,
    pub before: String,
    pub after: String,
    pub language: String,
}

pub fn change(notebook: &str, edit: &CellEdit) -> Result<CellChange, Problem> {
    let notebook: Value = serde_json::from_str(notebook).map_err(|_| Problem::NotANotebook)?;
    let cells = notebook["cells"].as_array().ok_or(Problem::NotANotebook)?;
    let found = edit.id.map(|id| position(cells, id));
    let at = match (edit.action, found) {
        (_, Some(None)) => return Err(Problem::CellMissing),
        (CellAction::Insert, None) => 0,
        (CellAction::Insert, Some(Some(at))) => at + 1,
        (_, Some(Some(at))) => at,
        (_, None) => return Err(Problem::CellNotNamed),
    };
    let now = match edit.action {
        CellAction::Insert => &Value::Null,
        _ => &cells[at],
    };
    let kind = match (edit.action, edit.kind) {
        (CellAction::Insert, None) => return Err(Problem::CellTypeMissing),
        (CellAction::Insert, Some(kind)) => kind.to_owned(),
        _ => now["cell_type"].as_str().unwrap_or("code").to_owned(),
    };
    let becomes = match edit.action {
        CellAction::Replace => edit.kind.filter(|new| *new != kind).map(str::to_owned),
        _ => None,
    };
    let language = if becomes.as_deref().unwrap_or(&kind) == "markdown" {
        "markdown".to_owned()
    } else {
        language(&notebook["metadata"])
    };
    // running it is what made them: a new source has none
    let outputs_lost = now["outputs"].as_array().map_or(0, Vec::len);
    Ok(CellChange {
        cell: Cell {
            action: edit.action,
            number: counted(at + 1),
            of: counted(cells.len()),
            kind,
            new_kind: becomes,
            outputs_lost: counted(outputs_lost),
        },
        before: source(&now["source"]),
        after: edit.source.to_owned(),
        language,
    })
}

/// By its id, else `cell-2`: the third one.
fn position(cells: &[Value], id: &str) -> Option<usize> {
    let by_id = cells.iter().position(|cell| cell["id"] == id);
    by_id.or_else(|| {
        let number: usize = id.strip_prefix("cell-")?.parse().ok()?;
        (number < cells.len()).then_some(number)
    })
}

fn source(source: &Value) -> String {
    match source {
        Value::String(text) => text.clone(),
        Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect(),
        _ => String::new(),
    }
}

fn language(metadata: &Value) -> String {
    metadata["language_info"]["name"]
        .as_str()
        .or(metadata["kernelspec"]["language"].as_str())
        .unwrap_or("python")
        .to_lowercase()
}
