//! Trusting a folder: Claude Code then also heeds what the folder's own settings allow. It keeps this in a file that only its
//! own program writes. So one is started elsewhere, goes to the folder with a person's consent, and ends.

use super::leftovers::Note;
use super::lines::{Line, Lines};
use super::protocol::trust::{self, Answer};
use super::{AgentProgram, launch};
use crate::server::shell_command::kill_group;
use crate::server::system_words::plainly;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, ChildStdout};

pub use super::protocol::trust::heeds_the_folder;

const PATIENCE: Duration = Duration::from_secs(30);
/// For its end, when nobody talks to it any more.
const GRACE: Duration = Duration::from_secs(2);
/// What it says here is short.
const LONGEST_LINE: usize = 1024 * 1024;
/// Any place but the folder itself: one goes nowhere from where one is.
const ELSEWHERE: &str = "elsewhere";

/// What would be trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asks {
    /// It is trusted already.
    Nothing,
    /// For this folder, and for the whole repository that it is in if that is another one.
    Trust(Option<String>),
}

/// What a person must know before they consent. An error is a sentence without its end.
pub async fn asks(
    program: &AgentProgram,
    folder: &Path,
    data_directory: &Path,
) -> Result<Asks, String> {
    errand(program, data_directory, async |errand: &mut Errand| {
        errand.asks(folder).await
    })
    .await
}

/// `seen`: the repository that the person was told of. An error is a sentence without its end.
pub async fn trust(
    program: &AgentProgram,
    folder: &Path,
    data_directory: &Path,
    seen: Option<&str>,
) -> Result<(), String> {
    errand(program, data_directory, async |errand: &mut Errand| {
        match errand.asks(folder).await? {
            Asks::Nothing => return Ok(()),
            Asks::Trust(repository) if repository.as_deref() != seen => {
                let all = repository.as_deref().unwrap_or("this folder alone");
                return Err(format!("what would be trusted is {all} now, look again"));
            }
            Asks::Trust(_) => {}
        }
        let consent = trust::go_trusting("consent", folder);
        match errand.ask("consent", consent).await? {
            Answer::IsThere => Ok(()),
            Answer::Refuses(words) => Err(words),
            Answer::NeedsTrust { .. } => Err("it asks for it again".to_owned()),
        }
    })
    .await
}

/// Starts the program, does something with it and ends it, with all that it started.
async fn errand<T>(
    program: &AgentProgram,
    data_directory: &Path,
    done: impl AsyncFnOnce(&mut Errand) -> Result<T, String>,
) -> Result<T, String> {
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
    // should we be killed, the next server ends it
    let _note = child
        .id()
        .and_then(|number| Note::leave(data_directory, number));
    let group = child.id().map(u32::cast_signed);
    let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("its program cannot be talked to".to_owned());
    };
    let from = Lines::new(BufReader::new(from), LONGEST_LINE);
    let mut errand = Errand { to, from };
    let result = tokio::time::timeout(PATIENCE, done(&mut errand)).await;
    drop(errand);
    let _ = tokio::time::timeout(GRACE, child.wait()).await;
    // what it started may outlive it
    if let Some(group) = group {
        kill_group(group);
    }
    result.unwrap_or_else(|_| Err("its program did not answer in time".to_owned()))
}

struct Errand {
    to: ChildStdin,
    from: Lines<BufReader<ChildStdout>>,
}

impl Errand {
    async fn asks(&mut self, folder: &Path) -> Result<Asks, String> {
        match self.ask("go", trust::go("go", folder)).await? {
            Answer::IsThere => Ok(Asks::Nothing),
            Answer::Refuses(words) => Err(words),
            // what a person has seen is the path of the project
            Answer::NeedsTrust { folder: named, .. } if Path::new(&named) != folder => {
                Err(format!("the folder is another one now: {named}"))
            }
            Answer::NeedsTrust { repository, .. } => Ok(Asks::Trust(repository)),
        }
    }

    async fn ask(&mut self, id: &str, line: String) -> Result<Answer, String> {
        let gone = |error: std::io::Error| error.to_string();
        let line = format!("{}\n", line.trim_end());
        self.to.write_all(line.as_bytes()).await.map_err(gone)?;
        while let Some(line) = self.from.next().await.map_err(gone)? {
            let Line::Whole(line) = line else { continue };
            if let Some(answer) = trust::answer(id, &String::from_utf8_lossy(line)) {
                return Ok(answer);
            }
        }
        Err("its program ended".to_owned())
    }
}
