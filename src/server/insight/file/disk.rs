//! Reads one file beneath the project, and nothing else: every folder on the way is opened by its name in the folder
//! before it, and a link anywhere is refused. So a link that is put there between the check and the opening leads nowhere.

use super::path::is_never_read;
use crate::model::insight::file::Before;
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, fstat, openat, statat};
use rustix::io::Errno;
use std::fs::File;
use std::io::Read;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Component, Path};

pub struct Found {
    pub bytes: Vec<u8>,
    pub has_other_names: bool,
}

/// `root` and `real` are free of links. What is not read says why.
pub fn read(root: &Path, real: &Path, most_bytes: u64) -> Result<Found, Before> {
    let Ok(inside) = real.strip_prefix(root) else {
        return Err(Before::Outside);
    };
    if is_never_read(real) {
        return Err(Before::Special);
    }
    let mut names = Vec::new();
    for part in inside.components() {
        match part {
            Component::Normal(name) => names.push(name),
            _ => return Err(Before::Outside),
        }
    }
    let Some(last) = names.pop() else {
        return Err(Before::Directory);
    };
    let folder = names
        .iter()
        .try_fold(open_folder(CWD, root.as_os_str())?, |folder, name| {
            open_folder(folder.as_fd(), name)
        })?;
    read_in(&folder, last, most_bytes)
}

fn open_folder(folder: impl AsFd, name: &std::ffi::OsStr) -> Result<OwnedFd, Before> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(folder, name, flags, Mode::empty()).map_err(not_read)
}

fn read_in(folder: &OwnedFd, name: &std::ffi::OsStr, most_bytes: u64) -> Result<Found, Before> {
    // opening a device can already do something, so it is looked at first
    let before = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).map_err(not_read)?;
    regular(FileType::from_raw_mode(before.st_mode))?;
    // and should it become a pipe just now, nothing waits for its other end
    let flags =
        OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = openat(folder, name, flags, Mode::empty()).map_err(not_read)?;
    let opened = fstat(&file).map_err(not_read)?;
    regular(FileType::from_raw_mode(opened.st_mode))?;
    let size = u64::try_from(opened.st_size).unwrap_or(u64::MAX);
    if size > most_bytes {
        return Err(Before::TooLarge { bytes: size });
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
    let read = File::from(file)
        .take(most_bytes + 1)
        .read_to_end(&mut bytes);
    if let Err(error) = read {
        return Err(unreadable(&error.to_string()));
    }
    let length = bytes.len() as u64;
    if length > most_bytes {
        return Err(Before::TooLarge { bytes: length });
    }
    Ok(Found {
        bytes,
        has_other_names: opened.st_nlink > 1,
    })
}

fn regular(kind: FileType) -> Result<(), Before> {
    match kind {
        FileType::RegularFile => Ok(()),
        FileType::Directory => Err(Before::Directory),
        FileType::Symlink => Err(unreadable("it became a link just now")),
        _ => Err(Before::Special),
    }
}

fn not_read(error: Errno) -> Before {
    match error {
        Errno::NOENT => Before::Missing,
        Errno::LOOP | Errno::NOTDIR => unreadable("a part of its path is not a folder"),
        other => unreadable(&std::io::Error::from(other).to_string()),
    }
}

fn unreadable(reason: &str) -> Before {
    Before::Unreadable {
        reason: reason.to_owned(),
    }
}
