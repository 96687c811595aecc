//! Which program runs as the agent.

use crate::model::AgentDescription;
use crate::server::system_words::plainly;
use std::path::{Path, PathBuf};

/// As the person chose it: `auto`, `claude`, `demo`, or a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentChoice {
    Auto,
    Claude,
    Demo,
    Program(PathBuf),
}

impl std::str::FromStr for AgentChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "" => Err(
                "The agent is \"auto\", \"claude\", \"demo\" or the path of a program.".to_owned(),
            ),
            "auto" => Ok(AgentChoice::Auto),
            "claude" => Ok(AgentChoice::Claude),
            "demo" => Ok(AgentChoice::Demo),
            name if is_name_alone(Path::new(name)) => Ok(AgentChoice::Program(PathBuf::from(name))),
            // agents work elsewhere: from there a relative path would lead to another place
            path => std::path::absolute(path)
                .map(AgentChoice::Program)
                .map_err(|error| {
                    format!("The agent \"{path}\" cannot be found: {}.", plainly(&error))
                }),
        }
    }
}

const CLAUDE: &str = "Claude Code";

/// The program that was found.
#[derive(Clone, Debug)]
pub struct AgentProgram {
    pub executable: PathBuf,
    /// Arguments before those of the protocol.
    pub arguments: Vec<String>,
    pub description: AgentDescription,
}

impl AgentProgram {
    /// A missing program is no error here: the page says so when a session is started, and it may be installed by then.
    pub fn find(choice: &AgentChoice) -> Self {
        match choice {
            AgentChoice::Demo => Self::demo(None),
            AgentChoice::Claude => match claude_here() {
                Some(path) => Self::claude(path),
                None => Self::missing_claude(),
            },
            AgentChoice::Program(path) => {
                let mut program = Self::named(path);
                program.description.note = is_nowhere(path).then(|| not_there(path));
                program
            }
            AgentChoice::Auto => match claude_here() {
                Some(path) => Self::claude(path),
                None => Self::demo(Some(
                    "Claude Code was not found on this machine, so the built-in demo agent answers. \
                     Install Claude Code and restart Countersign to work with it."
                        .to_owned(),
                )),
            },
        }
    }

    /// What there is to say of it now. What was not there may have been installed meanwhile.
    pub fn described(&self) -> AgentDescription {
        let mut description = self.description.clone();
        description
            .note
            .take_if(|_| !self.description.is_demo && !is_nowhere(&self.executable()));
        description
    }

    /// One that is known by its name alone may have been installed meanwhile, where its own installer puts it.
    pub fn executable(&self) -> PathBuf {
        let found = match self.is_claude() && is_name_alone(&self.executable) {
            true => claude_here(),
            false => None,
        };
        found.unwrap_or_else(|| self.executable.clone())
    }

    pub fn is_claude(&self) -> bool {
        self.description.name == CLAUDE
    }

    /// Where it keeps its conversations and settings. Those of the demo agent are ours to keep.
    pub fn own_directory(&self, data_directory: &Path) -> PathBuf {
        if self.description.is_demo {
            return data_directory.join("demo-agent");
        }
        std::env::var_os("CLAUDE_CONFIG_DIR")
            .map(PathBuf::from)
            .or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".claude")))
            .unwrap_or_else(|| PathBuf::from("/nonexistent"))
    }

    /// Why it could not be started, and what to do.
    pub fn not_started(&self, error: &std::io::Error) -> String {
        let program = self.executable.display();
        match error.kind() {
            std::io::ErrorKind::NotFound if self.is_claude() => {
                format!(
                    "Claude Code (\"{program}\") was not found. Install it (npm install -g @anthropic-ai/claude-code) and try again, or start Countersign with --agent and its path."
                )
            }
            std::io::ErrorKind::NotFound => not_there(&self.executable),
            _ => format!(
                "The agent \"{program}\" could not be started: {}.",
                plainly(error)
            ),
        }
    }

    fn named(path: &Path) -> Self {
        let name = path.file_name().map_or_else(
            || path.display().to_string(),
            |name| name.to_string_lossy().into_owned(),
        );
        if name == "claude" {
            return Self::claude(path.to_path_buf());
        }
        Self {
            executable: path.to_path_buf(),
            arguments: Vec::new(),
            description: AgentDescription {
                name,
                is_demo: false,
                note: None,
            },
        }
    }

    fn claude(executable: PathBuf) -> Self {
        Self {
            executable,
            arguments: Vec::new(),
            description: AgentDescription {
                name: CLAUDE.to_owned(),
                is_demo: false,
                note: None,
            },
        }
    }

    /// Looked for again by its name whenever a session is started.
    fn missing_claude() -> Self {
        let mut missing = Self::claude(PathBuf::from("claude"));
        missing.description.note = Some(
            "Claude Code was not found on this machine. Install it (npm install -g @anthropic-ai/claude-code); \
             sessions can be started as soon as it is there."
                .to_owned(),
        );
        missing
    }

    fn demo(note: Option<String>) -> Self {
        Self {
            executable: std::env::current_exe().unwrap_or_else(|_| PathBuf::from("countersign")),
            arguments: vec!["demo-agent".to_owned()],
            description: AgentDescription {
                name: "Demo agent".to_owned(),
                is_demo: true,
                note,
            },
        }
    }
}

