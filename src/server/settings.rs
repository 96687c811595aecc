//! Every limit and default, from three places: `Leptos.toml` (embedded), the user's file over it, flags over both.

pub use crate::model::policy::{OnTimeout, Policies};
use crate::model::{AttachmentLimits, PermissionMode};
use crate::server::system_words::plainly;
use serde::Deserialize;
use std::path::Path;
use std::time::Duration;
use toml::{Table, Value};

const EMBEDDED: &str = include_str!("../../Leptos.toml");

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    pub requests: Policies,
    pub process: ProcessSettings,
    pub limits: Limits,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProcessSettings {
    /// 0 = never stopped for being idle.
    pub idle_minutes: u64,
    pub start_seconds: u64,
    pub permission_mode: PermissionMode,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    pub line_bytes: usize,
    pub message_bytes: usize,
    pub attachment_bytes: usize,
    pub attachments: usize,
    pub sockets: usize,
    pub processes: usize,
    pub open_requests: usize,
    pub open_request_bytes: usize,
}

impl Settings {
    /// The error is one sentence that names the file and the key.
    pub fn load(user_file: Option<&Path>) -> Result<Self, String> {
        let mut table = section(EMBEDDED).map_err(|error| format!("Leptos.toml: {error}"))?;
        if let Some(path) = user_file {
            let text = std::fs::read_to_string(path).map_err(|error| {
                format!(
                    "The settings file {} cannot be read: {}.",
                    path.display(),
                    plainly(&error)
                )
            })?;
            let own = section(&text).map_err(|error| {
                format!(
                    "The settings file {} is not valid: {}{}.",
                    path.display(),
                    in_one_line(&error),
                    line_of(&error, &text)
                )
            })?;
            lay_over(&mut table, own);
        }
        let not_valid = |why: String| {
            let place = user_file.map_or_else(
                || "Leptos.toml".to_owned(),
                |path| path.display().to_string(),
            );
            format!("The settings in {place} are not valid: {why}.")
        };
        let settings: Self = Value::Table(table)
            .try_into()
            .map_err(|error: toml::de::Error| not_valid(in_one_line(&error)))?;
        match settings.nonsense() {
            Some(why) => Err(not_valid(why)),
            None => Ok(settings),
        }
    }

    /// What nobody can mean: with it nothing would work, and it would be told late.
    fn nonsense(&self) -> Option<String> {
        if let PermissionMode::Other(word) = &self.process.permission_mode {
            return Some(format!(
                "process.permission_mode: there is no mode \"{word}\""
            ));
        }
        /// A hundred years; more cannot be counted in seconds on every system.
        const LONGEST: u64 = 100 * 366 * 24 * 60;
        if self.process.idle_minutes > LONGEST {
            return Some(format!(
                "process.idle_minutes may be at most {LONGEST} (0 = never)"
            ));
        }
        let Limits {
            line_bytes,
            message_bytes,
            sockets,
            processes,
            open_requests,
            open_request_bytes,
            ..
        } = self.limits;
        let least = [
            ("limits.line_bytes", line_bytes, 64 * 1024),
            ("limits.message_bytes", message_bytes, 1024),
            ("limits.sockets", sockets, 1),
            ("limits.processes", processes, 1),
            ("limits.open_requests", open_requests, 1),
            ("limits.open_request_bytes", open_request_bytes, 64 * 1024),
        ];
        let too_little = least.iter().find(|(_, value, least)| value < least);
        too_little.map(|(name, value, least)| {
            format!("{name} is {value}, and at least {least} is needed")
        })
    }

    /// A message with its files is one line to the agent; in base64 three bytes become four.
    pub fn attachment_limits(&self) -> AttachmentLimits {
        let Limits {
            line_bytes,
            message_bytes,
            attachment_bytes,
            attachments,
            ..
        } = self.limits;
        AttachmentLimits {
            count: attachments,
            bytes: attachment_bytes,
            bytes_in_all: line_bytes.saturating_sub(message_bytes) / 4 * 3,
        }
    }

    pub fn idle_limit(&self) -> Option<Duration> {
        let minutes = self.process.idle_minutes;
        (minutes > 0).then(|| Duration::from_secs(minutes * 60))
    }

    pub fn start_limit(&self) -> Duration {
        Duration::from_secs(self.process.start_seconds.max(1))
    }
}

fn in_one_line(error: &toml::de::Error) -> String {
    error.message().trim_end().replace('\n', ", ")
}

/// " (line 3)", if it is known.
fn line_of(error: &toml::de::Error, text: &str) -> String {
    let before = error.span().and_then(|span| text.get(..span.start));
    before.map_or_else(String::new, |before| {
        format!(" (line {})", before.matches('\n').count() + 1)
    })
}

/// The `[countersign]` section; a user's file may leave the section header out.
fn section(text: &str) -> Result<Table, toml::de::Error> {
    let mut table: Table = text.parse()?;
    Ok(match table.remove("countersign") {
        Some(Value::Table(section)) => section,
        _ => {
            table.remove("package");
            table
        }
    })
}

fn lay_over(below: &mut Table, above: Table) {
    for (key, value) in above {
        match (below.get_mut(&key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => lay_over(below, above),
            (_, value) => {
                below.insert(key, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: &str) -> Result<Settings, String> {
        let file = tempfile::NamedTempFile::new().expect("file");
        std::fs::write(file.path(), text).expect("written");
        Settings::load(Some(file.path()))
    }

    #[test]
    fn the_embedded_settings_wait_for_ever() {
        let settings = Settings::load(None).expect("embedded");
        assert_eq!(settings.requests, Policies::default());
        assert_eq!(settings.requests.limit(false), None);
        assert_eq!(settings.requests.limit(true), None);
        assert_eq!(settings.idle_limit(), Some(Duration::from_secs(900)));
    }

    #[test]
    fn a_users_file_changes_only_what_it_names() {
        for text in [
            "[countersign.process]\nidle_minutes = 3\n",
            "[process]\nidle_minutes = 3\n",
        ] {
            let settings = load(text).expect("valid");
            assert_eq!(settings.process.idle_minutes, 3);
            assert_eq!(settings.process.start_seconds, 60);
        }
    }

    #[test]
    fn a_wrong_key_or_value_is_named() {
        let error = load("[requests]\ntimout_seconds = 3\n").expect_err("unknown key");
        assert!(error.contains("timout_seconds"), "{error}");
        let error = load("[requests]\non_timeout = \"allow\"\n").expect_err("unknown value");
        assert!(error.contains("allow"), "{error}");
        let error = load("[requests]\non_disconnect = \"deny_after\"\n").expect_err("no number");
        assert!(error.contains("deny_after:"), "{error}");
        for (text, named) in [
            (
                "[process]\npermission_mode = \"zzz\"\n",
                "process.permission_mode",
            ),
            (
                "[process]\nidle_minutes = 99999999999999999\n",
                "process.idle_minutes",
            ),
            ("[limits]\nsockets = 0\n", "limits.sockets"),
            ("[limits]\nprocesses = 0\n", "limits.processes"),
            ("[limits]\nline_bytes = 1\n", "limits.line_bytes"),
            ("[limits]\nopen_requests = 0\n", "limits.open_requests"),
        ] {
            let error = load(text).expect_err(named);
            assert!(error.contains(named), "{error}");
        }
        let error = load("[requests\n").expect_err("not TOML");
        assert!(error.contains("not valid"), "{error}");
    }
}
