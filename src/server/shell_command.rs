//! Running a shell command to its end: in a directory, in a process group of its own, for a limited time, with as much of its
//! output as anybody reads.

use crate::server::system_words::plainly;
use rustix::process::{Pid, Signal, kill_process_group};
use std::ffi::OsString;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::Command;
use tokio::task::JoinHandle;

mod written;

pub use written::Written;

pub const TIME_LIMIT: Duration = Duration::from_secs(120);
/// More characters than this are cut, as in the CLI.
const LONGEST_OUTPUT: usize = 30_000;
/// How long to wait for output of something the command left running behind it.
const GRACE: Duration = Duration::from_millis(200);

/// What became of it.
pub struct Ran {
    pub stdout: String,
    pub stderr: String,
    pub end: End,
}

#[derive(Debug, PartialEq, Eq)]
pub enum End {
    /// By itself; without a code, by a signal.
    Exited(Option<i32>),
    TimedOut,
    Stopped,
    Failed(String),
}

impl Ran {
    /// What it printed; what it complained about comes last.
    pub fn output(&self) -> String {
        let texts = [self.stdout.as_str(), self.stderr.as_str()];
        let texts: Vec<&str> = texts.into_iter().filter(|text| !text.is_empty()).collect();
        texts.join("\n")
    }
}

/// Until it ends, its time is up, or `stop` is done. `started` is told its process group; `written` grows while it runs.
pub async fn run(
    command: &str,
    directory: &Path,
    environment: Vec<(OsString, OsString)>,
    written: &Written,
    started: impl FnOnce(i32),
    stop: impl Future<Output = ()>,
) -> Ran {
    let shell = match Path::new("/bin/bash").exists() {
        true => "/bin/bash",
        false => "sh",
    };
    let spawned = Command::new(shell)
        .args(["-c", command])
        .current_dir(directory)
        .env_clear()
        .envs(environment)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true)
        .spawn();
    let mut child = match spawned {
        Ok(child) => child,
        Err(error) => {
            return Ran {
                stdout: String::new(),
                stderr: String::new(),
                end: End::Failed(format!(
                    "The command could not be started: {}.",
                    plainly(&error)
                )),
            };
        }
    };
    let group = child.id().and_then(|id| i32::try_from(id).ok());
    let group = group.unwrap_or_default();
    started(group);
    let (stdout, stderr) = (Output::default(), Output::default());
    let readers = [
        collect(child.stdout.take(), &stdout, written),
        collect(child.stderr.take(), &stderr, written),
    ];
    let end = tokio::select! {
        biased;
        () = stop => End::Stopped,
        status = tokio::time::timeout(TIME_LIMIT, child.wait()) => match status {
            Err(_) => End::TimedOut,
            Ok(Err(error)) => End::Failed(format!("The command could not be watched: {}.", plainly(&error))),
            Ok(Ok(status)) => End::Exited(status.code()),
        },
    };
    if !matches!(end, End::Exited(_)) {
        kill_group(group);
        let _ = child.wait().await;
    }
    for reader in readers {
        let _ = tokio::time::timeout(GRACE, reader).await;
    }
    Ran {
        stdout: shown(&stdout),
        stderr: shown(&stderr),
        end,
    }
}

pub fn kill_group(group: i32) {
    if let Some(group) = Pid::from_raw(group) {
        // already gone is as good as killed
        let _ = kill_process_group(group, Signal::KILL);
    }
}

type Output = Arc<Mutex<Vec<u8>>>;

fn collect(
    pipe: Option<impl AsyncRead + Unpin + Send + 'static>,
    into: &Output,
    written: &Written,
) -> JoinHandle<()> {
    let (into, written) = (Arc::clone(into), written.clone());
    tokio::spawn(async move {
        let Some(mut pipe) = pipe else { return };
        let mut buffer = [0; 8192];
        while let Ok(count @ 1..) = pipe.read(&mut buffer).await {
            written.add(&buffer[..count]);
            let mut collected = into.lock().unwrap_or_else(PoisonError::into_inner);
            // read on to the end, so that the command does not block, but keep only what will be shown
            let room = (4 * LONGEST_OUTPUT).saturating_sub(collected.len());
            collected.extend_from_slice(&buffer[..count.min(room)]);
        }
    })
}

fn shown(output: &Output) -> String {
    let bytes = output.lock().unwrap_or_else(PoisonError::into_inner);
    let text = String::from_utf8_lossy(&bytes).trim_end().to_owned();
    match text.char_indices().nth(LONGEST_OUTPUT) {
        Some((end, _)) => format!("{}\n\n... [output truncated] ...", &text[..end]),
        None => text,
    }
}
