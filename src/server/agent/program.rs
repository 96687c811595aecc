//! Which program runs as the agent.

use crate::model::AgentDescription;
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
            path => Ok(AgentChoice::Program(PathBuf::from(path))),
        }
    }
}

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
            AgentChoice::Claude => Self::claude(on_path("claude").unwrap_or_else(|| PathBuf::from("claude"))),
            AgentChoice::Program(path) => Self {
                executable: path.clone(),
                arguments: Vec::new(),
                description: AgentDescription {
                    name: path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned()),
                    is_demo: false,
                    note: None,
                },
            },
            AgentChoice::Auto => match on_path("claude") {
                Some(path) => Self::claude(path),
                None => Self::demo(Some(
                    "Claude Code was not found on this machine, so the built-in demo agent answers. \
                     Install Claude Code and restart Countersign to work with it."
                        .to_owned(),
                )),
            },
        }
    }

    fn claude(executable: PathBuf) -> Self {
        Self {
            executable,
            arguments: Vec::new(),
            description: AgentDescription {
                name: "Claude Code".to_owned(),
                is_demo: false,
                note: None,
            },
        }
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
