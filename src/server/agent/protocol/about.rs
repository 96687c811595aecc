//! What the CLI answers when it is asked about itself, as rows that a person reads. What is missing in an answer is left out.

use super::{list, word};
use crate::model::{AboutRow, ServerAction};
use serde_json::Value;
use std::path::Path;

/// What it says of itself is in rows already.
pub fn status(answer: &Value) -> Vec<AboutRow> {
    let sections = list(&answer["sections"]).iter();
    let rows = sections.flat_map(|section| {
        let rows = list(&section["rows"]).iter();
        rows.map(|row| AboutRow {
            group: text(section, "title"),
            label: text(row, "label"),
            value: text(row, "value"),
            ..AboutRow::default()
        })
    });
    rows.collect()
}

/// How full its window is, in a sentence.
pub fn fullness(answer: &Value) -> Option<String> {
    let (used, most) = (
        answer["totalTokens"].as_u64()?,
        answer["maxTokens"].as_u64()?,
    );
    let percent = used.saturating_mul(100) / most.max(1);
    let (used, most) = (grouped(used), grouped(most));
    Some(format!("{used} of {most} tokens are used, {percent} %."))
}

pub fn context(answer: &Value) -> Vec<AboutRow> {
    let most = answer["maxTokens"].as_u64().unwrap_or_default().max(1);
    let row = |category: &Value| {
        let tokens = category["tokens"].as_u64().unwrap_or_default();
        let (is_inside, detail) = match word(category, "kind") {
            "deferred" => (false, "Not in it: read when it is needed"),
            "free" => (false, ""),
            "buffer" => (true, "Kept free for compacting"),
            _ => (true, ""),
        };
        // also what is little is seen
        let share = match is_inside && tokens > 0 {
            true => (tokens.saturating_mul(1000) / most).max(1),
            false => 0,
        };
        AboutRow {
            label: text(category, "name"),
            value: grouped(tokens),
            detail: detail.to_owned(),
            share: Some(u16::try_from(share).unwrap_or(1000)),
            ..AboutRow::default()
        }
    };
    list(&answer["categories"]).iter().map(row).collect()
}

/// The files that it reads before everything else, which the answer about its window names.
pub fn memory(answer: &Value) -> Vec<AboutRow> {
    let row = |file: &Value| {
        let tokens = file["tokens"].as_u64().map(grouped);
        AboutRow {
            label: text(file, "type"),
            value: text(file, "path"),
            detail: tokens
                .map(|tokens| format!("{tokens} tokens"))
                .unwrap_or_default(),
            ..AboutRow::default()
        }
    };
    list(&answer["memoryFiles"]).iter().map(row).collect()
}

/// The rules by where they are kept, then the folders. `own`: where the agent keeps its things.
/// `granted`: folders that a person added to this session.
pub fn rules(answer: &Value, own: &Path, project: &Path, granted: &[String]) -> Vec<AboutRow> {
    let state = &answer["state"];
    let faults = list(&state["errors"]).iter().map(|fault| AboutRow {
        group: "Settings that cannot be read".to_owned(),
        label: "Ignored".to_owned(),
        value: text(fault, "file"),
        detail: text(fault, "message"),
        ..AboutRow::default()
    });
    let mut rows: Vec<AboutRow> = list(&state["rules"])
        .iter()
        .map(|rule| AboutRow {
            group: place(word(rule, "source"), own, project),
            label: match word(rule, "behavior") {
                "allow" => "Allow".to_owned(),
                "deny" => "Deny".to_owned(),
                "ask" => "Ask".to_owned(),
                other => other.to_owned(),
            },
            value: text(rule, "rule"),
            detail: ["prefix", "emphasis", "suffix"]
                .map(|part| word(&rule["description"], part))
                .concat(),
            ..AboutRow::default()
        })
        .collect();
    // those of one place stand together
    rows.sort_by(|one, other| one.group.cmp(&other.group));
    rows.splice(0..0, faults);
    let folder = |label: &str, path: &str, detail: String| AboutRow {
        group: "Folders".to_owned(),
        label: label.to_owned(),
        value: path.to_owned(),
        detail,
        ..AboutRow::default()
    };
    let directory = word(state, "originalCwd");
    if !directory.is_empty() {
        rows.push(folder("Works in", directory, String::new()));
    }
    for more in list(&state["workspaceDirectories"]) {
        let path = more.as_str().unwrap_or_else(|| word(more, "path"));
        let source = word(more, "source");
        let source = match source {
            _ if granted.iter().any(|folder| folder == path) => place("session", own, project),
            "" => String::new(),
            source => place(source, own, project),
        };
        rows.push(folder("Also in", path, source));
    }
    rows
}