/// On the path, or where its own installer puts it: a server started by a desktop often has a shorter path.
fn claude_here() -> Option<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let installed = home.into_iter().flat_map(|home| {
        [".local/bin/claude", ".claude/local/claude"].map(|place| home.join(place))
    });
    on_path("claude").or_else(|| installed.into_iter().find(|file| is_executable(file)))
}

fn on_path(name: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|directory| directory.join(name))
        .find(|file| is_executable(file))
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata()
        .is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(file: &Path) -> bool {
    file.is_file()
}

fn is_nowhere(path: &Path) -> bool {
    match path.to_str() {
        Some(name) if is_name_alone(path) => on_path(name).is_none(),
        _ => !path.is_file(),
    }
}

/// It is looked for on the PATH when it is started.
fn is_name_alone(path: &Path) -> bool {
    path.components().count() == 1 && !path.is_absolute()
}

fn not_there(path: &Path) -> String {
    let shown = path.display();
    match path.is_dir() && !is_name_alone(path) {
        true => format!(
            "The agent \"{shown}\" is a directory and not a program. Start Countersign with --agent and the path of a program."
        ),
        false => format!(
            "The agent \"{shown}\" was not found. Is the name right? Install it, or start Countersign with --agent and the path of one."
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note_on(given: &str) -> Option<String> {
        let choice: AgentChoice = given.parse().expect("a choice");
        AgentProgram::find(&choice).description.note
    }

    #[test]
    fn a_program_that_is_not_there_is_told_at_the_start_whatever_its_name() {
        for given in [
            "/nowhere/claude",
            "/nowhere/agent",
            "no-such-agent-on-any-path",
        ] {
            let note = note_on(given).expect("a note");
            assert!(
                note.contains(given) && note.contains("was not found"),
                "{note}"
            );
        }
    }

    #[test]
    fn a_directory_is_called_one() {
        let note = note_on("/").expect("a note");
        assert!(note.contains("is a directory"), "{note}");
    }

    #[test]
    fn a_name_is_looked_for_on_the_path_and_not_beside_the_server() {
        let beside = std::fs::read_dir(".").expect("a directory");
        let directory = beside
            .flatten()
            .find(|entry| {
                entry.path().is_dir() && on_path(&entry.file_name().to_string_lossy()).is_none()
            })
            .expect("one beside the server");
        let note = note_on(&directory.file_name().to_string_lossy()).expect("a note");
        assert!(note.contains("was not found"), "{note}");
    }

    #[test]
    fn a_path_is_the_same_wherever_an_agent_works() {
        let choice: AgentChoice = "./agents/mine".parse().expect("a choice");
        let here = std::env::current_dir().expect("a directory");
        assert_eq!(choice, AgentChoice::Program(here.join("agents/mine")));
        let name: AgentChoice = "mine".parse().expect("a choice");
        assert_eq!(name, AgentChoice::Program(PathBuf::from("mine")));
    }

    #[test]
    fn what_is_installed_meanwhile_is_no_longer_said_to_be_missing() {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path().join("agent");
        let program = AgentProgram::find(&AgentChoice::Program(path.clone()));
        assert!(program.described().note.is_some());
        std::fs::write(&path, "#!/bin/sh\n").expect("written");
        assert_eq!(program.described().note, None);
    }

    #[test]
    fn one_that_is_there_needs_no_words() {
        let here = std::env::current_exe().expect("this program");
        assert_eq!(note_on(&here.to_string_lossy()), None);
        assert_eq!(note_on("sh"), None, "by its name, from the PATH");
    }
}
