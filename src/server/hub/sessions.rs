//! What a person does with sessions: start, write, interrupt, end, change the mode.

use super::record::{Process, Record};
use super::{Hub, State, project_of, unknown_session};
use crate::desk::Event as DeskEvent;
use crate::model::{
    Boot, Code, Entry, MessageId, PermissionMode, ProcessInfo, ProcessState, Project, ProjectId,
    Refusal, SessionId, SessionSummary,
};
use crate::server::agent::{self, Launch, Order};
use crate::server::attached::Attached;
use crate::server::store::StoredSession;
use std::collections::BTreeSet;
use std::path::Path;
use tokio::sync::{mpsc, oneshot};

/// A title is one line of about this many characters.
const TITLE_LENGTH: usize = 60;

impl Hub {
    pub async fn start_session(
        &self,
        project: ProjectId,
        prompt: String,
        permission_mode: Option<PermissionMode>,
        model: Option<String>,
    ) -> Result<SessionId, Refusal> {
        self.start_with(project, prompt, permission_mode, model, Vec::new())
            .await
    }

    pub(super) fn begin_session(
        &self,
        session_id: SessionId,
        project: ProjectId,
        prompt: String,
        permission_mode: Option<PermissionMode>,
        model: Option<String>,
        files: Vec<Attached>,
    ) -> Result<SessionId, Refusal> {
        let directory = directory_of(&project)?;
        let now = self.0.clock.now();
        let session = StoredSession {
            session_id,
            project_id: project_of(&directory),
            title: match files.first() {
                Some(file) if prompt.trim().is_empty() => title_from(&file.about.name),
                _ => title_from(&prompt),
            },
            created_at: now,
            updated_at: now,
            permission_mode: permission_mode
                .unwrap_or_else(|| self.0.setup.settings.process.permission_mode.clone()),
            model: model.filter(|model| !model.trim().is_empty()),
        };
        self.lock()
            .sessions
            .insert(session_id, Record::new(session.clone()));
        match self.say(session_id, prompt, MessageId::random(), files) {
            Ok(()) => {
                self.0.store.note_session(session);
                Ok(session_id)
            }
            Err(refusal) => {
                self.lock().sessions.remove(&session_id);
                self.0.store.forget_session(session_id);
                Err(refusal)
            }
        }
    }

    pub async fn send_message(
        &self,
        session_id: SessionId,
        text: String,
        message_id: Option<MessageId>,
    ) -> Result<(), Refusal> {
        self.send_with(session_id, text, message_id, Vec::new())
            .await
    }

    /// Gives a message to the agent; starts or resumes one when none runs. A resend is not taken twice.
    pub(super) fn say(
        &self,
        session_id: SessionId,
        text: String,
        message_id: MessageId,
        files: Vec<Attached>,
    ) -> Result<(), Refusal> {
        let is_new = self
            .lock()
            .sessions
            .get_mut(&session_id)
            .ok_or_else(unknown_session)?
            .seen_messages
            .insert(message_id);
        if !is_new {
            return Ok(());
        }
        self.say_once(session_id, text, message_id, files)
            .inspect_err(|_| {
                // it was not taken: the same message may be sent again
                if let Some(record) = self.lock().sessions.get_mut(&session_id) {
                    record.seen_messages.remove(&message_id);
                }
            })
    }

    fn say_once(
        &self,
        session_id: SessionId,
        text: String,
        message_id: MessageId,
        files: Vec<Attached>,
    ) -> Result<(), Refusal> {
        let mut state = self.lock();
        let launch = match state.is_alive(session_id) {
            true => None,
            false => Some(self.reserve(&mut state, session_id)?),
        };
        let queued = state.desk.state(session_id) == Some(ProcessState::AssistantTurn);
        let record = state
            .sessions
            .get_mut(&session_id)
            .ok_or_else(unknown_session)?;
        let process = record.process.as_mut().ok_or_else(unknown_session)?;
        let attachments = files.iter().map(|file| file.about.clone()).collect();
        let order = Order::Say {
            message_id,
            text: text.clone(),
            files,
        };
        // one that was told to stop no longer listens
        if process.stopping || process.orders.send(order).is_err() {
            return Err(just_ended());
        }
        if queued {
            process.queued.insert(message_id);
        }
        self.note(
            &mut state,
            session_id,
            Entry::MessageSent {
                message_id,
                text,
                queued,
                attachments,
            },
        );
        if queued {
            self.publish(&mut state, session_id);
        }
        drop(state);
        match launch {
            Some((launch, orders)) => self.launch(launch, orders),
            None => Ok(()),
        }
    }

