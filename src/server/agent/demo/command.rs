//! Owns running a shell command: in the project, in a process group of its own, for a limited time.

use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::Command;
use tokio::task::JoinHandle;

use super::actor::Actor;
use super::agent::{Agent, lock};
use super::outcomes::Done;
use super::shell;

const TIME_LIMIT: Duration = Duration::from_secs(120);
/// More than this is cut, as in the CLI.
const LONGEST_OUTPUT: usize = 30_000;
/// How long to wait for output of something the command left running behind it.
const GRACE: Duration = Duration::from_millis(200);

/// `None` = stopped by an interrupt.
pub async fn run(agent: &Agent, actor: &Actor, command: &str) -> Option<Done> {
    if shell::removes_something_critical(command) {
        return Some(Done::error(
            "The demo agent does not run a command that removes a critical path, not even when allowed.",
        ));
    }
    let shell = if Path::new("/bin/bash").exists() {
        "/bin/bash"
    } else {
        "sh"
    };
    let spawned = Command::new(shell)
        .args(["-c", command])
        .current_dir(&agent.project)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true)
        .spawn();
    let mut child = match spawned {
        Ok(child) => child,
        Err(error) => {
            return Some(Done::error(format!(
                "The command could not be started: {error}"
            )));
        }
    };
    let group = child
        .id()
        .and_then(|id| i32::try_from(id).ok())
        .unwrap_or_default();
    agent.state().command_groups.insert(group);
    let (stdout, stderr) = (
        Arc::new(Mutex::new(Vec::new())),
        Arc::new(Mutex::new(Vec::new())),
    );
    let readers = [
        collect(child.stdout.take(), &stdout),
        collect(child.stderr.take(), &stderr),
    ];
    let status = tokio::select! {
        biased;
        () = actor.abort.triggered() => None,
        status = tokio::time::timeout(TIME_LIMIT, child.wait()) => Some(status),
    };
    if !matches!(status, Some(Ok(_))) {
        kill_group(group);
        let _ = child.wait().await;
    }
    agent.state().command_groups.remove(&group);
    for reader in readers {
        let _ = tokio::time::timeout(GRACE, reader).await;
    }
    let (stdout, stderr) = (shown(&stdout), shown(&stderr));
    let output: Vec<&str> = [stdout.as_str(), stderr.as_str()]
        .into_iter()
        .filter(|text| !text.is_empty())
        .collect();
    let output = output.join("\n");
    let failed = |reason: String| Done::error(format!("{reason}\n{output}").trim_end().to_owned());
    Some(match status? {
        Err(_) => failed(format!(
            "Command timed out after {} seconds",
            TIME_LIMIT.as_secs()
        )),
        Ok(Err(error)) => failed(format!("The command could not be watched: {error}")),
        Ok(Ok(status)) if !status.success() => failed(status.code().map_or_else(
            || "Killed by a signal".into(),
            |code| format!("Exit code {code}"),
        )),
        Ok(Ok(_)) => {
            let quiet = output.is_empty();
            let mut done = Done::text(
                if quiet {
                    "(Bash completed with no output)".into()
                } else {
                    output.clone()
                },
                json!({"stdout": stdout, "stderr": stderr, "interrupted": false, "isImage": false, "noOutputExpected": quiet}),
            );
            done.is_error = Some(false);
            done
        }
    })
}

pub fn kill_group(group: i32) {
    if let Some(group) = rustix::process::Pid::from_raw(group) {
        // already gone is as good as killed
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

fn collect(
    pipe: Option<impl AsyncRead + Unpin + Send + 'static>,
    into: &Arc<Mutex<Vec<u8>>>,
) -> JoinHandle<()> {
    let into = Arc::clone(into);
    tokio::spawn(async move {
        let Some(mut pipe) = pipe else { return };
        let mut buffer = [0; 8192];
        while let Ok(count @ 1..) = pipe.read(&mut buffer).await {
            let mut collected = lock(&into);
            // read on to the end, so that the command does not block, but keep only what will be shown
            let room = (4 * LONGEST_OUTPUT).saturating_sub(collected.len());
            collected.extend_from_slice(&buffer[..count.min(room)]);
        }
    })
}

fn shown(output: &Mutex<Vec<u8>>) -> String {
    let text = String::from_utf8_lossy(&lock(output)).trim_end().to_owned();
    match text.char_indices().nth(LONGEST_OUTPUT) {
        Some((end, _)) => format!("{}\n\n... [output truncated] ...", &text[..end]),
        None => text,
    }
}
