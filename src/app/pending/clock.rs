//! How long a request waits, and how long it will still wait. Pure.

use crate::model::UnixTime;

/// The page promises less than the server keeps: an answer in the last moment must not lose to the network.
const MARGIN: f64 = 2.0;
const SOON: f64 = 10.0;

#[derive(Clone, Debug, PartialEq)]
pub struct Countdown {
    pub words: String,
    /// Worth a warning.
    pub soon: bool,
    /// Too late for an answer to be sure to arrive.
    pub is_up: bool,
}

/// "0:42", "12:05", "1:02:05".
pub fn clock(seconds: f64) -> String {
    let seconds = seconds.max(0.0) as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, minutes, seconds) => format!("{minutes}:{seconds:02}"),
        (hours, minutes, seconds) => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

pub fn countdown(expires_at: UnixTime, now: UnixTime) -> Countdown {
    let left = (expires_at.0 - now.0 - MARGIN).max(0.0);
    let is_up = left < 1.0;
    Countdown {
        words: if is_up {
            "time is up".to_owned()
        } else {
            format!("{} left", clock(left))
        },
        soon: left <= SOON,
        is_up,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_grows_with_the_wait() {
        assert_eq!(
            [0.0, 42.9, 725.0, 3725.0, -3.0].map(clock),
            ["0:00", "0:42", "12:05", "1:02:05", "0:00"]
        );
    }

    #[test]
    fn the_countdown_promises_less_than_the_server_keeps_and_warns_at_the_end() {
        let at = |now| countdown(UnixTime(100.0), UnixTime(now));
        assert_eq!(at(38.0).words, "1:00 left");
        assert!(!at(87.0).soon);
        assert!(at(88.0).soon);
        assert!(!at(96.9).is_up);
        assert!(at(97.1).is_up, "locked in the last second");
        assert_eq!(at(98.5).words, "time is up");
        assert_eq!(at(200.0).words, "time is up");
    }
}
