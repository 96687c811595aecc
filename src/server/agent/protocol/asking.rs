//! A permission request of the CLI as ours, and our verdict as its answer.

use super::{CliId, grounds, list, word};
use crate::desk::Verdict;
use crate::model::{
    AskingAgent, Digest, PendingRequest, RequestId, RequestType, Suggestion, ToolInput, ToolUseId,
    UnixTime,
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// Whatever is missing or of a wrong type is left out: a request is shown in any case.
pub fn pending_request(request: &Value, agent: Option<AskingAgent>) -> PendingRequest {
    let text = |field: &str| {
        request[field]
            .as_str()
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
    };
    let tool_name = text("tool_name").unwrap_or_else(|| "(unnamed tool)".to_owned());
    let request_type = match tool_name.as_str() {
        "AskUserQuestion" => RequestType::AskUserQuestion,
        "ExitPlanMode" => RequestType::PlanApproval,
        _ => RequestType::ToolApproval,
    };
    let tool_input = ToolInput::from_value(request["input"].clone());
    let grounds = Box::new(grounds::read(request));
    PendingRequest {
        request_id: RequestId::random(),
        request_type,
        digest: Some(digest(&tool_name, &tool_input)),
        tool_name,
        tool_input,
        // the hub knows the time
        created_at: UnixTime::default(),
        tool_use_id: text("tool_use_id").map(ToolUseId),
        agent,
        description: text("description"),
        decision_reason: text("decision_reason"),
        blocked_path: text("blocked_path"),
        suggestions: list(&request["permission_suggestions"])
            .iter()
            .filter(|_| !grounds.suppress_always_allow_rule)
            .cloned()
            .map(Suggestion)
            .collect(),
        mcp_server: Some(word(&request["mcp_server"], "name"))
            .filter(|name| !name.is_empty())
            .map(str::to_owned),
        grounds,
        expires_at: None,
    }
}

/// Of everything that decides what will run.
fn digest(tool_name: &str, input: &ToolInput) -> Digest {
    let shown = json!([tool_name, input]).to_string();
    Digest(
        Sha256::digest(shown.as_bytes())
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect(),
    )
}

/// The line that answers, or none when nobody waits. An unchanged input is not sent back: what was shown is what runs.
pub fn verdict(cli_id: &CliId, input: &ToolInput, verdict: Verdict) -> Option<String> {
    let payload = match verdict {
        Verdict::Allow {
            updated_input,
            remember,
            mode,
        } => {
            let mut payload = json!({"behavior": "allow"});
            if let Some(updated) = updated_input.filter(|updated| updated != input) {
                payload["updatedInput"] = json!(updated);
            }
            let mut updates: Vec<Value> = remember
                .into_iter()
                .map(|suggestion| suggestion.0)
                .collect();
            if let Some(mode) = mode {
                updates.push(
                    json!({"type": "setMode", "mode": mode.word(), "destination": "session"}),
                );
            }
            payload["decisionClassification"] = json!(if updates.is_empty() {
                "user_temporary"
            } else {
                "user_permanent"
            });
            if !updates.is_empty() {
                payload["updatedPermissions"] = Value::Array(updates);
            }
            payload
        }
        Verdict::Deny { message, interrupt } => {
            let mut payload = not_run(message, interrupt);
            payload["decisionClassification"] = json!("user_reject");
            payload
        }
        Verdict::Undecided { message, interrupt } => not_run(message, interrupt),
        Verdict::Nothing => return None,
    };
    Some(answer(cli_id, &payload))
}

/// Of a request that nobody was shown.
pub fn refused(cli_id: &CliId, message: String) -> String {
    answer(cli_id, &not_run(message, false))
}

fn answer(cli_id: &CliId, payload: &Value) -> String {
    let line = json!({
        "type": "control_response",
        "response": {"subtype": "success", "request_id": cli_id, "response": payload},
    });
    line.to_string()
}

fn not_run(message: String, interrupt: bool) -> Value {
    let mut payload = json!({"behavior": "deny", "message": message});
    if interrupt {
        payload["interrupt"] = json!(true);
    }
    payload
}
