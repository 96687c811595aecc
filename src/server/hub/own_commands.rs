//! Commands that a person runs themselves in the project of a session, without the agent, as `!` does in a terminal. Whoever
//! is logged in may do it, as they may allow the same to the agent. The agent reads what came of it with their next message.

use super::record::OwnCommand;
use super::sessions::directory_of;
use super::{Hub, unknown_session};
use crate::model::{Code, Entry, Refusal, SessionId};
use crate::server::agent::leftovers::Note;
use crate::server::agent::passed_on;
use crate::server::shell_command::{self, End, TIME_LIMIT, Written};
use crate::server::terminal;
use tokio::sync::oneshot;

impl Hub {
    /// Returns when it has ended; it runs on when whoever asked for it goes away.
    pub async fn run_command(&self, session_id: SessionId, command: String) -> Result<(), Refusal> {
        let command = command.trim().to_owned();
        self.check_command(&command)?;
        let project = self.project_of_session(session_id)?;
        let directory = directory_of(&project)?;
        let (stopped, written) = self.begin_command(session_id, &command)?;
        let hub = self.clone();
        let running = tokio::spawn(async move {
            let mut group = None;
            let stop = async {
                // forgotten is not stopped
                if stopped.await.is_err() {
                    std::future::pending::<()>().await;
                }
            };
            let started = |number: i32| {
                let notes = &hub.0.setup.data_directory;
                // should we be killed, the next server ends it
                group = Some((number, Note::leave(notes, number.cast_unsigned())));
            };
            let environment = passed_on().collect();
            let ran =
                shell_command::run(&command, &directory, environment, &written, started, stop)
                    .await;
            // nobody would know of what it left running
            if let Some((group, _note)) = group {
                shell_command::kill_group(group);
            }
            let output = terminal::as_seen(&ran.output());
            let (code, why) = match ran.end {
                End::Exited(code) => (code, None),
                End::Stopped => (None, Some("You stopped it.".to_owned())),
                End::TimedOut => {
                    let limit = TIME_LIMIT.as_secs();
                    (None, Some(format!("It was ended after {limit} seconds.")))
                }
                End::Failed(why) => (None, Some(why)),
            };
            let output = [output, why.unwrap_or_default()];
            let output: Vec<String> = output.into_iter().filter(|text| !text.is_empty()).collect();
            let entry = Entry::CommandRun {
                command,
                output: output.join("\n"),
                code,
            };
            let mut state = hub.lock();
            if let Some(record) = state.sessions.get_mut(&session_id) {
                record.own_command = None;
            }
            hub.note(&mut state, session_id, entry);
            hub.publish(&mut state, session_id);
        });
        running
            .await
            .map_err(|_| Refusal::new(Code::Internal, "The command could not be run."))
    }

    /// Takes the place of the one command that a session may run; gives what stops it, and where it writes.
    fn begin_command(
        &self,
        session_id: SessionId,
        command: &str,
    ) -> Result<(oneshot::Receiver<()>, Written), Refusal> {
        let mut state = self.lock();
        let is_ending = state.shutting_down;
        let record = state.sessions.get_mut(&session_id);
        let record = record.ok_or_else(unknown_session)?;
        if is_ending {
            return Err(Refusal::new(
                Code::AgentUnavailable,
                "Countersign is being stopped. Start it again and run the command then.",
            ));
        }
        if record.own_command.is_some() {
            return Err(Refusal::new(
                Code::InvalidRequest,
                "A command of yours still runs in this session. Wait for it, or stop it.",
            ));
        }
        let (stop, stopped) = oneshot::channel();
        let written = Written::default();
        record.own_command = Some(OwnCommand {
            command: command.to_owned(),
            stop: Some(stop),
            written: written.clone(),
        });
        self.take_out_of_archive(&mut state, session_id);
        self.publish(&mut state, session_id);
        Ok((stopped, written))
    }

    /// Ends the one that runs.
    pub fn stop_command(&self, session_id: SessionId) -> Result<(), Refusal> {
        let mut state = self.lock();
        let record = state.sessions.get_mut(&session_id);
        let record = record.ok_or_else(unknown_session)?;
        match record.own_command.as_mut().is_some_and(OwnCommand::stop) {
            true => Ok(()),
            false => Err(Refusal::new(
                Code::InvalidRequest,
                "No command of yours runs in this session.",
            )),
        }
    }

    fn check_command(&self, command: &str) -> Result<(), Refusal> {
        let limit = self.0.setup.settings.limits.message_bytes;
        match command.len() {
            0 => Err(Refusal::new(
                Code::InvalidRequest,
                "There is no command to run.",
            )),
            size if size > limit => Err(Refusal::new(
                Code::TooLarge,
                format!("The command has {size} bytes; at most {limit} are taken."),
            )),
            _ => Ok(()),
        }
    }
}
