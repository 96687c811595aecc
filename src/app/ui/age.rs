//! Time as people say it: how long something waits, when something last happened. Pure.

use crate::model::{Day, UnixTime};

/// "8 s", "6 m 02 s", "2 h 05 m", "3 d 4 h": an age that grows before one's eyes without jumping in width.
pub fn age(seconds: f64) -> String {
    let seconds = whole(seconds);
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{minutes} m {:02} s", seconds % 60),
        3600..86_400 => format!("{hours} h {:02} m", minutes % 60),
        _ => format!("{days} d {} h", hours % 24),
    }
}

/// "8 s", "6 min 02 s", "2 h 05 min": how long something has been at work.
pub fn at_work(seconds: f64) -> String {
    let seconds = whole(seconds);
    let (minutes, hours) = (seconds / 60, seconds / 3600);
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{minutes} min {:02} s", seconds % 60),
        _ => format!("{hours} h {:02} min", minutes % 60),
    }
}

/// "8 s", "6 min", "2 h", "3 d": a span in one word.
pub fn roughly(seconds: f64) -> String {
    let seconds = whole(seconds);
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        3600..86_400 => format!("{} h", seconds / 3600),
        _ => format!("{} d", seconds / 86_400),
    }
}

/// When something last happened: "now", "5 min", "2 h", then the day of the week, then "12 Mar". Days are counted in
/// UTC, the one zone that server and browser agree on.
pub fn when(at: UnixTime, now: UnixTime) -> String {
    let seconds = whole(now.since(at));
    match seconds {
        0..60 => "now".to_owned(),
        60..86_400 => roughly(seconds as f64),
        86_400..518_400 => Day::of(at).weekday().to_owned(),
        _ => date(at),
    }
}

fn whole(seconds: f64) -> u64 {
    seconds.max(0.0) as u64
}

/// "2025-03-12 12:00 UTC": exact, and the same on server and browser.
pub fn exactly(at: UnixTime) -> String {
    let minutes = (at.0.rem_euclid(86_400.0) / 60.0) as u64;
    format!(
        "{} {:02}:{:02} UTC",
        Day::of(at),
        minutes / 60,
        minutes % 60
    )
}

fn date(at: UnixTime) -> String {
    let names = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let (_, month, day) = Day::of(at).parts();
    format!("{day} {}", names[(month as usize - 1) % 12])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_grows_from_seconds_to_days() {
        let ages = [
            0.0, 8.9, 59.9, 60.0, 362.0, 3599.0, 3600.0, 7500.0, 86_400.0, 273_600.0,
        ];
        assert_eq!(
            ages.map(age),
            [
                "0 s",
                "8 s",
                "59 s",
                "1 m 00 s",
                "6 m 02 s",
                "59 m 59 s",
                "1 h 00 m",
                "2 h 05 m",
                "1 d 0 h",
                "3 d 4 h"
            ]
        );
    }

    #[test]
    fn work_is_counted_to_the_second_for_an_hour() {
        assert_eq!(
            [3.9, 65.0, 3599.0, 3600.0, 93_900.0].map(at_work),
            [
                "3 s",
                "1 min 05 s",
                "59 min 59 s",
                "1 h 00 min",
                "26 h 05 min"
            ]
        );
    }

    #[test]
    fn a_span_is_one_word() {
        assert_eq!(
            [5.0, 362.0, 7500.0, 273_600.0].map(roughly),
            ["5 s", "6 min", "2 h", "3 d"]
        );
    }

    #[test]
    fn the_last_activity_is_now_then_a_span_then_a_day_then_a_date() {
        // Wednesday, 12 March 2025, 12:00
        let now = UnixTime(1_741_780_800.0);
        let ago = |seconds: f64| when(UnixTime(now.0 - seconds), now);
        assert_eq!(ago(0.0), "now");
        assert_eq!(ago(-5.0), "now");
        assert_eq!(ago(90.0), "1 min");
        assert_eq!(ago(7_300.0), "2 h");
        assert_eq!(ago(2.0 * 86_400.0), "Mon");
        assert_eq!(ago(12.0 * 86_400.0), "28 Feb");
        assert_eq!(ago(13.0 * 86_400.0), "27 Feb");
        assert_eq!(when(UnixTime(1_709_208_000.0), now), "29 Feb");
        assert_eq!(exactly(now), "2025-03-12 12:00 UTC");
        assert_eq!(exactly(UnixTime(1_709_208_059.0)), "2024-02-29 12:00 UTC");
        assert_eq!(exactly(UnixTime(1_735_689_599.9)), "2024-12-31 23:59 UTC");
        assert_eq!(exactly(UnixTime(0.0)), "1970-01-01 00:00 UTC");
    }
}
