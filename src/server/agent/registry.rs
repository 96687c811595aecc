//! The agent's own register of running processes: one small file each, with the conversation it has open.

use serde::Deserialize;
use std::path::Path;
use sysinfo::{Pid, ProcessRefreshKind, ProcessStatus, ProcessesToUpdate, RefreshKind, System};
use uuid::Uuid;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Registered {
    pid: u32,
    session_id: String,
    /// Milliseconds since 1970.
    #[serde(default)]
    started_at: Option<f64>,
}

/// A number is used again by the system: one that began so much later than it was written down is another program.
const MOST_SECONDS_BETWEEN: f64 = 120.0;
/// An entry is a few hundred bytes; anything much larger is none.
const LARGEST: u64 = 64 * 1024;

/// The number of a living process, not one of `ours`, that has this conversation open.
pub fn held_by(directory: &Path, conversation: Uuid, ours: &[u32]) -> Option<u32> {
    let wanted = conversation.to_string();
    let entries = std::fs::read_dir(directory.join("sessions")).ok()?;
    entries
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|end| end == "json"))
        .filter(|entry| {
            entry
                .metadata()
                .is_ok_and(|data| data.is_file() && data.len() <= LARGEST)
        })
        .filter_map(|entry| std::fs::read(entry.path()).ok())
        .filter_map(|text| serde_json::from_slice::<Registered>(&text).ok())
        .filter(|found| found.session_id == wanted && !ours.contains(&found.pid))
        .find(lives)
        .map(|found| found.pid)
}

fn lives(found: &Registered) -> bool {
    let pid = Pid::from_u32(found.pid);
    let Ok(mut system) = System::new_with_specifics(RefreshKind::nothing()) else {
        return false;
    };
    system.refresh_processes_specifics(
        ProcessesToUpdate::Some(&[pid]),
        true,
        ProcessRefreshKind::nothing().without_tasks(),
    );
    system.process(pid).is_some_and(|process| {
        // ended, and not yet fetched by its parent
        if matches!(
            process.status(),
            ProcessStatus::Zombie | ProcessStatus::Dead
        ) {
            return false;
        }
        #[expect(clippy::cast_precision_loss, reason = "seconds since 1970 fit")]
        let began = process.start_time() as f64;
        found
            .started_at
            .is_none_or(|noted| began <= noted / 1000.0 + MOST_SECONDS_BETWEEN)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn register(directory: &Path, pid: u32, conversation: Uuid, started_at: f64) {
        let folder = directory.join("sessions");
        std::fs::create_dir_all(&folder).expect("a folder");
        let text = format!(
            "{{\"pid\":{pid},\"sessionId\":\"{conversation}\",\"startedAt\":{started_at},\"status\":\"idle\"}}"
        );
        std::fs::write(folder.join(format!("{pid}.json")), text).expect("written");
    }

    #[test]
    fn a_living_process_that_is_not_ours_holds_its_conversation() {
        let directory = tempfile::tempdir().expect("directory");
        let (own, id) = (std::process::id(), Uuid::new_v4());
        assert_eq!(
            held_by(directory.path(), id, &[]),
            None,
            "no register at all"
        );
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        register(
            directory.path(),
            own,
            id,
            now.expect("after 1970").as_secs_f64() * 1000.0,
        );
        assert_eq!(held_by(directory.path(), id, &[]), Some(own));
        assert_eq!(held_by(directory.path(), id, &[own]), None, "it is ours");
        assert_eq!(
            held_by(directory.path(), Uuid::new_v4(), &[]),
            None,
            "another one"
        );
        // written down by a process that had this number long before this one
        register(directory.path(), own, id, 1000.0);
        assert_eq!(held_by(directory.path(), id, &[]), None);
    }

    #[test]
    fn what_cannot_be_read_holds_nothing() {
        let directory = tempfile::tempdir().expect("directory");
        let folder = directory.path().join("sessions");
        std::fs::create_dir_all(&folder).expect("a folder");
        for (name, text) in [("1.json", "{"), ("2.json", "[]"), ("3.key", "secret")] {
            std::fs::write(folder.join(name), text).expect("written");
        }
        assert_eq!(held_by(directory.path(), Uuid::new_v4(), &[]), None);
    }
}
