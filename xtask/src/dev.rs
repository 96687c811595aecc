//! Build, run, watch, build again. A failed build leaves the running server alone.

use crate::{
    bundle,
    project::{Half, Profile, Project},
};
use anyhow::{Context, Result};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Child, Command},
    time::{Duration, Instant, SystemTime},
};

const LOOK_EVERY: Duration = Duration::from_millis(300);
const PATIENCE: Duration = Duration::from_secs(5);

pub fn watch(project: &Project, server_arguments: &[String]) -> Result<()> {
    let mut seen = Sources::now(project);
    let mut server = Server::new(project, server_arguments);
    if succeeded(rebuild(project)) {
        server.restart()?;
    }
    loop {
        pause(LOOK_EVERY);
        server.report_if_ended();
        let now = Sources::now(project);
        match seen.changed(&now, project) {
            Change::None => continue,
            Change::StaticFiles => {
                if succeeded(bundle::refresh_static_files(project)) {
                    say("style sheets and public files are copied; reload the page.");
                }
            }
            Change::Code => {
                if succeeded(rebuild(project)) {
                    server.restart()?;
                }
            }
        }
        seen = now;
    }
}

/// Both halves must compile before the site changes: the running server reads it from the disk.
fn rebuild(project: &Project) -> Result<()> {
    let compile = |half, name| project.compile(half, Profile::Dev).context(name);
    compile(Half::FrontEnd, "the front end")?;
    compile(Half::Server, "the server")?;
    bundle::refresh(project, Profile::Dev)
}

fn succeeded(build: Result<()>) -> bool {
    if let Err(error) = &build {
        say(&format!(
            "the build failed: {error:#}. What ran before keeps running; waiting for the next change."
        ));
    }
    build.is_ok()
}

fn say(sentence: &str) {
    eprintln!("dev: {sentence}");
}

#[expect(
    clippy::disallowed_methods,
    reason = "this program has one thread and nothing else to do"
)]
fn pause(time: Duration) {
    std::thread::sleep(time);
}

enum Change {
    None,
    StaticFiles,
    Code,
}

/// When each source file was last written.
struct Sources(BTreeMap<PathBuf, Option<SystemTime>>);

impl Sources {
    fn now(project: &Project) -> Self {
        let written = |file: PathBuf| {
            let time = fs::metadata(&file).and_then(|data| data.modified()).ok();
            (file, time)
        };
        let directories = [
            &project.root.join("src"),
            project.style_directory(),
            &project.public,
        ];
        let single_files = ["Leptos.toml", "Cargo.toml"].map(|name| project.root.join(name));
        // a file may vanish while we look: then the next look sees the rest
        let found = directories
            .iter()
            .flat_map(|directory| bundle::files_under(directory).unwrap_or_default());
        Self(found.chain(single_files).map(written).collect())
    }

    fn changed(&self, now: &Self, project: &Project) -> Change {
        let different = |(file, time): &(&PathBuf, &Option<SystemTime>), other: &Self| {
            other.0.get(*file) != Some(*time)
        };
        let mut changed = (now.0.iter().filter(|entry| different(entry, self)))
            .chain(self.0.iter().filter(|entry| different(entry, now)))
            .map(|(file, _)| file)
            .peekable();
        if changed.peek().is_none() {
            Change::None
        } else if changed.all(|file| is_static(file, project)) {
            Change::StaticFiles
        } else {
            Change::Code
        }
    }
}

fn is_static(file: &Path, project: &Project) -> bool {
    file.starts_with(project.style_directory()) || file.starts_with(&project.public)
}

struct Server {
    binary: PathBuf,
    arguments: Vec<String>,
    running: Option<Child>,
}

impl Server {
    fn new(project: &Project, arguments: &[String]) -> Self {
        let arguments = arguments
            .iter()
            .skip_while(|argument| *argument == "--")
            .cloned()
            .collect();
        Self {
            binary: project.server_binary(Profile::Dev),
            arguments,
            running: None,
        }
    }

    fn restart(&mut self) -> Result<()> {
        self.stop();
        let child = Command::new(&self.binary).args(&self.arguments).spawn();
        self.running =
            Some(child.with_context(|| format!("{} cannot be started", self.binary.display()))?);
        Ok(())
    }

    fn report_if_ended(&mut self) {
        let Some(child) = &mut self.running else {
            return;
        };
        if let Ok(Some(status)) = child.try_wait() {
            say(&format!(
                "the server ended ({status}); it starts again after the next change."
            ));
            self.running = None;
        }
    }

    /// Asks first, so that the server can end its own children.
    fn stop(&mut self) {
        let Some(mut child) = self.running.take() else {
            return;
        };
        let asked = Command::new("kill").arg(child.id().to_string()).status();
        let deadline = Instant::now() + PATIENCE;
        while asked.as_ref().is_ok_and(|status| status.success()) && Instant::now() < deadline {
            if matches!(child.try_wait(), Ok(Some(_))) {
                return;
            }
            pause(LOOK_EVERY / 10);
        }
        let ended = child.kill().and_then(|()| child.wait());
        if let Err(error) = ended {
            say(&format!("the old server cannot be ended: {error}"));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}
