//! A small text file of a person, read whole and replaced whole: whoever reads it meanwhile finds the old text or the new
//! one, never a half. A link stays a link; what it leads to is written. Blocks for moments.

use crate::server::system_words::plainly;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// What is larger is no settings or memory file that a person edits by hand.
const LARGEST: u64 = 1024 * 1024;

#[derive(Debug)]
pub struct TextFile {
    pub text: String,
    /// Where it really is, when its path is that of a link or leads through one.
    pub target: PathBuf,
    permissions: Permissions,
}

/// None: there is no such file. Why it cannot be read is said in a sentence.
pub fn read(path: &Path) -> Result<Option<TextFile>, String> {
    let failed = |error: io::Error| {
        format!(
            "The file {} could not be read: {}.",
            path.display(),
            plainly(&error)
        )
    };
    let target = match path.canonicalize() {
        Ok(target) => target,
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
        Err(_) if path.symlink_metadata().is_ok() => {
            return Err(format!(
                "The file {} is a link to something that is not there.",
                path.display()
            ));
        }
        Err(_) => return Ok(None),
    };
    let data = target.metadata().map_err(failed)?;
    if !data.is_file() {
        return Err(format!("What is at {} is no file.", path.display()));
    }
    let mut bytes = Vec::new();
    let file = File::open(&target).map_err(failed)?;
    file.take(LARGEST + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() as u64 > LARGEST {
        return Err(too_large(path));
    }
    let text = String::from_utf8(bytes).map_err(|_| {
        format!(
            "The file {} is not text in UTF-8, so it cannot be shown and changed here without harm.",
            path.display()
        )
    })?;
    Ok(Some(TextFile {
        text,
        target,
        permissions: data.permissions(),
    }))
}

fn too_large(path: &Path) -> String {
    format!(
        "The file {} has more than 1 MB, which is the most that can be changed here.",
        path.display()
    )
}

/// One change after the other: each makes its text of the one before.
static CHANGING: Mutex<()> = Mutex::new(());

/// `make` is given the file as it is now and says what it is to hold; None: it stays.
pub fn change<E: From<String>>(
    path: &Path,
    make: impl FnOnce(Option<&TextFile>) -> Result<Option<String>, E>,
) -> Result<(), E> {
    let _alone = CHANGING.lock().unwrap_or_else(PoisonError::into_inner);
    let before = read(path)?;
    let Some(text) = make(before.as_ref())? else {
        return Ok(());
    };
    if text.len() as u64 > LARGEST {
        return Err(too_large(path).into());
    }
    if before
        .as_ref()
        .is_some_and(|file| file.permissions.readonly())
    {
        return Err(format!("The file {} is protected against writing.", path.display()).into());
    }
    let target = before.as_ref().map_or(path, |file| &file.target);
    let permissions = before.as_ref().map(|file| &file.permissions);
    replace(target, &text, permissions).map_err(|error| {
        format!(
            "The file {} could not be written: {}.",
            path.display(),
            plainly(&error)
        )
        .into()
    })
}

fn replace(target: &Path, text: &str, permissions: Option<&Permissions>) -> io::Result<()> {
    let folder = target.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(folder)?;
    // beside it, so that it is on the same disk
    let beside = folder.join(format!(".{}.tmp", uuid::Uuid::new_v4()));
    let written = write(&beside, text, permissions).and_then(|()| fs::rename(&beside, target));
    written.inspect_err(|_| drop(fs::remove_file(&beside)))
}

fn write(path: &Path, text: &str, permissions: Option<&Permissions>) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions.clone())?;
    }
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn written(path: &Path, text: &str) -> Result<(), String> {
        change(path, |_| Ok(Some(text.to_owned())))
    }

    #[test]
    fn a_file_is_replaced_with_its_permissions_and_nothing_is_left_beside_it() {
        let place = tempfile::tempdir().expect("a directory");
        let file = place.path().join("new/CLAUDE.md");
        assert!(read(&file).expect("no trouble").is_none());
        written(&file, "one").expect("written");
        fs::set_permissions(&file, Permissions::from_mode(0o600)).expect("set");
        change(&file, |before| {
            assert_eq!(before.map(|file| file.text.as_str()), Some("one"));
            Ok::<_, String>(Some("two".to_owned()))
        })
        .expect("written");
        assert_eq!(fs::read_to_string(&file).expect("text"), "two");
        let mode = file.metadata().expect("data").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let beside = fs::read_dir(place.path().join("new")).expect("a folder");
        assert_eq!(beside.count(), 1);
        change(&file, |_| Ok::<_, String>(None)).expect("nothing to do");
        assert_eq!(fs::read_to_string(&file).expect("text"), "two");
    }

    #[test]
    fn a_link_stays_a_link() {
        let place = tempfile::tempdir().expect("a directory");
        let root = place.path().canonicalize().expect("a path");
        fs::create_dir(root.join("shared")).expect("a folder");
        let (real, link) = (root.join("shared/AGENTS.md"), root.join("CLAUDE.md"));
        fs::write(&real, "one").expect("written");
        symlink("shared/AGENTS.md", &link).expect("a link");
        let found = read(&link).expect("readable").expect("there");
        assert_eq!(found.target, real);
        written(&link, "two").expect("written");
        assert_eq!(fs::read_to_string(&real).expect("text"), "two");
        let data = link.symlink_metadata().expect("data");
        assert!(data.file_type().is_symlink());
    }

    #[test]
    fn what_cannot_be_read_or_written_is_said_and_left_alone() {
        let place = tempfile::tempdir().expect("a directory");
        let at = |name: &str| place.path().join(name);
        fs::write(at("latin"), b"gr\xfc\xdfe").expect("written");
        fs::write(at("large"), vec![b'a'; 1024 * 1024 + 1]).expect("written");
        fs::write(at("guarded"), "kept").expect("written");
        fs::set_permissions(at("guarded"), Permissions::from_mode(0o444)).expect("set");
        fs::create_dir(at("folder")).expect("a folder");
        symlink("nowhere", at("dangling")).expect("a link");
        for (name, words) in [
            ("latin", "not text in UTF-8"),
            ("large", "more than 1 MB"),
            ("folder", "is no file"),
            ("dangling", "a link to something that is not there"),
            ("guarded", "protected against writing"),
        ] {
            let said = written(&at(name), "new").expect_err(name);
            assert!(said.contains(words) && said.ends_with('.'), "{said}");
        }
        assert_eq!(fs::read(at("latin")).expect("bytes"), b"gr\xfc\xdfe");
        assert_eq!(fs::read_to_string(at("guarded")).expect("text"), "kept");
        let said = written(&at("more"), &"a".repeat(1024 * 1024 + 1)).expect_err("too large");
        assert!(said.contains("more than 1 MB"), "{said}");
        assert!(!at("more").exists());
    }
}
