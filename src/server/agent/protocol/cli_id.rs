//! The CLI's own name of a request, a text or a number. It is sent back as it came.

use serde::Serialize;
use serde_json::Value;
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct CliId(Value);

impl CliId {
    /// None: nothing could be answered under it.
    pub fn of(value: &Value) -> Option<Self> {
        match value {
            Value::String(_) | Value::Number(_) => Some(Self(value.clone())),
            _ => None,
        }
    }
}

impl fmt::Display for CliId {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Value::String(text) => to.write_str(text),
            other => other.fmt(to),
        }
    }
}
