//! The one source of time. Limits are measured on the monotonic side, so that a changed wall clock expires nothing;
//! tests drive both.

use crate::model::UnixTime;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

#[derive(Clone)]
pub struct Clock(Arc<Source>);

enum Source {
    Real { began: Instant },
    Driven { passed: Mutex<Duration> },
}

/// Where a driven clock begins.
const DRIVEN_EPOCH: f64 = 1_800_000_000.0;

impl Clock {
    pub fn real() -> Self {
        Self(Arc::new(Source::Real {
            began: Instant::now(),
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
            Source::Real { began } => began.elapsed(),
            Source::Driven { passed } => *passed.lock().unwrap_or_else(PoisonError::into_inner),
        }
    }
}
