//! Owns the two long introductions: the reply to `initialize`, and `system/init` at the head of every turn.

use serde_json::{Value, json};

use super::agent::{Agent, State, VERSION};
use super::models;

const COMMANDS: [(&str, &str); 4] = [
    ("clear", "Forget this conversation and start a new one"),
    ("compact", "Sum the conversation up and go on from there"),
    ("effort", "How much the model is to think"),
    ("tour", "What the demo agent can show you"),
];
const AGENTS: [(&str, &str); 1] = [("general-purpose", "Runs one command and reports back.")];

pub fn initialize_reply(state: &State) -> Value {
    let commands: Vec<Value> = COMMANDS
        .iter()
        .map(|(name, description)| json!({"name": name, "description": description, "argumentHint": "", "builtin": true}))
        .collect();
    let agents: Vec<Value> = AGENTS
        .iter()
        .map(|(name, description)| json!({"name": name, "description": description}))
        .collect();
    json!({
        "commands": commands, "agents": agents, "models": models::list(),
        "output_style": "default", "available_output_styles": ["default"],
        "account": {"tokenSource": "none", "apiKeySource": "none", "apiProvider": "demo"},
        "pid": std::process::id(), "claude_code_version": VERSION, "current_permission_mode": state.mode.name(),
        "fast_mode_state": "off", "session_state": state.activity.name(), "capabilities": ["ui_surface_v1"],
    })
}

pub fn tell(agent: &Agent, answers: &[String]) {
    let (mode, model, directories) = {
        let state = agent.state();
        let directories: Vec<String> = state
            .rules
            .directories
            .iter()
            .map(|(path, _)| path.display().to_string())
            .collect();
        (state.mode.name(), state.model.clone(), directories)
    };
    let mut tools = vec![
        "Task",
        "AskUserQuestion",
        "Bash",
        "Edit",
        "EnterPlanMode",
        "ExitPlanMode",
        "Read",
        "TodoWrite",
        "WebFetch",
        "Write",
        "mcp__demo__greet",
    ];
    if !agent.arguments.can_ask {
        tools.retain(|tool| *tool != "AskUserQuestion");
    }
    let commands = COMMANDS.map(|(name, _)| name);
    let mut line = json!({
        "type": "system", "subtype": "init", "cwd": agent.project, "tools": tools,
        "mcp_servers": [{"name": "demo", "status": "connected"}], "model": model, "permissionMode": mode,
        "slash_commands": commands, "terminal_slash_commands": [], "apiKeySource": "none", "claude_code_version": VERSION,
        "output_style": "default", "agents": AGENTS.map(|(name, _)| name), "skills": [], "plugins": [],
        "capabilities": ["interrupt_receipt_v1", "interrupt_cancel_queued_v1", "msg_lifecycle_v1"],
        "original_cwd": agent.project, "additional_directories": directories, "fast_mode_state": "off",
    });
    if !answers.is_empty() {
        line["user_message_uuids"] = json!(answers);
    }
    agent.event(line);
}
