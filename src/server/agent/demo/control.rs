//! Owns the host's requests: each is answered at once, also while a question is open.

use serde_json::{Value, json};

use super::actor::AbortReason;
use super::agent::{Agent, VERSION, Work};
use super::mode::Mode;
use super::models;
use super::{about, hello, kept_rules, rewind, slash};

enum Reply {
    Done(Value),
    /// Success without a payload.
    Empty,
    Refused {
        error: String,
        code: Option<&'static str>,
    },
}

pub fn handle(agent: &Agent, id: &str, request: &Value) {
    let subtype = request["subtype"].as_str().unwrap_or_default();
    let mut envelope = json!({"subtype": "success", "request_id": id});
    let reply = match subtype {
        "initialize" => {
            let mut state = agent.state();
            if std::mem::replace(&mut state.initialized, true) {
                agent.tell_background_tasks(&state);
            }
            state.forward_subagent_text = request["forwardSubagentText"] == true;
            state.interrupt_spares_background = request["perTaskStopAffordance"] == true;
            let open: Vec<Value> = state.asks.iter().map(|ask| ask.message.clone()).collect();
            envelope["pending_permission_requests"] = json!(open);
            envelope["pending_user_dialog_requests"] = json!([]);
            Reply::Done(hello::initialize_reply(&state))
        }
        "interrupt" => Reply::Done(interrupt(agent, request["cancel_queued"] == true)),
        "set_permission_mode" => {
            set_permission_mode(agent, request["mode"].as_str().unwrap_or_default())
        }
        "set_model" => set_model(agent, request["model"].as_str()),
        "cancel_async_message" => {
            let cancelled = cancel_queued(agent, |uuid| request["message_uuid"] == uuid);
            Reply::Done(json!({"cancelled": !cancelled.is_empty()}))
        }
        "rename_session" => {
            let title = request["title"].as_str().unwrap_or_default();
            agent.set_title(&mut agent.state(), title, true);
            Reply::Empty
        }
        "end_session" | "set_max_thinking_tokens" => Reply::Empty,
        "stop_task" => {
            let task = request["task_id"].as_str();
            let mut state = agent.state();
            agent.withdraw(&mut state, |ask| {
                task.is_some() && ask.actor.agent_id() == task
            });
            state
                .actors
                .iter()
                .filter(|actor| task.is_some() && actor.agent_id() == task)
                .for_each(|actor| {
                    actor.abort.trigger(AbortReason::Interrupted);
                });
            agent.after_asks_closed(&mut state);
            Reply::Done(json!({}))
        }
        "get_task_output" => Reply::Done(output_of(agent, &request["task_id"])),
        // its own commands are short; what is slow here is in the background from the start
        "background_tasks" => Reply::Refused {
            error: "the demo agent cannot move a call that runs".to_owned(),
            code: None,
        },
        "apply_flag_settings" => {
            let mut state = agent.state();
            if let Some(settings) = request["settings"].as_object() {
                // what is not named stays as it was
                if settings.contains_key("permissions") {
                    state.rules.forget("flagSettings");
                    kept_rules::take(&mut state.rules, settings, "flagSettings");
                }
                if let Some(effort) = settings.get("effortLevel") {
                    state.effort = models::effort(effort.as_str(), state.effort);
                }
            }
            Reply::Empty
        }
        "rewind_files" => Reply::Done(rewind::files(
            agent,
            request["user_message_id"].as_str().unwrap_or_default(),
            request["dry_run"] == true,
        )),
        "rewind_conversation" => Reply::Done(rewind::conversation(
            agent,
            request["target_message_uuid"].as_str().unwrap_or_default(),
            request["last_seen_user_message_uuid"].as_str(),
        )),
        "side_question" => Reply::Done(json!({
            "response": about::aside(&agent.state(), request["question"].as_str().unwrap_or_default()),
            "synthetic": false,
        })),
        "mcp_reconnect" | "mcp_toggle" => match about::change_server(agent, subtype, request) {
            Ok(()) => Reply::Empty,
            Err(error) => Reply::Refused { error, code: None },
        },
        _ => queried(agent, subtype),
    };
    match reply {
        Reply::Done(payload) => envelope["response"] = payload,
        Reply::Empty => {}
        Reply::Refused { error, code } => {
            envelope = json!({"subtype": "error", "request_id": id, "error": error});
            if let Some(code) = code {
                envelope["error_code"] = json!(code);
            }
        }
    }
    agent.send(&json!({"type": "control_response", "response": envelope}));
    after_reply(agent, subtype, request);
}

/// What the CLI says only after it has answered.
fn after_reply(agent: &Agent, subtype: &str, request: &Value) {
    let mut state = agent.state();
    match subtype {
        "interrupt" => agent.after_asks_closed(&mut state),
        "set_permission_mode" => {
            if let Some(mode) = request["mode"]
                .as_str()
                .and_then(|name| permitted(agent, name).ok())
            {
                agent.set_mode(&mut state, mode);
            }
        }
        "end_session" => agent.exit(0),
        _ => {}
    }
}

