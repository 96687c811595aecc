//! Owns the question "is this file inside the project?", with symbolic links followed first.

use std::path::{Component, Path, PathBuf};

/// The path as the tools mean it: relative ones start at the project.
pub fn absolute(project: &Path, path: &str) -> PathBuf {
    let path = Path::new(path);
    if path.is_absolute() {
        path.to_path_buf()
    } else {
        project.join(path)
    }
}

/// True if the file, or the place where it would be created, really lies in `directory`.
pub fn is_inside(directory: &Path, path: &Path) -> bool {
    match (directory.canonicalize(), resolve(path)) {
        (Ok(directory), Some(path)) => path.starts_with(directory),
        _ => false,
    }
}

/// Follows links in the part that exists; the rest may only be plain names.
/// `None` when that cannot be told, e.g. for a link that leads nowhere: writing to it would create its target.
fn resolve(path: &Path) -> Option<PathBuf> {
    let mut existing = path;
    let mut missing = Vec::new();
    loop {
        if let Ok(real) = existing.canonicalize() {
            return Some(
                missing
                    .iter()
                    .rev()
                    .fold(real, |path, name| path.join(name)),
            );
        }
        if existing.symlink_metadata().is_ok() {
            return None;
        }
        match existing.components().next_back() {
            Some(Component::Normal(name)) => missing.push(name),
            _ => return None,
        }
        existing = existing.parent()?;
    }
}

/// How the CLI describes a file: relative to the project where that is possible.
pub fn shown(project: &Path, path: &Path) -> String {
    path.strip_prefix(project)
        .unwrap_or(path)
        .display()
        .to_string()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use super::{absolute, is_inside};

    #[test]
    fn only_what_really_lies_in_the_project_is_inside() -> io::Result<()> {
        let home = std::env::temp_dir().join(format!("countersign-paths-{}", uuid::Uuid::new_v4()));
        let (project, elsewhere) = (home.join("project"), home.join("elsewhere"));
        fs::create_dir_all(&project)?;
        fs::create_dir_all(&elsewhere)?;
        symlink(&elsewhere, project.join("door"))?;
        symlink(elsewhere.join("not-there"), project.join("dangling"))?;
        let inside = |path: &str| is_inside(&project, &absolute(&project, path));
        assert!(inside("new.txt") && inside("new/deep/file.txt") && inside("./new.txt"));
        assert!(inside(&project.join("x").display().to_string()));
        assert!(
            !inside("../elsewhere/x") && !inside("/etc/hosts"),
            "outside"
        );
        assert!(!inside("door/x"), "through a link to a folder");
        assert!(
            !inside("dangling"),
            "a link to a file that does not exist yet"
        );
        assert!(
            !inside("new/../../elsewhere/x"),
            "dots behind a missing folder"
        );
        assert!(
            !is_inside(&project, Path::new(&format!("{}-2/x", project.display()))),
            "same beginning"
        );
        fs::remove_dir_all(home)
    }
}
