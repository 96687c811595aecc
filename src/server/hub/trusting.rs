//! Trusting the folder of a session: the agent then also heeds what the folder's own settings allow.

use super::sessions::directory_of;
use super::{Hub, unknown_session};
use crate::model::{Code, Entry, Refusal, SessionId, Suggestion};
use crate::server::agent::{Question, settings_files, trust};
use std::time::Duration;

impl Hub {
    /// What would count if the folder were trusted, as it stands in its settings at this moment.
    pub async fn folder_allows(&self, session_id: SessionId) -> Result<Vec<String>, Refusal> {
        let project = self.project_of_session(session_id)?;
        let reading =
            move || directory_of(&project).map(|folder| settings_files::allowed_by(&folder));
        let read = tokio::task::spawn_blocking(reading).await;
        read.map_err(|_| Refusal::new(Code::Internal, "Its settings could not be read."))?
    }

    pub async fn trust_folder(&self, session_id: SessionId) -> Result<(), Refusal> {
        let (project, granted, is_alive) = {
            let state = self.lock();
            let record = state.sessions.get(&session_id);
            let record = record.ok_or_else(unknown_session)?;
            let project = record.session.project_id.clone();
            (project, record.granted.clone(), state.is_alive(session_id))
        };
        let setup = &self.0.setup;
        let folder = directory_of(&project)?;
        let trusted = trust::trust(&setup.agent, &folder, &setup.data_directory);
        trusted.await.map_err(|why_not| {
            Refusal::new(
                Code::AgentUnavailable,
                format!("The folder is not trusted yet: {why_not}. Try again, or run claude in it once and accept it there."),
            )
        })?;
        let heeded = match is_alive {
            true => self.heeds_the_folder(session_id, granted).await,
            false => Ok(()),
        };
        self.note(&mut self.lock(), session_id, Entry::FolderTrusted);
        heeded
    }

    /// Being told its settings anew, it reads all of them anew; but it looks only now and then at what is trusted.
    async fn heeds_the_folder(
        &self,
        session_id: SessionId,
        granted: Vec<Suggestion>,
    ) -> Result<(), Refusal> {
        for _ in 0..LOOKS {
            let told = Question::Grant(granted.clone());
            self.question(session_id, told, NOT_HEARD).await?;
            let rules = Question::PermissionRules;
            let rules = self.question(session_id, rules, NOT_HEARD).await?;
            if trust::heeds_the_folder(&rules) {
                return Ok(());
            }
            tokio::time::sleep(PAUSE).await;
        }
        let words = format!("{NOT_HEARD}.");
        Err(Refusal::new(Code::AgentUnavailable, words))
    }
}

const LOOKS: u32 = 50;
const PAUSE: Duration = Duration::from_millis(100);
const NOT_HEARD: &str = "The folder is trusted, but the process that runs has not heard of it. End it, and a message starts it again";
