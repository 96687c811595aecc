//! Agents that outlived us. An agent goes on when its owner dies, so each running one leaves a note in the data
//! directory; a server that starts ends whatever its predecessor could not.

use rustix::process::{Pid, Signal, kill_process_group};
use std::path::{Path, PathBuf};
use sysinfo::{ProcessRefreshKind, ProcessesToUpdate, RefreshKind, System};

/// A note that an agent runs; gone with it.
pub struct Note(PathBuf);

impl Note {
    /// The number alone is not enough: it may belong to another program later.
    pub fn leave(directory: &Path, pid: u32) -> Option<Self> {
        let started = started_at(pid)?;
        let directory = directory.join("agents");
        std::fs::create_dir_all(&directory).ok()?;
        let note = directory.join(pid.to_string());
        std::fs::write(&note, started.to_string()).ok()?;
        Some(Self(note))
    }
}

impl Drop for Note {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Ends the agents of an earlier server; gives their number.
pub fn end_all(directory: &Path) -> usize {
    let Ok(notes) = std::fs::read_dir(directory.join("agents")) else {
        return 0;
    };
    let mut ended = 0;
    for note in notes.flatten() {
        let pid = note
            .file_name()
            .to_str()
            .and_then(|name| name.parse::<u32>().ok());
        let noted = std::fs::read_to_string(note.path())
            .ok()
            .and_then(|text| text.trim().parse::<u64>().ok());
        if let (Some(pid), Some(noted)) = (pid, noted)
            && started_at(pid) == Some(noted)
            && let Some(group) = Pid::from_raw(pid.cast_signed())
            && kill_process_group(group, Signal::KILL).is_ok()
        {
            ended += 1;
        }
        let _ = std::fs::remove_file(note.path());
    }
    ended
}

fn started_at(pid: u32) -> Option<u64> {
    let pid = sysinfo::Pid::from_u32(pid);
    let mut system = System::new_with_specifics(RefreshKind::nothing()).ok()?;
    system.refresh_processes_specifics(
        ProcessesToUpdate::Some(&[pid]),
        true,
        ProcessRefreshKind::nothing().without_tasks(),
    );
    system.process(pid).map(sysinfo::Process::start_time)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::{CommandExt, ExitStatusExt};

    #[test]
    fn what_a_dead_server_left_is_ended_and_others_are_not() {
        let directory = tempfile::tempdir().expect("directory");
        let sleeper = || {
            std::process::Command::new("sleep")
                .arg("1000")
                .process_group(0)
                .spawn()
                .expect("started")
        };
        let (mut left, mut other) = (sleeper(), sleeper());
        std::mem::forget(Note::leave(directory.path(), left.id()).expect("noted"));
        // a note about a number that now belongs to another program
        std::fs::write(
            directory.path().join("agents").join(other.id().to_string()),
            "12345",
        )
        .expect("written");
        assert_eq!(end_all(directory.path()), 1);
        assert_eq!(left.wait().expect("ended").signal(), Some(9));
        assert_eq!(other.try_wait().expect("asked"), None);
        other.kill().expect("ended");
        other.wait().expect("ended");
        assert_eq!(end_all(directory.path()), 0);
    }
}
