//! What a person does with sessions: begin one, write to it, copy it.

use super::launching::Ready;
use super::ordering::known_mode;
use super::record::{Process, Record};
use super::{Hub, State, just_ended, project_of, unknown_session, unsaid};
use crate::model::capabilities::is_own_effort;
use crate::model::policy::OwnPolicies;
use crate::model::{
    Code, Entry, MessageId, PermissionMode, ProcessState, ProjectId, Refusal, SessionId,
};
use crate::server::agent::{Launch, Order};
use crate::server::attached::Attached;
use crate::server::store::StoredSession;
use crate::server::system_words::plainly;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use tokio::sync::mpsc;

/// A title is one line of about this many characters.
const TITLE_LENGTH: usize = 60;
/// Before the name of what it is a copy of: the end of a long one is not seen.
pub(super) const COPY: &str = "Fork: ";

/// What is chosen when a session begins; what is not is the agent's own choice, or that of the settings.
#[derive(Clone, Debug, Default)]
pub struct Chosen {
    pub permission_mode: Option<PermissionMode>,
    pub model: Option<String>,
    pub effort: Option<String>,
}

impl Chosen {
    pub fn model(&self) -> Option<String> {
        let model = self.model.clone();
        model.filter(|model| !model.trim().is_empty())
    }

    /// The agent lists those it knows, and says of another one that it is left out.
    pub fn effort(&self) -> Option<String> {
        let effort = self.effort.as_deref().map(str::trim);
        let effort = effort.filter(|effort| !is_own_effort(effort));
        effort.map(str::to_owned)
    }
}

/// A process that has its seat and is not running yet.
pub(super) type ToLaunch = (Launch, mpsc::UnboundedReceiver<Order>);

/// A message on its way to the agent.
#[derive(Clone)]
pub(super) struct Letter {
    pub session_id: SessionId,
    pub message_id: MessageId,
    pub text: String,
    pub files: Vec<Attached>,
}

impl Hub {
    pub async fn start_session(
        &self,
        project: ProjectId,
        prompt: String,
        chosen: Chosen,
    ) -> Result<SessionId, Refusal> {
        self.start_with(project, prompt, chosen, Vec::new()).await
    }

    pub(super) fn project_of_session(&self, session_id: SessionId) -> Result<ProjectId, Refusal> {
        let state = self.lock();
        let record = state.sessions.get(&session_id);
        Ok(record
            .ok_or_else(unknown_session)?
            .session
            .project_id
            .clone())
    }

