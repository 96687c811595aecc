//! Conversations that were held elsewhere, perhaps in a terminal: which there are, taking one up as a session, and what was
//! said in one of ours since.

use super::ordering::known_mode;
use super::record::Record;
use super::sessions::{Chosen, directory_of, title_from};
use super::{Hub, State, project_of};
use crate::model::policy::OwnPolicies;
use crate::model::transcript::Level;
use crate::model::{
    Code, Entry, Event, KeptConversation, MessageId, PermissionMode, ProjectId, Refusal, SessionId,
};
use crate::server::agent::{Heard, Order, Written, elsewhere};
use crate::server::store::StoredSession;
use std::collections::{HashSet, VecDeque};
use std::path::PathBuf;
use std::time::Duration;
use uuid::Uuid;

/// A process that was told to stop ends within seconds.
pub(super) const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

impl Hub {
    /// Those of a project that are no session here.
    pub async fn conversations(
        &self,
        project: ProjectId,
    ) -> Result<Vec<KeptConversation>, Refusal> {
        let folder = directory_of(&project)?;
        let directory = self.agents_directory();
        let mut found = looking(move || elsewhere::conversations(&directory, &folder)).await?;
        let state = self.lock();
        let ours: HashSet<Uuid> = state
            .sessions
            .values()
            .map(|record| record.session.kept_as())
            .collect();
        found.retain(|one| !ours.contains(&one.conversation_id));
        Ok(found)
    }

    /// Makes it a session, with all that was said. Its process starts with the next message.
    pub async fn take_up(
        &self,
        project: ProjectId,
        conversation_id: Uuid,
        chosen: Chosen,
    ) -> Result<SessionId, Refusal> {
        let (model, effort) = (chosen.model(), chosen.effort());
        let permission_mode = chosen
            .permission_mode
            .unwrap_or_else(|| self.0.setup.settings.process.permission_mode.clone());
        known_mode(&permission_mode)?;
        let kept = self.conversations(project.clone()).await?;
        let kept = kept
            .into_iter()
            .find(|one| one.conversation_id == conversation_id)
            .ok_or_else(|| {
                Refusal::new(
                    Code::InvalidRequest,
                    "There is no such conversation in this project, or it is a session already.",
                )
            })?;
        let directory = self.agents_directory();
        let lines = looking(move || elsewhere::conversation(&directory, conversation_id)).await?;
        let now = self.0.clock.now();
        let session_id = SessionId::random();
        let session = StoredSession {
            session_id,
            project_id: project_of(&directory_of(&project)?),
            title: title_from(&kept.title),
            created_at: lines.first().map_or(now, |line| line.at),
            updated_at: kept.updated_at,
            may_bypass: permission_mode == PermissionMode::BypassPermissions,
            permission_mode,
            model,
            effort,
            conversation_id: Some(conversation_id),
            fork_of: None,
            policies: OwnPolicies::default(),
            archived_at: None,
        };
        self.0.store.note_session(session.clone());
        let mut state = self.lock();
        let record = Record {
            begun: true,
            ..Record::new(session)
        };
        state.sessions.insert(session_id, record);
        self.show(&mut state, session_id, lines);
        let entry = Entry::ProcessEnded {
            reason: "Up to here it was held elsewhere. Send a message to go on.".to_owned(),
            error: None,
        };
        self.note_at(&mut state, session_id, kept.updated_at, entry);
        Ok(session_id)
    }

