//! Owns stdout: whole lines, in the order they were said, written by one thread.
//!
//! A thread of its own because a host that stops reading must not stop the agent from listening.

use std::io::{self, Write};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::oneshot;

pub struct Output {
    jobs: mpsc::Sender<Job>,
}

enum Job {
    Line(String),
    Flush(oneshot::Sender<()>),
}

impl Output {
    pub fn start() -> io::Result<Self> {
        let (jobs, received) = mpsc::channel();
        thread::Builder::new()
            .name("stdout".into())
            .spawn(move || write_lines(&received))?;
        Ok(Self { jobs })
    }

    pub fn line(&self, message: &Value) {
        // nobody listening any more is no reason to stop: the CLI finishes its turn too
        let _ = self.jobs.send(Job::Line(message.to_string()));
    }

    /// Waits until everything said so far is written, or the host has plainly stopped reading.
    pub async fn flush(&self) {
        let (done, written) = oneshot::channel();
        if self.jobs.send(Job::Flush(done)).is_ok() {
            let _ = tokio::time::timeout(Duration::from_secs(2), written).await;
        }
    }
}

fn write_lines(jobs: &mpsc::Receiver<Job>) {
    let mut stdout = io::stdout().lock();
    for job in jobs {
        match job {
            Job::Line(line) => {
                let _ = writeln!(stdout, "{line}");
                let _ = stdout.flush();
            }
            Job::Flush(done) => {
                let _ = done.send(());
            }
        }
    }
}
