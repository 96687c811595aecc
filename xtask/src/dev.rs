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

#[derive(Debug, PartialEq, Eq)]
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A project of three files.
    fn project(root: &Path) -> Project {
        for file in ["src/main.rs", "style/main.css", "public/favicon.svg"] {
            let file = root.join(file);
            fs::create_dir_all(file.parent().expect("a directory")).expect("a directory");
            fs::write(file, "first").expect("written");
        }
        Project::at(root.to_path_buf(), root.join("target"))
    }

    fn write_later(file: &Path) {
        fs::write(file, "changed").expect("written");
        // the clock of a file system may be coarse
        let later = SystemTime::now() + Duration::from_secs(5);
        let file = fs::File::options().write(true).open(file).expect("opened");
        file.set_modified(later).expect("a time");
    }

    #[test]
    fn a_change_of_code_builds_again_and_a_change_of_style_only_copies() {
        let root = std::env::temp_dir().join(format!("countersign-dev-{}", std::process::id()));
        let project = project(&root);
        let look = || Sources::now(&project);
        let first = look();
        assert_eq!(first.changed(&look(), &project), Change::None);
        write_later(&root.join("style/main.css"));
        assert_eq!(first.changed(&look(), &project), Change::StaticFiles);
        fs::write(root.join("public/new.svg"), "new").expect("written");
        assert_eq!(first.changed(&look(), &project), Change::StaticFiles);
        let second = look();
        write_later(&root.join("src/main.rs"));
        assert_eq!(second.changed(&look(), &project), Change::Code);
        assert_eq!(first.changed(&look(), &project), Change::Code, "both");
        let third = look();
        fs::remove_file(root.join("src/main.rs")).expect("removed");
        assert_eq!(third.changed(&look(), &project), Change::Code, "removed");
        fs::remove_dir_all(root).expect("removed");
    }

    #[test]
    fn the_server_is_started_again_and_a_dead_one_is_noticed() {
        let mut server = Server {
            binary: PathBuf::from("/bin/sh"),
            arguments: ["-c", "read never"].map(str::to_owned).to_vec(),
            running: None,
        };
        server.restart().expect("started");
        let first = server.running.as_ref().map(Child::id);
        server.restart().expect("started again");
        let second = server.running.as_ref().map(Child::id);
        assert!(first.is_some() && second.is_some() && first != second);
        server.stop();
        assert!(server.running.is_none());
        server.arguments = ["-c", "exit 3"].map(str::to_owned).to_vec();
        server.restart().expect("started");
        while server.running.is_some() {
            server.report_if_ended();
            pause(LOOK_EVERY / 30);
        }
    }
}
