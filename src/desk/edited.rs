//! Whether an edited input can run. The CLI tells the model, not the person, when it cannot; so it is checked here, before
//! the answer counts.

use crate::model::{Code, Refusal, ToolInput};
use serde_json::Value;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A text that says something.
    Words,
    /// Any text, also an empty one.
    Text,
    Number,
    Flag,
    List,
}

use Kind::{Flag, List, Number, Text, Words};

/// The fields of a tool: those it needs, and those it may have.
struct Tool {
    name: &'static str,
    needs: &'static [(&'static str, Kind)],
    takes: &'static [(&'static str, Kind)],
}

const KNOWN: [Tool; 7] = [
    Tool {
        name: "Bash",
        needs: &[("command", Words)],
        takes: &[
            ("description", Text),
            ("timeout", Number),
            ("run_in_background", Flag),
        ],
    },
    Tool {
        name: "Write",
        needs: &[("file_path", Words), ("content", Text)],
        takes: &[],
    },
    Tool {
        name: "Edit",
        needs: &[
            ("file_path", Words),
            ("old_string", Text),
            ("new_string", Text),
        ],
        takes: &[("replace_all", Flag)],
    },
    Tool {
        name: "Read",
        needs: &[("file_path", Words)],
        takes: &[("offset", Number), ("limit", Number), ("pages", Text)],
    },
    Tool {
        name: "NotebookEdit",
        needs: &[("notebook_path", Words), ("new_source", Text)],
        takes: &[("cell_id", Text), ("cell_type", Text), ("edit_mode", Text)],
    },
    Tool {
        name: "WebFetch",
        needs: &[("url", Words), ("prompt", Text)],
        takes: &[],
    },
    Tool {
        name: "WebSearch",
        needs: &[("query", Words)],
        takes: &[("allowed_domains", List), ("blocked_domains", List)],
    },
];

/// The refusal is a sentence that names the field.
pub fn check(tool_name: &str, shown: &ToolInput, edited: &ToolInput) -> Result<(), Refusal> {
    if edited.0.is_empty() && !shown.0.is_empty() {
        // the CLI reads {} as "unchanged": it would run what the person wanted to remove
        return refuse("The edited input is empty. Deny the request instead.".to_owned());
    }
    if let Some(tool) = KNOWN.iter().find(|tool| tool.name == tool_name) {
        for (field, kind) in tool.needs {
            match edited.0.get(*field) {
                None => {
                    return refuse(format!(
                        "The edited input has no \"{field}\", and {tool_name} needs it."
                    ));
                }
                Some(value) if !kind.has(value) => return refuse(wrong(field, *kind)),
                Some(_) => {}
            }
        }
        for (field, kind) in tool.takes {
            if edited.0.get(*field).is_some_and(|value| !kind.has(value)) {
                return refuse(wrong(field, *kind));
            }
        }
        return Ok(());
    }
    // a tool we do not know: what stays, stays what it was
    for (field, value) in &edited.0 {
        let was = shown.0.get(field);
        if was.is_some_and(|was| !was.is_null() && kind_of(was) != kind_of(value)) {
            let kind = was.map_or("what it was", kind_of);
            return refuse(format!("In the edited input \"{field}\" must stay {kind}."));
        }
    }
    Ok(())
}

impl Kind {
    fn has(self, value: &Value) -> bool {
        match self {
            Words => value.as_str().is_some_and(|text| !text.trim().is_empty()),
            Text => value.is_string(),
            Number => value.is_number(),
            Flag => value.is_boolean(),
            List => value.is_array(),
        }
    }
}

fn wrong(field: &str, kind: Kind) -> String {
    let must = match kind {
        Words => "be a text that is not empty",
        Text => "be a text",
        Number => "be a number",
        Flag => "be true or false",
        List => "be a list",
    };
    format!("In the edited input \"{field}\" must {must}.")
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "empty",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn refuse(why: String) -> Result<(), Refusal> {
    Err(Refusal::new(Code::InvalidRequest, why))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn why_not(tool: &str, shown: Value, edited: Value) -> Option<String> {
        let input = ToolInput::from_value;
        let refusal = check(tool, &input(shown), &input(edited)).err()?;
        assert_eq!(refusal.code, Code::InvalidRequest);
        Some(refusal.message)
    }

    #[test]
    fn what_a_known_tool_can_run_is_taken() {
        let shown = json!({"command": "ls", "description": "List"});
        for edited in [
            json!({"command": "ls -l"}),
            json!({"command": "ls", "description": "", "timeout": 5, "run_in_background": true}),
            json!({"command": "ls", "a_field_of_tomorrow": [1]}),
        ] {
            assert_eq!(why_not("Bash", shown.clone(), edited), None);
        }
        let emptied = json!({"file_path": "/w/a", "content": ""});
        assert_eq!(
            why_not(
                "Write",
                json!({"file_path": "/w/a", "content": "x"}),
                emptied
            ),
            None
        );
    }

    #[test]
    fn what_it_cannot_run_is_refused_with_the_name_of_the_field() {
        let shown = json!({"command": "ls", "description": "List"});
        for (edited, field) in [
            (json!({"description": "List"}), "\"command\""),
            (json!({"command": ["ls"]}), "\"command\""),
            (json!({"command": " \n"}), "\"command\""),
            (json!({"command": "ls", "timeout": "5"}), "\"timeout\""),
            (
                json!({"command": "ls", "run_in_background": "yes"}),
                "\"run_in_background\"",
            ),
            (json!({}), "empty"),
        ] {
            let why = why_not("Bash", shown.clone(), edited.clone()).unwrap_or_default();
            assert!(why.contains(field), "{edited}: {why}");
        }
    }

    #[test]
    fn the_fields_of_a_tool_that_is_not_known_keep_their_kind() {
        let shown = json!({"count": 3, "note": null, "names": ["a"]});
        assert_eq!(
            why_not(
                "mcp__x__y",
                shown.clone(),
                json!({"count": 4.5, "note": "now", "more": 1})
            ),
            None
        );
        let why = why_not("mcp__x__y", shown, json!({"count": "4"})).unwrap_or_default();
        assert_eq!(why, "In the edited input \"count\" must stay a number.");
    }
}
