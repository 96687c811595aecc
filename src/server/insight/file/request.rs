//! The tools that change a file, with what they are asked. Fields that make no sense give no request: the card then
//! shows the input as it is.

use super::edit::Edit;
use crate::model::ToolInput;
use crate::model::insight::file::CellAction;
use serde_json::Value;

pub struct Request<'a> {
    pub path: &'a str,
    pub asked: Asked<'a>,
}

pub enum Asked<'a> {
    Write(&'a str),
    Edits(Vec<Edit>),
    Cell(CellEdit<'a>),
}

pub struct CellEdit<'a> {
    pub action: CellAction,
    pub id: Option<&'a str>,
    pub source: &'a str,
    pub kind: Option<&'a str>,
}

impl<'a> Request<'a> {
    pub fn read(tool: &str, input: &'a ToolInput) -> Option<Self> {
        let (path, asked) = match tool {
            "Write" => ("file_path", Asked::Write(input.text("content")?)),
            "Edit" => {
                let edit = Edit {
                    old: input.text("old_string")?.to_owned(),
                    new: input.text("new_string")?.to_owned(),
                    everywhere: input.flag("replace_all"),
                };
                ("file_path", Asked::Edits(vec![edit]))
            }
            "MultiEdit" => ("file_path", Asked::Edits(edits(input.0.get("edits")?)?)),
            "NotebookEdit" => ("notebook_path", Asked::Cell(cell(input)?)),
            _ => return None,
        };
        Some(Self {
            path: input.text(path)?,
            asked,
        })
    }
}

fn edits(list: &Value) -> Option<Vec<Edit>> {
    let text = |edit: &Value, field: &str| Some(edit.get(field)?.as_str()?.to_owned());
    list.as_array()?
        .iter()
        .map(|edit| {
            Some(Edit {
                old: text(edit, "old_string")?,
                new: text(edit, "new_string")?,
                everywhere: edit["replace_all"].as_bool().unwrap_or(false),
            })
        })
        .collect()
}

fn cell(input: &ToolInput) -> Option<CellEdit<'_>> {
    let action = match input.text("edit_mode") {
        None | Some("replace") => CellAction::Replace,
        Some("insert") => CellAction::Insert,
        Some("delete") => CellAction::Delete,
        Some(_) => return None,
    };
    let source = match action {
        CellAction::Delete => "",
        _ => input.text("new_source")?,
    };
    Some(CellEdit {
        action,
        id: input.text("cell_id"),
        source,
        kind: input.text("cell_type"),
    })
}
