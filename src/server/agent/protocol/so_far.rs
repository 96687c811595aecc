//! What a command has written while it runs.

use super::word;
use crate::model::SoFar;
use crate::server::terminal::as_seen;
use serde_json::Value;

/// Of the answer to what a call has written.
pub fn so_far(answer: &Value) -> SoFar {
    SoFar {
        text: as_seen(word(answer, "output")),
        is_cut: answer["truncated"].as_bool().unwrap_or(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn nothing_is_written_by_what_is_not_told_of() {
        assert_eq!(so_far(&Value::Null), SoFar::default());
        let answer = json!({"output": "x\n", "total_bytes": 9000, "truncated": true});
        let told = so_far(&answer);
        assert_eq!((told.text.as_str(), told.is_cut), ("x\n", true));
    }
}
