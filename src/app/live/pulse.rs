//! Tells a silent connection from a dead one. A browser slows the timers of a hidden tab down to one a minute, so
//! silence alone proves nothing: only a ping that stays unanswered does.

/// Milliseconds between signs of life.
const PING_AFTER: f64 = 15_000.0;
/// Milliseconds an answer may take; with the above: dead after 25 s without anything at all.
const ANSWER_WITHIN: f64 = 10_000.0;
/// The same when the person is back and looks at the page.
const ANSWER_SOON: f64 = 4_000.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beat {
    Nothing,
    Ping,
    Dead,
}

#[derive(Clone, Copy, Debug)]
pub struct Pulse {
    heard_at: f64,
    /// An answer is owed by then.
    owed_by: Option<f64>,
}

impl Pulse {
    /// The connection itself is the first thing owed.
    pub fn opening(now: f64) -> Self {
        Self {
            heard_at: now,
            owed_by: Some(now + ANSWER_WITHIN),
        }
    }

    pub fn heard(&mut self, now: f64) {
        self.heard_at = now;
        self.owed_by = None;
    }

    pub fn tick(&mut self, now: f64) -> Beat {
        match self.owed_by {
            Some(deadline) if now >= deadline => Beat::Dead,
            Some(_) => Beat::Nothing,
            None if now - self.heard_at >= PING_AFTER => self.ping(now + ANSWER_WITHIN),
            None => Beat::Nothing,
        }
    }

    /// Someone looks, or the network came back: find out soon.
    pub fn hurry(&mut self, now: f64) -> Beat {
        match self.owed_by {
            Some(deadline) if now >= deadline => Beat::Dead,
            Some(deadline) => {
                self.owed_by = Some(deadline.min(now + ANSWER_SOON));
                Beat::Nothing
            }
            None => self.ping(now + ANSWER_SOON),
        }
    }

    fn ping(&mut self, deadline: f64) -> Beat {
        self.owed_by = Some(deadline);
        Beat::Ping
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quiet_connection_is_pinged_and_lives_when_it_answers() {
        let mut pulse = Pulse::opening(0.0);
        pulse.heard(100.0);
        assert_eq!(pulse.tick(15_000.0), Beat::Nothing);
        assert_eq!(pulse.tick(15_100.0), Beat::Ping);
        assert_eq!(pulse.tick(16_000.0), Beat::Nothing);
        pulse.heard(16_010.0);
        assert_eq!(pulse.tick(25_200.0), Beat::Nothing);
    }

    #[test]
    fn nothing_for_twenty_five_seconds_is_dead() {
        let mut pulse = Pulse::opening(0.0);
        pulse.heard(0.0);
        assert_eq!(pulse.tick(15_000.0), Beat::Ping);
        assert_eq!(pulse.tick(24_999.0), Beat::Nothing);
        assert_eq!(pulse.tick(25_000.0), Beat::Dead);
    }

    #[test]
    fn a_hidden_tab_that_slept_asks_before_it_gives_up() {
        let mut pulse = Pulse::opening(0.0);
        pulse.heard(0.0);
        assert_eq!(pulse.tick(60_000.0), Beat::Ping);
        pulse.heard(60_020.0);
        assert_eq!(pulse.tick(120_000.0), Beat::Ping);
    }

    #[test]
    fn a_connection_that_never_opens_is_given_up() {
        assert_eq!(Pulse::opening(0.0).tick(10_000.0), Beat::Dead);
    }

    #[test]
    fn someone_who_looks_gets_an_answer_soon() {
        let mut pulse = Pulse::opening(0.0);
        pulse.heard(0.0);
        assert_eq!(pulse.hurry(5_000.0), Beat::Ping);
        assert_eq!(pulse.tick(9_000.0), Beat::Dead);
    }
}