    pub(super) fn begin_session(
        &self,
        session_id: SessionId,
        project: ProjectId,
        prompt: String,
        chosen: Chosen,
        files: Vec<Attached>,
    ) -> Result<SessionId, Refusal> {
        let directory = directory_of(&project)?;
        let now = self.0.clock.now();
        let (model, effort) = (chosen.model(), chosen.effort());
        let permission_mode = chosen
            .permission_mode
            .unwrap_or_else(|| self.0.setup.settings.process.permission_mode.clone());
        known_mode(&permission_mode)?;
        let session = StoredSession {
            session_id,
            project_id: project_of(&directory),
            title: match files.first() {
                Some(file) if prompt.trim().is_empty() => title_from(&file.about.name),
                _ => title_from(&prompt),
            },
            created_at: now,
            updated_at: now,
            may_bypass: permission_mode == PermissionMode::BypassPermissions,
            permission_mode,
            model,
            effort,
            conversation_id: None,
            fork_of: None,
            policies: OwnPolicies::default(),
            archived_at: None,
        };
        // started before anyone hears of the session: one that cannot start leaves nothing behind
        let ready = self.ready(&session)?;
        self.lock()
            .sessions
            .insert(session_id, Record::new(session.clone()));
        let letter = Letter {
            session_id,
            message_id: MessageId::random(),
            text: prompt,
            files,
        };
        match self.say(letter, Some(ready)) {
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

    /// `anyway`: also when another process has the conversation open.
    pub async fn send_message(
        &self,
        session_id: SessionId,
        text: String,
        message_id: Option<MessageId>,
        anyway: bool,
    ) -> Result<(), Refusal> {
        self.send_with(session_id, text, message_id, Vec::new(), anyway)
            .await
    }

    /// A copy of a conversation, to go on differently. Its process is started at once: so the copy is made of what is
    /// there now.
    pub async fn fork_session(&self, session_id: SessionId) -> Result<SessionId, Refusal> {
        // the copy has it, too, and must show it
        self.let_go_of_what_went_on_elsewhere(session_id).await;
        self.tell_what_was_said_elsewhere(session_id).await;
        let now = self.0.clock.now();
        let new_id = SessionId::random();
        let (session, title) = {
            let state = self.lock();
            let record = state
                .sessions
                .get(&session_id)
                .ok_or_else(unknown_session)?;
            if state.desk.state(session_id) == Some(ProcessState::AssistantTurn) {
                return Err(Refusal::new(
                    Code::InvalidRequest,
                    "The agent is at work in this session. Wait until its turn is over, or stop it, and fork then.",
                ));
            }
            if !record.begun {
                return Err(Refusal::new(
                    Code::InvalidRequest,
                    "There is nothing to fork yet: the agent has said nothing in this session.",
                ));
            }
            let title = record.session.title.clone();
            let session = StoredSession {
                session_id: new_id,
                title: format!("{COPY}{title}"),
                created_at: now,
                updated_at: now,
                conversation_id: None,
                fork_of: Some(record.session.kept_as()),
                archived_at: None,
                ..record.session.clone()
            };
            (session, title)
        };
        let ready = self.ready(&session)?;
        self.fetch(session_id);
        let mut state = self.lock();
        let original = state
            .sessions
            .get_mut(&session_id)
            .ok_or_else(unknown_session)?;
        let record = Record {
            events: Some(original.events(&self.0.store).clone()),
            last_seq: original.last_seq,
            ..Record::new(session.clone())
        };
        self.0.store.note_session(session);
        self.0.store.copy_events(session_id, new_id);
        state.sessions.insert(new_id, record);
        let entry = Entry::ProcessEnded {
            reason: format!(
                "Up to here this is a copy of \u{201c}{title}\u{201d}. The two go on separately."
            ),
            error: None,
        };
        self.note(&mut state, new_id, entry);
        let (launch, orders) = self.reserve(&mut state, new_id)?;
        drop(state);
        self.run(launch, ready, orders);
        Ok(new_id)
    }

    /// Gives a message to the agent; starts or resumes one when none runs. A resend is not taken twice.
    pub(super) fn say(&self, letter: Letter, ready: Option<Ready>) -> Result<(), Refusal> {
        let Letter {
            session_id,
            message_id,
            ..
        } = letter;
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
        self.say_once(letter, ready).inspect_err(|_| {
            // it was not taken: the same message may be sent again
            if let Some(record) = self.lock().sessions.get_mut(&session_id) {
                record.seen_messages.remove(&message_id);
            }
        })
    }

    fn say_once(&self, letter: Letter, ready: Option<Ready>) -> Result<(), Refusal> {
        self.fetch(letter.session_id);
        let launch = self.hand_over(&mut self.lock(), letter)?;
        match (launch, ready) {
            (None, _) => Ok(()),
            (Some((launch, orders)), Some(ready)) => {
                self.run(launch, ready, orders);
                Ok(())
            }
            (Some((launch, orders)), None) => self.launch(launch, orders),
        }
    }

    /// The process to be launched, when none runs.
    pub(super) fn hand_over(
        &self,
        state: &mut State,
        letter: Letter,
    ) -> Result<Option<ToLaunch>, Refusal> {
        let Letter {
            session_id,
            message_id,
            text,
            files,
        } = letter;
        let launch = match state.is_alive(session_id) {
            true => None,
            false => Some(self.reserve(state, session_id)?),
        };
        let is_at_work = state.desk.state(session_id) == Some(ProcessState::AssistantTurn);
        let record = state
            .sessions
            .get_mut(&session_id)
            .ok_or_else(unknown_session)?;
        let words = unsaid::before(&text, record.events(&self.0.store));
        let process = record.process.as_mut().ok_or_else(unknown_session)?;
        let attachments = files.iter().map(|file| file.about.clone()).collect();
        let order = Order::Say {
            message_id,
            text: words,
            files,
        };
        // one that was told to stop no longer listens
        if process.stopping || process.orders.send(order).is_err() {
            return Err(just_ended());
        }
        // also behind one that has only just been sent: the agent may still be starting
        let queued = is_at_work || !process.untaken.is_empty();
        process.untaken.insert(message_id);
        if queued {
            process.queued.insert(message_id);
        }
        self.note(
            state,
            session_id,
            Entry::MessageSent {
                message_id,
                text,
                queued,
                attachments,
            },
        );
        if queued {
            self.publish(state, session_id);
        }
        Ok(launch)
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

pub(super) fn directory_of(project: &ProjectId) -> Result<PathBuf, Refusal> {
    let path = from_home(project.as_str());
    let refuse = |why: String| Err(Refusal::new(Code::InvalidRequest, why));
    if !path.is_absolute() {
        return refuse(format!(
            "\"{project}\" is not a whole path. Begin it with / or ~/."
        ));
    }
    match path.canonicalize() {
        Ok(directory) if directory.is_dir() => Ok(directory),
        Ok(_) => refuse(format!("\"{project}\" is not a directory.")),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            refuse(format!("There is no directory \"{project}\"."))
        }
        Err(error) => refuse(format!(
            "The directory \"{project}\" cannot be used: {}.",
            plainly(&error)
        )),
    }
}

/// `~` as a shell has it.
fn from_home(path: &str) -> PathBuf {
    let below = path
        .strip_prefix('~')
        .map(|rest| rest.trim_start_matches('/'));
    let is_own = path == "~" || path.starts_with("~/");
    match (std::env::var_os("HOME"), below) {
        (Some(home), Some(below)) if is_own => Path::new(&home).join(below),
        _ => PathBuf::from(path),
    }
}

/// The first line of the first message, cut at a word.
pub(super) fn title_from(prompt: &str) -> String {
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
