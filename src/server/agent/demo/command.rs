//! Owns running a shell command that was allowed.

use super::actor::Actor;
use super::agent::Agent;
use super::outcomes::Done;
use super::shell;
use crate::server::shell_command::{self, End, TIME_LIMIT};
use serde_json::json;

pub use crate::server::shell_command::kill_group;

/// `None` = stopped by an interrupt.
pub async fn run(agent: &Agent, actor: &Actor, command: &str) -> Option<Done> {
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
    let ran = shell_command::run(command, &agent.project, environment, started, stop).await;
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
