//! All sessions and their processes, as plain data, and how a frame changes them. Pure: no signals, no browser.

use crate::model::{
    PendingRequest, ProcessInfo, ProjectId, ServerMessage, SessionId, SessionSummary, UnixTime,
};

/// One pending request with the session it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct Waiting {
    pub session_id: SessionId,
    pub project_id: ProjectId,
    pub title: String,
    pub request: PendingRequest,
    /// From 1, among the requests of its session.
    pub position: usize,
    pub of: usize,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Board {
    /// Those that are archived are here only when they were looked at.
    sessions: Vec<SessionSummary>,
    archived: usize,
}

impl Board {
    pub fn new(sessions: Vec<SessionSummary>, archived: usize) -> Self {
        Self { sessions, archived }
    }

    /// How many are archived.
    pub fn archived(&self) -> usize {
        self.archived
    }

    pub fn session(&self, id: SessionId) -> Option<&SessionSummary> {
        self.sessions
            .iter()
            .find(|session| session.session_id == id)
    }

    /// Newest activity first; sessions of the same moment keep one order. Those that are archived are left out.
    pub fn sessions(&self) -> Vec<SessionSummary> {
        let shown = self.sessions.iter().filter(|one| !one.is_archived());
        let mut sessions: Vec<SessionSummary> = shown.cloned().collect();
        sessions.sort_by(|a, b| {
            b.updated_at
                .0
                .total_cmp(&a.updated_at.0)
                .then(a.session_id.cmp(&b.session_id))
        });
        sessions
    }

    /// Every pending request, oldest first; requests of the same moment keep the order of their session.
    pub fn waiting(&self) -> Vec<Waiting> {
        self.of_all(|process| &process.pending_requests)
    }

    /// What was open when the server stopped and nobody has looked at, in the same order.
    pub fn cut_off(&self) -> Vec<Waiting> {
        self.of_all(|process| &process.cut_off)
    }

    fn of_all(&self, requests: fn(&ProcessInfo) -> &[PendingRequest]) -> Vec<Waiting> {
        let mut waiting: Vec<Waiting> = self
            .sessions
            .iter()
            .filter_map(|session| Some((session, session.process.as_ref()?)))
            .flat_map(|(session, process)| {
                let requests = requests(process);
                let of = requests.len();
                requests
                    .iter()
                    .enumerate()
                    .map(move |(index, request)| Waiting {
                        session_id: session.session_id,
                        project_id: session.project_id.clone(),
                        title: session.title.clone(),
                        request: request.clone(),
                        position: index + 1,
                        of,
                    })
            })
            .collect();
        waiting.sort_by(|a, b| {
            a.request
                .created_at
                .0
                .total_cmp(&b.request.created_at.0)
                .then(a.session_id.cmp(&b.session_id))
                .then(a.position.cmp(&b.position))
        });
        waiting
    }

    /// Takes a frame in. Says whether anything changed.
    pub fn apply(&mut self, message: &ServerMessage) -> bool {
        match message {
            ServerMessage::ActiveProcesses {
                processes,
                archived,
            } => {
                let is_other = std::mem::replace(&mut self.archived, *archived) != *archived;
                self.replace_running(processes) | is_other
            }
            ServerMessage::Archive { archived, deleted } => {
                self.archived = *archived;
                self.sessions
                    .retain(|session| Some(session.session_id) != *deleted);
                true
            }
            ServerMessage::ProcessState(process) => self.put(process),
            ServerMessage::RequestResolved {
                session_id,
                request_id,
                ..
            } => self.process_mut(*session_id).is_some_and(|process| {
                let before = process.pending_requests.len();
                process
                    .pending_requests
                    .retain(|request| request.request_id != *request_id);
                process.pending_requests.len() != before
            }),
            ServerMessage::SessionEvents { .. }
            | ServerMessage::SessionDelta(_)
            | ServerMessage::Error { .. }
            | ServerMessage::Pong => false,
        }
    }

