//! The server inside the test, where its clock can be driven. Its agents are real children all the same.

use super::{Place, until};
use countersign::model::{
    Answer, Entry, Event, PendingRequest, ProcessInfo, ProcessState, ProjectId, Refusal, Response,
    SessionId,
};
use countersign::server::agent::AgentChoice;
use countersign::server::clock::Clock;
use countersign::server::command_line::Config;
use countersign::server::hub::{Chosen, Hub};
use countersign::server::run::Server;
use countersign::server::settings::Settings;
use std::path::PathBuf;
use std::time::Duration;

pub fn settings() -> Settings {
    Settings::load(None).expect("the embedded settings")
}

pub struct Indoors {
    pub hub: Hub,
    pub place: Place,
    clock: Clock,
    // it holds the lock of the data directory
    _server: Server,
}

impl Indoors {
    pub async fn start(place: Place, agent: PathBuf, settings: Settings) -> Self {
        let clock = Clock::driven();
        let config = Config {
            address: "127.0.0.1:0".parse().expect("an address"),
            data_directory: place.data(),
            agent: AgentChoice::Program(agent),
            projects: vec![place.project()],
            settings,
            token: None,
            log: "info".to_owned(),
        };
        let server = Server::start(config, clock.clone())
            .await
            .expect("a server");
        Self {
            hub: server.hub.clone(),
            place,
            clock,
            _server: server,
        }
    }

    /// Time passes, and the limits are looked at.
    pub fn pass(&self, time: Duration) {
        self.clock.advance(time);
        self.hub.tick();
    }

    pub async fn start_session(&self, prompt: &str) -> SessionId {
        let project = ProjectId(self.place.project().display().to_string());
        self.hub
            .start_session(project, prompt.to_owned(), Chosen::default())
            .await
            .expect("a session")
    }

    pub async fn send(&self, session_id: SessionId, message: &str) {
        let message = message.to_owned();
        let sent = self.hub.send_message(session_id, message, None, false);
        sent.await.expect("it takes a message");
    }

    /// As one who has read this request.
    pub async fn answer(
        &self,
        session_id: SessionId,
        request: PendingRequest,
        response: Response,
    ) -> Result<(), Refusal> {
        let answer = Answer::to(session_id, &request, response);
        self.hub.answer(answer).await
    }

    pub fn process(&self, session_id: SessionId) -> Option<ProcessInfo> {
        let sessions = self.hub.sessions();
        let found = sessions
            .into_iter()
            .find(|session| session.session_id == session_id);
        found.and_then(|session| session.process)
    }

    pub async fn until(
        &self,
        session_id: SessionId,
        what: &str,
        fits: impl Fn(&ProcessInfo) -> bool,
    ) -> ProcessInfo {
        until(what, async || {
            self.process(session_id).filter(|process| fits(process))
        })
        .await
    }

    /// So many turns have ended, and no other has begun.
    pub async fn turns(&self, session_id: SessionId, count: usize) -> ProcessInfo {
        let is_end = |event: &Event| matches!(event.entry, Entry::TurnFinished { .. });
        self.until(session_id, "the end of a turn", |process| {
            process.state == ProcessState::UserTurn
                && self
                    .events(session_id)
                    .iter()
                    .filter(|event| is_end(event))
                    .count()
                    == count
        })
        .await
    }

    pub async fn pending(&self, session_id: SessionId) -> PendingRequest {
        let process = self
            .until(session_id, "a pending request", |process| {
                process.pending_request().is_some()
            })
            .await;
        process.pending_request().expect("just seen").clone()
    }

    /// Something waits for an answer just now.
    pub fn still_waits(&self, session_id: SessionId) -> bool {
        let process = self.process(session_id);
        process.is_some_and(|process| process.pending_request().is_some())
    }

    pub fn events(&self, session_id: SessionId) -> Vec<Event> {
        self.hub.newest_events(session_id)
    }

    /// Ends the agents.
    pub async fn close(self) {
        self.hub.shut_down().await;
    }
}
