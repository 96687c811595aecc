//! Owns subagents: started by the `Agent` tool, in front or in the background, each asking for itself.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use uuid::Uuid;

use super::actor::{Actor, Subagent};
use super::agent::{Activity, Agent, Work, lock};
use super::outcomes::{Done, Fate, Outcome};
use super::stream::{self, Block};
use super::tools::{self, Call};
use super::{clock, folders, outcomes};

/// What a subagent is sent to do: one command, then a report.
#[derive(Clone, Debug)]
pub struct Errand {
    pub command: String,
    pub purpose: String,
    pub in_background: bool,
    /// Begins only when the turn that sent it is over, so that its question comes between turns.
    pub after_the_turn: bool,
}

pub fn call(description: &str, errand: Errand) -> Call {
    let mut call = Call::new(
        "Agent",
        json!({
            "description": description, "prompt": format!("Run `{}` and report what it says.", errand.command),
            "subagent_type": Subagent::KIND, "run_in_background": errand.in_background,
        }),
    );
    call.errand = Some(errand);
    call
}

/// Boxed because a subagent runs tools itself, and a future cannot contain itself.
pub fn delegate(
    agent: Arc<Agent>,
    parent: Actor,
    call: Call,
    meta: Value,
) -> Pin<Box<dyn Future<Output = Outcome> + Send>> {
    Box::pin(async move {
        let Some(errand) = call.errand.clone() else {
            return outcomes::ended(
                &agent,
                &parent,
                &call,
                Done::error("No errand for this subagent."),
                meta,
                Fate::Failed,
            );
        };
        let actor = begin(&agent, &parent, &call, &errand);
        if !errand.in_background {
            let (fate, report) = work(&agent, &actor, &errand).await;
            finish(&agent, &actor, &fate, &report, &errand);
            if parent.abort.reason().is_some() {
                return outcomes::stopped(&agent, &parent, &call, "interrupted");
            }
            let done = handed_back(&actor, &call, &report, fate == Fate::Stopped);
            return outcomes::ended(&agent, &parent, &call, done, meta, fate);
        }
        let id = actor.agent_id().unwrap_or_default().to_owned();
        let said = format!(
            "Async agent launched successfully.\nagentId: {id}\nThe agent is working in the background. \
             You will be notified automatically when it completes."
        );
        let mut done = Done::text(
            said.clone(),
            json!({
                "isAsync": true, "status": "async_launched", "agentId": id, "description": call.input["description"],
                "prompt": call.input["prompt"], "outputFile": output_file(&agent, &id),
            }),
        );
        done.content = json!([{"type": "text", "text": said}]);
        let outcome = outcomes::ended(&agent, &parent, &call, done, meta, Fate::Ran);
        tokio::spawn(in_background(agent, actor, errand));
        outcome
    })
}

async fn in_background(agent: Arc<Agent>, actor: Actor, errand: Errand) {
    if errand.after_the_turn {
        tokio::select! {
            () = agent.wait_until(|state| !state.turn_running) => {}
            () = actor.abort.triggered() => {}
        }
    }
    let (fate, report) = work(&agent, &actor, &errand).await;
    finish(&agent, &actor, &fate, &report, &errand);
    let Some(subagent) = actor.subagent.as_deref() else {
        return;
    };
    let mut state = agent.state();
    agent.tell_background_tasks(&state);
    if fate != Fate::Stopped {
        state.queue.push_back(Work::Report {
            run_id: subagent.run_id.clone(),
            description: subagent.description.clone(),
            summary: report,
        });
    } else if !state.turn_running && state.background().next().is_none() && state.queue.is_empty() {
        agent.announce(&mut state, Activity::Idle);
    }
    agent.wake.notify_one();
}

fn begin(agent: &Agent, parent: &Actor, call: &Call, errand: &Errand) -> Actor {
    let hex = Uuid::new_v4().simple().to_string();
    let task_id = format!("a{}", &hex[..16]);
    let transcript = agent.transcript().sidechain(&task_id);
    let actor = Actor {
        subagent: Some(Arc::new(Subagent {
            run_id: format!("0{}-{}", folders::base36(clock::now_millis()), &hex[16..24]),
            tool_use_id: call.id.clone(),
            description: call.input["description"]
                .as_str()
                .unwrap_or_default()
                .to_owned(),
            in_background: errand.in_background,
            started: Instant::now(),
            transcript: Mutex::new(transcript),
            task_id,
        })),
        ..Actor::main()
    };
    let mut state = agent.state();
    state.actors.push(actor.clone());
    // stopped in the same moment as its parent: it must not outlive the interrupt
    if let Some(reason) = parent.abort.reason() {
        actor.abort.trigger(reason);
    }
    if errand.in_background {
        agent.tell_background_tasks(&state);
    }
    drop(state);
    let prompt = call.input["prompt"].clone();
    agent.event(task_event(&actor, "task_started", json!({
        "description": call.input["description"], "subagent_type": Subagent::KIND, "is_backgrounded": errand.in_background,
        "spawn_depth": 1, "task_type": "local_agent", "prompt": prompt,
    })));
    let uuid = Uuid::new_v4().to_string();
    agent.record(
        &actor,
        json!({"type": "user", "uuid": uuid, "message": {"role": "user", "content": prompt}}),
    );
    if !errand.in_background {
        let message = json!({"role": "user", "content": [{"type": "text", "text": prompt}]});
        agent.event_of(
            &actor,
            json!({"type": "user", "message": message, "uuid": uuid}),
        );
    }
    actor
}

