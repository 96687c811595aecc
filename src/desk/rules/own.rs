//! Would a rule have covered the very request that it is given with? A person may word it otherwise, and is told when it
//! would not.

use super::{Around, covers, is_about_a_part};
use crate::model::{PendingRequest, Suggestion};

/// As it was offered it does: the agent knows. Our own reading is stricter than the agent's; where by it not even what
/// was offered covers the request, a rule about a part of it counts.
pub fn covers_its_own(request: &PendingRequest, rule: &Suggestion, around: Around<'_>) -> bool {
    let (tool, input) = (&request.tool_name, &request.tool_input);
    let grants = rule.grants();
    let is_covered = |grants: &[String]| {
        grants
            .iter()
            .any(|written| covers(written, tool, input, around))
    };
    let mut offered = request.offered().iter().map(Suggestion::grants);
    let is_read_well = offered.clone().any(|offered| is_covered(&offered));
    offered.any(|offered| offered == grants)
        || is_covered(&grants)
        || (!is_read_well
            && grants
                .iter()
                .any(|written| is_about_a_part(written, tool, input, around)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ToolInput, samples};
    use serde_json::json;

    const AROUND: Around<'_> = Around {
        directory: "/code/api",
        home: "/home/ada",
    };

    fn rule(text: &str) -> Suggestion {
        Suggestion(
            json!({"type": "addRules", "behavior": "allow", "destination": "session",
            "rules": [{"toolName": "Bash", "ruleContent": text}]}),
        )
    }

    fn covers_with(command: &str, offered: &str, edited: &str) -> bool {
        let request = PendingRequest {
            tool_name: "Bash".to_owned(),
            tool_input: ToolInput::from_value(json!({"command": command})),
            suggestions: vec![rule(offered)],
            ..samples::plain_request()
        };
        covers_its_own(&request, &rule(edited), AROUND)
    }

    #[test]
    fn a_rule_as_it_was_offered_is_never_doubted() {
        assert!(covers_with("npm test > log", "npm test *", "npm test *"));
        assert!(covers_with("anything", "something else", "something else"));
    }

    #[test]
    fn a_reworded_rule_that_misses_its_request_is_found() {
        for (edited, expected) in [
            ("npm test --watch", true),
            ("npm *", true),
            ("npm run *", false),
            ("zzz )) nothing", false),
            ("npm tes", false),
        ] {
            let covers = covers_with("npm test --watch", "npm test *", edited);
            assert_eq!(covers, expected, "{edited}");
        }
        assert!(covers_with("echo '(x)'", "echo *", "echo '(x)'"));
    }

    #[test]
    fn where_more_is_in_the_request_than_is_looked_through_a_part_is_enough() {
        let command = "cd web && npm test 2>&1 | tail -5";
        assert!(covers_with(command, "npm test *", "npm *"));
        assert!(!covers_with(command, "npm test *", "cargo *"));
    }

    #[test]
    fn what_is_no_rule_for_calls_counts_as_it_was_offered() {
        let mode =
            Suggestion(json!({"type": "setMode", "mode": "acceptEdits", "destination": "session"}));
        let request = PendingRequest {
            suggestions: vec![mode.clone()],
            ..samples::plain_request()
        };
        assert!(covers_its_own(&request, &mode, AROUND));
    }
}
