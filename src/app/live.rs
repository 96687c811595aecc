//! What this tab knows of the server, as signals: one store for every page, made once at the root.
//! Frames change it in [`Live::take`] and nowhere else; components only read. It must never decide what is allowed.

mod answers;
mod archive;
mod backoff;
pub mod board;
mod capabilities;
mod conversation_view;
mod pulse;
pub mod socket;

pub use archive::PutAway;
pub use board::Waiting;
pub use conversation_view::{ConversationView, Line};

use crate::api;
use crate::model::{
    AgentDescription, AttachmentLimits, Boot, ClientId, ClientMessage, ProcessInfo, Project,
    Refusal, ServerMessage, SessionId, SessionSummary, UnixTime,
};
use answers::{LastNote, OnTheirWay};
use archive::Archive;
use board::Board;
use conversation_view::{Shelf, Taken};
use futures::channel::mpsc::UnboundedSender;
use leptos::prelude::*;
use std::collections::HashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    /// The first picture is shown, the socket is not open yet.
    Connecting,
    Live,
    Reconnecting,
    /// The server did not answer several times in a row.
    Offline,
}

#[derive(Clone, Copy)]
pub struct Live {
    agent: StoredValue<AgentDescription>,
    offered: StoredValue<Vec<Project>>,
    attachment_limits: AttachmentLimits,
    board: RwSignal<Board>,
    sessions: Memo<Vec<SessionSummary>>,
    waiting: Memo<Vec<Waiting>>,
    now: RwSignal<UnixTime>,
    connection: RwSignal<Connection>,
    shelf: StoredValue<Shelf>,
    /// Who this tab is to the server.
    client: ClientId,
    /// How many components look at a session.
    watched: StoredValue<HashMap<SessionId, usize>>,
    /// Where frames go; none while the socket is not open.
    outbox: StoredValue<Option<UnboundedSender<ClientMessage>>>,
    answers: StoredValue<OnTheirWay>,
    last_note: StoredValue<LastNote>,
    /// Said to the person wherever they are, because the place it is about is gone.
    notice: RwSignal<Option<String>>,
    capabilities: RwSignal<capabilities::Known>,
    given_back: RwSignal<Option<(SessionId, String)>>,
    pub archive: Archive,
}

pub fn use_live() -> Live {
    expect_context::<Live>()
}

impl Live {
    pub fn new(boot: Boot) -> Self {
        let board = RwSignal::new(Board::new(boot.sessions, boot.archived));
        Self {
            agent: StoredValue::new(boot.agent),
            offered: StoredValue::new(boot.projects),
            attachment_limits: boot.attachments,
            board,
            sessions: Memo::new(move |_| board.read().sessions()),
            waiting: Memo::new(move |_| board.read().waiting()),
            now: RwSignal::new(boot.now),
            connection: RwSignal::new(Connection::Connecting),
            shelf: StoredValue::new(Shelf::default()),
            client: ClientId::random(),
            watched: StoredValue::new(HashMap::new()),
            outbox: StoredValue::new(None),
            answers: StoredValue::new(OnTheirWay::new()),
            last_note: StoredValue::new(None),
            notice: RwSignal::new(None),
            capabilities: RwSignal::new(capabilities::Known::new()),
            given_back: RwSignal::new(None),
            archive: Archive::new(board),
        }
    }

    pub fn agent(self) -> AgentDescription {
        self.agent.get_value()
    }

    pub fn attachment_limits(self) -> AttachmentLimits {
        self.attachment_limits
    }

    /// The directories offered for a new session: those of the settings, then those that sessions were started in.
    pub fn projects(self) -> Vec<Project> {
        let mut projects = self.offered.get_value();
        for session in self.sessions.read().iter() {
            if projects
                .iter()
                .all(|project| project.project_id != session.project_id)
            {
                projects.push(Project {
                    name: session.project_id.name().to_owned(),
                    project_id: session.project_id.clone(),
                });
            }
        }
        projects
    }

