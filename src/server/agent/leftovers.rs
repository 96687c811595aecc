//! Agents that outlived us. An agent goes on when its owner dies, so each running one leaves a note in the data
//! directory; a server that starts ends whatever its predecessor could not.

use super::birth::Birth;
use super::tree::{Descendant, Tree};
use rustix::process::{Pid, Signal, kill_process_group};
use std::path::{Path, PathBuf};

/// A note that an agent runs; gone with it.
pub struct Note(PathBuf);

impl Note {
    /// The number alone is not enough: it may belong to another program later.
    pub fn leave(directory: &Path, pid: u32) -> Option<Self> {
        let birth = Birth::of(pid)?;
        let directory = directory.join("agents");
        std::fs::create_dir_all(&directory).ok()?;
        let note = directory.join(pid.to_string());
        std::fs::write(&note, birth.to_string()).ok()?;
        Some(Self(note))
    }
}

impl Drop for Note {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Ends the agents of an earlier server, or of this one when there is no time to ask them; gives their number.
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
            .and_then(|text| text.parse::<Birth>().ok());
        if let (Some(pid), Some(noted)) = (pid, noted)
            && Birth::of(pid).is_some_and(|now| now.is(&noted))
            && let Some(group) = Pid::from_raw(pid.cast_signed())
        {
            // a command that it runs is in a group of its own
            let started = Tree::look().map_or_else(Vec::new, |tree| tree.below(pid));
            let is_ended = kill_process_group(group, Signal::KILL).is_ok();
            started.iter().for_each(Descendant::kill);
            ended += usize::from(is_ended);
        }
        let _ = std::fs::remove_file(note.path());
    }
    ended
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
        // it runs a command in a group of its own
        let mut left = std::process::Command::new("setsid")
            .args(["--fork", "--wait", "sleep", "1001"])
            .process_group(0)
            .spawn()
            .expect("started");
        let mut other = sleeper();
        let commands = || {
            let all = Tree::look().expect("a look").of(left.id());
            all.into_iter().skip(1).collect::<Vec<u32>>()
        };
        let begun = std::time::Instant::now();
        while commands().is_empty() && begun.elapsed().as_secs() < 20 {
            std::thread::yield_now();
        }
        let command = commands().first().copied().expect("its command");
        std::mem::forget(Note::leave(directory.path(), left.id()).expect("noted"));
        // a note about a number that now belongs to another program
        std::fs::write(
            directory.path().join("agents").join(other.id().to_string()),
            "12345",
        )
        .expect("written");
        assert_eq!(end_all(directory.path()), 1);
        assert_eq!(left.wait().expect("ended").signal(), Some(9));
        while Birth::of(command).is_some() && begun.elapsed().as_secs() < 40 {
            std::thread::yield_now();
        }
        assert_eq!(Birth::of(command), None, "what it ran goes with it");
        assert_eq!(other.try_wait().expect("asked"), None);
        other.kill().expect("ended");
        other.wait().expect("ended");
        assert_eq!(end_all(directory.path()), 0);
    }
}
