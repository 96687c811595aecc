//! When a process was born, so that it is known again: its number alone may belong to another program later. Counted from the
//! start of the machine, for a clock that is set moves every time of day.

use std::fmt;
use std::str::FromStr;
use sysinfo::{Pid, Process, ProcessRefreshKind, ProcessesToUpdate, RefreshKind, System};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Birth {
    /// Since the machine started.
    seconds: u64,
    /// Which of its starts, where the system has a name for it.
    boot: String,
}

impl Birth {
    /// None: there is no such process.
    pub fn of(pid: u32) -> Option<Self> {
        let pid = Pid::from_u32(pid);
        let mut system = System::new_with_specifics(RefreshKind::nothing()).ok()?;
        system.refresh_processes_specifics(
            ProcessesToUpdate::Some(&[pid]),
            true,
            ProcessRefreshKind::nothing().without_tasks(),
        );
        let started = system.process(pid).map(Process::start_time)?;
        let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id");
        Some(Self {
            seconds: started.saturating_sub(System::boot_time().unwrap_or(0)),
            boot: boot.unwrap_or_default().trim().to_owned(),
        })
    }

    /// The same one: the system rounds to seconds, sometimes this way and sometimes that.
    pub fn is(&self, other: &Self) -> bool {
        self.boot == other.boot && self.seconds.abs_diff(other.seconds) <= 1
    }
}

impl fmt::Display for Birth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.seconds, self.boot)
    }
}

impl FromStr for Birth {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (seconds, boot) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
        Ok(Self {
            seconds: seconds.parse()?,
            boot: boot.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_known_again_from_its_note_and_no_other_is() {
        let own = Birth::of(std::process::id()).expect("this very process");
        let noted: Birth = own.to_string().parse().expect("a note");
        assert_eq!(noted, own);
        let other = |seconds: u64, boot: &str| Birth {
            seconds,
            boot: boot.to_owned(),
        };
        let noted = other(100, "one");
        assert!(
            [99, 100, 101]
                .iter()
                .all(|seconds| other(*seconds, "one").is(&noted))
        );
        assert!(!other(102, "one").is(&noted));
        assert!(
            !other(100, "two").is(&noted),
            "after a restart of the machine"
        );
        assert!("".parse::<Birth>().is_err());
        assert_eq!("12345".parse::<Birth>(), Ok(other(12345, "")));
    }

    #[test]
    fn it_is_counted_from_the_start_of_the_machine() {
        let own = Birth::of(std::process::id()).expect("this very process");
        let up = System::uptime().expect("how long it runs");
        assert!(own.seconds <= up, "{} of {up}", own.seconds);
    }
}
