//! Days and moments in words, in UTC: the one zone that server and browser agree on. Pure.

use super::UnixTime;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A day, counted from the first of January 1970. Written "2026-11-16".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Day(i64);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a day is written like 2026-11-16")]
pub struct NoDay;

impl Day {
    pub fn of(at: UnixTime) -> Self {
        Self((at.0 / 86_400.0).floor() as i64)
    }

    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }

    pub fn begins(self) -> UnixTime {
        UnixTime(self.0 as f64 * 86_400.0)
    }

    pub fn weekday(self) -> &'static str {
        // the first of January 1970 was a Thursday
        ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][self.0.rem_euclid(7) as usize]
    }

    /// Year, month and day, by counting 400-year eras from the first of March.
    pub fn parts(self) -> (i64, i64, i64) {
        let shifted = self.0 + 719_468;
        let day_of_era = shifted.rem_euclid(146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * from_march + 2) / 5 + 1;
        let month = if from_march < 10 {
            from_march + 3
        } else {
            from_march - 9
        };
        let year = shifted.div_euclid(146_097) * 400 + year_of_era + i64::from(month <= 2);
        (year, month, day)
    }

    /// The other way. A day that no calendar has becomes another one.
    fn from_parts(year: i64, month: i64, day: i64) -> Self {
        let year = year - i64::from(month <= 2);
        let year_of_era = year.rem_euclid(400);
        let from_march = (month + 9) % 12;
        let day_of_year = (153 * from_march + 2) / 5 + day - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        Self(year.div_euclid(400) * 146_097 + day_of_era - 719_468)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.parts();
        write!(formatter, "{year:04}-{month:02}-{day:02}")
    }
}

impl FromStr for Day {
    type Err = NoDay;

    fn from_str(text: &str) -> Result<Self, NoDay> {
        let numbers: Vec<i64> = text
            .split('-')
            .filter_map(|part| part.parse().ok())
            .collect();
        let [year @ 1..=9999, month @ 1..=12, day @ 1..=31] = numbers[..] else {
            return Err(NoDay);
        };
        // written back it must be the same: no day of February is the thirtieth
        let found = Self::from_parts(year, month, day);
        match found.to_string() == text {
            true => Ok(found),
            false => Err(NoDay),
        }
    }
}

impl TryFrom<String> for Day {
    type Error = NoDay;

    fn try_from(text: String) -> Result<Self, NoDay> {
        text.parse()
    }
}

impl From<Day> for String {
    fn from(day: Day) -> Self {
        day.to_string()
    }
}

/// "2026-11-16T19:20:31.250Z": what other programs read as a time.
pub fn iso(at: UnixTime) -> String {
    let milliseconds = (at.0 * 1000.0).round() as i64;
    let of_day = milliseconds.rem_euclid(86_400_000);
    let day = Day(milliseconds.div_euclid(86_400_000));
    let (seconds, fraction) = (of_day / 1000, of_day % 1000);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{day}T{hour:02}:{minute:02}:{second:02}.{fraction:03}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_is_written_and_read_back() {
        for number in (-20_000..60_000).step_by(13).chain(11_000..12_200) {
            let day = Day(number);
            assert_eq!(day.to_string().parse(), Ok(day));
            assert_eq!(Day::of(day.begins()), day);
            assert_eq!(Day::of(UnixTime(day.next().begins().0 - 0.001)), day);
        }
        assert_eq!(Day(0).to_string(), "1970-01-01");
        assert_eq!("2024-02-29".parse(), Ok(Day(19_782)));
    }

    #[test]
    fn what_is_no_day_is_not_taken_for_another() {
        for text in [
            "",
            "2026",
            "2026-11",
            "2026-11-16-1",
            "2025-02-29",
            "2026-13-01",
            "2026-00-10",
            "2026-04-31",
            "2026-1-1",
            "26-01-01",
            "0000-01-01",
            "99999-01-01",
            "9223372036854775807-01-01",
            "today",
            "2026-11-16T00:00",
            " 2026-11-16",
        ] {
            assert_eq!(text.parse::<Day>(), Err(NoDay), "{text:?}");
        }
    }

    #[test]
    fn a_moment_is_written_as_other_programs_read_it() {
        for (seconds, words) in [
            (0.0, "1970-01-01T00:00:00.000Z"),
            (1_794_856_831.25, "2026-11-16T19:20:31.250Z"),
            (1_709_164_800.007, "2024-02-29T00:00:00.007Z"),
            (1_735_689_599.999_9, "2025-01-01T00:00:00.000Z"),
            (-0.5, "1969-12-31T23:59:59.500Z"),
        ] {
            assert_eq!(iso(UnixTime(seconds)), words);
        }
    }
}
