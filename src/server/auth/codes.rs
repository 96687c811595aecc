//! Login codes: who may turn one into a login, once and in time. Pure; the time is given.

use super::{LoginError, secret, secret::Hash};
use std::collections::VecDeque;

/// Long enough to find the terminal, short enough that a link in its history is worth nothing.
pub const CODE_SECONDS: f64 = 15.0 * 60.0;
/// A code has 128 bits, so guessing is hopeless anyway; this keeps it quiet.
const WRONG_TRIES: usize = 10;
const WITHIN_SECONDS: f64 = 60.0;
/// Spent codes are remembered so that a second use can be told from a wrong code.
const REMEMBERED: usize = 64;

struct Issued {
    hash: Hash,
    at: f64,
    used: bool,
}

#[derive(Default)]
pub struct Codes {
    issued: VecDeque<Issued>,
    wrong_tries: VecDeque<f64>,
}

impl Codes {
    pub fn add(&mut self, hash: Hash, now: f64) {
        if self.issued.len() == REMEMBERED {
            self.issued.pop_front();
        }
        self.issued.push_back(Issued {
            hash,
            at: now,
            used: false,
        });
    }

    /// Uses the code up, or says why not. While there were too many wrong ones, a right one waits too: otherwise a
    /// guesser would not notice the limit.
    pub fn take(&mut self, hash: Hash, now: f64) -> Result<(), LoginError> {
        self.wrong_tries
            .retain(|at| (0.0..WITHIN_SECONDS).contains(&(now - at)));
        if self.wrong_tries.len() >= WRONG_TRIES {
            return Err(LoginError::TooMany);
        }
        let Some(code) = self.find(hash) else {
            self.wrong_tries.push_back(now);
            return Err(LoginError::Wrong);
        };
        if code.used {
            return Err(LoginError::Used);
        }
        if now - code.at > CODE_SECONDS {
            return Err(LoginError::Expired);
        }
        code.used = true;
        Ok(())
    }

    /// The code was taken but nothing came of it.
    pub fn give_back(&mut self, hash: Hash) {
        if let Some(code) = self.find(hash) {
            code.used = false;
        }
    }

    /// Looks at every code, also after the right one.
    fn find(&mut self, hash: Hash) -> Option<&mut Issued> {
        self.issued.iter_mut().fold(None, |found, code| {
            if secret::same(&code.hash, &hash) {
                Some(code)
            } else {
                found
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: f64 = 1_700_000_000.0;

    fn with_codes(codes: &[u8]) -> Codes {
        let mut all = Codes::default();
        codes.iter().for_each(|code| all.add([*code; 32], NOON));
        all
    }

    #[test]
    fn a_code_works_once_and_says_so_after() {
        let mut codes = with_codes(&[1, 2]);
        assert_eq!(codes.take([1; 32], NOON + 1.0), Ok(()));
        assert_eq!(codes.take([1; 32], NOON + 2.0), Err(LoginError::Used));
        assert_eq!(codes.take([2; 32], NOON + 3.0), Ok(()));
    }

    #[test]
    fn a_code_works_for_fifteen_minutes() {
        let mut codes = with_codes(&[1, 2]);
        assert_eq!(codes.take([1; 32], NOON + 900.0), Ok(()));
        assert_eq!(codes.take([2; 32], NOON + 900.1), Err(LoginError::Expired));
    }

    #[test]
    fn ten_wrong_codes_in_a_minute_close_the_door_for_a_right_one_too() {
        let mut codes = with_codes(&[1]);
        for second in 0..10 {
            let now = NOON + f64::from(second);
            assert_eq!(codes.take([9; 32], now), Err(LoginError::Wrong));
        }
        assert_eq!(codes.take([9; 32], NOON + 10.0), Err(LoginError::TooMany));
        assert_eq!(codes.take([1; 32], NOON + 59.0), Err(LoginError::TooMany));
        assert_eq!(codes.take([1; 32], NOON + 60.0), Ok(()));
    }

    #[test]
    fn using_a_spent_code_again_is_no_guess() {
        let mut codes = with_codes(&[1, 2]);
        assert_eq!(codes.take([1; 32], NOON), Ok(()));
        for _ in 0..20 {
            assert_eq!(codes.take([1; 32], NOON), Err(LoginError::Used));
        }
        assert_eq!(codes.take([2; 32], NOON), Ok(()));
    }

    #[test]
    fn a_code_that_was_given_back_works_again() {
        let mut codes = with_codes(&[1]);
        assert_eq!(codes.take([1; 32], NOON), Ok(()));
        codes.give_back([1; 32]);
        assert_eq!(codes.take([1; 32], NOON), Ok(()));
    }

    #[test]
    fn only_the_last_codes_are_remembered() {
        let many: Vec<u8> = (0..=64).collect();
        let mut codes = with_codes(&many);
        assert_eq!(codes.take([0; 32], NOON), Err(LoginError::Wrong));
        assert_eq!(codes.take([1; 32], NOON), Ok(()));
        assert_eq!(codes.take([64; 32], NOON), Ok(()));
    }
}
