//! What a tool is called with: any JSON object. Read through this type, so that views never handle raw JSON.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ToolInput(pub Map<String, Value>);

const ABRIDGED_TEXT: usize = 400;
const ABRIDGED_LIST: usize = 20;

fn abridged(value: Value) -> Value {
    match value {
        Value::String(text) if text.len() > ABRIDGED_TEXT => {
            let cut = text.floor_char_boundary(ABRIDGED_TEXT);
            Value::String(format!("{}…", &text[..cut]))
        }
        Value::Array(list) => list.into_iter().take(ABRIDGED_LIST).map(abridged).collect(),
        Value::Object(fields) => Value::Object(ToolInput(fields).abridged().0),
        other => other,
    }
}

impl ToolInput {
    pub fn text(&self, field: &str) -> Option<&str> {
        self.0.get(field)?.as_str()
    }

    pub fn number(&self, field: &str) -> Option<i64> {
        self.0.get(field)?.as_i64()
    }

    pub fn flag(&self, field: &str) -> bool {
        self.0.get(field).and_then(Value::as_bool).unwrap_or(false)
    }

    /// Every field with its value as a person reads it: text as it is, the rest as JSON.
    pub fn fields(&self) -> Vec<(String, String)> {
        self.0
            .iter()
            .map(|(name, value)| {
                let shown = match value {
                    Value::String(text) => text.clone(),
                    other => indented(other),
                };
                (name.clone(), shown)
            })
            .collect()
    }

    pub fn to_json(&self) -> String {
        indented(&Value::Object(self.0.clone()))
    }

    /// The same input with one field set to a text.
    pub fn with_text(&self, field: &str, text: &str) -> Self {
        let mut fields = self.0.clone();
        fields.insert(field.to_owned(), Value::String(text.to_owned()));
        Self(fields)
    }

    /// Long texts and lists are cut: enough to tell what it is about, and not more.
    pub fn abridged(self) -> Self {
        let fields = self.0.into_iter().take(ABRIDGED_LIST);
        Self(
            fields
                .map(|(name, value)| (name, abridged(value)))
                .collect(),
        )
    }

    /// An input typed by a person. The error is a sentence for them.
    pub fn from_json(text: &str) -> Result<Self, String> {
        match serde_json::from_str::<Value>(text) {
            Ok(Value::Object(fields)) => Ok(Self(fields)),
            Ok(_) => Err("The input must be a JSON object, in braces.".to_owned()),
            Err(error) => {
                let (line, column) = (error.line(), error.column());
                let what = match error.is_eof() {
                    true => "it ends too early",
                    false => "it cannot be read",
                };
                Err(format!(
                    "This is not valid JSON: {what} at line {line}, character {column}."
                ))
            }
        }
    }

    pub fn from_value(value: Value) -> Self {
        match value {
            Value::Object(fields) => Self(fields),
            Value::Null => Self::default(),
            other => Self(Map::from_iter([("value".to_owned(), other)])),
        }
    }
}

fn indented(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_long_is_cut_and_the_rest_stays() {
        let input = |value: Value| ToolInput(value.as_object().expect("an object").clone());
        let short =
            input(json!({"command": "ls", "timeout": 5, "questions": [{"question": "Which?"}]}));
        assert_eq!(short.clone().abridged(), short);
        let long = input(json!({"content": "ä".repeat(1_000_000), "list": vec!["x"; 1_000]}));
        let cut = long.abridged().to_json();
        assert!(cut.contains('…') && cut.len() < 1_000, "{}", cut.len());
    }
}
