//! The end of what a command has written so far, both its ways out as they came.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// As much as the CLI tells of a command that runs.
const MOST: usize = 8 * 1024;

/// Shared between the command that writes and whoever looks.
#[derive(Clone, Default)]
pub struct Written(Arc<Mutex<End>>);

#[derive(Default)]
struct End {
    bytes: VecDeque<u8>,
    total: u64,
}

impl Written {
    pub fn add(&self, bytes: &[u8]) {
        let mut end = self.lock();
        end.total += bytes.len() as u64;
        end.bytes.extend(bytes);
        let over = end.bytes.len().saturating_sub(MOST);
        end.bytes.drain(..over);
    }

    /// Begins with a whole character, whatever was cut.
    pub fn text(&self) -> String {
        let end = self.lock();
        let is_cut = end.total > end.bytes.len() as u64;
        let is_inside = |byte: &&u8| is_cut && (0x80..0xc0).contains(*byte);
        let bytes: Vec<u8> = end.bytes.iter().skip_while(is_inside).copied().collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    pub fn total(&self) -> u64 {
        self.lock().total
    }

    pub fn is_cut(&self) -> bool {
        self.total() > MOST as u64
    }

    fn lock(&self) -> MutexGuard<'_, End> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_kept_and_begins_with_a_whole_character() {
        let written = Written::default();
        written.add(b"one\n");
        written.add(b"two\n");
        assert_eq!(
            (written.text().as_str(), written.total()),
            ("one\ntwo\n", 8)
        );
        assert!(!written.is_cut());
        written.add("ä".repeat(MOST).as_bytes());
        written.add(b"!");
        let text = written.text();
        assert!(text.starts_with('ä') && text.ends_with("ä!"));
        assert!(text.len() <= MOST && written.is_cut());
        assert_eq!(written.total(), 8 + 2 * MOST as u64 + 1);
    }
}