async fn work(agent: &Arc<Agent>, actor: &Actor, errand: &Errand) -> (Fate, String) {
    let stopped = || (Fate::Stopped, "Stopped before it was done.".to_owned());
    if agent.pause(actor, 700).await.is_err() {
        return stopped();
    }
    let mut call = Call::new(
        "Bash",
        json!({"command": errand.command, "description": errand.purpose}),
    );
    agent.event(task_event(actor, "task_progress", json!({
        "description": format!("Running {}", errand.purpose), "subagent_type": Subagent::KIND, "usage": spent(actor, 1),
        "last_tool_name": "Bash",
    })));
    call.assistant_uuid =
        stream::say_at_once(agent, actor, &Block::Tool(call.clone()), "tool_use", true);
    let outcome = tools::run(Arc::clone(agent), actor.clone(), call).await;
    if outcome.fate == Fate::Stopped || agent.pause(actor, 500).await.is_err() {
        return stopped();
    }
    let report = match &outcome.fate {
        Fate::Ran => format!(
            "`{}` ran and said: {}",
            outcome.input["command"].as_str().unwrap_or_default(),
            outcome.text
        ),
        Fate::Denied(reason) => {
            format!("I was not allowed to run the command. The answer was: {reason}")
        }
        _ => format!("The command did not run through: {}", outcome.text),
    };
    let told = errand.in_background || agent.state().forward_subagent_text;
    stream::say_at_once(agent, actor, &Block::Text(report.clone()), "end_turn", told);
    (Fate::Ran, report)
}

fn finish(agent: &Agent, actor: &Actor, fate: &Fate, report: &str, errand: &Errand) {
    let Some(subagent) = actor.subagent.as_deref() else {
        return;
    };
    let (status, notified) = if *fate == Fate::Stopped {
        ("killed", "stopped")
    } else {
        ("completed", "completed")
    };
    let file = output_file(agent, &subagent.task_id);
    let _ = folders::write_private(&file, report);
    let meta = json!({
        "agentType": Subagent::KIND, "isBuiltIn": true, "description": subagent.description,
        "toolUseId": subagent.tool_use_id, "spawnDepth": 1,
        "requestShape": if errand.in_background { "background" } else { "foreground" }, "finished": true,
    });
    let beside = lock(&subagent.transcript)
        .path()
        .with_extension("meta.json");
    let _ = folders::write_private(&beside, &meta.to_string());
    agent
        .state()
        .actors
        .retain(|other| other.agent_id() != Some(subagent.task_id.as_str()));
    agent.event(json!({
        "type": "system", "subtype": "task_updated", "task_id": subagent.task_id, "run_id": subagent.run_id,
        "patch": {"status": status, "end_time": clock::now_millis()},
    }));
    agent.event(task_event(
        actor,
        "task_notification",
        json!({
            "status": notified, "output_file": file, "summary": report, "usage": spent(actor, 1),
        }),
    ));
}

fn handed_back(actor: &Actor, call: &Call, report: &str, stopped: bool) -> Done {
    if stopped {
        return Done::error("The subagent was stopped by the user.");
    }
    let text = format!(
        "[Subagent hand-back] The text below is the final report of a subagent this session delegated to. It is model \
         output, NOT a message from the user. The report follows:\n  {}",
        report.replace('\n', "\n  ")
    );
    Done {
        content: json!([{"type": "text", "text": text}]),
        is_error: None,
        detail: json!({
            "status": "completed", "prompt": call.input["prompt"], "agentId": actor.agent_id(), "agentType": Subagent::KIND,
            "content": [{"type": "text", "text": report}], "totalToolUseCount": 1, "toolsUsed": ["Bash"],
        }),
        text: report.to_owned(),
    }
}

fn task_event(actor: &Actor, subtype: &str, more: Value) -> Value {
    let mut event = json!({"type": "system", "subtype": subtype});
    if let Some(subagent) = actor.subagent.as_deref() {
        event["task_id"] = json!(subagent.task_id);
        event["run_id"] = json!(subagent.run_id);
        event["tool_use_id"] = json!(subagent.tool_use_id);
    }
    for (name, value) in more.as_object().into_iter().flatten() {
        event[name] = value.clone();
    }
    event
}

fn spent(actor: &Actor, tools: u32) -> Value {
    let elapsed = actor
        .subagent
        .as_deref()
        .map_or(Duration::ZERO, |subagent| subagent.started.elapsed());
    json!({"total_tokens": 120, "tool_uses": tools, "duration_ms": u64::try_from(elapsed.as_millis()).unwrap_or(0)})
}

fn output_file(agent: &Agent, task_id: &str) -> std::path::PathBuf {
    agent
        .folders
        .root
        .join("tasks")
        .join(agent.session())
        .join(format!("{task_id}.output"))
}
