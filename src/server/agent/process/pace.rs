//! How far an agent may be ahead of the disk. Its lines are read as they come, and what they say is only queued for the
//! store; one that says more than can be written would fill the memory. So after a portion of lines reading waits until
//! all of it is written: the pipe fills up, and this agent waits, and no other. No lock is held meanwhile; orders, limits
//! and its end are seen as ever.

use tokio::sync::oneshot;

/// Far more than an agent says while what it said before is written.
const LINES: usize = 4096;
const BYTES: usize = 4 * 1024 * 1024;

/// What is said of a portion so far.
#[derive(Default)]
pub struct Portion {
    lines: usize,
    bytes: usize,
}

impl Portion {
    /// Counts a line. Whether it has room for more.
    pub fn takes(&mut self, bytes: usize) -> bool {
        self.lines += 1;
        self.bytes = self.bytes.saturating_add(bytes);
        !self.is_full()
    }

    pub fn is_full(&self) -> bool {
        self.lines >= LINES || self.bytes >= BYTES
    }
}

#[derive(Default)]
pub struct Pace {
    portion: Portion,
    written: Option<oneshot::Receiver<()>>,
}

impl Pace {
    /// A line was heard. At the end of a portion: whom to tell when all up to here is written.
    pub fn heard(&mut self, bytes: usize) -> Option<oneshot::Sender<()>> {
        if self.portion.takes(bytes) {
            return None;
        }
        self.portion = Portion::default();
        let (tell, written) = oneshot::channel();
        self.written = Some(written);
        Some(tell)
    }

    pub fn is_ahead(&self) -> bool {
        self.written.is_some()
    }

    /// Returns when reading may go on. It may be given up and taken up again.
    pub async fn caught_up(&mut self) {
        if let Some(written) = &mut self.written {
            // an error: nobody writes any more, so there is nothing to wait for
            let _ = written.await;
        }
        self.written = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn after_a_portion_it_waits_until_that_is_written() {
        let mut pace = Pace::default();
        for _ in 1..LINES {
            assert!(pace.heard(10).is_none());
        }
        let tell = pace.heard(10).expect("the end of a portion");
        assert!(pace.is_ahead());
        tokio::select! {
            biased;
            () = pace.caught_up() => panic!("nothing is written yet"),
            () = tokio::task::yield_now() => {}
        }
        assert!(pace.is_ahead(), "given up, and still to be waited for");
        tell.send(()).expect("someone waits");
        pace.caught_up().await;
        assert!(!pace.is_ahead());
        assert!(pace.heard(BYTES - 1).is_none());
        drop(pace.heard(1).expect("full by its size"));
        pace.caught_up().await;
        assert!(!pace.is_ahead(), "a store that is gone holds nobody up");
    }
}
