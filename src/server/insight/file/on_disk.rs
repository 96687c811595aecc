//! The edge: here the disk is looked at, once, for the one path that the request names.

use super::draw::counted;
use super::{Limits, Workspace, disk, path, text};
use crate::model::insight::file::{Before, FilePath, Note, Place, Problem};
use std::path::PathBuf;

#[derive(Default)]
pub struct OnDisk {
    pub before: Before,
    pub text: Option<String>,
    pub problem: Option<Problem>,
    pub notes: Vec<Note>,
}

/// Where a path really leads, if that can be found out.
pub struct Leads {
    /// The project, all links followed.
    pub root: PathBuf,
    pub real: PathBuf,
}

/// Where the path leads, or what keeps it from being known.
pub fn locate(workspace: Workspace, named: &str) -> (FilePath, Result<Leads, OnDisk>) {
    let project = workspace.project;
    let unreadable = |reason: String| OnDisk {
        before: Before::Unreadable { reason },
        ..OnDisk::default()
    };
    let mut path = FilePath {
        shown: named.to_owned(),
        real: None,
        is_link: false,
        place: Place::Unknown,
    };
    let Some(resolved) = path::resolve(project, workspace.home, named) else {
        let mut nowhere = unreadable("this is not a path".to_owned());
        nowhere.problem = Some(Problem::InvalidPath);
        return (path, Err(nowhere));
    };
    path.shown = path::shown(project, &resolved.named);
    path.is_link = resolved.is_link;
    let (root, real) = match (project.canonicalize(), resolved.real) {
        (Ok(root), Ok(real)) => (root, real),
        (Err(error), _) | (_, Err(error)) => return (path, Err(unreadable(error.to_string()))),
    };
    // the project may have two names, and the request may use either
    if resolved.named.starts_with(&root) {
        path.shown = path::shown(&root, &resolved.named);
    }
    path.place = if real.starts_with(&root) {
        Place::Project
    } else {
        Place::Outside
    };
    let real_shown = path::shown(&root, &real);
    // a project that is itself named through a link is no news
    let is_elsewhere = path.shown != real_shown && resolved.named != real;
    path.real = is_elsewhere.then_some(real_shown);
    (path, Ok(Leads { root, real }))
}

/// Where the path leads, and what is there.
pub fn on_disk(workspace: Workspace, named: &str, limits: &Limits) -> (FilePath, OnDisk) {
    let (path, leads) = locate(workspace, named);
    let on_disk = match leads {
        Ok(leads) => match disk::read(&leads.root, &leads.real, limits.file_bytes) {
            Ok(found) => decoded(found),
            Err(before) => OnDisk {
                before,
                ..OnDisk::default()
            },
        },
        Err(nowhere) => nowhere,
    };
    (path, on_disk)
}

fn decoded(found: disk::Found) -> OnDisk {
    let bytes = found.bytes.len() as u64;
    let mut notes = Vec::new();
    if found.has_other_names {
        notes.push(Note::HardLink);
    }
    let Some(decoded) = text::decode(found.bytes) else {
        return OnDisk {
            before: Before::Binary { bytes },
            notes,
            ..OnDisk::default()
        };
    };
    if decoded.is_utf16 {
        notes.push(Note::Utf16);
    } else if decoded.has_mark {
        notes.push(Note::ByteOrderMark);
    }
    let lines = counted(text::lines(&decoded.text).len());
    OnDisk {
        before: Before::Text { bytes, lines },
        text: Some(decoded.text),
        notes,
        ..OnDisk::default()
    }
}
