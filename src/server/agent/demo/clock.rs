//! Owns time as the CLI prints it: milliseconds since 1970 and ISO 8601 in UTC.

use std::time::{SystemTime, UNIX_EPOCH};

pub fn now_millis() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map(|elapsed| u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX))
        .unwrap_or(0)
}

pub fn now_iso() -> String {
    iso(now_millis())
}

/// `2026-11-15T23:40:43.369Z`. Worked out here because a calendar is all that is needed of a date library.
pub fn iso(millis: u64) -> String {
    let (days, within_day) = (millis / 86_400_000, millis % 86_400_000);
    let (year, month, day) = civil_date(days);
    let (seconds, fraction) = (within_day / 1000, within_day % 1000);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{fraction:03}Z")
}

/// Days since 1970-01-01 to a Gregorian date; years are counted from March so that the leap day comes last.
fn civil_date(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::iso;

    #[test]
    fn dates_are_printed_as_the_cli_prints_them() {
        assert_eq!(iso(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(iso(1_794_786_043_357), "2026-11-15T23:40:43.357Z");
        assert_eq!(iso(1_709_164_800_007), "2024-02-29T00:00:00.007Z");
    }
}
