//! Finding files of a project by some letters of their path. Only names are read, and never beyond the project's folder.

use ignore::WalkBuilder;
use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher};
use std::path::Path;

/// More than this many are not looked at: a list must come while one types.
const MOST_SEEN: usize = 50_000;
const MOST_FOUND: usize = 30;

/// The best first; a folder ends with a slash. What the project's `.gitignore` names is left out. Blocks while it reads.
pub fn find(project: &Path, typed: &str) -> Vec<String> {
    let entries = WalkBuilder::new(project)
        .hidden(false)
        .parents(false)
        .require_git(false)
        .follow_links(false)
        .sort_by_file_path(|one, other| one.cmp(other))
        .filter_entry(|entry| entry.file_name() != ".git")
        .build();
    let paths = entries
        .flatten()
        .filter_map(|entry| shown(project, entry.path(), entry.file_type()?.is_dir()))
        .take(MOST_SEEN);
    if typed.is_empty() {
        let is_at_the_top = |path: &String| !path.trim_end_matches('/').contains('/');
        return paths.filter(is_at_the_top).take(MOST_FOUND).collect();
    }
    let mut matcher = Matcher::new(Config::DEFAULT.match_paths());
    let pattern = Pattern::parse(typed, CaseMatching::Ignore, Normalization::Smart);
    let found = pattern.match_list(paths, &mut matcher);
    let mut found: Vec<(String, u32)> = found;
    // of those that fit as well, the shortest is meant most often
    found.sort_by(|(one, well), (other, better)| {
        better
            .cmp(well)
            .then(one.len().cmp(&other.len()))
            .then(one.cmp(other))
    });
    found
        .into_iter()
        .map(|(path, _)| path)
        .take(MOST_FOUND)
        .collect()
}

/// A name that is no text cannot be typed.
fn shown(project: &Path, path: &Path, is_folder: bool) -> Option<String> {
    let inside = path.strip_prefix(project).ok()?.to_str()?;
    let end = if is_folder { "/" } else { "" };
    (!inside.is_empty()).then(|| format!("{inside}{end}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn project() -> tempfile::TempDir {
        let directory = tempfile::tempdir().expect("a directory");
        let put = |path: &str, text: &str| {
            let path = directory.path().join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(path, text).expect("a file");
        };
        put("src/main.rs", "");
        put("src/app/message_input.rs", "");
        put("README.md", "");
        put(".github/ci.yml", "");
        put("target/debug/main.rs", "");
        put(".git/HEAD", "");
        put(".gitignore", "target\n");
        directory
    }

    #[test]
    fn nothing_typed_shows_what_is_at_the_top() {
        let project = project();
        assert_eq!(
            find(project.path(), ""),
            [".github/", ".gitignore", "README.md", "src/"]
        );
    }

    #[test]
    fn some_letters_are_enough_and_what_git_ignores_is_not_found() {
        let project = project();
        let found = find(project.path(), "main");
        assert_eq!(found[0], "src/main.rs");
        assert!(
            !found.iter().any(|path| path.contains("target")),
            "{found:?}"
        );
        assert_eq!(find(project.path(), "MSGIN"), ["src/app/message_input.rs"]);
        assert_eq!(find(project.path(), "src/")[0], "src/");
        assert!(find(project.path(), "HEAD").is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_does_not_lead_out() {
        let (project, elsewhere) = (project(), tempfile::tempdir().expect("a directory"));
        fs::write(elsewhere.path().join("secret.txt"), "").expect("a file");
        std::os::unix::fs::symlink(elsewhere.path(), project.path().join("link")).expect("a link");
        assert_eq!(find(project.path(), "link"), ["link"], "its name only");
        assert!(find(project.path(), "secret").is_empty());
    }
}