    /// Takes the seat of a new process, so that two messages at once start one agent.
    fn reserve(
        &self,
        state: &mut State,
        session_id: SessionId,
    ) -> Result<(Launch, mpsc::UnboundedReceiver<Order>), Refusal> {
        if state.shutting_down {
            return Err(Refusal::new(
                Code::AgentUnavailable,
                "Countersign is being stopped. Start it again and send the message then.",
            ));
        }
        let limit = self.0.setup.settings.limits.processes;
        let running = state
            .sessions
            .keys()
            .filter(|id| state.is_alive(**id))
            .count();
        if running >= limit {
            return Err(Refusal::new(
                Code::TooMany,
                format!(
                    "At most {limit} agents may run at once, and {running} do. End one, or raise limits.processes."
                ),
            ));
        }
        let record = state
            .sessions
            .get_mut(&session_id)
            .ok_or_else(unknown_session)?;
        let directory = directory_of(&record.session.project_id)?;
        let (orders, received) = mpsc::unbounded_channel();
        record.process = Some(Process::new(
            orders,
            self.0.clock.now(),
            self.0.clock.passed(),
        ));
        let resume = record.begun;
        let launch = Launch {
            program: self.0.setup.agent.clone(),
            session_id,
            resume,
            directory,
            permission_mode: record.session.permission_mode.clone(),
            model: record.session.model.clone(),
            data_directory: self.0.setup.data_directory.clone(),
            line_limit: self.0.setup.settings.limits.line_bytes,
        };
        self.apply(state, DeskEvent::Started { session_id });
        self.note(state, session_id, Entry::ProcessStarted { resumed: resume });
        Ok((launch, received))
    }

    fn launch(
        &self,
        launch: Launch,
        orders: mpsc::UnboundedReceiver<Order>,
    ) -> Result<(), Refusal> {
        let session_id = launch.session_id;
        match launch.spawn() {
            Ok(child) => {
                self.change_process(&mut self.lock(), session_id, |process| {
                    process.pid = child.id();
                    false
                });
                let hub = self.clone();
                tokio::spawn(agent::run(child, launch, orders, move |heard| {
                    hub.hear(session_id, heard)
                }));
                Ok(())
            }
            Err(error) => {
                let program = launch.program.executable.display();
                let sentence = match error.kind() {
                    std::io::ErrorKind::NotFound => format!(
                        "The agent \"{program}\" was not found. Install it, or start Countersign with --agent and the path of one."
                    ),
                    _ => format!("The agent \"{program}\" could not be started: {error}."),
                };
                self.hear(
                    session_id,
                    agent::Heard::Died {
                        reason: None,
                        error: Some(sentence.clone()),
                    },
                );
                Err(Refusal::new(Code::AgentUnavailable, sentence))
            }
        }
    }

    pub fn interrupt(&self, session_id: SessionId) -> Result<(), Refusal> {
        self.order(session_id, Order::Interrupt)
    }

    pub fn kill(&self, session_id: SessionId) -> Result<(), Refusal> {
        self.order(
            session_id,
            Order::Kill {
                reason: "Ended by you.".to_owned(),
            },
        )
    }

