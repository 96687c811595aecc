//! Another folder for a session: the agent may work there as in its project, until the process is ended by hand.

use super::{Hub, unknown_session};
use crate::model::transcript::Level;
use crate::model::{Code, Entry, Refusal, SessionId, Suggestion};
use crate::server::agent::Question;
use serde_json::json;
use std::path::{Path, PathBuf};

impl Hub {
    pub async fn add_folder(&self, session_id: SessionId, path: &str) -> Result<(), Refusal> {
        let project = {
            let state = self.lock();
            let record = state.sessions.get(&session_id);
            let record = record.ok_or_else(unknown_session)?;
            record.session.project_id.as_str().to_owned()
        };
        let home = std::env::var_os("HOME").map(PathBuf::from);
        let folder = folder(path, Path::new(&project), home.as_deref())?;
        let grant = Suggestion(json!({
            "type": "addDirectories", "directories": [folder], "destination": "session",
        }));
        let (granted, is_alive) = {
            let mut state = self.lock();
            let is_alive = state.is_alive(session_id);
            let record = state.sessions.get_mut(&session_id);
            let record = record.ok_or_else(unknown_session)?;
            if !record.granted.contains(&grant) {
                record.granted.push(grant.clone());
            }
            (record.granted.clone(), is_alive)
        };
        // one that starts later gets it with its flags
        if is_alive {
            let told = self.question(
                session_id,
                Question::Grant(granted),
                "The folder was not added",
            );
            told.await
                .inspect_err(|_| self.take_back(session_id, &grant))?;
        }
        let text = format!(
            "Until its process is ended the agent may also work in {}",
            folder.display()
        );
        let level = Level::Info;
        self.note(&mut self.lock(), session_id, Entry::Noticed { level, text });
        Ok(())
    }

    fn take_back(&self, session_id: SessionId, grant: &Suggestion) {
        if let Some(record) = self.lock().sessions.get_mut(&session_id) {
            record.granted.retain(|granted| granted != grant);
        }
    }
}

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
