//! Where a path really leads. Links are followed by hand, in parents too and for files that do not exist yet, so that the
//! place where the tool would write is known before it does.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};

/// As many as Linux follows.
const MOST_LINKS: usize = 40;
/// Files there are not files: reading one can hang, or do something.
const NEVER: [&str; 3] = ["/proc", "/dev", "/sys"];

pub struct Resolved {
    /// As the request names it, made absolute.
    pub named: PathBuf,
    /// No part of it is a link.
    pub real: Result<PathBuf, io::Error>,
    pub is_link: bool,
}

/// `None` if it cannot be a path. The tools begin at the project, know `~`, and take `..` away before they look at the disk.
pub fn resolve(project: &Path, home: Option<&Path>, path: &str) -> Option<Resolved> {
    if path.is_empty() || path.contains('\0') {
        return None;
    }
    let path = match (path.strip_prefix('~'), home) {
        (Some(""), Some(home)) => home.to_path_buf(),
        (Some(rest), Some(home)) if rest.starts_with('/') => {
            home.join(rest.trim_start_matches('/'))
        }
        _ => project.join(path),
    };
    let named = without_dots(&path);
    let is_link = named
        .symlink_metadata()
        .is_ok_and(|data| data.file_type().is_symlink());
    Some(Resolved {
        real: follow(&named),
        named,
        is_link,
    })
}

pub fn is_never_read(real: &Path) -> bool {
    NEVER.iter().any(|folder| real.starts_with(folder))
}

/// For a person: short inside the project.
pub fn shown(project: &Path, path: &Path) -> String {
    match path.strip_prefix(project) {
        Ok(inside) if inside.as_os_str().is_empty() => ".".to_owned(),
        Ok(inside) => inside.to_string_lossy().into_owned(),
        Err(_) => path.to_string_lossy().into_owned(),
    }
}

fn without_dots(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}

/// Like the system's own, but what does not exist yet is kept as it is named.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut waiting = VecDeque::new();
    put_first(&mut waiting, path);
    let mut real = PathBuf::from("/");
    let mut links = 0;
    while let Some(name) = waiting.pop_front() {
        if name == ".." {
            real.pop();
            continue;
        }
        real.push(&name);
        match real.symlink_metadata() {
            Ok(data) if data.file_type().is_symlink() => {
                links += 1;
                if links > MOST_LINKS {
                    return Err(io::Error::other("links lead in a circle"));
                }
                let target = real.read_link()?;
                if target.is_absolute() {
                    real = PathBuf::from("/");
                } else {
                    real.pop();
                }
                put_first(&mut waiting, &target);
            }
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(real)
}

fn put_first(waiting: &mut VecDeque<OsString>, path: &Path) {
    for part in path.components().rev() {
        match part {
            Component::Normal(name) => waiting.push_front(name.to_owned()),
            Component::ParentDir => waiting.push_front("..".into()),
            _ => {}
        }
    }
}