    /// A process of ours that rests does not know what was said elsewhere since: it is stopped, and the conversation taken
    /// up anew. Else both would go on from the same place, and one of the two ways would be lost.
    pub(super) async fn let_go_of_what_went_on_elsewhere(&self, session_id: SessionId) {
        let Some(kept_as) = self.lock().resting(session_id) else {
            return;
        };
        let directory = self.agents_directory();
        let Ok(lines) = looking(move || elsewhere::since_ours(&directory, kept_as)).await else {
            return;
        };
        {
            let mut state = self.lock();
            if state.resting(session_id).is_none() {
                return;
            }
            let Some(record) = state.sessions.get_mut(&session_id) else {
                return;
            };
            let news = news(lines, &known_messages(record.events(&self.0.store)));
            let Some(process) = record.process.as_mut().filter(|_| !news.is_empty()) else {
                return;
            };
            process.stopping = true;
            let reason = "The conversation went on elsewhere, so it is taken up anew.".to_owned();
            let _ = process.orders.send(Order::Stop { reason });
        }
        let mut often = tokio::time::interval(BETWEEN_LOOKS);
        while self.lock().is_alive(session_id) {
            often.tick().await;
        }
    }

    /// A conversation that is taken up again may have gone on without us.
    pub(super) async fn tell_what_was_said_elsewhere(&self, session_id: SessionId) {
        let kept_as = {
            let state = self.lock();
            let is_resting = !state.is_alive(session_id);
            match state.sessions.get(&session_id) {
                Some(record) if is_resting && record.begun && record.session.fork_of.is_none() => {
                    record.session.kept_as()
                }
                _ => return,
            }
        };
        let directory = self.agents_directory();
        let Ok(lines) = looking(move || elsewhere::since_ours(&directory, kept_as)).await else {
            return;
        };
        let mut state = self.lock();
        let Some(record) = state.sessions.get_mut(&session_id) else {
            return;
        };
        let lines = news(lines, &known_messages(record.events(&self.0.store)));
        let messages = match lines.iter().filter(|line| line.said().is_some()).count() {
            0 => return,
            1 => "a message was".to_owned(),
            count => format!("{count} messages were"),
        };
        if state.is_alive(session_id) {
            return;
        }
        let text = format!(
            "Meanwhile {messages} written in this conversation elsewhere, perhaps in a terminal:"
        );
        let level = Level::Warning;
        self.note(&mut state, session_id, Entry::Noticed { level, text });
        self.show(&mut state, session_id, lines);
        let text = "Up to here it was held elsewhere.".to_owned();
        let level = Level::Info;
        self.note(&mut state, session_id, Entry::Noticed { level, text });
    }

    pub(super) fn show(&self, state: &mut State, session_id: SessionId, lines: Vec<Written>) {
        for line in lines {
            for heard in line.heard {
                match heard {
                    Heard::Brought(pictures) => self.0.store.note_attachments(session_id, pictures),
                    Heard::Happened(entry) => self.note_at(state, session_id, line.at, entry),
                    _ => {}
                }
            }
        }
    }

    pub(super) fn agents_directory(&self) -> PathBuf {
        let program = &self.0.setup.agent;
        program.own_directory(&self.0.setup.data_directory)
    }
}

impl State {
    /// The conversation of a process that has nothing to do and asks nothing.
    fn resting(&self, session_id: SessionId) -> Option<Uuid> {
        let record = self.sessions.get(&session_id)?;
        let is_its_own = record.begun && record.session.fork_of.is_none();
        (self.is_at_rest(session_id) && is_its_own).then(|| record.session.kept_as())
    }
}

fn known_messages(events: &VecDeque<Event>) -> HashSet<MessageId> {
    let known = events.iter().filter_map(|event| match event.entry {
        Entry::MessageSent { message_id, .. } => Some(message_id),
        _ => None,
    });
    known.collect()
}

/// What comes after the last message that is known, from the next message on.
fn news(lines: Vec<Written>, known: &HashSet<MessageId>) -> Vec<Written> {
    let is_known = |line: &Written| line.said().is_some_and(|id| known.contains(&id));
    let begin = lines.iter().rposition(is_known).map_or(0, |last| last + 1);
    let rest = lines.into_iter().skip(begin);
    rest.skip_while(|line| line.said().is_none()).collect()
}

async fn looking<T: Send + 'static>(
    look: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(look).await.map_err(|_| {
        Refusal::new(
            Code::Internal,
            "The agent's conversations could not be read. Try again.",
        )
    })
}
