//! What is allowed for one session, until its process is ended by hand: another folder, where the agent may work as in its
//! project; and the way to take back what was allowed.

use super::about::PATIENCE;
use super::taking_up::BETWEEN_LOOKS;
use super::{Hub, to_its_end, unknown_session};
use crate::model::transcript::Level;
use crate::model::{Code, Entry, Refusal, SessionId, Suggestion};
use crate::server::agent::{Order, Question, about};
use serde_json::json;
use std::path::{Path, PathBuf};

impl Hub {
    pub async fn add_folder(&self, session_id: SessionId, path: String) -> Result<(), Refusal> {
        let hub = self.clone();
        to_its_end(async move { hub.grant_folder(session_id, &path).await }).await
    }

    async fn grant_folder(&self, session_id: SessionId, path: &str) -> Result<(), Refusal> {
        let project = self.project_of_session(session_id)?;
        let home = std::env::var_os("HOME").map(PathBuf::from);
        let folder = folder(path, Path::new(project.as_str()), home.as_deref())?;
        let grant = Suggestion(json!({
            "type": "addDirectories", "directories": [folder], "destination": "session",
        }));
        let is_alive = {
            let mut state = self.lock();
            let is_alive = state.is_alive(session_id);
            let record = state.sessions.get_mut(&session_id);
            let record = record.ok_or_else(unknown_session)?;
            if !record.granted.contains(&grant) {
                record.granted.push(grant.clone());
            }
            is_alive
        };
        // one that starts later gets it with its flags
        if is_alive {
            let told = self.tell_grants(session_id, "The folder was not added");
            told.await
                .inspect_err(|_| self.forget_grant(session_id, &grant))?;
        }
        let text = format!(
            "Until its process is ended the agent may also work in {}",
            folder.display()
        );
        let level = Level::Info;
        self.note(&mut self.lock(), session_id, Entry::Noticed { level, text });
        Ok(())
    }

    /// A rule or a folder. Says what came of it.
    pub async fn take_back(&self, session_id: SessionId, grant: String) -> Result<String, Refusal> {
        let hub = self.clone();
        to_its_end(async move { hub.take_back_all_of(session_id, &grant).await }).await
    }

    async fn take_back_all_of(
        &self,
        session_id: SessionId,
        grant: &str,
    ) -> Result<String, Refusal> {
        let (taken, is_alive) = {
            let mut state = self.lock();
            let is_alive = state.is_alive(session_id);
            let record = state.sessions.get_mut(&session_id);
            let record = record.ok_or_else(unknown_session)?;
            let taken: Vec<Suggestion> = record
                .granted
                .iter()
                .filter_map(|granted| granted.only(grant))
                .collect();
            if taken.is_empty() {
                return Err(Refusal::new(
                    Code::InvalidRequest,
                    format!("{grant} is not allowed for this session any more."),
                ));
            }
            let granted = std::mem::take(&mut record.granted).into_iter();
            record.granted = granted.filter_map(|one| one.without(grant)).collect();
            (taken, is_alive)
        };
        let keeps_it = is_alive && self.keeps(session_id, grant).await?;
        if !keeps_it {
            return Ok(format!("{grant} is taken back."));
        }
        if self.stop_at_rest(session_id) {
            self.until_it_has_ended(session_id).await;
            return Ok(format!(
                "{grant} is taken back. The process went by it, so it was stopped; a message starts it again without it."
            ));
        }
        // nothing is said to be so that is not
        if let Some(record) = self.lock().sessions.get_mut(&session_id) {
            record.granted.extend(taken);
        }
        let _ = self.tell_grants(session_id, NOT_HEARD).await;
        Err(Refusal::new(
            Code::InvalidRequest,
            format!(
                "{grant} is still allowed: the agent is at work or waits for you, and goes by it. Stop it, or answer what waits, and take it back then."
            ),
        ))
    }

    /// As one that is idle, if it is at rest. Whether it is.
    fn stop_at_rest(&self, session_id: SessionId) -> bool {
        let mut state = self.lock();
        let is_at_rest = state.is_at_rest(session_id);
        let process = state.process_mut(session_id);
        let Some(process) = process.filter(|_| is_at_rest) else {
            return false;
        };
        process.stopping = true;
        let reason = TAKEN_BACK.to_owned();
        process.orders.send(Order::Stop { reason }).is_ok()
    }

    /// Whoever looks next finds it ended. One that takes long is not waited for.
    async fn until_it_has_ended(&self, session_id: SessionId) {
        let ended = async {
            while self.lock().is_alive(session_id) {
                tokio::time::sleep(BETWEEN_LOOKS).await;
            }
        };
        let _ = tokio::time::timeout(PATIENCE, ended).await;
    }

    /// What it learned from an answer or was started with an agent does not forget.
    async fn keeps(&self, session_id: SessionId, grant: &str) -> Result<bool, Refusal> {
        self.tell_grants(session_id, NOT_HEARD).await?;
        let rules = self.question(session_id, Question::PermissionRules, NOT_HEARD);
        Ok(about::still_goes_by(&rules.await?, grant))
    }

    fn forget_grant(&self, session_id: SessionId, grant: &Suggestion) {
        if let Some(record) = self.lock().sessions.get_mut(&session_id) {
            record.granted.retain(|granted| granted != grant);
        }
    }
}

const TAKEN_BACK: &str =
    "Stopped, because you took back what it was allowed. Send a message to go on.";
const NOT_HEARD: &str = "It is taken back for later processes, but the one that runs has not heard of it. End it, and a message starts it again";

/// As a shell would take it: from the project, or from home.
fn folder(given: &str, project: &Path, home: Option<&Path>) -> Result<PathBuf, Refusal> {
    let given = given.trim();
    let refuse = |why: String| Err(Refusal::new(Code::InvalidRequest, why));
    if given.is_empty() {
        return refuse("Say which folder, as in /add-dir ../docs.".to_owned());
    }
    let path = match (given.strip_prefix('~'), home) {
        (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => {
            home.join(rest.trim_start_matches('/'))
        }
        _ => project.join(given),
    };
    match path.canonicalize() {
        Ok(path) if path.is_dir() => Ok(path),
        Ok(path) => refuse(format!("{} is a file, not a folder.", path.display())),
        Err(_) => refuse(format!(
            "There is no folder {}. Check its name; it is looked for from the project.",
            path.display()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_found_from_the_project_from_home_or_from_the_root() {
        let place = tempfile::tempdir().expect("a directory");
        let root = place.path().canonicalize().expect("a path");
        let (project, home) = (root.join("project"), root.join("home"));
        for made in ["project/sub", "home/docs", "beside"] {
            std::fs::create_dir_all(root.join(made)).expect("made");
        }
        std::fs::write(root.join("file"), "").expect("written");
        let found = |given: &str| folder(given, &project, Some(&home));
        assert_eq!(found(" sub ").ok(), Some(project.join("sub")));
        assert_eq!(found("../beside").ok(), Some(root.join("beside")));
        assert_eq!(found("~").ok(), Some(home.clone()));
        assert_eq!(found("~/docs").ok(), Some(home.join("docs")));
        let whole = root.join("beside").display().to_string();
        assert_eq!(found(&whole).ok(), Some(root.join("beside")));
        for (given, words) in [
            ("", "Say which"),
            ("../file", "is a file"),
            ("none", "no folder"),
        ] {
            let refusal = found(given).expect_err("no folder");
            assert!(refusal.message.contains(words), "{}", refusal.message);
        }
    }
}
