//! What has changed in a project since its last commit, as git tells it. Nothing that the project brings along is run for it:
//! no program that compares, no filter for the text, no watcher, no fetching of what a partial clone left out.

mod told;

use crate::model::{Code, Refusal};
use crate::server::agent::passed_on;
use crate::server::system_words::plainly;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::Command;
use told::Told;

/// A large project on a slow disk takes its time; a hanging one must not keep a page waiting.
const PATIENCE: Duration = Duration::from_secs(20);
/// Of what git prints: more is not kept in memory, and said to be cut off.
const MOST_PRINTED: u64 = 8 * 1024 * 1024;
/// Of what it says when it does not do it: the reason is in its first line.
const MOST_COMPLAINED: u64 = 4 * 1024;
/// Files that git does not know yet: of more than these only the number is told.
const MOST_NEW_FILES: usize = 200;
/// Of a new file that is longer only the name is told.
const LONGEST_NEW_FILE: u64 = 200_000;

/// As Markdown, with one block per file.
pub async fn since_the_last_commit(project: &Path) -> Result<String, Refusal> {
    let git = Git::of(project).await?;
    let last = git.run(&["rev-parse", "--verify", "--quiet", "HEAD"]);
    let base = match last.await?.text() {
        Some(last) => Some(last),
        // nothing has been committed: all is new
        None => {
            let nothing = git.run(&["hash-object", "-t", "tree", "/dev/null"]);
            nothing.await?.text()
        }
    };
    let base = base.unwrap_or_default();
    let compare = [
        "diff",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "--relative",
        "--src-prefix=a/",
        "--dst-prefix=b/",
        "--submodule=short",
        // a look into one would heed its own settings
        "--ignore-submodules=dirty",
        base.trim(),
        "--",
        ".",
    ];
    let compared = git.run(&compare).await?;
    let is_cut = compared.is_cut;
    let compared = compared.text().ok_or_else(|| {
        refusal("git could not compare the files of this project. !git diff shows why.")
    })?;
    let listed = git.run(&["ls-files", "--others", "--exclude-standard", "-z"]);
    let mut told = Told::default();
    told.compared(&compared);
    if is_cut {
        told.was_cut_off();
    }
    let listed = listed.await?.text().unwrap_or_default();
    let mut new_files = listed.split('\0').filter(|name| !name.is_empty());
    for name in new_files.by_ref().take(MOST_NEW_FILES) {
        match new_text(&project.join(name)).await {
            Some(text) => told.new_file(name, &text),
            None => told.without_text(name, "new"),
        }
    }
    told.more_new_files(new_files.count());
    Ok(told.in_words())
}

/// Its text; none of a link, of what is not text, and of what nobody would read.
async fn new_text(path: &Path) -> Option<String> {
    let known = tokio::fs::symlink_metadata(path).await.ok()?;
    if !known.is_file() || known.len() > LONGEST_NEW_FILE {
        return None;
    }
    let text = String::from_utf8(tokio::fs::read(path).await.ok()?).ok()?;
    (!text.contains('\0')).then_some(text)
}

/// In a project whose filters are known and switched off.
struct Git<'a> {
    project: &'a Path,
    filters: BTreeSet<String>,
}

struct Printed {
    text: String,
    is_cut: bool,
    /// Why it did not do it.
    complaint: Option<String>,
}

impl Printed {
    /// None when it said no.
    fn text(self) -> Option<String> {
        self.complaint.is_none().then_some(self.text)
    }
}

impl<'a> Git<'a> {
    async fn of(project: &'a Path) -> Result<Self, Refusal> {
        let mut git = Self {
            project,
            filters: BTreeSet::new(),
        };
        let inside = git.run(&["rev-parse", "--is-inside-work-tree"]).await?;
        match &inside.complaint {
            None if inside.text.trim() == "true" => {}
            Some(why) if !why.contains("not a git repository") => {
                return Err(refusal(&format!(
                    "git does not look into this project: {why}"
                )));
            }
            _ => {
                return Err(refusal(
                    "git does not keep this project, so there is nothing to compare its files with.",
                ));
            }
        }
        let settings = ["config", "--name-only", "-z", "--get-regexp", r"^filter\."];
        let named = git.run(&settings).await?.text().unwrap_or_default();
        git.filters = named.split('\0').filter_map(filter_named).collect();
        Ok(git)
    }

