//! The server inside the test, where its clock can be driven. Its agents are real children all the same.

use super::{Place, until};
use countersign::model::{
    Entry, Event, PendingRequest, ProcessInfo, ProcessState, ProjectId, SessionId,
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

    pub fn events(&self, session_id: SessionId) -> Vec<Event> {
        self.hub.newest_events(session_id)
    }

    /// Ends the agents.
    pub async fn close(self) {
        self.hub.shut_down().await;
    }
}
