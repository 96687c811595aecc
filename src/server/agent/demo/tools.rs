//! Owns the life of one tool call: judged, asked about, run, and its result told.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};
use uuid::Uuid;

use super::actor::Actor;
use super::agent::Agent;
use super::answer::{self, Answer};
use super::outcomes::{Done, Fate, Outcome, deny, ended, rejected_meta, stopped};
use super::permissions::{self, Situation, Verdict};
use super::subagents::Errand;
use super::{command, file_tools, kept_rules, plan_tools, subagents};

#[derive(Clone, Debug)]
pub struct Call {
    pub id: String,
    pub name: String,
    pub input: Value,
    /// The assistant line that holds the call.
    pub assistant_uuid: String,
    /// What a subagent is sent to do, for the `Agent` tool.
    pub errand: Option<Errand>,
}

impl Call {
    pub fn new(name: &str, input: Value) -> Self {
        let id = format!("toolu_{}", &Uuid::new_v4().simple().to_string()[..24]);
        Self {
            id,
            name: name.to_owned(),
            input,
            assistant_uuid: Uuid::new_v4().to_string(),
            errand: None,
        }
    }

    /// Neighbours of this kind are asked about all at once; anything else waits its turn.
    pub fn runs_beside_others(&self) -> bool {
        matches!(
            self.name.as_str(),
            "Read" | "WebFetch" | "AskUserQuestion" | "Agent"
        )
    }

    pub fn display_name(&self) -> &str {
        if self.name == "mcp__demo__greet" {
            "Greet"
        } else {
            &self.name
        }
    }
}

pub async fn run(agent: Arc<Agent>, actor: Actor, call: Call) -> Outcome {
    if actor.abort.reason().is_some() {
        return stopped(&agent, &actor, &call, "user-rejected");
    }
    let verdict = {
        let mut state = agent.state();
        kept_rules::read_again(&mut state.rules, agent.settings());
        permissions::judge(&situation(&agent, &state), &call.name, &call.input)
    };
    let explanation = match verdict {
        Verdict::Impossible(reason) => {
            let wrapped = format!("<tool_use_error>{reason}</tool_use_error>");
            let done = Done {
                content: json!(wrapped),
                is_error: Some(true),
                detail: json!(format!("Error: {reason}")),
                text: reason,
            };
            return ended(&agent, &actor, &call, done, Value::Null, Fate::Failed);
        }
        Verdict::Refused {
            message,
            reason_type,
        } => {
            agent.event(json!({
                "type": "system", "subtype": "permission_denied", "tool_name": call.name, "tool_use_id": call.id,
                "message": message, "decision_reason_type": reason_type,
            }));
            deny(&agent, &call);
            let meta = rejected_meta("config", Some(reason_type));
            return ended(
                &agent,
                &actor,
                &call,
                Done::error(message),
                meta,
                Fate::Refused,
            );
        }
        Verdict::Allowed(reason) => {
            let mut decision = json!({"decision": "accept", "source": "config"});
            if let Some(reason) = reason {
                decision["reason_type"] = json!(reason);
            }
            let input = call.input.clone();
            return perform(
                &agent,
                &actor,
                &call,
                input,
                false,
                json!({"permission_decision": decision}),
            )
            .await;
        }
        Verdict::Asked(explanation) => explanation,
    };
    let answer = tokio::select! {
        biased;
        () = actor.abort.triggered() => return stopped(&agent, &actor, &call, "user-rejected"),
        answer = agent.ask(&actor, &call, explanation) => answer,
    };
    if actor.abort.reason().is_some() {
        return stopped(&agent, &actor, &call, "user-rejected");
    }
    answered(&agent, &actor, &call, answer).await
}

async fn answered(agent: &Arc<Agent>, actor: &Actor, call: &Call, answer: Answer) -> Outcome {
    let by_nobody = || rejected_meta("config", Some("other"));
    match answer {
        Answer::Allow {
            updated_input,
            permanent,
            ..
        } => {
            let changed_input = updated_input
                .map(Value::Object)
                .filter(|input| *input != call.input);
            let source = if permanent {
                "user_permanent"
            } else {
                "user_temporary"
            };
            let meta = json!({"permission_decision": {"decision": "accept", "source": source}});
            let changed = changed_input.is_some();
            let input = changed_input.unwrap_or_else(|| call.input.clone());
            if let Some(problem) = misfit(agent, call, &input) {
                return ended(agent, actor, call, Done::error(problem), meta, Fate::Failed);
            }
            perform(agent, actor, call, input, changed, meta).await
        }
        Answer::Deny { message, .. } => {
            deny(agent, call);
            let fate = Fate::Denied(message.clone());
            ended(
                agent,
                actor,
                call,
                Done::error(message),
                rejected_meta("user_reject", None),
                fate,
            )
        }
        Answer::Failed(error) => {
            deny(agent, call);
            let text = format!("Tool permission request failed: Error: {error}");
            ended(
                agent,
                actor,
                call,
                Done::error(text),
                by_nobody(),
                Fate::Failed,
            )
        }
        Answer::Invalid => {
            deny(agent, call);
            ended(
                agent,
                actor,
                call,
                Done::error(answer::INVALID),
                by_nobody(),
                Fate::Failed,
            )
        }
        Answer::StreamClosed => {
            deny(agent, call);
            let text = "Tool permission request failed: AbortError: Tool permission stream closed before response received";
            ended(
                agent,
                actor,
                call,
                Done::error(text),
                by_nobody(),
                Fate::Failed,
            )
        }
        Answer::Withdrawn => {
            let text = "The request was withdrawn before it was answered. The tool did not run.";
            ended(
                agent,
                actor,
                call,
                Done::error(text),
                by_nobody(),
                Fate::Withdrawn,
            )
        }
    }
}

