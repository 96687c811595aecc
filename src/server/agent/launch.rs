//! Starting an agent: its flags, its environment, its own process group.

use super::{AgentProgram, granted, version};
use crate::model::{PermissionMode, SessionId, Suggestion};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tokio::process::{Child, Command};
use uuid::Uuid;

/// All that is needed to start the agent of a session.
#[derive(Clone, Debug)]
pub struct Launch {
    pub program: AgentProgram,
    pub session_id: SessionId,
    pub conversation: Conversation,
    /// It may be switched to doing everything without asking.
    pub may_bypass: bool,
    /// For this session only, while an earlier process of it ran.
    pub granted: Vec<Suggestion>,
    pub directory: PathBuf,
    pub permission_mode: PermissionMode,
    pub model: Option<String>,
    pub effort: Option<String>,
    pub line_limit: usize,
    pub data_directory: PathBuf,
}

/// Which conversation the agent is to have, by the ids under which it keeps them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conversation {
    Begin(Uuid),
    Resume(Uuid),
    /// A copy of the first under the second.
    Fork(Uuid, Uuid),
}

/// How long `--version` may take.
const VERSION_PATIENCE: Duration = Duration::from_secs(5);

/// The child sees these of our environment and nothing else: no token of ours, nothing of the desktop.
const PASSED_ON: [&str; 29] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TERM",
    "TMPDIR",
    "EDITOR",
    "SSH_AUTH_SOCK",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "ALL_PROXY",
    "IS_SANDBOX",
    "GIT_SSH_COMMAND",
    // limits that Claude Code documents
    "BASH_DEFAULT_TIMEOUT_MS",
    "BASH_MAX_TIMEOUT_MS",
    "BASH_MAX_OUTPUT_LENGTH",
    "MAX_THINKING_TOKENS",
    "MAX_MCP_OUTPUT_TOKENS",
];
/// What the agent writes down about who started it.
pub const ENTRYPOINT: &str = "countersign";

const PASSED_ON_PREFIXES: [&str; 12] = [
    "LC_",
    "XDG_",
    "ANTHROPIC_",
    "CLAUDE_",
    // DISABLE_TELEMETRY and its like: what a person switched off stays off
    "DISABLE_",
    "AWS_",
    "GOOGLE_",
    "CLOUD_ML_",
    "VERTEX_",
    "MCP_",
    "OTEL_",
    "COUNTERSIGN_DEMO_",
];

impl Launch {
    pub fn spawn(&self) -> std::io::Result<Child> {
        command(&self.program, &self.data_directory)
            .args(self.flags())
            .current_dir(&self.directory)
            .spawn()
    }

    fn flags(&self) -> Vec<String> {
        let mut flags: Vec<String> = [
            "--output-format",
            "stream-json",
            "--input-format",
            "stream-json",
            "--verbose",
            "--permission-prompt-tool",
            "stdio",
            "--include-partial-messages",
            "--permission-mode",
        ]
        .map(str::to_owned)
        .to_vec();
        flags.push(self.permission_mode.word().to_owned());
        // in one piece with their flag: what a person chose is never read as another flag
        if let Some(model) = &self.model {
            flags.push(format!("--model={model}"));
        }
        if let Some(effort) = &self.effort {
            flags.push(format!("--effort={effort}"));
        }
        // never without being asked for: it opens a door that the mode alone keeps shut
        if self.may_bypass {
            flags.push("--allow-dangerously-skip-permissions".to_owned());
        }
        if !self.granted.is_empty() {
            flags.push(format!("--settings={}", granted::settings(&self.granted)));
        }
        match &self.conversation {
            Conversation::Begin(id) => flags.push(format!("--session-id={id}")),
            Conversation::Resume(id) => flags.push(format!("--resume={id}")),
            Conversation::Fork(of, id) => flags.extend([
                format!("--resume={of}"),
                "--fork-session".to_owned(),
                format!("--session-id={id}"),
            ]),
        }
        flags
    }

    /// A very old Claude Code does not know our flags and ends at once: its version says more than its last words.
    pub async fn too_old_to_start(&self, was_ready: bool) -> Option<String> {
        if was_ready || !self.program.is_claude() {
            return None;
        }
        let asked = Command::new(self.program.executable())
            .arg("--version")
            .env_clear()
            .envs(passed_on())
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .output();
        let answer = tokio::time::timeout(VERSION_PATIENCE, asked)
            .await
            .ok()?
            .ok()?;
        version::too_old(&String::from_utf8_lossy(&answer.stdout))
    }
}

/// The agent's program, talked to over pipes, knowing no more of our environment than it may.
pub fn command(program: &AgentProgram, data_directory: &Path) -> Command {
    let mut command = Command::new(program.executable());
    command
        .args(&program.arguments)
        .env_clear()
        .envs(passed_on())
        .env("CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS", "1")
        // as in a terminal: files can be put back as they were before a message
        .env("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING", "1")
        .env("CLAUDE_CODE_ENTRYPOINT", ENTRYPOINT)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true);
    if program.description.is_demo {
        let own = program.own_directory(data_directory);
        command.env("CLAUDE_CONFIG_DIR", own);
    }
    command
}

/// What a child may know of our environment.
pub fn passed_on() -> impl Iterator<Item = (OsString, OsString)> {
    std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(is_passed_on))
}

fn is_passed_on(name: &str) -> bool {
    // set by an agent that runs *us*: the child must not think it is nested
    name != "CLAUDECODE"
        && (PASSED_ON.contains(&name)
            || PASSED_ON_PREFIXES
                .iter()
                .any(|prefix| name.starts_with(prefix)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_secrets_are_not_passed_on() {
        for name in [
            "COUNTERSIGN_TOKEN",
            "CLAUDECODE",
            "DISPLAY",
            "LD_PRELOAD",
            "GITHUB_TOKEN",
        ] {
            assert!(!is_passed_on(name), "{name}");
        }
        for name in [
            "PATH",
            "HOME",
            "LC_ALL",
            "ANTHROPIC_BASE_URL",
            "CLAUDE_CONFIG_DIR",
            "DISABLE_TELEMETRY",
        ] {
            assert!(is_passed_on(name), "{name}");
        }
    }
}
