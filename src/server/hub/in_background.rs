//! What went on in the background has ended: the line of its call says how, and what it wrote.

use super::{Hub, State};
use crate::model::{Entry, SessionId, ToolUseId};
use crate::server::agent::TaskEnd;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// Of a long output the end tells most.
const MOST: u64 = 16 * 1024;

impl Hub {
    pub(super) fn task_ended(&self, session_id: SessionId, end: TaskEnd) {
        let hub = self.clone();
        tokio::spawn(async move {
            let file = end.output.clone();
            let read = tokio::task::spawn_blocking(move || end_of(file.as_deref()?)).await;
            let written = read.ok().flatten().unwrap_or_default();
            let entry = Entry::ToolFinished {
                tool_use_id: end.call,
                text: match end.stopped {
                    // then its summary is only its name
                    true => told(&format!("Stopped: {}", end.summary), &written),
                    false => told(&end.summary, &written),
                },
                is_error: end.failed,
                stopped: end.stopped,
                images: Vec::new(),
            };
            hub.note(&mut hub.lock(), session_id, entry);
        });
    }

    /// It ended with its process.
    pub(super) fn tasks_are_lost(
        &self,
        state: &mut State,
        session_id: SessionId,
        calls: Vec<ToolUseId>,
    ) {
        for tool_use_id in calls {
            let entry = Entry::ToolFinished {
                tool_use_id,
                text: "Ended with the process.".to_owned(),
                is_error: false,
                stopped: true,
                images: Vec::new(),
            };
            self.note(state, session_id, entry);
        }
    }
}

fn told(summary: &str, written: &str) -> String {
    match (summary.trim(), written.trim_end()) {
        (summary, "") => summary.to_owned(),
        (summary, written) => format!("{summary}\n{written}"),
    }
}

/// Blocks while it reads. The agent names the file; one that is none would hold us up.
fn end_of(file: &Path) -> Option<String> {
    if !std::fs::metadata(file).ok()?.is_file() {
        return None;
    }
    let mut file = File::open(file).ok()?;
    let length = file.metadata().ok()?.len();
    let skipped = length.saturating_sub(MOST);
    file.seek(SeekFrom::Start(skipped)).ok()?;
    let mut bytes = Vec::new();
    file.take(MOST).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Some(match skipped {
        0 => text,
        skipped => format!("… {skipped} bytes before this …\n{text}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_what_was_written_is_told() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("a.output");
        std::fs::write(&file, "boom\n").expect("written");
        assert_eq!(end_of(&file).as_deref(), Some("boom\n"));
        std::fs::write(&file, "x".repeat(20_000)).expect("written");
        let long = end_of(&file).expect("its end");
        assert!(long.starts_with("… 3616 bytes before this …\n") && long.len() < 17_000);
        assert_eq!(end_of(directory.path()), None, "no file");
        assert_eq!(end_of(&directory.path().join("none")), None);
        assert_eq!(told("Failed", "boom\n"), "Failed\nboom");
        assert_eq!(told(" Done ", ""), "Done");
    }
}
