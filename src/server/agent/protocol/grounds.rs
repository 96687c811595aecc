//! The fields of a permission request that say why it is asked. What we do not know is kept, within bounds.

use super::word;
use crate::model::{Grounds, MatchedRule};
use serde_json::{Map, Value};

/// Unknown fields are kept up to so many bytes in all: they travel to every client.
const MOST_EXTRA: usize = 4096;

/// Those that have a place of their own.
const KNOWN: [&str; 22] = [
    "subtype",
    "tool_name",
    "display_name",
    "input",
    "tool_use_id",
    "description",
    "permission_suggestions",
    "blocked_path",
    "decision_reason",
    "decision_reason_type",
    "decision_reason_rule_source",
    "decision_reason_hook_event",
    "decision_reason_hook_source",
    "classifier_approvable",
    "suppress_always_allow_rule",
    "matched_ask_rule",
    "requires_user_interaction",
    "agent_id",
    "mcp_server",
    "title",
    "default_to_no",
    // seen, undocumented, of no use to anyone
    "server_policy_ask_only",
];

pub fn read(request: &Value) -> Grounds {
    let text = |field: &str| {
        request[field]
            .as_str()
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
    };
    let flag = |field: &str| request[field].as_bool().unwrap_or(false);
    let rule = &request["matched_ask_rule"];
    Grounds {
        display_name: text("display_name"),
        title: text("title"),
        decision_reason_type: text("decision_reason_type"),
        decision_reason_rule_source: text("decision_reason_rule_source"),
        decision_reason_hook_event: text("decision_reason_hook_event"),
        decision_reason_hook_source: text("decision_reason_hook_source"),
        matched_ask_rule: rule.is_object().then(|| MatchedRule {
            source: word(rule, "source").to_owned(),
            tool_name: word(rule, "tool_name").to_owned(),
            rule_content: rule["rule_content"].as_str().map(str::to_owned),
        }),
        classifier_approvable: request["classifier_approvable"].as_bool(),
        requires_user_interaction: flag("requires_user_interaction"),
        suppress_always_allow_rule: flag("suppress_always_allow_rule"),
        default_to_no: flag("default_to_no"),
        mcp_server_source: Some(word(&request["mcp_server"], "source"))
            .filter(|source| !source.is_empty())
            .map(str::to_owned),
        extra: unknown(request),
    }
}

fn unknown(request: &Value) -> Map<String, Value> {
    let mut left = MOST_EXTRA;
    let mut kept = Map::new();
    for (name, value) in request.as_object().into_iter().flatten() {
        if KNOWN.contains(&name.as_str()) {
            continue;
        }
        let size = name.len() + value.to_string().len();
        if size <= left {
            left -= size;
            kept.insert(name.clone(), value.clone());
        } else {
            tracing::warn!(
                field = name,
                size,
                "a field of a request is too large to be kept"
            );
        }
    }
    kept
}
