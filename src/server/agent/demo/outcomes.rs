//! Owns how a tool call ends: what became of it, and the `tool_result` that says so on stdout and on disk.

use serde_json::{Value, json};
use uuid::Uuid;

use super::actor::Actor;
use super::agent::Agent;
use super::answer;
use super::tools::Call;

/// How a call ended, for the words that follow.
#[derive(Debug, PartialEq, Eq)]
pub enum Fate {
    Ran,
    Failed,
    /// A person said no, with these words.
    Denied(String),
    /// Refused without asking: a rule, a mode, or nobody there to ask.
    Refused,
    Withdrawn,
    Stopped,
}

pub struct Outcome {
    pub fate: Fate,
    pub text: String,
    /// What really ran, and whether a person changed it.
    pub input: Value,
    pub changed: bool,
}

/// What running a tool produced.
pub struct Done {
    pub content: Value,
    pub is_error: Option<bool>,
    pub detail: Value,
    /// A text for the words that follow.
    pub text: String,
}

impl Done {
    pub fn error(text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            content: json!(text),
            is_error: Some(true),
            detail: json!(format!("Error: {text}")),
            text,
        }
    }

    pub fn text(text: impl Into<String>, detail: Value) -> Self {
        let text = text.into();
        Self {
            content: json!(text),
            is_error: None,
            detail,
            text,
        }
    }
}

pub fn stopped(agent: &Agent, actor: &Actor, call: &Call, kind: &str) -> Outcome {
    deny(agent, call);
    let mut done = Done::error(answer::REJECTED);
    done.detail = json!("User rejected tool use");
    ended(
        agent,
        actor,
        call,
        done,
        json!({"non_execution_kind": kind}),
        Fate::Stopped,
    )
}

pub fn deny(agent: &Agent, call: &Call) {
    agent
        .state()
        .denials
        .push(json!({"tool_name": call.name, "tool_use_id": call.id, "tool_input": call.input}));
}

pub fn rejected_meta(source: &str, reason_type: Option<&str>) -> Value {
    let mut decision = json!({"decision": "reject", "source": source});
    if let Some(reason_type) = reason_type {
        decision["reason_type"] = json!(reason_type);
    }
    json!({"non_execution_kind": "permission-rule", "permission_decision": decision})
}

/// Tells the result, on stdout and on disk, and sums it up.
pub fn ended(
    agent: &Agent,
    actor: &Actor,
    call: &Call,
    done: Done,
    mut meta: Value,
    fate: Fate,
) -> Outcome {
    let uuid = Uuid::new_v4().to_string();
    let mut block = json!({"type": "tool_result", "tool_use_id": call.id, "content": done.content});
    if let Some(is_error) = done.is_error {
        block["is_error"] = json!(is_error);
    }
    let message = json!({"role": "user", "content": [block]});
    let mut line = json!({"type": "user", "message": message, "uuid": uuid});
    let mut entry = json!({
        "type": "user", "message": message, "uuid": uuid, "toolUseResult": done.detail,
        "sourceToolAssistantUUID": call.assistant_uuid,
    });
    if actor.subagent.is_none() {
        line["tool_use_result"] = done.detail;
    }
    if meta.is_object() {
        meta["id"] = json!(call.id);
        if meta["permission_decision"].is_object() {
            entry["permissionDecision"] = meta["permission_decision"].clone();
        }
        if let Some(kind) = meta["non_execution_kind"].as_str() {
            entry["toolDenialKind"] = json!(kind);
        }
        line["tool_result_meta"] = json!([meta]);
    }
    agent.state().usage.add_reading(&done.text);
    agent.record(actor, entry);
    agent.event_of(actor, line);
    Outcome {
        fate,
        text: done.text,
        input: call.input.clone(),
        changed: false,
    }
}