/// Where a rule is kept, with the path of the file if it is one.
fn place(source: &str, own: &Path, project: &Path) -> String {
    let file = |words: &str, path: std::path::PathBuf| format!("{words} · {}", path.display());
    match source {
        "userSettings" => file("Your settings", own.join("settings.json")),
        "projectSettings" => file(
            "The project’s settings",
            project.join(".claude/settings.json"),
        ),
        "localSettings" => file(
            "Your settings for this project",
            project.join(".claude/settings.local.json"),
        ),
        "policySettings" => "Your organisation’s policy".to_owned(),
        "session" => "This session".to_owned(),
        "cliArg" | "flagSettings" => "How the agent was started".to_owned(),
        other => other.to_owned(),
    }
}

pub fn servers(answer: &Value) -> Vec<AboutRow> {
    let row = |server: &Value| {
        let status = word(server, "status");
        let tools = server["tools"].as_array().map(Vec::len);
        let tools = match tools {
            None | Some(0) => String::new(),
            Some(1) => " · 1 tool".to_owned(),
            Some(count) => format!(" · {count} tools"),
        };
        let (words, actions) = match status {
            "connected" => ("Connected", vec![ServerAction::SwitchOff]),
            "failed" => (
                "Failed",
                vec![ServerAction::Reconnect, ServerAction::SwitchOff],
            ),
            "needs-auth" => (
                "Needs a login: run claude in a terminal and type /mcp",
                vec![ServerAction::Reconnect, ServerAction::SwitchOff],
            ),
            "pending" => ("Connecting", vec![ServerAction::SwitchOff]),
            "disabled" => ("Off", vec![ServerAction::SwitchOn]),
            other => (other, Vec::new()),
        };
        AboutRow {
            label: text(server, "name"),
            value: format!("{words}{tools}"),
            detail: text(server, "error"),
            is_trouble: matches!(status, "failed" | "needs-auth"),
            actions,
            ..AboutRow::default()
        }
    };
    list(&answer["mcpServers"]).iter().map(row).collect()
}

pub fn hooks(answer: &Value) -> Vec<AboutRow> {
    let summary = |event: &str| {
        let mut events = list(&answer["events"]).iter();
        let told = events.find(|told| word(told, "name") == event);
        told.map(|told| format!(" · {}", word(told, "summary")))
            .unwrap_or_default()
    };
    let row = |hook: &Value| {
        let event = word(hook, "event");
        let limit = hook["timeout"].as_u64();
        let limit = limit.map(|seconds| format!(" · at most {seconds} s"));
        AboutRow {
            group: format!("{event}{}", summary(event)),
            label: match word(hook, "matcher") {
                "" => "Always".to_owned(),
                matcher => matcher.to_owned(),
            },
            value: text(hook, "displayText"),
            detail: word(hook, "sourceLabel").to_owned() + &limit.unwrap_or_default(),
            ..AboutRow::default()
        }
    };
    list(&answer["hooks"]).iter().map(row).collect()
}

fn text(value: &Value, field: &str) -> String {
    word(value, field).to_owned()
}