/// A changed input is the host's word and is not asked about again, but it must fit the tool and stay in the project.
fn misfit(agent: &Agent, call: &Call, input: &Value) -> Option<String> {
    let needed: &[&str] = match call.name.as_str() {
        "Bash" => &["command"],
        "Read" => &["file_path"],
        "Write" => &["file_path", "content"],
        "Edit" => &["file_path", "old_string", "new_string"],
        "WebFetch" => &["url"],
        "mcp__demo__greet" => &["name"],
        _ => &[],
    };
    if let Some(missing) = needed.iter().find(|name| !input[**name].is_string()) {
        return Some(format!(
            "The permission handler returned updatedInput for {} that failed schema validation: '{missing}' must be a string",
            call.name
        ));
    }
    let state = agent.state();
    permissions::outside_project(&situation(agent, &state), &call.name, input)
}

fn situation<'a>(agent: &'a Agent, state: &'a super::agent::State) -> Situation<'a> {
    Situation {
        mode: state.mode,
        rules: &state.rules,
        project: &agent.project,
        plan_file: state.plan_file.as_deref(),
        can_ask: agent.arguments.can_ask,
    }
}

async fn perform(
    agent: &Arc<Agent>,
    actor: &Actor,
    call: &Call,
    input: Value,
    changed: bool,
    meta: Value,
) -> Outcome {
    if call.name == "Agent" {
        return subagents::delegate(Arc::clone(agent), actor.clone(), call.clone(), meta).await;
    }
    let file = PathBuf::from(input["file_path"].as_str().unwrap_or_default());
    let text = |name: &str| input[name].as_str().unwrap_or_default();
    if matches!(call.name.as_str(), "Write" | "Edit") {
        agent.state().past.keep(&agent.project.join(&file));
    }
    let done = match call.name.as_str() {
        "Bash" => match command::run(agent, actor, call, text("command")).await {
            Some(done) => done,
            None => return stopped(agent, actor, call, "interrupted"),
        },
        "Read" => file_tools::read(&agent.project.join(file)),
        "Write" => file_tools::write(&agent.project.join(file), text("content")),
        "Edit" => file_tools::edit(
            &agent.project.join(file),
            text("old_string"),
            text("new_string"),
            input["replace_all"] == true,
        ),
        "AskUserQuestion" => {
            let mut detail = json!({"questions": input["questions"], "answers": input["answers"]});
            if detail["answers"].is_null() {
                detail["answers"] = json!({});
            }
            for extra in ["annotations", "response"] {
                if !input[extra].is_null() {
                    detail[extra] = input[extra].clone();
                }
            }
            Done::text(answer::questions_result(&input), detail)
        }
        "EnterPlanMode" => plan_tools::enter(agent),
        "ExitPlanMode" => {
            let proposed = call.input["plan"].as_str();
            let approved = input["plan"].as_str().or(proposed);
            plan_tools::leave(agent, approved, approved != proposed)
        }
        "TodoWrite" => {
            let before = std::mem::replace(&mut agent.state().todos, input["todos"].clone());
            Done::text(
                "Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress.",
                json!({"oldTodos": before, "newTodos": input["todos"]}),
            )
        }
        "WebFetch" => {
            let page = "# An example page\n\nThis text comes with the demo agent. It has no network, so nothing was fetched.";
            Done::text(
                page,
                json!({"bytes": page.len(), "code": 200, "codeText": "OK", "result": page, "url": text("url")}),
            )
        }
        "mcp__demo__greet" => {
            let greeting = format!("Hello, {}!", text("name"));
            let mut done = Done::text(
                greeting.clone(),
                json!([{"type": "text", "text": greeting}]),
            );
            done.content = done.detail.clone();
            done
        }
        unknown => Done::error(format!("No such tool available: {unknown}")),
    };
    let fate = if done.is_error == Some(true) {
        Fate::Failed
    } else {
        Fate::Ran
    };
    let mut outcome = ended(agent, actor, call, done, meta, fate);
    (outcome.input, outcome.changed) = (input, changed);
    outcome
}
