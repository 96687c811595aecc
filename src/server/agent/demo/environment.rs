//! Owns what the environment says: the folder for transcripts, the pace, and the ways to misbehave on purpose.

use std::env;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Environment {
    /// `$CLAUDE_CONFIG_DIR`, or a folder of the demo's own so that it never writes among real sessions.
    pub config_directory: PathBuf,
    /// How many times faster than natural; `0` = without any delay.
    pub speed: f64,
    pub start_delay: Duration,
    pub fail_start: bool,
    pub ignore_termination: bool,
    pub session_state_events: bool,
    /// The same events for a host that marks them as its own.
    pub session_state_for_host_only: bool,
    pub entrypoint: String,
}

impl Environment {
    pub fn read() -> Self {
        let text = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
        let on = |name: &str| text(name).is_some_and(|value| value != "0" && value != "false");
        let host_only = on("CLAUDE_CODE_SDK_READS_SESSION_STATE");
        Self {
            config_directory: text("CLAUDE_CONFIG_DIR").map_or_else(own_directory, PathBuf::from),
            speed: text("COUNTERSIGN_DEMO_SPEED")
                .and_then(|value| value.parse().ok())
                .filter(|speed: &f64| speed.is_finite() && *speed >= 0.0)
                .unwrap_or(1.0),
            start_delay: Duration::from_millis(
                text("COUNTERSIGN_DEMO_START_DELAY_MS")
                    .and_then(|value| value.parse().ok())
                    .unwrap_or(0),
            ),
            fail_start: on("COUNTERSIGN_DEMO_FAIL_START"),
            ignore_termination: on("COUNTERSIGN_DEMO_IGNORE_TERM"),
            session_state_events: on("CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS") || host_only,
            session_state_for_host_only: host_only,
            entrypoint: text("CLAUDE_CODE_ENTRYPOINT").unwrap_or_else(|| "countersign-demo".into()),
        }
    }

    /// A natural pause, at the chosen pace.
    pub fn paced(&self, milliseconds: u64) -> Duration {
        if self.speed == 0.0 {
            return Duration::ZERO;
        }
        Duration::from_millis(milliseconds).div_f64(self.speed)
    }

    /// A pause in which something must be seen to happen, so that it does not vanish at pace `0`.
    pub fn noticeable(&self, milliseconds: u64) -> Duration {
        self.paced(milliseconds).max(Duration::from_millis(150))
    }
}

fn own_directory() -> PathBuf {
    let data = env::var_os("XDG_DATA_HOME")
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
        .or_else(|| env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/share")))
        .unwrap_or_else(env::temp_dir);
    data.join("countersign/demo-agent")
}
