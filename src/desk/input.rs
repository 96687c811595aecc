//! Whether an edited input is one that its tool can take: the fields it needs, and their kinds. In a tool we do not
//! know what stays must stay what it was. The CLI tells the model, not the person, when an input does not fit; so it is
//! checked before the answer counts. Pure.

mod address;

use crate::model::{Code, Refusal, ToolInput};
use address::is_web_address;
use serde_json::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Also an empty one.
    Text,
    /// A text that says something.
    Words,
    /// Of a page.
    Address,
    Number,
    Flag,
    List,
}

use Kind::{Address, Flag, List, Number, Text, Words};

/// Field, kind, whether it must be there.
type Field = (&'static str, Kind, bool);

fn fields(tool: &str) -> Option<&'static [Field]> {
    Some(match tool {
        "Bash" => &[
            ("command", Words, true),
            ("description", Text, false),
            ("timeout", Number, false),
            ("run_in_background", Flag, false),
        ],
        "Write" => &[("file_path", Words, true), ("content", Text, true)],
        "Edit" => &[
            ("file_path", Words, true),
            ("old_string", Text, true),
            ("new_string", Text, true),
            ("replace_all", Flag, false),
        ],
        "MultiEdit" => &[("file_path", Words, true), ("edits", List, true)],
        "NotebookEdit" => &[
            ("notebook_path", Words, true),
            ("new_source", Text, true),
            ("cell_id", Text, false),
            ("cell_type", Text, false),
            ("edit_mode", Text, false),
        ],
        "Read" => &[
            ("file_path", Words, true),
            ("offset", Number, false),
            ("limit", Number, false),
        ],
        "WebFetch" => &[("url", Address, true), ("prompt", Text, true)],
        "WebSearch" => &[
            ("query", Words, true),
            ("allowed_domains", List, false),
            ("blocked_domains", List, false),
        ],
        "Glob" => &[("pattern", Words, true), ("path", Text, false)],
        "Grep" => &[
            ("pattern", Words, true),
            ("path", Text, false),
            ("glob", Text, false),
            ("output_mode", Text, false),
            ("head_limit", Number, false),
            ("multiline", Flag, false),
        ],
        _ => return None,
    })
}

/// The refusal is a sentence that names the field.
pub fn check(tool: &str, shown: &ToolInput, input: &ToolInput) -> Result<(), Refusal> {
    if input.0.is_empty() && !shown.0.is_empty() {
        // the CLI reads {} as "unchanged": it would run what the person wanted to remove
        return refuse("The edited input is empty. Deny the request instead.".to_owned());
    }
    let Some(fields) = fields(tool) else {
        return same_kinds(shown, input);
    };
    for (field, kind, needed) in fields {
        let trouble = match input.0.get(*field) {
            None | Some(Value::Null) if *needed => format!("lacks \"{field}\""),
            None | Some(Value::Null) => continue,
            Some(value) => match wrong(*kind, value) {
                Some(trouble) => format!("has a \"{field}\" that {trouble}"),
                None => continue,
            },
        };
        return refuse(format!(
            "The edited input of {tool} {trouble}. Edit it again, or deny the request."
        ));
    }
    if tool == "MultiEdit" {
        return edits(input);
    }
    Ok(())
}

fn same_kinds(shown: &ToolInput, input: &ToolInput) -> Result<(), Refusal> {
    for (field, value) in &input.0 {
        let was = shown.0.get(field).filter(|was| !was.is_null());
        if let Some(was) = was
            && kind_of(was) != kind_of(value)
        {
            let kind = kind_of(was);
            return refuse(format!("In the edited input \"{field}\" must stay {kind}."));
        }
    }
    Ok(())
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

fn wrong(kind: Kind, value: &Value) -> Option<&'static str> {
    match (kind, value) {
        (Words | Address, Value::String(text)) if text.trim().is_empty() => Some("is empty"),
        (Address, Value::String(text)) if !is_web_address(text) => {
            Some("is no address of a page: it must begin with http:// or https:// and name a host")
        }
        (Text | Words | Address, Value::String(_))
        | (Number, Value::Number(_))
        | (Flag, Value::Bool(_))
        | (List, Value::Array(_)) => None,
        (Text | Words | Address, _) => Some("is not a text"),
        (Number, _) => Some("is not a number"),
        (Flag, _) => Some("is neither true nor false"),
        (List, _) => Some("is not a list"),
    }
}