    /// The server's time as this tab knows it: the time of the first picture, ticking only in the browser.
    pub fn now(self) -> Signal<UnixTime> {
        self.now.into()
    }

    pub fn connection(self) -> Signal<Connection> {
        self.connection.into()
    }

    pub fn notice(self) -> Signal<Option<String>> {
        self.notice.into()
    }

    pub fn tell(self, words: String) {
        let _ = self.notice.try_set(Some(words));
    }

    pub fn forget_notice(self) {
        let _ = self.notice.try_set(None);
    }

    /// Newest activity first.
    pub fn sessions(self) -> Memo<Vec<SessionSummary>> {
        self.sessions
    }

    pub fn session(self, id: SessionId) -> Memo<Option<SessionSummary>> {
        let board = self.board;
        Memo::new(move |_| board.read().session(id).cloned())
    }

    pub fn process(self, id: SessionId) -> Memo<Option<ProcessInfo>> {
        let board = self.board;
        Memo::new(move |_| board.read().session(id)?.process.clone())
    }

    /// One thing about a session. What is whole holds every request: a card of a session that asks fifty things must
    /// not hold all fifty.
    pub fn of_session<T: PartialEq + Send + Sync + 'static>(
        self,
        id: SessionId,
        look: impl Fn(&SessionSummary) -> T + Send + Sync + 'static,
    ) -> Memo<Option<T>> {
        let board = self.board;
        Memo::new(move |_| board.read().session(id).map(&look))
    }

    /// One thing about the process of a session.
    pub fn of_process<T: PartialEq + Send + Sync + 'static>(
        self,
        id: SessionId,
        look: impl Fn(&ProcessInfo) -> T + Send + Sync + 'static,
    ) -> Memo<Option<T>> {
        let board = self.board;
        Memo::new(move |_| board.read().session(id)?.process.as_ref().map(&look))
    }

    pub fn title(self, id: SessionId) -> Memo<Option<String>> {
        self.of_session(id, |session| session.title.clone())
    }

    /// Every pending request of every session, oldest first.
    pub fn waiting(self) -> Memo<Vec<Waiting>> {
        self.waiting
    }

    /// What was open when the server stopped, and nobody has looked at.
    pub fn cut_off(self) -> Memo<Vec<Waiting>> {
        let board = self.board;
        Memo::new(move |_| board.read().cut_off())
    }

    pub fn conversation(self, id: SessionId) -> ConversationView {
        ConversationView::new(self.shelf, id)
    }

    /// Subscribes to a session's conversation for as long as the calling component lives.
    pub fn watch(self, id: SessionId) {
        let first = self
            .watched
            .try_update_value(|watched| {
                let watchers = watched.entry(id).or_insert(0);
                *watchers += 1;
                *watchers == 1
            })
            .unwrap_or(false);
        if first {
            self.subscribe(id);
        }
        on_cleanup(move || self.unwatch(id));
    }

    /// The one place where a frame changes state.
    pub fn take(self, message: ServerMessage) {
        match &message {
            ServerMessage::SessionEvents {
                session_id,
                events,
                reset,
            } => {
                let taken = self.conversation(*session_id).take(events, *reset);
                // what lies between did not arrive: ask for it, and leave these out, for they will come again
                if taken == Taken::Gap {
                    self.subscribe(*session_id);
                }
            }
            ServerMessage::SessionDelta(delta) => self.conversation(delta.session_id).write(delta),
            ServerMessage::Error {
                code,
                message,
                request_id: Some(request_id),
            } => self.answer_was_refused(*request_id, Refusal::new(*code, message.clone())),
            ServerMessage::Error { code, message, .. } => {
                leptos::logging::warn!("{code:?}: {message}");
            }
            ServerMessage::Pong => {}
            _ => {
                if let ServerMessage::RequestResolved {
                    request_id,
                    answer_id,
                    ..
                } = &message
                {
                    self.answer_was_taken(*request_id, *answer_id);
                }
                self.board
                    .try_maybe_update(|board| (board.apply(&message), ()));
                // the whole state may follow a time in which news were missed
                if let ServerMessage::Archive { .. } | ServerMessage::ActiveProcesses { .. } =
                    &message
                {
                    self.archive.has_news();
                }
                // how an answer went may be among what was missed: it is asked for
                if let ServerMessage::ActiveProcesses { .. } = &message {
                    self.forget_answers();
                }
            }
        }
    }

    /// The sessions whose processes run, as far as is known here.
    fn running(self) -> Vec<SessionId> {
        let sessions = self.sessions.try_get_untracked().unwrap_or_default();
        sessions
            .iter()
            .filter_map(|session| session.process.as_ref())
            .filter(|process| process.is_alive())
            .map(|process| process.session_id)
            .collect()
    }

    /// A session that was just started may be answered to sooner than its first frame comes.
    pub async fn make_sure_of(self, id: SessionId) {
        let is_known = self
            .board
            .try_with_untracked(|board| board.session(id).is_some());
        if is_known == Some(false) {
            self.learn_titles().await;
        }
    }

    /// Of a session without a process no frame tells a new title.
    pub async fn learn_titles(self) {
        if let Ok(sessions) = api::list_sessions().await {
            self.learn(sessions);
        }
    }

    /// The list of sessions, asked for after a reconnect: those that began and ended meanwhile are in no frame.
    fn learn_all(self, sessions: Vec<SessionSummary>) {
        self.board
            .try_maybe_update(|board| (board.learn_all(sessions), ()));
    }

    fn learn(self, sessions: Vec<SessionSummary>) {
        self.board
            .try_maybe_update(|board| (board.learn(sessions), ()));
    }

    /// Whether the socket took it. When it did not, the next one subscribes again.
    fn send(self, message: ClientMessage) -> bool {
        let sent = self.outbox.try_with_value(|outbox| {
            outbox
                .as_ref()
                .is_some_and(|outbox| outbox.unbounded_send(message).is_ok())
        });
        sent == Some(true)
    }

    fn subscribe(self, id: SessionId) {
        self.send(ClientMessage::Subscribe {
            session_id: id,
            after: self.conversation(id).last_seq(),
        });
    }

    fn unwatch(self, id: SessionId) {
        let last = self.watched.try_update_value(|watched| {
            let left = watched.get(&id).copied().unwrap_or(0).saturating_sub(1);
            if left == 0 {
                watched.remove(&id);
            } else {
                watched.insert(id, left);
            }
            left == 0
        });
        if last == Some(true) {
            self.send(ClientMessage::Unsubscribe { session_id: id });
            self.conversation(id).forget_partial();
        }
    }

    /// The socket is open and its first frame has come.
    fn connected(self, outbox: UnboundedSender<ClientMessage>) {
        let _ = self.outbox.try_set_value(Some(outbox));
        self.send(ClientMessage::Hello {
            client: self.client,
        });
        let watched = self
            .watched
            .try_with_value(|watched| watched.keys().copied().collect::<Vec<_>>())
            .unwrap_or_default();
        for id in watched {
            self.subscribe(id);
        }
        self.set_connection(Connection::Live);
    }

    fn disconnected(self, connection: Connection) {
        let _ = self.outbox.try_set_value(None);
        self.forget_answers();
        let watched = self
            .watched
            .try_with_value(|watched| watched.keys().copied().collect::<Vec<_>>())
            .unwrap_or_default();
        for id in watched {
            self.conversation(id).forget_partial();
        }
        self.set_connection(connection);
    }

    fn set_connection(self, connection: Connection) {
        if self.connection.try_get_untracked() != Some(connection) {
            let _ = self.connection.try_set(connection);
        }
    }
}
