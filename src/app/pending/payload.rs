//! What the tool is called with, complete, in the form that fits the tool. The same in a card and in the transcript.
//! Nothing is left out: a field no view knows is listed beneath.

pub mod command;
mod diff;
mod file_change;
mod generic;
mod headline;
mod read;
mod whereabouts;

use crate::model::text;
use crate::model::{Insight, PendingRequest, SessionId, ToolInput};
use leptos::prelude::*;

pub use generic::extras;

#[component]
pub fn Payload(#[prop(into)] tool_name: String, input: ToolInput) -> impl IntoView {
    match tool_name.as_str() {
        "Bash" if input.text("command").is_some() => command::view(&input),
        "Write" if input.text("content").is_some() => file_change::write(&input, "content"),
        "Edit" if input.text("new_string").is_some() => file_change::edit(&input),
        "NotebookEdit" if input.text("new_source").is_some() => {
            file_change::write(&input, "new_source")
        }
        "Read" if input.text("file_path").is_some() => read::view(&input),
        name => headline::view(name, &input).unwrap_or_else(|| generic::view(&input)),
    }
}

/// The server can say more about a call of this tool than its input does.
pub fn can_be_understood(tool_name: &str) -> bool {
    matches!(
        tool_name,
        "Bash"
            | "Write"
            | "Edit"
            | "MultiEdit"
            | "NotebookEdit"
            | "Read"
            | "NotebookRead"
            | "Grep"
            | "Glob"
            | "LS"
    )
}

/// What stands in for a long text until the server has looked at it.
pub fn beginning(request: &PendingRequest) -> Option<AnyView> {
    let field = match request.tool_name.as_str() {
        "Write" => "content",
        "NotebookEdit" => "new_source",
        _ => return None,
    };
    file_change::beginning(&request.tool_input, field)
}

/// The same, with what the server found out. `edited`: the text that a person put in place of the agent's.
pub fn understood(
    session_id: SessionId,
    request: &PendingRequest,
    edited: Option<String>,
    insight: &Insight,
) -> Option<AnyView> {
    if let Some(found) = &insight.command {
        return command::understood(&request.tool_input, found);
    }
    if let Some(place) = &insight.reads {
        return match request.tool_name.as_str() {
            "Read" => Some(read::understood(&request.tool_input, place)),
            _ => whereabouts::search(&request.tool_input, place),
        };
    }
    let file = insight.file.clone()?;
    Some(file_change::understood(session_id, request, edited, file))
}

/// Somewhere in what will be used there is a character a person cannot see.
pub fn has_odd_characters(input: &ToolInput) -> bool {
    input
        .fields()
        .iter()
        .any(|(name, value)| text::has_odd_characters(name) || text::has_odd_characters(value))
}

/// The one field a line in the transcript shows.
pub fn main_argument(tool_name: &str, input: &ToolInput) -> Option<String> {
    let fields: &[&str] = match tool_name {
        "Bash" => &["command"],
        "Grep" | "Glob" => &["pattern"],
        "WebFetch" => &["url"],
        "WebSearch" => &["query"],
        "Task" | "Agent" => &["description"],
        _ => &[
            "file_path",
            "notebook_path",
            "path",
            "command",
            "pattern",
            "query",
            "url",
            "name",
            "description",
            "title",
        ],
    };
    fields
        .iter()
        .find_map(|field| input.text(field))
        .map(str::to_owned)
}

/// Added and removed lines between two texts.
pub fn change_size(old: &str, new: &str) -> (usize, usize) {
    diff::stat(&diff::compare(old, new))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(json: &str) -> ToolInput {
        ToolInput::from_json(json).expect("json")
    }

    #[test]
    fn a_hidden_character_is_found_in_every_field() {
        assert!(!has_odd_characters(&input(r#"{"command":"ls -la"}"#)));
        assert!(has_odd_characters(&input("{\"command\":\"ls \u{202e}\"}")));
        assert!(has_odd_characters(&input(
            "{\"edits\":[{\"a\":\"\u{200b}\"}]}"
        )));
        assert!(has_odd_characters(&input("{\"na\u{200b}me\":1}")));
    }

    #[test]
    fn a_line_shows_the_field_that_matters() {
        let shown = |tool, json| main_argument(tool, &input(json));
        let bash = r#"{"description":"List","command":"ls"}"#;
        assert_eq!(shown("Bash", bash).as_deref(), Some("ls"));
        let read = r#"{"file_path":"/a"}"#;
        assert_eq!(shown("Read", read).as_deref(), Some("/a"));
        assert_eq!(shown("Other", r#"{"n":1}"#), None);
    }
}
