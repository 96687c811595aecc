//! What must survive: sessions, their events, requests with their answers, logins. SQL lives here only.
//!
//! One thread owns the writing connection. What is only noted is queued and never waited for; an answer waits until
//! it is on disk. All that is queued at one time is one transaction, so a burst costs one flush, and only when an answer
//! is among it.

mod attachments;
mod capabilities;
mod cut_off;
mod forgetting;
mod history;
mod log;
mod open;
mod read;
mod write;

pub use open::OpenError;
pub use read::{StoredSession, Unsettled};

use crate::desk::Settlement;
use crate::model::{
    AttachmentId, Capabilities, Code, Event, PendingRequest, Refusal, RequestId, Response,
    SessionId, UnixTime,
};
use crate::server::attached::Attached;
use rusqlite::Connection;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use tokio::sync::oneshot;

/// Its name in the data directory.
pub const DATABASE: &str = "countersign.db";

#[derive(Clone)]
pub struct Store {
    writes: mpsc::Sender<Write>,
    /// Why the last write failed, if it did.
    trouble: Arc<Mutex<Option<String>>>,
    reading: Arc<Mutex<Connection>>,
    /// For what goes through much of the database, so that nothing short waits for it. Opened when it is first needed.
    searching: Arc<Mutex<Option<Connection>>>,
    file: Arc<Path>,
}

/// One thing to be written.
pub(crate) enum Write {
    Session(StoredSession),
    /// Told, where somebody waits for it; else noted.
    ForgetSession(SessionId, Option<oneshot::Sender<Result<(), String>>>),
    Event(SessionId, Event),
    /// From one session to a new one.
    CopyEvents(SessionId, SessionId),
    /// With its event, in one piece: a power cut leaves both or neither.
    Asked(SessionId, PendingRequest, Event),
    Answer {
        request_id: RequestId,
        response: Response,
        at: UnixTime,
        done: oneshot::Sender<Result<(), String>>,
    },
    /// The server stopped before it was answered.
    CutOff(RequestId),
    CutOffSeen(SessionId),
    /// With its event, unless its session is gone.
    Settled(Settlement, Option<Event>),
    Login {
        hash: [u8; 32],
        at: UnixTime,
        done: mpsc::Sender<Result<(), String>>,
    },
    Logout([u8; 32]),
    Attachments(
        SessionId,
        Vec<Attached>,
        Option<oneshot::Sender<Result<(), String>>>,
    ),
    ForgetAttachments(Vec<AttachmentId>),
    Capabilities(String, Arc<Capabilities>),
    /// Answered when everything before it was tried.
    Flush(mpsc::Sender<()>),
    /// The same, of one for whom it need not be on the disk itself.
    Written(oneshot::Sender<()>),
}

impl Write {
    /// For good, by a person.
    fn deletes(&self) -> bool {
        matches!(self, Write::ForgetSession(_, Some(_)))
    }

    /// Someone is told when it is on disk.
    fn is_awaited(&self) -> bool {
        matches!(
            self,
            Write::Answer { .. }
                | Write::Login { .. }
                | Write::Attachments(_, _, Some(_))
                | Write::Flush(_)
                | Write::ForgetSession(_, Some(_))
        )
    }
}

impl Store {
    pub fn open(directory: &Path) -> Result<Self, OpenError> {
        let file = directory.join(DATABASE);
        let writing = open::connection(&file)?;
        let reading = open::connection(&file)?;
        let log = log::Log::of(&writing, &file)?;
        let (writes, queue) = mpsc::channel();
        let trouble: Arc<Mutex<Option<String>>> = Arc::default();
        std::thread::Builder::new()
            .name("store".to_owned())
            .spawn({
                let trouble = trouble.clone();
                move || write::run(writing, &queue, &log, &trouble)
            })
            .map_err(|error| OpenError::Thread(error.to_string()))?;
        Ok(Self {
            writes,
            trouble,
            reading: Arc::new(Mutex::new(reading)),
            searching: Arc::default(),
            file: file.into(),
        })
    }

    pub fn note_session(&self, session: StoredSession) {
        self.queue(Write::Session(session));
    }

    pub fn forget_session(&self, session_id: SessionId) {
        self.queue(Write::ForgetSession(session_id, None));
    }

    /// Queued at once; ends when it is gone from the disk, or with why it is not.
    pub fn delete_session(
        &self,
        session_id: SessionId,
    ) -> impl Future<Output = Result<(), Refusal>> + use<> {
        let (done, stored) = oneshot::channel();
        self.queue(Write::ForgetSession(session_id, Some(done)));
        async move {
            let result = stored.await;
            let result = result.unwrap_or_else(|_| Err("the store has stopped".to_owned()));
            result.map_err(|error| {
                Refusal::new(
                    Code::StoreUnavailable,
                    format!("It is not deleted, for the database could not be written: {error}. Check the disk of the data directory and try again."),
                )
            })
        }
    }

    pub fn copy_events(&self, from: SessionId, to: SessionId) {
        self.queue(Write::CopyEvents(from, to));
    }

    pub fn note_event(&self, session_id: SessionId, event: Event) {
        self.queue(Write::Event(session_id, event));
    }

    pub fn note_asked(&self, session_id: SessionId, request: PendingRequest, event: Event) {
        self.queue(Write::Asked(session_id, request, event));
    }

    pub fn note_settled(&self, settlement: Settlement, event: Option<Event>) {
        self.queue(Write::Settled(settlement, event));
    }

    /// Returns when the answer is on disk.
    pub async fn record_answer(
        &self,
        request_id: RequestId,
        response: Response,
        at: UnixTime,
    ) -> Result<(), Refusal> {
        let (done, stored) = oneshot::channel();
        self.queue(Write::Answer {
            request_id,
            response,
            at,
            done,
        });
        match stored.await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(unavailable(&error)),
            Err(_) => Err(unavailable("the store has stopped")),
        }
    }

    pub fn save_login(&self, hash: [u8; 32], at: UnixTime) -> Result<(), Refusal> {
        let (done, stored) = mpsc::channel();
        self.queue(Write::Login { hash, at, done });
        match stored.recv() {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(unavailable(&error)),
            Err(_) => Err(unavailable("the store has stopped")),
        }
    }

    pub fn forget_login(&self, hash: [u8; 32]) {
        self.queue(Write::Logout(hash));
    }

    /// Whether what is noted now would be written: after a failure it is tried. Nobody is told that something was taken that
    /// would be lost with the process.
    pub async fn check(&self) -> Result<(), Refusal> {
        let trouble = || {
            self.trouble
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone()
        };
        if trouble().is_some() {
            let store = self.clone();
            let _ = tokio::task::spawn_blocking(move || store.flush()).await;
        }
        trouble().map_or(Ok(()), |error| Err(unavailable(&error)))
    }

    /// Waits until everything queued was written, or refused by the disk. Blocks.
    pub fn flush(&self) {
        let (done, flushed) = mpsc::channel();
        self.queue(Write::Flush(done));
        let _ = flushed.recv();
    }

    /// So that who has much to be noted does not run ahead of the disk: the queue has no limit of its own, for an answer
    /// must never find it full.
    pub fn tell_when_written(&self, written: oneshot::Sender<()>) {
        self.queue(Write::Written(written));
    }

    fn queue(&self, write: Write) {
        // the receiver lives as long as the program; if its thread died, answers report it
        let _ = self.writes.send(write);
    }
}

fn unavailable(error: &str) -> Refusal {
    Refusal::new(
        Code::StoreUnavailable,
        format!(
            "Nothing was sent, for it could not be stored: {error}. Check the disk of the data directory and try again."
        ),
    )
}
