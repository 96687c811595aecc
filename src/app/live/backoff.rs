//! How long to wait before the next attempt: exponential with full jitter, so that many tabs do not knock at once.

const FIRST_MS: f64 = 250.0;
const LONGEST_MS: f64 = 10_000.0;

/// `random` is from 0 up to 1. The first attempt after a loss comes within a quarter of a second.
pub fn delay_ms(failures: u32, random: f64) -> u32 {
    let ceiling = (FIRST_MS * 2f64.powi(failures.min(16) as i32)).min(LONGEST_MS);
    (ceiling * random.clamp(0.0, 1.0)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_grows_from_a_quarter_of_a_second_to_ten() {
        let longest = [0, 1, 2, 3, 4, 5, 6, 7, 1000].map(|failures| delay_ms(failures, 1.0));
        assert_eq!(
            longest,
            [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000]
        );
    }

    #[test]
    fn chance_spreads_the_attempts_over_the_whole_wait() {
        assert_eq!(delay_ms(3, 0.0), 0);
        assert_eq!(delay_ms(3, 0.5), 1000);
    }
}
