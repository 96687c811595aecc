//! The real Claude Code as the agent: its own home, a key that is none, and a model that follows a script.

use super::messages_api::MessagesApi;
use super::{Place, Server, Start, until};
use std::fs;
use std::path::PathBuf;

/// A place with Claude Code in it and the model it talks to.
pub struct Claude {
    pub place: Place,
    pub api: MessagesApi,
}

impl Claude {
    pub async fn new() -> Self {
        let place = Place::new();
        let api = MessagesApi::start().await;
        for folder in [
            Self::settings_folder(&place),
            place.root().join("tmp"),
            place.root().join("bin"),
        ] {
            fs::create_dir_all(folder).expect("a folder");
        }
        let found = place.root().join("bin/claude");
        std::os::unix::fs::symlink(program(), found).expect("a link");
        Self { place, api }
    }

    /// With a server that has found it on the path.
    pub async fn start() -> (Server, Self) {
        let claude = Self::new().await;
        let server = claude.server().start().await;
        (server, claude)
    }

    pub fn server(&self) -> Start {
        let start = self.place.server().agent("claude");
        self.variables()
            .into_iter()
            .fold(start, |start, (name, value)| start.variable(name, &value))
    }

    /// What it must find around it.
    pub fn variables(&self) -> [(&'static str, String); 12] {
        let path = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}:{path}", self.place.root().join("bin").display());
        let folder = |path: PathBuf| path.display().to_string();
        [
            ("PATH", path),
            ("TMPDIR", folder(self.place.root().join("tmp"))),
            (
                "CLAUDE_CONFIG_DIR",
                folder(Self::settings_folder(&self.place)),
            ),
            ("ANTHROPIC_BASE_URL", self.api.url()),
            ("ANTHROPIC_API_KEY", "sk-ant-scripted-not-a-key".to_owned()),
            ("CLAUDE_CODE_MAX_RETRIES", "1".to_owned()),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".to_owned()),
            ("DISABLE_TELEMETRY", "1".to_owned()),
            ("DISABLE_ERROR_REPORTING", "1".to_owned()),
            ("DISABLE_AUTOUPDATER", "1".to_owned()),
            // whatever it would still like to ask of the world goes nowhere
            ("HTTPS_PROXY", "http://127.0.0.1:9".to_owned()),
            ("NO_PROXY", "127.0.0.1".to_owned()),
        ]
    }

    /// Where it keeps settings and conversations.
    pub fn settings(&self) -> PathBuf {
        Self::settings_folder(&self.place)
    }

    /// Waits until these words are in a conversation that it keeps: it writes them down a moment after it says them.
    pub async fn has_kept(&self, words: &str) {
        let projects = self.settings().join("projects");
        let entries = |folder: PathBuf| fs::read_dir(folder).into_iter().flatten().flatten();
        until("it is kept", async || {
            let files = entries(projects.clone()).flat_map(|project| entries(project.path()));
            let mut texts = files.filter_map(|file| fs::read_to_string(file.path()).ok());
            texts.any(|text| text.contains(words)).then_some(())
        })
        .await;
    }

    fn settings_folder(place: &Place) -> PathBuf {
        place.home().join("claude")
    }
}

/// The program that npm installed for this system.
pub fn program() -> PathBuf {
    let packages = std::path::absolute("end2end/node_modules/@anthropic-ai")
        .expect("tests run in the package's folder");
    let system = match std::env::consts::OS {
        "macos" => "darwin",
        other => other,
    };
    let machine = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    let found = ["", "-musl"]
        .map(|library| packages.join(format!("claude-code-{system}-{machine}{library}/claude")))
        .into_iter()
        .find(|program| program.exists());
    found.unwrap_or_else(|| {
        panic!(
            "Claude Code is not installed in {}: run 'make test', or 'scripts/need-node-packages.sh' before the Rust tests.",
            packages.display()
        )
    })
}