    /// Takes the list of all sessions in, after a time without a socket. What is not in it has been archived or deleted
    /// meanwhile, unless it runs: then it was begun after the list was made.
    pub fn learn_all(&mut self, listed: Vec<SessionSummary>) -> bool {
        let runs = |session: &SessionSummary| {
            let process = session.process.as_ref();
            process.is_some_and(ProcessInfo::is_alive)
        };
        let before = self.sessions.len();
        let is_listed = |known: &SessionSummary| {
            let mut listed = listed.iter();
            listed.any(|one| one.session_id == known.session_id)
        };
        self.sessions
            .retain(|known| runs(known) || known.is_archived() || is_listed(known));
        for known in &mut self.sessions {
            // what was told of one that has ended may be old
            if is_listed(known) && !runs(known) {
                known.process = None;
            }
        }
        self.learn(listed) | (self.sessions.len() != before)
    }

    /// Takes a list of sessions in. The socket knows processes better than a list that was made earlier, so of a
    /// known session only the title and the last activity are taken.
    pub fn learn(&mut self, listed: Vec<SessionSummary>) -> bool {
        let mut changed = false;
        for summary in listed {
            match self.session_mut(summary.session_id) {
                None => {
                    self.sessions.push(summary);
                    changed = true;
                }
                Some(known) => {
                    changed |= known.title != summary.title;
                    known.title = summary.title;
                    changed |= later(&mut known.updated_at, summary.updated_at);
                    let ended = summary.process.filter(|process| !process.is_alive());
                    if known.process.is_none() && ended.is_some() {
                        known.process = ended;
                        changed = true;
                    }
                }
            }
        }
        changed
    }

    /// A process that is not listed does not run. How the last one of a session ended stays known.
    fn replace_running(&mut self, processes: &[ProcessInfo]) -> bool {
        let mut changed = false;
        for session in &mut self.sessions {
            let listed = processes
                .iter()
                .any(|process| process.session_id == session.session_id);
            if !listed && session.process.as_ref().is_some_and(ProcessInfo::is_alive) {
                session.process = None;
                changed = true;
            }
        }
        for process in processes {
            changed |= self.put(process);
        }
        changed
    }

    fn put(&mut self, process: &ProcessInfo) -> bool {
        let active_at = last_activity(process);
        let Some(session) = self.session_mut(process.session_id) else {
            if process.archived_at.is_some() {
                return false;
            }
            self.sessions.push(SessionSummary {
                session_id: process.session_id,
                project_id: process.project_id.clone(),
                title: process
                    .title
                    .clone()
                    .unwrap_or_else(|| "New session".to_owned()),
                created_at: process.started_at,
                updated_at: active_at,
                process: Some(process.clone()),
            });
            return true;
        };
        let mut changed = later(&mut session.updated_at, active_at);
        if let Some(title) = &process.title
            && session.title != *title
        {
            session.title.clone_from(title);
            changed = true;
        }
        if session.process.as_ref() != Some(process) {
            session.process = Some(process.clone());
            changed = true;
        }
        changed
    }

    fn session_mut(&mut self, id: SessionId) -> Option<&mut SessionSummary> {
        self.sessions
            .iter_mut()
            .find(|session| session.session_id == id)
    }

    fn process_mut(&mut self, id: SessionId) -> Option<&mut ProcessInfo> {
        self.session_mut(id)?.process.as_mut()
    }
}

fn last_activity(process: &ProcessInfo) -> UnixTime {
    let mut last = process.state_changed_at;
    for request in &process.pending_requests {
        later(&mut last, request.created_at);
    }
    last
}

fn later(time: &mut UnixTime, other: UnixTime) -> bool {
    let is_later = other.0 > time.0;
    if is_later {
        *time = other;
    }
    is_later
}

#[cfg(test)]
mod tests;
