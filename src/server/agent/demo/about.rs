//! Owns what the agent tells of itself: its status, what its window holds, its servers and hooks. It claims no more than
//! there is: hooks and servers are those of the project's files, and of the servers only their programs are looked at.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::agent::{Agent, State, VERSION};
use super::models::CONTEXT_WINDOW;

pub fn status(agent: &Agent, state: &State) -> Value {
    json!({"sections": [
        {"title": "Session", "rows": [
            {"label": "Version", "value": VERSION},
            {"label": "Session ID", "value": agent.session()},
            {"label": "cwd", "value": agent.project},
        ]},
        {"title": "Environment", "rows": [
            {"label": "Model", "value": state.model},
            {"label": "Account", "value": "None: the demo agent needs no login"},
        ]},
    ]})
}

/// What it answers by the way: only what it knows.
pub fn aside(state: &State, question: &str) -> String {
    let messages = match state.prompts {
        1 => "1 message".to_owned(),
        count => format!("{count} messages"),
    };
    format!(
        "You asked, by the way:\n\n> {}\n\nI am the demo agent and know little, but this: I have had **{messages}** of yours, \
         and I will not remember this question. Claude Code answers it from all that it knows of the conversation.",
        question.trim().replace('\n', "\n> ")
    )
}

pub fn context_usage(agent: &Agent, state: &State) -> Value {
    let used = state.usage.context_tokens;
    let free = CONTEXT_WINDOW.saturating_sub(used);
    let memory: Vec<Value> = memory_files(agent)
        .iter()
        .filter_map(|(kind, path)| {
            let tokens = fs::metadata(path).ok()?.len() / 4;
            Some(json!({"path": path, "type": kind, "tokens": tokens}))
        })
        .collect();
    json!({
        "categories": [
            {"id": "messages", "name": "Messages", "tokens": used, "color": "promptBorder", "kind": "used"},
            {"id": "free_space", "name": "Free space", "tokens": free, "color": "inactive", "kind": "free"},
        ],
        "totalTokens": used, "maxTokens": CONTEXT_WINDOW, "rawMaxTokens": CONTEXT_WINDOW,
        "percentage": used * 100 / CONTEXT_WINDOW, "model": state.model, "memoryFiles": memory,
    })
}

fn memory_files(agent: &Agent) -> [(&'static str, PathBuf); 2] {
    [
        ("Project", agent.project.join("CLAUDE.md")),
        ("User", agent.environment.config_directory.join("CLAUDE.md")),
    ]
}

/// These two are listed also while they are not there.
pub fn memory(agent: &Agent) -> Value {
    let files = memory_files(agent).map(|(kind, path)| {
        json!({
            "kind": kind.to_lowercase(), "path": path, "label": format!("{kind} instructions"),
            "description": "", "exists": path.exists(),
        })
    });
    json!({"files": files, "folders": []})
}

pub fn hooks(project: &Path) -> Value {
    let settings = read(&project.join(".claude/settings.json"));
    let mut events = Vec::new();
    let mut hooks = Vec::new();
    for (event, matchers) in settings["hooks"].as_object().into_iter().flatten() {
        let before = hooks.len();
        for matcher in matchers.as_array().into_iter().flatten() {
            for hook in matcher["hooks"].as_array().into_iter().flatten() {
                let mut listed = json!({
                    "event": event, "matcher": matcher["matcher"].as_str().unwrap_or_default(), "type": hook["type"],
                    "source": "projectSettings", "sourceLabel": "Project settings (.claude/settings.json)",
                    "displayText": hook["command"], "commandText": hook["command"], "contentLabel": "Command",
                });
                if hook["timeout"].is_u64() {
                    listed["timeout"] = hook["timeout"].clone();
                }
                hooks.push(listed);
            }
        }
        let count = hooks.len() - before;
        events.push(json!({"name": event, "summary": "Listed, and not run by the demo agent", "hookCount": count}));
    }
    json!({"events": events, "hooks": hooks, "eventCatalog": [], "policy": {"allDisabled": false}})
}

pub fn servers(agent: &Agent, state: &State) -> Value {
    let own = json!({"name": "demo", "status": "connected", "tools": [{"name": "greet"}]});
    let configured = read(&agent.project.join(".mcp.json"));
    let configured = configured["mcpServers"].as_object().into_iter().flatten();
    let configured = configured.map(|(name, config)| match missing(config) {
        Some(error) => {
            json!({"name": name, "status": "failed", "error": error, "scope": "project"})
        }
        None => json!({"name": name, "status": "connected", "scope": "project"}),
    });
    let mut all: Vec<Value> = std::iter::once(own).chain(configured).collect();
    for server in &mut all {
        let is_off = server["name"]
            .as_str()
            .is_some_and(|name| state.servers_off.contains(name));
        if is_off {
            *server = json!({"name": server["name"], "status": "disabled"});
        }
    }
    json!({"mcpServers": all})
}

pub fn change_server(agent: &Agent, subtype: &str, request: &Value) -> Result<(), String> {
    let name = request["serverName"].as_str().unwrap_or_default();
    let mut state = agent.state();
    let all = servers(agent, &state);
    let mut all = all["mcpServers"].as_array().into_iter().flatten();
    let server = all.find(|server| server["name"] == name);
    let server = server.ok_or_else(|| format!("Server not found: {name}"))?;
    match (subtype, request["enabled"].as_bool()) {
        ("mcp_reconnect", _) => match server["error"].as_str() {
            Some(error) => return Err(error.to_owned()),
            None => drop(state.servers_off.remove(name)),
        },
        (_, Some(true)) => drop(state.servers_off.remove(name)),
        _ => drop(state.servers_off.insert(name.to_owned())),
    }
    Ok(())
}

/// Why its program cannot be started.
fn missing(config: &Value) -> Option<String> {
    let program = config["command"].as_str()?;
    let is_missing = Path::new(program).is_absolute() && !Path::new(program).exists();
    is_missing.then(|| format!("ENOENT: no such file or directory, posix_spawn '{program}'"))
}

/// A file that cannot be read says nothing.
fn read(file: &Path) -> Value {
    let text = fs::read(file).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}
