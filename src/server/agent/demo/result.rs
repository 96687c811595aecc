//! Owns the line that ends a turn: `result`, in all the ways a turn can end.

use serde_json::{Value, json};

use super::actor::AbortReason;
use super::agent::Agent;
use super::turn::{Stop, Turn};
use super::usage;

/// An answer that the model's service did not give.
pub struct ApiFailure {
    pub status: u32,
    pub kind: &'static str,
    pub text: String,
}

/// What belongs to a turn that no person asked for.
pub struct Origin {
    pub run_id: String,
}

/// True if the turn came to its own end; the messages it answered are then `completed`, else `cancelled`.
pub fn tell(turn: &Turn, stop: Option<&Stop>, origin: Option<&Origin>) -> bool {
    let mut result = common(turn);
    if let Some(origin) = origin {
        result["origin"] = json!({"kind": "task-notification", "producer": "session-task", "runId": origin.run_id});
    }
    let interrupted = |during: &str, stop_reason: Value| {
        let shown = stop_reason.as_str().unwrap_or("null");
        json!({
            "subtype": "error_during_execution", "is_error": true, "terminal_reason": during, "stop_reason": stop_reason,
            "errors": [format!("[ede_diagnostic] result_type=user last_content_type=n/a stop_reason={shown}")],
        })
    };
    let (ended, own_end) = match stop {
        None => (succeeded(&turn.last_text, "completed", "end_turn"), true),
        Some(_) if turn.actor.abort.reason() == Some(AbortReason::Replaced) => {
            (succeeded("", "aborted_tools", "tool_use"), false)
        }
        Some(Stop::WhileWriting) => (interrupted("aborted_streaming", Value::Null), false),
        Some(Stop::WhileTools) => (interrupted("aborted_tools", json!("tool_use")), false),
        Some(Stop::TooManyRounds(most)) => (
            json!({
                "subtype": "error_max_turns", "is_error": true, "terminal_reason": "max_turns", "stop_reason": "tool_use",
                "errors": [format!("Reached maximum number of turns ({most})")],
            }),
            true,
        ),
        Some(Stop::ApiFailed(failure)) => (
            json!({
                "subtype": "success", "is_error": true, "terminal_reason": "api_error", "stop_reason": "stop_sequence",
                "api_error_status": failure.status, "api_error_type": failure.kind, "result": failure.text,
            }),
            false,
        ),
    };
    finish(&turn.agent, result, &ended);
    own_end
}

/// The empty result of a command such as `/clear`, or of a message that wanted no answer.
pub fn tell_local(turn: &Turn, command: Option<&str>) {
    let mut ended = json!({"subtype": "success", "is_error": false, "num_turns": 0, "stop_reason": null, "result": ""});
    if let Some(command) = command {
        ended["local_command"] = json!(command);
    }
    finish(&turn.agent, common(turn), &ended);
}

/// `--resume` of a session that does not exist: said before the process ends.
pub fn no_such_session(session: &str, text: &str) -> Value {
    json!({
        "type": "result", "subtype": "error_during_execution", "duration_ms": 0, "duration_api_ms": 0, "is_error": true,
        "num_turns": 0, "stop_reason": null, "session_id": session, "total_cost_usd": 0, "usage": usage::full(0, 0),
        "modelUsage": {}, "permission_denials": [], "uuid": uuid::Uuid::new_v4(), "errors": [text], "result_index": 0,
    })
}

fn succeeded(text: &str, terminal_reason: &str, stop_reason: &str) -> Value {
    json!({
        "subtype": "success", "is_error": false, "terminal_reason": terminal_reason, "stop_reason": stop_reason,
        "api_error_status": null, "result": text,
    })
}

fn common(turn: &Turn) -> Value {
    let elapsed = u64::try_from(turn.started.elapsed().as_millis()).unwrap_or(0);
    let state = turn.agent.state();
    let mut result = json!({
        "type": "result", "duration_ms": elapsed, "duration_api_ms": elapsed, "num_turns": turn.rounds,
        "total_cost_usd": 0.0, "usage": state.usage.of_turn(), "modelUsage": state.usage.by_model(&state.model),
        "model_usage_since_last_result": state.usage.by_model_this_turn(&state.model),
        "permission_denials": state.denials, "queued_turn_count": state.queue.len(), "result_index": state.results,
        "fast_mode_state": "off",
    });
    if let Some(first) = turn.uuids.first() {
        result["user_message_uuid"] = json!(first);
        result["user_message_uuids"] = json!(turn.uuids);
    }
    result
}

fn finish(agent: &Agent, mut result: Value, ended: &Value) {
    for (name, value) in ended.as_object().into_iter().flatten() {
        result[name] = value.clone();
    }
    {
        let mut state = agent.state();
        state.results += 1;
        state.last_result_failed = ended["is_error"] == true;
        let model_usage = state.usage.by_model(&state.model);
        let mut transcript = agent.transcript();
        transcript.note(json!({
            "type": "cost-state", "totalCostUSD": 0.0, "startTime": agent.started, "modelUsage": model_usage,
        }));
    }
    agent.event(result);
}
