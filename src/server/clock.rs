//! The one source of time. Limits are measured on the monotonic side, so that a changed wall clock expires nothing,
//! and the sleep of a laptop counts; tests drive both.

use crate::model::UnixTime;
use rustix::time::{ClockId, clock_gettime};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

#[derive(Clone)]
pub struct Clock(Arc<Source>);

enum Source {
    Real { began: Duration },
    Driven { passed: Mutex<Duration> },
}

/// On Linux the ordinary monotonic clock stands still while a laptop sleeps; limits that people see do not.
#[cfg(target_os = "linux")]
const COUNTS_SLEEP: ClockId = ClockId::Boottime;
#[cfg(not(target_os = "linux"))]
const COUNTS_SLEEP: ClockId = ClockId::Monotonic;

fn since_boot() -> Duration {
    let time = clock_gettime(COUNTS_SLEEP);
    Duration::try_from(time).unwrap_or_default()
}

/// Where a driven clock begins.
const DRIVEN_EPOCH: f64 = 1_800_000_000.0;

impl Clock {
    pub fn real() -> Self {
        Self(Arc::new(Source::Real {
            began: since_boot(),
        }))
    }

    /// A clock that stands still until it is advanced.
    pub fn driven() -> Self {
        Self(Arc::new(Source::Driven {
            passed: Mutex::new(Duration::ZERO),
        }))
    }

    pub fn advance(&self, by: Duration) {
        if let Source::Driven { passed } = &*self.0 {
            *passed.lock().unwrap_or_else(PoisonError::into_inner) += by;
        }
    }

    /// For showing.
    pub fn now(&self) -> UnixTime {
        match &*self.0 {
            Source::Real { .. } => UnixTime(
                SystemTime::now()
                    .duration_since(UNIX_EPOCH)
                    .unwrap_or_default()
                    .as_secs_f64(),
            ),
            Source::Driven { .. } => UnixTime(DRIVEN_EPOCH + self.passed().as_secs_f64()),
        }
    }

    /// For limits: time since the clock was made.
    pub fn passed(&self) -> Duration {
        match &*self.0 {
            Source::Real { began } => since_boot().saturating_sub(*began),
            Source::Driven { passed } => *passed.lock().unwrap_or_else(PoisonError::into_inner),
        }
    }
}