    async fn run(&self, arguments: &[&str]) -> Result<Printed, Refusal> {
        let doing = async {
            let mut child = Command::new("git")
                .args(["-c", "core.quotePath=off", "-c", "core.fsmonitor=false"])
                .args(arguments)
                .current_dir(self.project)
                .env_clear()
                .envs(passed_on())
                .envs(without(&self.filters))
                .env("GIT_OPTIONAL_LOCKS", "0")
                .env("GIT_NO_LAZY_FETCH", "1")
                // none at all
                .env("GIT_ALLOW_PROTOCOL", "")
                .env("LC_ALL", "C")
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .kill_on_drop(true)
                .spawn()?;
            let out = first(child.stdout.take(), MOST_PRINTED);
            let complaint = first(child.stderr.take(), MOST_COMPLAINED);
            let (out, complaint) = tokio::try_join!(out, complaint)?;
            let is_cut = out.len() as u64 == MOST_PRINTED;
            // one that still writes hears that nobody reads; what it has said counts
            let is_done = is_cut || child.wait().await?.success();
            Ok::<_, std::io::Error>(Printed {
                text: String::from_utf8_lossy(&out).into_owned(),
                is_cut,
                complaint: (!is_done).then(|| first_line(&complaint)),
            })
        };
        tokio::time::timeout(PATIENCE, doing)
            .await
            .map_err(|_| refusal("git did not answer in time. Try it with !git diff."))?
            .map_err(|error| refusal(&format!("git could not be started: {}.", plainly(&error))))
    }
}

async fn first(
    stream: Option<impl AsyncRead + Unpin>,
    most: u64,
) -> Result<Vec<u8>, std::io::Error> {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        stream.take(most).read_to_end(&mut bytes).await?;
    }
    Ok(bytes)
}

fn first_line(said: &[u8]) -> String {
    let said = String::from_utf8_lossy(said);
    let line = said.lines().next().unwrap_or_default();
    line.trim_start_matches("fatal: ").to_owned()
}

/// `filter.<name>.clean`; the name may hold dots.
fn filter_named(setting: &str) -> Option<String> {
    let (name, _) = setting.strip_prefix("filter.")?.rsplit_once('.')?;
    Some(name.to_owned())
}

/// Settings as variables, which take any name. An empty command is none, and a filter that is required would be missed.
fn without(filters: &BTreeSet<String>) -> Vec<(String, String)> {
    let off = [
        ("clean", ""),
        ("smudge", ""),
        ("process", ""),
        ("required", "false"),
    ];
    let settings = filters
        .iter()
        .flat_map(|name| off.map(|(key, value)| (format!("filter.{name}.{key}"), value)));
    let mut variables = Vec::new();
    for (at, (key, value)) in settings.enumerate() {
        variables.push((format!("GIT_CONFIG_KEY_{at}"), key));
        variables.push((format!("GIT_CONFIG_VALUE_{at}"), value.to_owned()));
    }
    let count = (variables.len() / 2).to_string();
    variables.push(("GIT_CONFIG_COUNT".to_owned(), count));
    variables
}

