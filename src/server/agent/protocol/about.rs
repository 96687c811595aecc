//! What the CLI answers when it is asked about itself, as rows that a person reads. What is missing in an answer is left out.

mod memory;
mod rules;

use super::{list, word};
use crate::model::{AboutRow, ServerAction};
use serde_json::Value;

pub use memory::{is_listed, memory};
pub use rules::{is_in_force, rules, still_goes_by};

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
        });
        let rows = context(&answer);
        let shares: Vec<_> = rows.iter().map(|row| row.share).collect();
        assert_eq!(shares, [Some(1), Some(0), Some(20), Some(0)]);
        assert_eq!(rows[0].value, "1,923");
        let full = fullness(&answer).expect("a sentence");
        assert_eq!(full, "13,665 of 1,000,000 tokens are used, 1 %.");
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
        let nowhere = std::path::Path::new("/");
        assert_eq!(status(&odd), []);
        assert_eq!(hooks(&odd), []);
        assert_eq!(servers(&odd), []);
        assert_eq!(context(&odd), []);
        assert_eq!(memory(&odd, &odd), []);
        assert_eq!(rules(&odd, nowhere, nowhere, &[]), []);
        assert_eq!(fullness(&odd), None);
    }
}
