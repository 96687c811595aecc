//! Trusting a folder: Claude Code then also heeds what the folder's own settings allow. It keeps this in a file that only its
//! own program writes. So one is started elsewhere, goes to the folder with a person's consent, and ends.

use super::protocol::trust::{self, Answer};
use super::{AgentProgram, launch};
use crate::server::system_words::plainly;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{ChildStdin, ChildStdout};

pub use super::protocol::trust::heeds_the_folder;

const PATIENCE: Duration = Duration::from_secs(30);
/// For its end, when nobody talks to it any more.
const GRACE: Duration = Duration::from_secs(2);
/// Any place but the folder itself: one goes nowhere from where one is.
const ELSEWHERE: &str = "elsewhere";

/// An error is a sentence without its end.
pub async fn trust(
    program: &AgentProgram,
    folder: &Path,
    data_directory: &Path,
) -> Result<(), String> {
    let start = data_directory.join(ELSEWHERE);
    std::fs::create_dir_all(&start).map_err(|error| error.to_string())?;
    let mut child = launch::command(program, data_directory)
        .args(["--output-format", "stream-json"])
        .args(["--input-format", "stream-json"])
        .args(["--verbose", "--no-session-persistence"])
        .current_dir(&start)
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("its program could not be started: {}", plainly(&error)))?;
    let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("its program cannot be talked to".to_owned());
    };
    let from = BufReader::new(from).lines();
    let mut errand = Errand { to, from };
    let done = tokio::time::timeout(PATIENCE, errand.go(folder)).await;
    drop(errand);
    // one that stays is ended when `child` is dropped
    let _ = tokio::time::timeout(GRACE, child.wait()).await;
    done.unwrap_or_else(|_| Err("its program did not answer in time".to_owned()))
}

struct Errand {
    to: ChildStdin,
    from: Lines<BufReader<ChildStdout>>,
}

impl Errand {
    async fn go(&mut self, folder: &Path) -> Result<(), String> {
        match self.ask("go", trust::go("go", folder)).await? {
            Answer::IsThere => return Ok(()),
            Answer::Refuses(words) => return Err(words),
            // what a person has seen is the path of the project
            Answer::NeedsTrust(named) if Path::new(&named) != folder => {
                return Err(format!("the folder is another one now: {named}"));
            }
            Answer::NeedsTrust(_) => {}
        }
        let consent = trust::go_trusting("consent", folder);
        match self.ask("consent", consent).await? {
            Answer::IsThere => Ok(()),
            Answer::Refuses(words) => Err(words),
            Answer::NeedsTrust(_) => Err("it asks for it again".to_owned()),
        }
    }

    async fn ask(&mut self, id: &str, line: String) -> Result<Answer, String> {
        let gone = |error: std::io::Error| error.to_string();
        let line = format!("{}\n", line.trim_end());
        self.to.write_all(line.as_bytes()).await.map_err(gone)?;
        while let Some(line) = self.from.next_line().await.map_err(gone)? {
            if let Some(answer) = trust::answer(id, &line) {
                return Ok(answer);
            }
        }
        Err("its program ended".to_owned())
    }
}
