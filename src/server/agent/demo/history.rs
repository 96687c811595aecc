//! Owns what a resumed session remembers: read once from its transcript.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::Path;

use serde_json::Value;

use super::folders;
use super::rewind::Said;

#[derive(Debug, Default)]
pub struct History {
    pub leaf: Option<String>,
    /// Ids of messages the session already holds: a repeated one is not answered again.
    pub seen: HashSet<String>,
    /// How many messages the person sent.
    pub prompts: usize,
    pub said: Vec<Said>,
    pub dangling: Vec<DanglingCall>,
    pub title: Option<String>,
    pub title_is_custom: bool,
    pub input_tokens: u64,
    pub output_tokens: u64,
}

/// A tool call whose result was never recorded, because the process ended first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DanglingCall {
    pub tool_use_id: String,
    pub assistant_uuid: String,
}

pub fn load(path: &Path) -> io::Result<History> {
    Ok(read(&fs::read_to_string(path)?))
}

fn read(text: &str) -> History {
    let mut history = History::default();
    // a kill may leave half a line at the end: what cannot be read is passed over
    for line in text
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
    {
        match line["type"].as_str() {
            Some("user" | "assistant") => conversation_line(&mut history, &line),
            Some("last-prompt") if line["rewound"] == true => {
                let cut = history
                    .said
                    .iter()
                    .position(|said| line["cutUuid"] == said.uuid.as_str());
                history.said.truncate(cut.unwrap_or(history.said.len()));
                history.prompts = history.said.len();
                history.dangling.clear();
                history.leaf = line["leafUuid"].as_str().map(ToOwned::to_owned);
            }
            Some("custom-title") => {
                history.title = line["customTitle"].as_str().map(ToOwned::to_owned);
                history.title_is_custom = true;
            }
            Some("ai-title") if !history.title_is_custom => {
                history.title = line["aiTitle"].as_str().map(ToOwned::to_owned);
            }
            Some("cost-state") => {
                for usage in line["modelUsage"]
                    .as_object()
                    .into_iter()
                    .flat_map(|models| models.values())
                {
                    history.input_tokens = usage["inputTokens"].as_u64().unwrap_or(0);
                    history.output_tokens = usage["outputTokens"].as_u64().unwrap_or(0);
                }
            }
            _ => {}
        }
    }
    history
}

fn conversation_line(history: &mut History, line: &Value) {
    let uuid = line["uuid"].as_str().unwrap_or_default().to_owned();
    let content = &line["message"]["content"];
    let blocks = content.as_array().map(Vec::as_slice).unwrap_or_default();
    if line["type"] == "assistant" {
        history.dangling.extend(
            blocks
                .iter()
                .filter(|block| block["type"] == "tool_use")
                .filter_map(|block| {
                    Some(DanglingCall {
                        tool_use_id: block["id"].as_str()?.to_owned(),
                        assistant_uuid: uuid.clone(),
                    })
                }),
        );
    } else {
        let results: Vec<&str> = blocks
            .iter()
            .filter_map(|block| block["tool_use_id"].as_str())
            .collect();
        history
            .dangling
            .retain(|call| !results.contains(&call.tool_use_id.as_str()));
        if line["promptSource"].is_string() {
            let text = content.as_str().unwrap_or_else(|| {
                let text = blocks.iter().find_map(|block| block["text"].as_str());
                text.unwrap_or_default()
            });
            let said = Said::read(&uuid, text, line["parentUuid"].as_str());
            history.said.push(said);
            history.prompts += 1;
        }
        history.seen.insert(uuid.clone());
    }
    history.leaf = Some(uuid);
}

/// `--fork-session`: the same conversation under a new id.
pub fn fork(from: &Path, to: &Path, session: &str) -> io::Result<()> {
    let mut copy = String::new();
    for line in fs::read_to_string(from)?.lines() {
        if let Ok(mut line) = serde_json::from_str::<Value>(line) {
            line["sessionId"] = Value::from(session);
            copy.push_str(&format!("{line}\n"));
        }
    }
    folders::write_private(to, &copy)
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn what_was_taken_back_is_not_remembered() {
        let history = read(
            r#"{"type":"user","uuid":"u1","promptSource":"sdk","message":{"content":"one"}}
{"type":"assistant","uuid":"a1","parentUuid":"u1","message":{"content":[]}}
{"type":"user","uuid":"u2","parentUuid":"a1","promptSource":"sdk","message":{"content":[{"type":"text","text":"two"}]}}
{"type":"assistant","uuid":"a2","parentUuid":"u2","message":{"content":[{"type":"tool_use","id":"t1"}]}}
{"type":"last-prompt","rewound":true,"leafUuid":"a1","cutUuid":"u2"}"#,
        );
        assert_eq!((history.leaf.as_deref(), history.prompts), (Some("a1"), 1));
        assert_eq!(history.said.len(), 1);
        assert!(history.dangling.is_empty());
    }

    #[test]
    fn a_call_without_a_result_dangles() {
        let history = read(
            r#"{"type":"queue-operation"}
{"type":"user","uuid":"u1","promptSource":"sdk","message":{"role":"user","content":"go"}}
{"type":"assistant","uuid":"a1","message":{"content":[{"type":"tool_use","id":"t1"}]}}
{"type":"assistant","uuid":"a2","message":{"content":[{"type":"tool_use","id":"t2"}]}}
{"type":"user","uuid":"u2","message":{"content":[{"type":"tool_result","tool_use_id":"t1"}]}}
{"type":"custom-title","customTitle":"Mine"}
{"type":"ai-title","aiTitle":"Theirs"}
{"type":"assistant","uuid":"a3","mess"#,
        );
        assert_eq!(history.dangling.len(), 1);
        assert_eq!(
            (
                history.dangling[0].tool_use_id.as_str(),
                history.dangling[0].assistant_uuid.as_str()
            ),
            ("t2", "a2")
        );
        assert_eq!((history.leaf.as_deref(), history.prompts), (Some("u2"), 1));
        assert_eq!(history.title.as_deref(), Some("Mine"));
        assert!(history.seen.contains("u1"));
    }
}