fn refusal(words: &str) -> Refusal {
    Refusal::new(Code::InvalidRequest, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn run(project: &Path, arguments: &[&str]) {
        let name = ["-c", "user.name=Test", "-c", "user.email=test@localhost"];
        let all = [&name[..], arguments].concat();
        let git = Git {
            project,
            filters: BTreeSet::new(),
        };
        let said = git.run(&all).await.expect("git runs");
        assert_eq!(said.complaint, None, "{arguments:?}");
    }

    #[tokio::test]
    async fn what_changed_what_is_new_and_what_git_does_not_keep() {
        let place = tempfile::tempdir().expect("a directory");
        let project = place.path().join("a project");
        std::fs::create_dir(&project).expect("made");
        let refused = since_the_last_commit(&project).await.expect_err("no git");
        assert!(refused.message.contains("git does not keep"), "{refused:?}");

        run(&project, &["init", "--quiet"]).await;
        std::fs::write(project.join("kept.txt"), "one\ntwo\n").expect("written");
        std::fs::write(project.join(".gitignore"), "ignored\n").expect("written");
        std::fs::write(project.join("ignored"), "never told\n").expect("written");
        let before_a_commit = since_the_last_commit(&project).await.expect("told");
        assert!(before_a_commit.contains("+one"), "{before_a_commit}");

        run(&project, &["add", "."]).await;
        run(&project, &["commit", "--quiet", "--message=first"]).await;
        let nothing = since_the_last_commit(&project).await.expect("told");
        assert!(nothing.contains("Nothing has changed"), "{nothing}");

        std::fs::write(project.join("kept.txt"), "one\nthree\n").expect("written");
        std::fs::write(project.join("neü.txt"), "fresh\n").expect("written");
        std::fs::write(project.join("picture"), b"\xff\xd8\0").expect("written");
        let told = since_the_last_commit(&project).await.expect("told");
        for words in [
            "3 files",
            "`kept.txt`",
            "-two",
            "+three",
            "`neü.txt`",
            "+fresh",
            "`picture`",
        ] {
            assert!(told.contains(words), "{words}: {told}");
        }
        assert!(!told.contains("never told"), "{told}");
    }

    #[tokio::test]
    async fn nothing_that_the_project_brings_along_is_run() {
        let place = tempfile::tempdir().expect("a directory");
        let project = place.path().join("project");
        std::fs::create_dir(&project).expect("made");
        let mark = place.path().join("ran");
        let runs = format!("sh -c 'touch {}; cat'", mark.display());
        run(&project, &["init", "--quiet"]).await;
        std::fs::write(project.join("kept.txt"), "one\n").expect("written");
        run(&project, &["add", "."]).await;
        run(&project, &["commit", "--quiet", "--message=first"]).await;
        for (setting, value) in [
            ("filter.a.b=c.clean", runs.as_str()),
            ("filter.a.b=c.required", "true"),
            ("filter.long.process", runs.as_str()),
            ("diff.odd.command", runs.as_str()),
            ("diff.odd.textconv", runs.as_str()),
            ("core.fsmonitor", runs.as_str()),
        ] {
            run(&project, &["config", setting, value]).await;
        }
        let attributes = project.join(".git/info/attributes");
        let text = "kept.txt filter=a.b=c diff=odd\nnew.txt filter=long\n";
        std::fs::write(attributes, text).expect("written");
        std::fs::write(project.join("kept.txt"), "two\n").expect("written");
        std::fs::write(project.join("new.txt"), "three\n").expect("written");
        let told = since_the_last_commit(&project).await.expect("told");
        assert!(
            told.contains("-one\n+two") && told.contains("+three"),
            "{told}"
        );
        assert!(!mark.exists(), "something was run");
        // it would have been, whatever comes of it
        let careless = Git {
            project: &project,
            filters: BTreeSet::new(),
        };
        let _ = careless.run(&["diff"]).await;
        assert!(mark.exists(), "the test has no teeth");
    }

    #[tokio::test]
    async fn a_huge_change_is_cut_and_a_refusal_of_git_is_told() {
        let place = tempfile::tempdir().expect("a directory");
        let project = place.path().join("project");
        std::fs::create_dir(&project).expect("made");
        run(&project, &["init", "--quiet"]).await;
        std::fs::write(project.join("dump"), "").expect("written");
        run(&project, &["add", "."]).await;
        run(&project, &["commit", "--quiet", "--message=first"]).await;
        std::fs::write(project.join("dump"), "a line of a dump\n".repeat(600_000))
            .expect("written");
        let told = since_the_last_commit(&project).await.expect("told");
        assert!(
            told.len() < 1_000 && told.contains("cut off"),
            "{}",
            told.len()
        );

        std::fs::write(project.join(".git/config"), "[broken").expect("written");
        let refused = since_the_last_commit(&project).await.expect_err("broken");
        assert!(refused.message.contains("bad config"), "{refused:?}");
    }
}
