//! What the program itself writes beside the conversation, in words.

use serde_json::Value;

const UNKNOWN_MODEL: &str = "[claude-code:unrecognized_model]";

/// Most of it is written for people; this is not.
pub fn in_words(said: &str) -> String {
    let lines: Vec<String> = said.lines().map(line).collect();
    lines.join("\n")
}

fn line(line: &str) -> String {
    let model = line.trim().strip_prefix(UNKNOWN_MODEL);
    let model: Option<Value> = model.and_then(|rest| serde_json::from_str(rest).ok());
    match model.as_ref().and_then(|model| model["model"].as_str()) {
        Some(model) => format!(
            "It does not know the model “{model}”. Choose another in the head of the session."
        ),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_it_does_not_know_is_told_in_a_sentence() {
        let said = "A line\n[claude-code:unrecognized_model] {\"model\":\"no-such\",\"query_source\":\"sdk\"}";
        assert_eq!(
            in_words(said),
            "A line\nIt does not know the model “no-such”. Choose another in the head of the session."
        );
        let odd = "[claude-code:unrecognized_model] what?";
        assert_eq!(in_words(odd), odd);
    }
}