/// Read-only questions.
fn queried(agent: &Agent, subtype: &str) -> Reply {
    let mut state = agent.state();
    Reply::Done(match subtype {
        "get_context_usage" => about::context_usage(agent, &state),
        "get_status" => about::status(agent, &state),
        "get_hooks_listing" => about::hooks(&agent.project),
        "get_session_cost" => json!({"text": format!(
            "Total cost:            $0.0000 (the demo agent costs nothing)\nUsage by model:\n     {}:  {} input, {} output",
            state.model, state.usage.input_tokens, state.usage.output_tokens
        )}),
        "get_usage" => json!({
            "session": {"total_cost_usd": 0.0, "model_usage": state.usage.by_model(&state.model)},
            "subscription_type": null, "rate_limits_available": false, "rate_limits": null,
        }),
        "list_models" => json!({"models": models::list()}),
        "list_permission_rules" => {
            kept_rules::read_again(&mut state.rules, agent.settings());
            state.rules.listed(&agent.project)
        }
        "get_memory_dialog" => about::memory(agent),
        "mcp_status" => about::servers(agent, &state),
        "get_binary_version" => json!({"version": VERSION}),
        "get_settings" => {
            let effort = models::applied_effort(&state.model, state.effort);
            json!({"effective": {}, "sources": [], "applied": {"model": state.model, "effort": effort}})
        }
        "file_suggestions" => json!({"suggestions": [], "cwd": agent.project}),
        _ => {
            return Reply::Refused {
                error: format!("Unsupported control request subtype: {subtype}"),
                code: Some("unsupported_request"),
            };
        }
    })
}

/// Of one that has ended it is nothing, as in the CLI.
fn output_of(agent: &Agent, task: &Value) -> Value {
    let state = agent.state();
    let task = task.as_str().unwrap_or_default();
    let written = state.command_tasks.get(task).cloned().unwrap_or_default();
    json!({"output": written.text(), "total_bytes": written.total(), "truncated": written.is_cut()})
}

/// Cancels come first, then the reply, then what the stopped tools have to say.
pub fn interrupt(agent: &Agent, cancel_queue: bool) -> Value {
    agent.abort_turn(&mut agent.state(), AbortReason::Interrupted);
    let cancelled = if cancel_queue {
        cancel_queued(agent, |_| true)
    } else {
        Vec::new()
    };
    let state = agent.state();
    let waiting: Vec<&str> = state
        .queue
        .iter()
        .filter_map(|work| match work {
            Work::Message(message) => Some(message.uuid.as_str()),
            Work::Report { .. } => None,
        })
        .collect();
    let mut payload = json!({"still_queued": waiting});
    if cancel_queue {
        payload["cancelled"] = json!(cancelled);
    }
    payload
}

fn cancel_queued(agent: &Agent, which: impl Fn(&str) -> bool) -> Vec<String> {
    let mut cancelled = Vec::new();
    agent.state().queue.retain(|work| match work {
        Work::Message(message) if which(&message.uuid) => {
            cancelled.push(message.uuid.clone());
            false
        }
        _ => true,
    });
    for uuid in &cancelled {
        agent.lifecycle(uuid, "cancelled");
    }
    cancelled
}

fn set_permission_mode(agent: &Agent, name: &str) -> Reply {
    match permitted(agent, name) {
        Ok(mode) => Reply::Done(json!({"mode": mode.name()})),
        Err(refusal) => refusal,
    }
}

fn permitted(agent: &Agent, name: &str) -> Result<Mode, Reply> {
    let refused = |error: String, code| {
        Err(Reply::Refused {
            error,
            code: Some(code),
        })
    };
    match Mode::parse(name) {
        None => refused(format!("Cannot set permission mode: must be one of {}", Mode::NAMES), "invalid_mode"),
        Some(Mode::BypassPermissions) if !agent.arguments.bypass_available => refused(
            "Cannot set permission mode to bypassPermissions because the session was not launched with \
             --dangerously-skip-permissions".into(),
            "bypass_not_launched",
        ),
        Some(Mode::Auto) => refused(
            "Cannot set permission mode to auto: auto mode unavailable for this model".into(),
            "auto_mode_model",
        ),
        Some(mode) => Ok(mode),
    }
}

fn set_model(agent: &Agent, name: Option<&str>) -> Reply {
    if name == Some("") {
        return Reply::Refused {
            error: "Model \"(unrecognized model name)\" is not a recognized model id. Run /model to see available models.".into(),
            code: Some("catalog_unknown"),
        };
    }
    let resolved = models::resolve(name);
    let before = std::mem::replace(&mut agent.state().model, resolved.clone());
    if before != resolved {
        let text =
            format!("<local-command-stdout>Set model to `{resolved}`</local-command-stdout>");
        slash::say_in_the_persons_place(agent, &text, "isReplay");
    }
    Reply::Done(json!({"model": resolved}))
}
