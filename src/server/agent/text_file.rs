//! A small text file of a person, read whole and replaced whole: whoever reads it meanwhile finds the old text or the new
//! one, never a half. A link stays a link; what it leads to is written. Blocks for moments.

use crate::server::system_words::plainly;
use rustix::fs::{Access, access, fchown};
use rustix::process::{Gid, Uid};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// What is larger is no settings or memory file that a person edits by hand.
pub const LARGEST: usize = 1024 * 1024;

#[derive(Debug)]
pub struct TextFile {
    pub text: String,
    /// Where it really is, when its path is that of a link or leads through one.
    pub target: PathBuf,
    data: Metadata,
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
    file.take(LARGEST as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() > LARGEST {
        return Err(too_large(path));
    }
    let text = String::from_utf8(bytes).map_err(|_| {
        format!(
            "The file {} is not text in UTF-8, so it cannot be shown and changed here without harm.",
            path.display()
        )
    })?;
    Ok(Some(TextFile { text, target, data }))
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
    if text.len() > LARGEST {
        return Err(too_large(path).into());
    }
    if before.as_ref().is_some_and(TextFile::is_guarded) {
        return Err(format!("The file {} is protected against writing.", path.display()).into());
    }
    let target = before.as_ref().map_or(path, |file| &file.target);
    match replace(target, &text, before.as_ref()) {
        Ok(true) => Ok(()),
        Ok(false) => Err(format!(
            "The file {} was changed by someone else at the same moment. Nothing was written. Try again.",
            path.display()
        )
        .into()),
        Err(error) => Err(format!(
            "The file {} could not be written: {}.",
            path.display(),
            plainly(&error)
        )
        .into()),
    }
}

impl TextFile {
    /// By its mode, or because it is another's.
    fn is_guarded(&self) -> bool {
        self.data.permissions().readonly() || access(&self.target, Access::WRITE_OK).is_err()
    }
}

/// False: it does not hold any more what it held before.
fn replace(target: &Path, text: &str, before: Option<&TextFile>) -> io::Result<bool> {
    let folder = target.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(folder)?;
    // beside it, so that it is on the same disk
    let beside = folder.join(format!(".{}.tmp", uuid::Uuid::new_v4()));
    let written = write(&beside, text, before).and_then(|is_alike| {
        // writing took its time
        let is_as_before = match (before, fs::read(target)) {
            (Some(before), Ok(now)) => now == before.text.as_bytes(),
            (None, Err(error)) => error.kind() == io::ErrorKind::NotFound,
            _ => false,
        };
        match (is_as_before, is_alike) {
            (true, true) => fs::rename(&beside, target)?,
            // a new file would be another's, or have another name only: the text goes into the old one
            (true, false) => into(
                OpenOptions::new().write(true).truncate(true).open(target)?,
                text,
            )?,
            (false, _) => {}
        }
        Ok(is_as_before)
    });
    // after a rename it is not there any more
    let _ = fs::remove_file(&beside);
    written
}

/// Whether it can take the place of the one before: with its mode, its owner, and no second name of it elsewhere.
fn write(path: &Path, text: &str, before: Option<&TextFile>) -> io::Result<bool> {
    let file = OpenOptions::new().write(true).create_new(true).open(path)?;
    let mut is_alike = true;
    if let Some(TextFile { data: old, .. }) = before {
        let new = file.metadata()?;
        if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
            let owner = (Uid::from_raw(old.uid()), Gid::from_raw(old.gid()));
            is_alike = fchown(&file, Some(owner.0), Some(owner.1)).is_ok();
        }
        is_alike &= old.nlink() == 1;
        // after the owner, for a new owner may take some of it away
        file.set_permissions(old.permissions())?;
    }
    into(file, text)?;
    Ok(is_alike)
}

fn into(mut file: File, text: &str) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::Permissions;
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
    fn a_second_name_of_a_file_goes_on_to_name_it() {
        let place = tempfile::tempdir().expect("a directory");
        let (one, other) = (place.path().join("one"), place.path().join("other"));
        fs::write(&one, "before").expect("written");
        fs::hard_link(&one, &other).expect("a second name");
        written(&one, "after").expect("written");
        assert_eq!(fs::read_to_string(&other).expect("text"), "after");
        let left = fs::read_dir(place.path()).expect("a folder");
        assert_eq!(left.count(), 2);
    }

    #[test]
    fn what_someone_else_wrote_meanwhile_is_not_overwritten() {
        let place = tempfile::tempdir().expect("a directory");
        let file = place.path().join("CLAUDE.md");
        for before in [None, Some("one")] {
            if let Some(before) = before {
                fs::write(&file, before).expect("written");
            }
            let said = change(&file, |_| {
                fs::write(&file, "theirs").expect("written");
                Ok::<_, String>(Some("ours".to_owned()))
            })
            .expect_err("changed");
            assert!(said.contains("at the same moment"), "{said}");
            assert_eq!(fs::read_to_string(&file).expect("text"), "theirs");
        }
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