fn edits(input: &ToolInput) -> Result<(), Refusal> {
    let edits = input.0.get("edits").and_then(Value::as_array);
    let is_edit = |edit: &Value| edit["old_string"].is_string() && edit["new_string"].is_string();
    match edits {
        Some(edits) if !edits.is_empty() && edits.iter().all(is_edit) => Ok(()),
        _ => Err(Refusal::new(
            Code::InvalidRequest,
            "Each of the \"edits\" needs an \"old_string\" and a \"new_string\", and there must be one at least.",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn refused(tool: &str, input: Value) -> Option<String> {
        check(tool, &ToolInput::default(), &ToolInput::from_value(input))
            .err()
            .map(|refusal| refusal.message)
    }

    #[test]
    fn whole_inputs_of_every_known_tool_are_taken() {
        for (tool, input) in [
            (
                "Bash",
                json!({"command": "ls", "timeout": 5, "run_in_background": false}),
            ),
            ("Write", json!({"file_path": "/a", "content": ""})),
            (
                "Edit",
                json!({"file_path": "/a", "old_string": "a", "new_string": "", "replace_all": true}),
            ),
            (
                "MultiEdit",
                json!({"file_path": "/a", "edits": [{"old_string": "a", "new_string": "b"}]}),
            ),
            (
                "NotebookEdit",
                json!({"notebook_path": "/a", "new_source": "", "cell_id": null}),
            ),
            ("Read", json!({"file_path": "/a", "limit": 3})),
            (
                "WebFetch",
                json!({"url": "https://a.example", "prompt": ""}),
            ),
            ("WebSearch", json!({"query": "a", "allowed_domains": []})),
            ("Glob", json!({"pattern": "*.rs"})),
            (
                "Grep",
                json!({"pattern": "x", "multiline": true, "-n": true}),
            ),
            ("mcp__demo__greet", json!({"anything": [1]})),
            ("SomethingNew", json!({})),
        ] {
            assert_eq!(refused(tool, input), None, "{tool}");
        }
    }

    #[test]
    fn what_is_missing_or_of_a_wrong_kind_is_named() {
        for (tool, input, words) in [
            ("Bash", json!({"description": "x"}), "lacks \"command\""),
            (
                "Bash",
                json!({"command": "  "}),
                "\"command\" that is empty",
            ),
            (
                "Bash",
                json!({"command": ["ls"]}),
                "\"command\" that is not a text",
            ),
            (
                "Bash",
                json!({"command": "ls", "timeout": "5"}),
                "\"timeout\" that is not a number",
            ),
            ("Write", json!({"file_path": "/a"}), "lacks \"content\""),
            (
                "Write",
                json!({"file_path": "/a", "content": null}),
                "lacks \"content\"",
            ),
            (
                "Edit",
                json!({"file_path": "/a", "old_string": "a", "new_string": "b", "replace_all": "yes"}),
                "neither true nor false",
            ),
            (
                "MultiEdit",
                json!({"file_path": "/a", "edits": {}}),
                "is not a list",
            ),
            (
                "MultiEdit",
                json!({"file_path": "/a", "edits": []}),
                "one at least",
            ),
            (
                "MultiEdit",
                json!({"file_path": "/a", "edits": [{"old_string": "a"}]}),
                "new_string",
            ),
            (
                "NotebookEdit",
                json!({"new_source": ""}),
                "lacks \"notebook_path\"",
            ),
            ("Read", json!({}), "lacks \"file_path\""),
            ("WebFetch", json!({"url": "", "prompt": ""}), "is empty"),
            (
                "WebFetch",
                json!({"url": "file:///etc/passwd", "prompt": "Sum it up"}),
                "\"url\" that is no address of a page: it must begin with http:// or https://",
            ),
            (
                "WebFetch",
                json!({"url": "nonsense", "prompt": "Sum it up"}),
                "name a host",
            ),
            (
                "WebFetch",
                json!({"url": "https://a.example", "prompt": 7}),
                "\"prompt\" that is not a text",
            ),
            (
                "WebFetch",
                json!({"url": "https://a.example"}),
                "lacks \"prompt\"",
            ),
            ("WebSearch", json!({"query": 1}), "is not a text"),
            ("Glob", json!({"path": "/"}), "lacks \"pattern\""),
            (
                "Grep",
                json!({"pattern": "x", "head_limit": true}),
                "is not a number",
            ),
        ] {
            let sentence = refused(tool, input).expect(tool);
            assert!(
                sentence.contains(words) && sentence.ends_with('.'),
                "{tool}: {sentence}"
            );
        }
    }

    #[test]
    fn an_input_cannot_be_edited_away() {
        let shown = ToolInput::from_value(json!({"command": "ls"}));
        let refusal = check("Bash", &shown, &ToolInput::default()).expect_err("empty");
        assert!(refusal.message.contains("empty"));
    }

    #[test]
    fn the_fields_of_a_tool_that_is_not_known_keep_their_kind() {
        let shown = ToolInput::from_value(json!({"count": 3, "note": null, "names": ["a"]}));
        let check = |edited| check("mcp__x__y", &shown, &ToolInput::from_value(edited));
        assert_eq!(
            check(json!({"count": 4.5, "note": "now", "more": 1})),
            Ok(())
        );
        let refusal = check(json!({"count": "4"})).expect_err("a text");
        assert_eq!(
            refusal.message,
            "In the edited input \"count\" must stay a number."
        );
    }
}
