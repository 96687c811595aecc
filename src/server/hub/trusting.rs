//! Trusting the folder of a session: the agent then also heeds what the folder's own settings allow.

use super::sessions::directory_of;
use super::{Hub, to_its_end};
use crate::model::{AllowedBy, Code, Entry, FolderTrust, Refusal, SessionId};
use crate::server::agent::trust::Asks;
use crate::server::agent::{Question, settings_files, trust};
use std::path::PathBuf;
use std::time::Duration;

impl Hub {
    /// What would count if the folder were trusted, as it stands in its settings at this moment, and what else would be
    /// trusted with it.
    pub async fn folder_allows(&self, session_id: SessionId) -> Result<FolderTrust, Refusal> {
        let folder = directory_of(&self.project_of_session(session_id)?)?;
        let allows = read_allowed(folder.clone()).await?;
        let setup = &self.0.setup;
        let asks = trust::asks(&setup.agent, &folder, &setup.data_directory);
        let root = match asks.await.map_err(not_trusted)? {
            Asks::Trust(root) => root,
            Asks::Nothing => None,
        };
        Ok(FolderTrust { root, allows })
    }

    /// `root`: the repository that would be trusted with it, as the person has read it.
    pub async fn trust_folder(
        &self,
        session_id: SessionId,
        root: Option<String>,
    ) -> Result<(), Refusal> {
        let hub = self.clone();
        to_its_end(async move { hub.trust_folder_and_heed_it(session_id, root).await }).await
    }

    async fn trust_folder_and_heed_it(
        &self,
        session_id: SessionId,
        root: Option<String>,
    ) -> Result<(), Refusal> {
        let folder = directory_of(&self.project_of_session(session_id)?)?;
        let setup = &self.0.setup;
        let seen = root.as_deref();
        let trusted = trust::trust(&setup.agent, &folder, &setup.data_directory, seen);
        trusted.await.map_err(not_trusted)?;
        // of folders alone nothing could be waited for
        let allows = read_allowed(folder).await.unwrap_or_default();
        let has_rules = allows.iter().any(|allowed| !allowed.rules.is_empty());
        let heeded = self.heeds_the_folder(session_id, has_rules).await;
        // not before: whoever reads that it counts may write the next message at once
        self.note(&mut self.lock(), session_id, Entry::FolderTrusted);
        match heeded {
            // whoever starts next reads it at its start
            Err(_) if !self.lock().is_alive(session_id) => Ok(()),
            heeded => heeded,
        }
    }

    /// Being told its settings anew, it reads all of them anew; but it looks only now and then at what is trusted.
    async fn heeds_the_folder(
        &self,
        session_id: SessionId,
        has_rules: bool,
    ) -> Result<(), Refusal> {
        for _ in 0..LOOKS {
            self.tell_grants(session_id, NOT_HEARD).await?;
            let rules = Question::PermissionRules;
            let rules = self.question(session_id, rules, NOT_HEARD).await?;
            if !has_rules || trust::heeds_the_folder(&rules) {
                return Ok(());
            }
            tokio::time::sleep(PAUSE).await;
        }
        let words = format!("{NOT_HEARD}.");
        Err(Refusal::new(Code::AgentUnavailable, words))
    }
}

async fn read_allowed(folder: PathBuf) -> Result<Vec<AllowedBy>, Refusal> {
    let reading = tokio::task::spawn_blocking(move || settings_files::allowed_by(&folder));
    let read = reading.await;
    read.map_err(|_| Refusal::new(Code::Internal, "Its settings could not be read."))?
        .map_err(|why| Refusal::new(Code::InvalidRequest, why))
}

fn not_trusted(why_not: String) -> Refusal {
    Refusal::new(
        Code::AgentUnavailable,
        format!(
            "The folder is not trusted yet: {why_not}. Try again, or run claude in it once and accept it there."
        ),
    )
}

const LOOKS: u32 = 50;
const PAUSE: Duration = Duration::from_millis(100);
const NOT_HEARD: &str = "The folder is trusted, but the process that runs has not heard of it. End it, and a message starts it again";
