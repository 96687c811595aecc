//! What there is: sessions, processes, what the agents can do, and the files of a project.

use super::record::Record;
use super::sessions::directory_of;
use super::{Hub, State, project_of};
use crate::model::{
    Boot, Capabilities, Code, HistoryFilter, HistoryPage, ProcessInfo, Project, ProjectId, Refusal,
    SessionId, SessionSummary,
};
use crate::server::project_files;
use std::collections::BTreeSet;

/// Requests on one page of the history.
const HISTORY_PAGE: usize = 50;

impl Hub {
    /// Newest activity first.
    pub fn sessions(&self) -> Vec<SessionSummary> {
        let state = self.lock();
        let records = state.sessions.values();
        let shown = records.filter(|record| record.session.archived_at.is_none());
        let mut sessions: Vec<SessionSummary> =
            shown.map(|record| self.summary(&state, record)).collect();
        sessions.sort_by(|a, b| b.updated_at.0.total_cmp(&a.updated_at.0));
        sessions
    }

    pub(super) fn summary(&self, state: &State, record: &Record) -> SessionSummary {
        let session = &record.session;
        SessionSummary {
            session_id: session.session_id,
            project_id: session.project_id.clone(),
            title: session.title.clone(),
            created_at: session.created_at,
            updated_at: session.updated_at,
            process: self.process_info(state, session.session_id),
        }
    }

    pub async fn history(&self, filter: HistoryFilter) -> Result<HistoryPage, Refusal> {
        let hub = self.clone();
        let page = tokio::task::spawn_blocking(move || hub.history_now(&filter)).await;
        page.map_err(|_| Refusal::new(Code::Internal, "The history could not be read."))
    }

    /// Blocks: it may go through all requests there ever were.
    pub fn history_now(&self, filter: &HistoryFilter) -> HistoryPage {
        // what was asked or decided a moment ago is in it, too: the lock has what was told written down
        drop(self.lock());
        self.0.store.flush();
        self.0.store.history(filter, HISTORY_PAGE)
    }

    /// Of the session's project, or of the one that is named, by some letters of their path.
    pub async fn find_files(
        &self,
        session_id: Option<SessionId>,
        project: Option<ProjectId>,
        typed: String,
    ) -> Result<Vec<String>, Refusal> {
        let project = match (session_id, project) {
            (Some(session_id), _) => self.project_of_session(session_id)?,
            (None, Some(project)) => project,
            (None, None) => {
                return Err(Refusal::new(
                    Code::InvalidRequest,
                    "Say of which session or project the files are wanted.",
                ));
            }
        };
        let finding =
            move || directory_of(&project).map(|project| project_files::find(&project, &typed));
        let found = tokio::task::spawn_blocking(finding).await;
        found.map_err(|_| Refusal::new(Code::Internal, "The files could not be listed."))?
    }

    /// The running ones.
    pub fn processes(&self) -> Vec<ProcessInfo> {
        let state = self.lock();
        state
            .sessions
            .keys()
            .filter_map(|id| self.process_info(&state, *id))
            .filter(ProcessInfo::is_alive)
            .collect()
    }

    pub fn anything_waits(&self) -> bool {
        let state = self.lock();
        let mut sessions = state.sessions.keys();
        sessions.any(|id| state.desk.is_waiting(*id))
    }

    pub fn boot(&self) -> Boot {
        let (sessions, put_away) = (self.sessions(), self.projects_of_archive());
        let offered = self
            .0
            .setup
            .projects
            .iter()
            .map(|directory| project_of(directory));
        let mut seen = BTreeSet::new();
        let projects = offered
            .chain(sessions.iter().map(|session| session.project_id.clone()))
            .chain(put_away.iter().cloned())
            .filter(|project| seen.insert(project.clone()))
            .map(|project_id| Project {
                name: project_id.name().to_owned(),
                project_id,
            })
            .collect();
        Boot {
            agent: self.0.setup.agent.described(),
            projects,
            sessions,
            now: self.0.clock.now(),
            attachments: self.0.setup.settings.attachment_limits(),
            archived: put_away.len(),
        }
    }

    /// Of the agent of a session; else of the last one that started. None has said anything yet: nothing.
    pub fn capabilities(&self, session_id: Option<SessionId>) -> Capabilities {
        let state = self.lock();
        let own = session_id.and_then(|id| state.sessions.get(&id)?.process.as_ref()?.can.clone());
        own.or_else(|| state.last_known.clone())
            .map(|known| (*known).clone())
            .unwrap_or_default()
    }
}
