//! A person changes the permission rules that settings files keep. The agent watches these files; whether it goes by the
//! change already is asked, not supposed.

use super::about::PATIENCE;
use super::sessions::directory_of;
use super::{Hub, to_its_end, unknown_session};
use crate::desk::rules::form;
use crate::model::{Behavior, Code, PermissionRule, Refusal, RulePlace, SessionId};
use crate::server::agent::{Question, about, settings_files};
use std::path::PathBuf;
use std::time::Duration;

const TRIES: usize = 50;
const BETWEEN: Duration = Duration::from_millis(100);

impl Hub {
    pub async fn change_rule(
        &self,
        session_id: SessionId,
        rule: PermissionRule,
        keep: bool,
    ) -> Result<String, Refusal> {
        let hub = self.clone();
        to_its_end(async move { hub.write_rule(session_id, rule, keep).await }).await
    }

    async fn write_rule(
        &self,
        session_id: SessionId,
        rule: PermissionRule,
        keep: bool,
    ) -> Result<String, Refusal> {
        let refuse = |why: String| Refusal::new(Code::InvalidRequest, why);
        let rule = PermissionRule {
            rule: rule.rule.trim().to_owned(),
            ..rule
        };
        if keep {
            form::check(&rule.rule).map_err(refuse)?;
        }
        let (project, is_alive) = {
            let state = self.lock();
            let record = state.sessions.get(&session_id);
            let record = record.ok_or_else(unknown_session)?;
            (
                record.session.project_id.clone(),
                state.is_alive(session_id),
            )
        };
        let project = directory_of(&project)?;
        let setup = &self.0.setup;
        let own = setup.agent.own_directory(&setup.data_directory);
        let written = rule.clone();
        let changing = tokio::task::spawn_blocking(move || match keep {
            true => settings_files::add_rule(&written, &own, &project),
            false => settings_files::remove_rule(&written, &own, &project),
        });
        let changed = changing.await.map_err(|_| {
            Refusal::new(Code::Internal, "The rule could not be written. Try again.")
        })?;
        let changed = changed.map_err(refuse)?;
        if changed.is_empty() && !keep {
            return Err(Refusal::new(
                Code::NotFound,
                format!(
                    "The rule {} is in no file of that place any more.",
                    rule.rule
                ),
            ));
        }
        let goes_by_it = is_alive && self.goes_by(session_id, &rule, keep).await;
        Ok(outcome(&rule, keep, &changed, is_alive, goes_by_it))
    }

    /// Asks the agent until it goes by the change. Told its settings anew, Claude Code reads its files at once; by itself it
    /// takes more than a second to notice one.
    async fn goes_by(&self, session_id: SessionId, rule: &PermissionRule, keep: bool) -> bool {
        // an older one may not take it: it notices the file in time
        let _ = self.tell_grants(session_id, "").await;
        for _ in 0..TRIES {
            let listed = self.told(session_id, Question::PermissionRules, PATIENCE);
            match listed.await {
                Ok(listed) if about::is_in_force(&listed, rule) == keep => return true,
                Ok(_) => tokio::time::sleep(BETWEEN).await,
                Err(_) => return false,
            }
        }
        false
    }
}

/// What came of it, in words. `changed`: the files that were written.
fn outcome(
    rule: &PermissionRule,
    keep: bool,
    changed: &[PathBuf],
    is_alive: bool,
    goes_by_it: bool,
) -> String {
    let name = &rule.rule;
    let files: Vec<String> = changed
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    let files = files.join(" and ");
    let done = match (keep, changed.is_empty()) {
        (true, false) => format!("Added {name} to {files}."),
        (true, true) => format!("{name} was there already."),
        (false, _) => format!("Removed {name} from {files}."),
    };
    let needs_trust = keep && rule.behavior == Behavior::Allow && rule.place == RulePlace::Project;
    let when = match (goes_by_it, is_alive) {
        (true, _) => return done,
        (false, false) => "It counts from the next start of the process.",
        (false, true) if needs_trust => {
            "The agent does not go by it yet: what a project allows counts once you trust its folder. The next start of the process offers it."
        }
        (false, true) => {
            "The agent does not go by it yet: it counts when the process is started again."
        }
    };
    format!("{done} {when}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_no_more_than_what_is_so() {
        let rule = |behavior, place| PermissionRule {
            behavior,
            place,
            rule: "Read".to_owned(),
        };
        let deny = rule(Behavior::Deny, RulePlace::Local);
        let (one, two) = (PathBuf::from("/a/one"), PathBuf::from("/b/two"));
        let written = std::slice::from_ref(&one);
        let added = outcome(&deny, true, written, true, true);
        assert_eq!(added, "Added Read to /a/one.");
        let removed = outcome(&deny, false, &[one.clone(), two], true, true);
        assert_eq!(removed, "Removed Read from /a/one and /b/two.");
        let again = outcome(&deny, true, &[], true, true);
        assert_eq!(again, "Read was there already.");
        let later = outcome(&deny, true, written, true, false);
        assert!(later.ends_with("when the process is started again."));
        assert!(!later.contains("trust"), "{later}");
        let asleep = outcome(&deny, false, written, false, false);
        assert_eq!(
            asleep,
            "Removed Read from /a/one. It counts from the next start of the process."
        );
        let allow = rule(Behavior::Allow, RulePlace::Project);
        assert!(outcome(&allow, true, written, true, false).contains("trust its folder"));
        let allow = rule(Behavior::Allow, RulePlace::User);
        assert!(!outcome(&allow, true, written, true, false).contains("trust"));
    }
}