    pub async fn set_permission_mode(
        &self,
        session_id: SessionId,
        mode: PermissionMode,
    ) -> Result<(), Refusal> {
        let alive = {
            let mut state = self.lock();
            if !state.sessions.contains_key(&session_id) {
                return Err(unknown_session());
            }
            if matches!(mode, PermissionMode::Other(_)) {
                return Err(Refusal::new(
                    Code::InvalidRequest,
                    format!("There is no permission mode \"{}\".", mode.word()),
                ));
            }
            let alive = state.is_alive(session_id);
            if !alive {
                self.change_session(&mut state, session_id, |session| {
                    session.permission_mode = mode.clone()
                });
            }
            alive
        };
        if !alive {
            return Ok(());
        }
        let (done, answered) = oneshot::channel();
        self.order(session_id, Order::SetMode { mode, done })?;
        match answered.await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(Refusal::new(
                Code::InvalidRequest,
                format!("The agent did not take the mode: {error}"),
            )),
            Err(_) => Err(just_ended()),
        }
    }

    fn order(&self, session_id: SessionId, order: Order) -> Result<(), Refusal> {
        let mut state = self.lock();
        let is_alive = state.is_alive(session_id);
        let record = state
            .sessions
            .get_mut(&session_id)
            .ok_or_else(unknown_session)?;
        match &mut record.process {
            Some(process) if is_alive => {
                process.stopping |= matches!(order, Order::Kill { .. });
                process.orders.send(order).map_err(|_| just_ended())
            }
            _ => Err(Refusal::new(
                Code::UnknownSession,
                "This session has no running process. Send a message to resume it.",
            )),
        }
    }

    /// Newest activity first.
    pub fn sessions(&self) -> Vec<SessionSummary> {
        let state = self.lock();
        let mut sessions: Vec<SessionSummary> = state
            .sessions
            .values()
            .map(|record| SessionSummary {
                session_id: record.session.session_id,
                project_id: record.session.project_id.clone(),
                title: record.session.title.clone(),
                created_at: record.session.created_at,
                updated_at: record.session.updated_at,
                process: state.process_info(record.session.session_id),
            })
            .collect();
        sessions.sort_by(|a, b| b.updated_at.0.total_cmp(&a.updated_at.0));
        sessions
    }

    /// The running ones.
    pub fn processes(&self) -> Vec<ProcessInfo> {
        let state = self.lock();
        state
            .sessions
            .keys()
            .filter_map(|id| state.process_info(*id))
            .filter(ProcessInfo::is_alive)
            .collect()
    }

    pub fn boot(&self) -> Boot {
        let sessions = self.sessions();
        let offered = self
            .0
            .setup
            .projects
            .iter()
            .map(|directory| project_of(directory));
        let mut seen = BTreeSet::new();
        let projects = offered
            .chain(sessions.iter().map(|session| session.project_id.clone()))
            .filter(|project| seen.insert(project.clone()))
            .map(|project_id| Project {
                name: project_id.name().to_owned(),
                project_id,
            })
            .collect();
        Boot {
            agent: self.agent().clone(),
            projects,
            sessions,
            now: self.0.clock.now(),
            attachments: self.0.setup.settings.attachment_limits(),
        }
    }

    pub(super) fn change_session(
        &self,
        state: &mut State,
        session_id: SessionId,
        change: impl FnOnce(&mut StoredSession),
    ) {
        if let Some(record) = state.sessions.get_mut(&session_id) {
            change(&mut record.session);
            self.0.store.note_session(record.session.clone());
        }
        self.publish(state, session_id);
    }

    /// Publishes when `change` says that something changed.
    pub(super) fn change_process(
        &self,
        state: &mut State,
        session_id: SessionId,
        change: impl FnOnce(&mut Process) -> bool,
    ) {
        let changed = state
            .sessions
            .get_mut(&session_id)
            .and_then(|record| record.process.as_mut())
            .is_some_and(change);
        if changed {
            self.publish(state, session_id);
        }
    }
}

fn just_ended() -> Refusal {
    Refusal::new(
        Code::AgentUnavailable,
        "The process is just ending. Try again in a moment: a message resumes the session.",
    )
}

fn directory_of(project: &ProjectId) -> Result<std::path::PathBuf, Refusal> {
    let path = Path::new(project.as_str());
    let refuse = |why: String| Err(Refusal::new(Code::InvalidRequest, why));
    if !path.is_absolute() {
        return refuse(format!(
            "\"{project}\" is not a whole path. Begin it with /."
        ));
    }
    match path.canonicalize() {
        Ok(directory) if directory.is_dir() => Ok(directory),
        Ok(_) => refuse(format!("\"{project}\" is not a directory.")),
        Err(error) => refuse(format!(
            "The directory \"{project}\" cannot be used: {error}."
        )),
    }
}

/// The first line of the first message, cut at a word.
fn title_from(prompt: &str) -> String {
    let line = prompt
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or("New session");
    if line.chars().count() <= TITLE_LENGTH {
        return line.to_owned();
    }
    let cut: String = line.chars().take(TITLE_LENGTH).collect();
    let end = cut
        .rfind(' ')
        .filter(|end| *end > TITLE_LENGTH / 2)
        .unwrap_or(cut.len());
    format!("{}…", &cut[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_the_first_line_cut_at_a_word() {
        assert_eq!(title_from("\n  Fix the test  \nplease"), "Fix the test");
        let long = title_from(&"word ".repeat(40));
        assert!(
            long.chars().count() <= TITLE_LENGTH + 1 && long.ends_with("word…"),
            "{long}"
        );
        assert_eq!(
            title_from(&"ü".repeat(100)).chars().count(),
            TITLE_LENGTH + 1
        );
    }

    #[test]
    fn a_project_must_be_a_directory() {
        for wrong in ["relative/path", "/does/not/exist", "/etc/passwd"] {
            assert_eq!(
                directory_of(&ProjectId::from(wrong)).expect_err(wrong).code,
                Code::InvalidRequest
            );
        }
    }
}
