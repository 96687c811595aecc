//! Owns running a shell command that was allowed.

use super::actor::Actor;
use super::agent::Agent;
use super::outcomes::Done;
use super::shell;
use super::tools::Call;
use super::{clock, folders};
use crate::server::shell_command::{self, End, Ran, TIME_LIMIT, Written};
use serde_json::json;
use std::time::Duration;
use uuid::Uuid;

pub use crate::server::shell_command::kill_group;

/// A command that takes longer becomes a task, which can be asked what it writes.
const A_TASK_AFTER: Duration = Duration::from_secs(3);

/// `None` = stopped by an interrupt.
pub async fn run(agent: &Agent, actor: &Actor, call: &Call, command: &str) -> Option<Done> {
    if shell::removes_something_critical(command) {
        return Some(Done::error(
            "The demo agent does not run a command that removes a critical path, not even when allowed.",
        ));
    }
    let mut group = None;
    let started = |number| {
        agent.state().command_groups.insert(number);
        group = Some(number);
    };
    let stop = actor.abort.triggered();
    let environment = std::env::vars_os().collect();
    let written = Written::default();
    let running = shell_command::run(
        command,
        &agent.project,
        environment,
        &written,
        started,
        stop,
    );
    let ran = as_a_task(agent, call, &written, running).await;
    if let Some(group) = group {
        agent.state().command_groups.remove(&group);
    }
    let output = ran.output();
    let failed = |reason: String| Done::error(format!("{reason}\n{output}").trim_end().to_owned());
    Some(match ran.end {
        End::Stopped => return None,
        End::TimedOut => failed(format!(
            "Command timed out after {} seconds",
            TIME_LIMIT.as_secs()
        )),
        End::Failed(reason) => failed(reason),
        End::Exited(None) => failed("Killed by a signal".into()),
        End::Exited(Some(0)) => {
            let quiet = output.is_empty();
            let mut done = Done::text(
                if quiet {
                    "(Bash completed with no output)".into()
                } else {
                    output.clone()
                },
                json!({"stdout": ran.stdout, "stderr": ran.stderr, "interrupted": false, "isImage": false, "noOutputExpected": quiet}),
            );
            done.is_error = Some(false);
            done
        }
        End::Exited(Some(code)) => failed(format!("Exit code {code}")),
    })
}

/// Told of when it takes long, as the CLI does.
async fn as_a_task(
    agent: &Agent,
    call: &Call,
    written: &Written,
    running: impl Future<Output = Ran>,
) -> Ran {
    tokio::pin!(running);
    tokio::select! {
        ran = &mut running => return ran,
        () = tokio::time::sleep(A_TASK_AFTER) => {}
    }
    let hex = Uuid::new_v4().simple().to_string();
    let task = format!("b{}", &hex[..8]);
    let run = format!("0{}-{}", folders::base36(clock::now_millis()), &hex[8..16]);
    let known = (task.clone(), written.clone());
    agent.state().command_tasks.extend([known]);
    agent.event(json!({
        "type": "system", "subtype": "task_started", "task_id": task, "run_id": run, "tool_use_id": call.id,
        "description": call.input["description"], "is_backgrounded": false, "task_type": "local_bash",
    }));
    let ran = running.await;
    agent.state().command_tasks.remove(&task);
    ran
}
