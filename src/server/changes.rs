//! What has changed in a project since its last commit, as git tells it. Nothing of the project is run for it: no external
//! program that compares, no filter for the text, no watcher.

mod told;

use crate::model::{Code, Refusal};
use crate::server::agent::passed_on;
use crate::server::system_words::plainly;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tokio::process::Command;
use told::Told;

/// A large project on a slow disk takes its time; a hanging one must not keep a page waiting.
const PATIENCE: Duration = Duration::from_secs(20);
/// Files that git does not know yet: of more than these only the number is told.
const MOST_NEW_FILES: usize = 200;
/// Of a new file that is longer only the name is told.
const LONGEST_NEW_FILE: u64 = 200_000;

/// As Markdown, with one block per file.
pub async fn since_the_last_commit(project: &Path) -> Result<String, Refusal> {
    let inside = git(project, &["rev-parse", "--is-inside-work-tree"]).await?;
    if inside.is_none_or(|answer| answer.trim() != "true") {
        return Err(refusal(
            "git does not keep this project, so there is nothing to compare its files with.",
        ));
    }
    let last = git(project, &["rev-parse", "--verify", "--quiet", "HEAD"]).await?;
    let base = match last {
        Some(last) => Some(last),
        // nothing has been committed: all is new
        None => git(project, &["hash-object", "-t", "tree", "/dev/null"]).await?,
    };
    let base = base.unwrap_or_default();
    let compared = git(
        project,
        &[
            "diff",
            "--no-ext-diff",
            "--no-textconv",
            "--no-color",
            "--relative",
            "--src-prefix=a/",
            "--dst-prefix=b/",
            "--submodule=short",
            base.trim(),
            "--",
            ".",
        ],
    )
    .await?;
    let Some(compared) = compared else {
        return Err(refusal(
            "git could not compare the files of this project. !git diff shows why.",
        ));
    };
    let listed = git(
        project,
        &["ls-files", "--others", "--exclude-standard", "-z"],
    )
    .await?;
    let mut told = Told::default();
    told.compared(&compared);
    let listed = listed.unwrap_or_default();
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

/// What it prints; none when it says no.
async fn git(project: &Path, arguments: &[&str]) -> Result<Option<String>, Refusal> {
    let running = Command::new("git")
        .args(["-c", "core.quotePath=off", "-c", "core.fsmonitor=false"])
        .args(arguments)
        .current_dir(project)
        .env_clear()
        .envs(passed_on())
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let done = tokio::time::timeout(PATIENCE, running)
        .await
        .map_err(|_| refusal("git did not answer in time. Try it with !git diff."))?
        .map_err(|error| refusal(&format!("git could not be started: {}.", plainly(&error))))?;
    let printed = || String::from_utf8_lossy(&done.stdout).into_owned();
    Ok(done.status.success().then(printed))
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
        let said = git(project, &all).await.expect("git runs");
        assert!(said.is_some(), "{arguments:?}");
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
}