/// 1,000,000.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn rules_stand_together_by_the_file_that_keeps_them() {
        let answer = json!({"state": {
            "rules": [
                {"behavior": "ask", "source": "projectSettings", "rule": "Bash(git push:*)",
                 "description": {"prefix": "Any Bash command starting with ", "emphasis": "git push"}},
                {"behavior": "allow", "source": "session", "rule": "Read"},
                {"behavior": "deny", "source": "projectSettings", "rule": "Read(./.env)"},
            ],
            "workspaceDirectories": [{"path": "/more", "source": "cliArg"}, "/plain", {"path": "/added", "source": "localSettings"}],
            "errors": [{"file": "/code/.claude/settings.local.json", "message": "Invalid JSON"}],
            "originalCwd": "/code",
        }});
        let granted = ["/added".to_owned()];
        let rows = rules(&answer, Path::new("/own"), Path::new("/code"), &granted);
        let shown: Vec<_> = rows
            .iter()
            .map(|row| (row.group.as_str(), row.label.as_str(), row.value.as_str()))
            .collect();
        let project = "The project’s settings · /code/.claude/settings.json";
        assert_eq!(
            shown,
            [
                (
                    "Settings that cannot be read",
                    "Ignored",
                    "/code/.claude/settings.local.json"
                ),
                (project, "Ask", "Bash(git push:*)"),
                (project, "Deny", "Read(./.env)"),
                ("This session", "Allow", "Read"),
                ("Folders", "Works in", "/code"),
                ("Folders", "Also in", "/more"),
                ("Folders", "Also in", "/plain"),
                ("Folders", "Also in", "/added"),
            ]
        );
        assert_eq!(rows[1].detail, "Any Bash command starting with git push");
        assert_eq!(rows[5].detail, "How the agent was started");
    }

    #[test]
    fn a_server_says_how_it_stands_and_what_can_be_done() {
        let answer = json!({"mcpServers": [
            {"name": "a", "status": "connected", "tools": [{"name": "add"}]},
            {"name": "b", "status": "failed", "error": "ENOENT"},
            {"name": "c", "status": "disabled"},
            {"name": "d", "status": "resting"},
        ]});
        let rows = servers(&answer);
        let values: Vec<_> = rows.iter().map(|row| row.value.as_str()).collect();
        assert_eq!(values, ["Connected · 1 tool", "Failed", "Off", "resting"]);
        assert_eq!(
            (rows[1].is_trouble, rows[1].detail.as_str()),
            (true, "ENOENT")
        );
        assert_eq!(
            rows[1].actions,
            [ServerAction::Reconnect, ServerAction::SwitchOff]
        );
        assert_eq!(rows[2].actions, [ServerAction::SwitchOn]);
        assert_eq!(rows[3].actions, []);
    }

    #[test]
    fn what_fills_the_window_has_its_share_of_it() {
        let answer = json!({
            "categories": [
                {"name": "System prompt", "tokens": 1923, "kind": "used"},
                {"name": "MCP tools", "tokens": 26, "kind": "deferred"},
                {"name": "Messages", "tokens": 20_500, "kind": "used"},
                {"name": "Free space", "tokens": 953_335, "kind": "free"},
            ],
            "totalTokens": 13665, "maxTokens": 1_000_000,
            "memoryFiles": [{"path": "/code/CLAUDE.md", "type": "Project", "tokens": 9}],
        });
        let rows = context(&answer);
        let shares: Vec<_> = rows.iter().map(|row| row.share).collect();
        assert_eq!(shares, [Some(1), Some(0), Some(20), Some(0)]);
        assert_eq!(rows[0].value, "1,923");
        let full = fullness(&answer).expect("a sentence");
        assert_eq!(full, "13,665 of 1,000,000 tokens are used, 1 %.");
        assert_eq!(memory(&answer)[0].value, "/code/CLAUDE.md");
    }

    #[test]
    fn hooks_stand_under_their_event() {
        let answer = json!({
            "events": [{"name": "Stop", "summary": "Before it ends"}],
            "hooks": [{"event": "Stop", "matcher": "", "displayText": "true", "sourceLabel": "Project", "timeout": 5}],
        });
        let rows = hooks(&answer);
        assert_eq!(rows[0].group, "Stop · Before it ends");
        assert_eq!(
            (rows[0].label.as_str(), rows[0].value.as_str()),
            ("Always", "true")
        );
        assert_eq!(rows[0].detail, "Project · at most 5 s");
    }

    #[test]
    fn an_answer_of_another_shape_has_no_rows() {
        let odd = json!({"sections": "none", "hooks": 3, "state": []});
        let nowhere = Path::new("/");
        assert_eq!(status(&odd), []);
        assert_eq!(hooks(&odd), []);
        assert_eq!(servers(&odd), []);
        assert_eq!(context(&odd), []);
        assert_eq!(memory(&odd), []);
        assert_eq!(rules(&odd, nowhere, nowhere, &[]), []);
        assert_eq!(fullness(&odd), None);
    }
}
