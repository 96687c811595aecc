//! A person changes the permission rules that settings files keep. The agent watches these files; whether it goes by the
//! change already is asked, not supposed.

use super::about::PATIENCE;
use super::{Hub, unknown_session};
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
            let project = PathBuf::from(record.session.project_id.as_str());
            (project, state.is_alive(session_id))
        };
        let setup = &self.0.setup;
        let own = setup.agent.own_directory(&setup.data_directory);
        let written = rule.clone();
        let changing = tokio::task::spawn_blocking(move || match keep {
            true => settings_files::add_rule(&written, &own, &project),
            false => settings_files::remove_rule(&written, &own, &project),
        });
        let is_changed = changing.await.map_err(|_| {
            Refusal::new(Code::Internal, "The rule could not be written. Try again.")
        })?;
        let is_changed = is_changed.map_err(refuse)?;
        if !is_changed && !keep {
            return Err(Refusal::new(
                Code::NotFound,
                format!(
                    "The rule {} is in no file of that place any more.",
                    rule.rule
                ),
            ));
        }
        let goes_by_it = is_alive && self.goes_by(session_id, &rule, keep).await;
        Ok(outcome(&rule, keep, is_changed, is_alive, goes_by_it))
    }

    /// Asks the agent until it goes by the change. Told its settings anew, Claude Code reads its files at once; by itself it
    /// takes more than a second to notice one.
    async fn goes_by(&self, session_id: SessionId, rule: &PermissionRule, keep: bool) -> bool {
        let granted = {
            let state = self.lock();
            let record = state.sessions.get(&session_id);
            record
                .map(|record| record.granted.clone())
                .unwrap_or_default()
        };
        let told = self.told(session_id, Question::Grant(granted), PATIENCE);
        // an older one may not take it: it notices the file in time
        let _ = told.await;
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

/// What came of it, in words.
fn outcome(
    rule: &PermissionRule,
    keep: bool,
    is_changed: bool,
    is_alive: bool,
    goes_by_it: bool,
) -> String {
    let name = &rule.rule;
    let done = match (keep, is_changed) {
        (true, true) => format!("Added {name}."),
        (true, false) => format!("{name} was there already."),
        (false, _) => format!("Removed {name}."),
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
        assert_eq!(outcome(&deny, true, true, true, true), "Added Read.");
        assert_eq!(outcome(&deny, false, true, true, true), "Removed Read.");
        let again = outcome(&deny, true, false, true, true);
        assert_eq!(again, "Read was there already.");
        let later = outcome(&deny, true, true, true, false);
        assert!(later.ends_with("when the process is started again."));
        assert!(!later.contains("trust"), "{later}");
        let asleep = outcome(&deny, false, true, false, false);
        assert_eq!(
            asleep,
            "Removed Read. It counts from the next start of the process."
        );
        let allow = rule(Behavior::Allow, RulePlace::Project);
        assert!(outcome(&allow, true, true, true, false).contains("trust its folder"));
        let allow = rule(Behavior::Allow, RulePlace::User);
        assert!(!outcome(&allow, true, true, true, false).contains("trust"));
    }
}
