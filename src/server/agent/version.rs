//! Which Claude Code is new enough. Older ones speak another dialect: rather a clear sentence than half a session.

use std::fmt;

/// The oldest one that was driven by hand with everything we rely on: being asked over stdio, cancelling a queued
/// message, forking under an id of our choice.
pub const OLDEST: Version = Version([2, 1, 197]);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version([u32; 3]);

impl Version {
    /// `2.1.325`, or the same with words behind it, as `--version` prints it. What is marked as something else
    /// (`0.1.0-demo`) is not a version of Claude Code.
    pub fn read(text: &str) -> Option<Self> {
        let word = text.split_whitespace().next()?;
        let mut parts = word.split('.').map(|part| part.parse::<u32>().ok());
        let version = [parts.next()??, parts.next()??, parts.next()??];
        parts.next().is_none().then_some(Self(version))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self([major, minor, patch]) = self;
        write!(f, "{major}.{minor}.{patch}")
    }
}

/// The sentence about a version that is too old; none for one that is not, or that says nothing we can read.
pub fn too_old(text: &str) -> Option<String> {
    let version = Version::read(text).filter(|version| *version < OLDEST)?;
    Some(format!(
        "This Claude Code is version {version}, and Countersign needs {OLDEST} or newer. Run \"claude update\" in a terminal, then send the message again."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_number_by_number() {
        assert!(too_old("2.1.197").is_none());
        assert!(too_old("2.1.325 (Claude Code)").is_none());
        assert!(too_old("2.10.0").is_none());
        assert!(too_old("3.0.0").is_none());
        for old in ["2.1.196", "2.0.999", "1.99.400 (Claude Code)"] {
            let sentence = too_old(old).expect(old);
            assert!(sentence.contains("2.1.197") && sentence.contains("claude update"));
        }
    }

    #[test]
    fn what_is_no_version_of_claude_code_is_not_judged() {
        for other in ["", "0.1.0-demo", "1.0", "1.2.3.4", "new", "1.x.3"] {
            assert_eq!(too_old(other), None, "{other}");
        }
    }
}
