//! The pipes of a process and its end: one writer, the last words, signals to the whole group, and why it died.

use super::PATIENCE;
use crate::server::agent::tree::{Descendant, Tree};
use rustix::process::{Pid, Signal, kill_process_group};
use std::process::ExitStatus;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin};
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};

/// How much of its error output is kept, to be shown when it dies.
const KEPT_ERROR_OUTPUT: usize = 4000;

/// How many bytes are on their way to the agent. It decides itself when it reads; one that asks and asks and does not
/// read must not fill the memory with answers.
#[derive(Clone, Default)]
pub struct Unread(Arc<AtomicUsize>);

impl Unread {
    /// Far more than people write to an agent while it is busy.
    const MOST: usize = 64 * 1024 * 1024;

    pub fn is_too_much(&self) -> bool {
        self.0.load(Relaxed) > Self::MOST
    }

    pub fn send(&self, to_agent: &mpsc::UnboundedSender<String>, line: String) {
        self.0.fetch_add(line.len(), Relaxed);
        // it may be gone: then nobody reads
        let _ = to_agent.send(line);
    }
}

/// One writer, whole lines: a broken line would end the agent.
pub async fn write_lines(
    mut stdin: ChildStdin,
    mut outgoing: mpsc::UnboundedReceiver<String>,
    unread: Unread,
) {
    while let Some(mut line) = outgoing.recv().await {
        let bytes = line.len();
        line.push('\n');
        if stdin.write_all(line.as_bytes()).await.is_err() {
            break;
        }
        unread.0.fetch_sub(bytes, Relaxed);
    }
}

/// What an agent said on stderr until now, for whoever asks while it runs.
#[derive(Clone, Default)]
pub struct SaidAside(Arc<Mutex<String>>);

impl SaidAside {
    pub fn words(&self) -> String {
        let said = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        said.trim().to_owned()
    }

    fn is(&self, tail: &[u8]) {
        let mut said = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *said = String::from_utf8_lossy(tail).into_owned();
    }
}

pub async fn keep_tail(
    mut stderr: impl tokio::io::AsyncRead + Unpin,
    said_aside: SaidAside,
) -> LastWords {
    let mut tail: Vec<u8> = Vec::new();
    let mut said_at = None;
    let mut piece = [0; 1024];
    while let Ok(count) = stderr.read(&mut piece).await {
        if count == 0 {
            break;
        }
        said_at = Some(Instant::now());
        tail.extend_from_slice(&piece[..count]);
        let surplus = tail.len().saturating_sub(KEPT_ERROR_OUTPUT);
        tail.drain(..surplus);
        said_aside.is(&tail);
    }
    LastWords {
        words: String::from_utf8_lossy(&tail).trim().to_owned(),
        said_at,
    }
}

/// The end of what an agent wrote to stderr.
#[derive(Default)]
pub struct LastWords {
    pub words: String,
    said_at: Option<Instant>,
}

impl LastWords {
    const RECENT: Duration = Duration::from_secs(10);

    pub fn is_recent(&self) -> bool {
        self.said_at.is_some_and(|at| at.elapsed() < Self::RECENT)
    }
}

/// How it ended.
#[derive(Clone, Copy)]
pub struct Ended {
    pub status: Option<ExitStatus>,
    /// It did not end by itself.
    pub by_us: bool,
}

/// Waits for the end, helping with signals, and takes along whatever it started and left behind.
pub async fn end(
    child: &mut Child,
    known: Option<ExitStatus>,
    group: Option<Pid>,
    deadline: Option<Instant>,
    mut started: Vec<Descendant>,
) -> Ended {
    let mut by_us = false;
    let first = deadline.unwrap_or_else(|| Instant::now() + PATIENCE);
    let mut status = match known {
        Some(status) => Some(status),
        None => timeout_at(first, child.wait())
            .await
            .ok()
            .and_then(Result::ok),
    };
    for strength in [Signal::TERM, Signal::KILL] {
        if status.is_some() {
            break;
        }
        started.extend(started_by(group).await);
        signal(group, strength);
        by_us = true;
        status = tokio::time::timeout(PATIENCE, child.wait())
            .await
            .ok()
            .and_then(Result::ok);
    }
    signal(group, Signal::KILL);
    started.iter().for_each(Descendant::kill);
    Ended { status, by_us }
}

/// What it runs: each command is in a group of its own.
pub async fn started_by(group: Option<Pid>) -> Vec<Descendant> {
    let Some(pid) = group.map(|group| group.as_raw_nonzero().get().cast_unsigned()) else {
        return Vec::new();
    };
    let look = move || Tree::look().map_or_else(Vec::new, |tree| tree.below(pid));
    tokio::task::spawn_blocking(look).await.unwrap_or_default()
}

pub fn signal(group: Option<Pid>, signal: Signal) {
    if let Some(group) = group {
        // it may be gone already
        let _ = kill_process_group(group, signal);
    }
}

pub async fn sleep_until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => tokio::time::sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}

/// Of one that was ended because its time was up.
pub fn not_ready(waited: Duration, first_unreadable: Option<&str>, error_output: &str) -> String {
    let mut words = format!(
        "The agent was not ready within {} seconds, so it was ended. Send a message to try again.",
        waited.as_secs()
    );
    if let Some(line) = first_unreadable {
        words += &format!(" It wrote what is no message of an agent: “{line}”.");
    }
    if !error_output.is_empty() {
        words += &format!(" It said: {error_output}");
    }
    words
}

pub fn why_it_died(ended: Ended, error_output: &str, was_ready: bool) -> String {
    use std::os::unix::process::ExitStatusExt;
    let how = match ended.status {
        // nobody told it to end, but nothing can be heard of it any more
        Some(_) if ended.by_us => {
            "The agent closed its output and did not end, so it was ended.".to_owned()
        }
        Some(status) => match (status.code(), status.signal()) {
            (Some(0), _) => "The agent ended by itself.".to_owned(),
            (Some(code), _) => format!("The agent ended with code {code}."),
            (None, Some(signal)) => format!("The agent was ended by signal {signal}."),
            (None, None) => "The agent ended.".to_owned(),
        },
        None => "The agent does not end.".to_owned(),
    };
    let when = if was_ready {
        ""
    } else {
        " It was not ready yet."
    };
    match error_output {
        "" => format!("{how}{when}"),
        words => format!("{how}{when} It said: {words}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_that_was_never_ready_is_told_with_what_it_wrote() {
        let minute = Duration::from_secs(60);
        let plain = not_ready(minute, None, "");
        assert!(plain.contains("not ready within 60 seconds"), "{plain}");
        let all = not_ready(minute, Some("Welcome to the shell"), "no such file");
        assert!(
            all.contains("“Welcome to the shell”") && all.ends_with("It said: no such file"),
            "{all}"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_said_long_before_the_end_is_not_recent() {
        let said = keep_tail(&b"a warning\n"[..], SaidAside::default()).await;
        assert!(said.is_recent() && said.words == "a warning");
        tokio::time::advance(LastWords::RECENT).await;
        assert!(!said.is_recent());
        assert!(!keep_tail(&b""[..], SaidAside::default()).await.is_recent());
    }
}
