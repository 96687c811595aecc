//! Owns what a question says about itself: why it is asked, what is touched, and which rules would spare the next one.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::mode::Mode;
use super::permissions::{Situation, file_path, is_sensitive};
use super::rules::{Rule, host_of};
use super::{paths, shell};

pub fn asked_by_rule(
    situation: &Situation,
    tool: &str,
    input: &Value,
    rule: &Rule,
) -> Map<String, Value> {
    let mut explanation = explained(situation, tool, input);
    explanation.remove("permission_suggestions"); // the person's own rule says to ask every time
    let mut matched = json!({"source": rule.source, "tool_name": rule.tool});
    if let Some(content) = &rule.content {
        matched["rule_content"] = json!(content);
    }
    explanation.insert("matched_ask_rule".into(), matched);
    explanation.insert("decision_reason_type".into(), json!("rule"));
    explanation.insert("decision_reason_rule_source".into(), json!(rule.source));
    explanation
}

pub fn explained(situation: &Situation, tool: &str, input: &Value) -> Map<String, Value> {
    let mut explanation = match tool {
        "Bash" => about_command(situation.project, input),
        "Read" => about_reading(situation.project, input),
        "Write" | "Edit" => about_writing(situation, input),
        "WebFetch" => {
            let url = input["url"].as_str().unwrap_or_default();
            fields(json!({
                "description": url,
                "permission_suggestions": [rule("WebFetch", host_of(url).map(|host| format!("domain:{host}")), "localSettings")],
            }))
        }
        _ if tool.starts_with("mcp__") => {
            let server = tool.split("__").nth(1).unwrap_or_default();
            fields(json!({
                "description": "Say hello to someone by name",
                "permission_suggestions": [rule(tool, None, "localSettings")],
                "mcp_server": {"name": server, "source": "local"},
            }))
        }
        _ => fields(json!({"permission_suggestions": [rule(tool, None, "localSettings")]})),
    };
    if situation.mode == Mode::Plan && !explanation.contains_key("decision_reason_type") {
        explanation.insert(
            "decision_reason".into(),
            json!("Plan mode is active: nothing is changed before the plan is approved."),
        );
        explanation.insert("decision_reason_type".into(), json!("mode"));
    }
    explanation
}

fn about_command(project: &Path, input: &Value) -> Map<String, Value> {
    let command = input["command"].as_str().unwrap_or_default();
    let mut explanation = Map::new();
    if let Some(description) = input["description"].as_str() {
        explanation.insert("description".into(), json!(description));
    }
    if shell::removes_something_critical(command) {
        explanation.extend(fields(json!({
            "permission_suggestions": [],
            "decision_reason": "This command removes a critical path. Approve only if you are certain.",
            "decision_reason_type": "safetyCheck",
            "classifier_approvable": false,
            "suppress_always_allow_rule": true,
        })));
        return explanation;
    }
    let mut suggestions = Vec::new();
    suggestions.extend(
        shell::suggested_rule(command).map(|content| rule("Bash", Some(content), "localSettings")),
    );
    match shell::written_path(project, command) {
        Some(path) => {
            suggestions.push(json!({"type": "addDirectories", "directories": [project], "destination": "session"}));
            explanation.insert("blocked_path".into(), json!(path));
        }
        None => {
            explanation.insert(
                "decision_reason".into(),
                json!("This command requires approval"),
            );
            explanation.insert("decision_reason_type".into(), json!("other"));
        }
    }
    explanation.insert("permission_suggestions".into(), json!(suggestions));
    explanation
}

fn about_reading(project: &Path, input: &Value) -> Map<String, Value> {
    let path = file_path(project, input).unwrap_or_default();
    let folder = path
        .parent()
        .unwrap_or(Path::new("/"))
        .display()
        .to_string();
    fields(json!({
        "description": path,
        "permission_suggestions": [rule("Read", Some(format!("/{}/**", folder.trim_end_matches('/'))), "session")],
        "decision_reason": "Path is outside allowed working directories",
        "decision_reason_type": "workingDir",
        "server_policy_ask_only": true,
    }))
}

fn about_writing(situation: &Situation, input: &Value) -> Map<String, Value> {
    let path = file_path(situation.project, input).unwrap_or_default();
    let mut explanation = fields(json!({
        "description": paths::shown(situation.project, &path),
        "permission_suggestions": [{"type": "setMode", "mode": "acceptEdits", "destination": "session"}],
    }));
    if is_sensitive(situation.project, &path) {
        explanation.extend(fields(json!({
            "permission_suggestions": [],
            "decision_reason": format!("Claude requested permissions to edit {} which is a sensitive file.", path.display()),
            "decision_reason_type": "safetyCheck",
            "classifier_approvable": true,
        })));
    } else {
        explanation.insert("server_policy_ask_only".into(), json!(true));
    }
    explanation
}

fn rule(tool: &str, content: Option<String>, destination: &str) -> Value {
    let mut rule = json!({ "toolName": tool });
    if let Some(content) = content {
        rule["ruleContent"] = json!(content);
    }
    json!({"type": "addRules", "rules": [rule], "behavior": "allow", "destination": destination})
}

pub fn fields(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
