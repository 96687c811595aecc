//! Starting an agent: its flags, its environment, its own process group.

use super::AgentProgram;
use crate::model::{PermissionMode, SessionId};
use std::path::PathBuf;
use std::process::Stdio;
use tokio::process::{Child, Command};

/// All that is needed to start the agent of a session.
#[derive(Clone, Debug)]
pub struct Launch {
    pub program: AgentProgram,
    pub session_id: SessionId,
    /// The conversation exists already.
    pub resume: bool,
    pub directory: PathBuf,
    pub permission_mode: PermissionMode,
    pub model: Option<String>,
    pub line_limit: usize,
    pub data_directory: PathBuf,
}

/// The child sees these of our environment and nothing else: no token of ours, nothing of the desktop.
const PASSED_ON: [&str; 24] = [
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
];
const PASSED_ON_PREFIXES: [&str; 9] = [
    "LC_",
    "XDG_",
    "ANTHROPIC_",
    "CLAUDE_",
    // DISABLE_TELEMETRY and its like: what a person switched off stays off
    "DISABLE_",
    "AWS_",
    "GOOGLE_",
    "CLOUD_ML_",
    "COUNTERSIGN_DEMO_",
];

impl Launch {
    pub fn spawn(&self) -> std::io::Result<Child> {
        let mut command = Command::new(&self.program.executable);
        command
            .args(&self.program.arguments)
            .args(self.flags())
            .current_dir(&self.directory)
            .env_clear()
            .envs(std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(is_passed_on)))
            .env("CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS", "1")
            .env("CLAUDE_CODE_ENTRYPOINT", "countersign")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        if self.program.description.is_demo {
            // its transcripts are ours to keep; the real one has its own place
            command.env("CLAUDE_CONFIG_DIR", self.data_directory.join("demo-agent"));
        }
        command.spawn()
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
        if let Some(model) = &self.model {
            flags.extend(["--model".to_owned(), model.clone()]);
        }
        flags.push(match self.resume {
            true => format!("--resume={}", self.session_id),
            false => format!("--session-id={}", self.session_id),
        });
        flags
    }
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
