//! What an agent tells of itself. Its parts are asked for at the same time, and one that it cannot tell hides no other.

use super::{Hub, unknown_session};
use crate::model::process::size_words;
use crate::model::{
    AboutPart, AboutRow, Code, Refusal, ServerAction, SessionId, SlashCommand, Suggestion, slash,
};
use crate::server::agent::{Question, about};
use serde_json::Value;
use std::path::PathBuf;
use std::time::Duration;

/// An agent that hangs must not keep a page waiting for ever.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);
/// A server that is reached over a network takes its time.
const SERVER_PATIENCE: Duration = Duration::from_secs(45);

impl Hub {
    pub async fn about(&self, session_id: SessionId) -> Result<Vec<AboutPart>, Refusal> {
        let (project, granted, memory_taken, is_alive) = {
            let state = self.lock();
            let record = state.sessions.get(&session_id);
            let record = record.ok_or_else(unknown_session)?;
            let project = PathBuf::from(record.session.project_id.as_str());
            let granted: Vec<String> = record.granted.iter().flat_map(Suggestion::grants).collect();
            let memory = record.process.as_ref().and_then(|process| process.memory);
            (project, granted, memory, state.is_alive(session_id))
        };
        let setup = &self.0.setup;
        let own = setup.agent.own_directory(&setup.data_directory);
        let ask = async |question| match is_alive {
            true => self.told(session_id, question, PATIENCE).await,
            false => Err(NOT_RUNNING.to_owned()),
        };
        let (status, context, rules, servers, hooks, memory) = tokio::join!(
            ask(Question::Status),
            ask(Question::Context),
            ask(Question::PermissionRules),
            ask(Question::Servers),
            ask(Question::Hooks),
            ask(Question::Memory),
        );
        // an older agent names its files only with what fills its window
        let listed = memory.unwrap_or_default();
        let memory = part("memory", "Memory", NO_MEMORY, &context, |context| {
            about::memory(&listed, context)
        });
        let mut window = part("context", "Context", NOTHING_TOLD, &context, about::context);
        if let Some(full) = context.as_ref().ok().and_then(about::fullness) {
            window.note = full;
        }
        let mut agent = part("status", "Agent", NOTHING_TOLD, &status, about::status);
        agent.rows.extend(memory_taken.map(|bytes| AboutRow {
            group: "Process".to_owned(),
            label: "Memory".to_owned(),
            value: size_words(bytes),
            ..AboutRow::default()
        }));
        Ok(vec![
            agent,
            window,
            part("permissions", "Permissions", NO_RULES, &rules, |answer| {
                about::rules(answer, &own, &project, &granted)
            }),
            part("mcp", "MCP servers", NO_SERVERS, &servers, about::servers),
            part("hooks", "Hooks", NO_HOOKS, &hooks, about::hooks),
            memory,
            self.commands(session_id),
        ])
    }

    pub async fn act_on_server(
        &self,
        session_id: SessionId,
        server: String,
        action: ServerAction,
    ) -> Result<(), Refusal> {
        let question = match action {
            ServerAction::Reconnect => Question::Reconnect(server),
            ServerAction::SwitchOn | ServerAction::SwitchOff => Question::Switch {
                server,
                on: action == ServerAction::SwitchOn,
            },
        };
        let done = self.told(session_id, question, SERVER_PATIENCE).await;
        done.map(drop)
            .map_err(|why_not| Refusal::new(Code::InvalidRequest, why_not))
    }

    /// What can be typed, by who answers it.
    fn commands(&self, session_id: SessionId) -> AboutPart {
        let known = self.capabilities(Some(session_id));
        let own: Vec<SlashCommand> = slash::own_commands(&known).collect();
        let mut agents = known.commands_for("/");
        agents.retain(|command| own.iter().all(|own| own.name != command.name));
        let own = own.into_iter().map(|command| ("Countersign", command));
        let agents = agents.into_iter().map(|command| ("The agent", command));
        let row = |(who, command): (&str, SlashCommand)| AboutRow {
            group: who.to_owned(),
            label: format!("/{}", command.name),
            value: command.description,
            detail: command.argument_hint,
            ..AboutRow::default()
        };
        AboutPart {
            name: "help".to_owned(),
            title: "Commands".to_owned(),
            note: "In the message input / offers commands, @ files of the project, ↑ what you said before; ! runs a command by yourself.".to_owned(),
            rows: own.chain(agents).map(row).collect(),
        }
    }

    pub(super) async fn told(
        &self,
        session_id: SessionId,
        question: Question,
        patience: Duration,
    ) -> Result<Value, String> {
        let asked = self.question(session_id, question, "The agent says");
        match tokio::time::timeout(patience, asked).await {
            Ok(answer) => answer.map_err(|refusal| refusal.message),
            Err(_) => Err("The agent did not answer in time.".to_owned()),
        }
    }
}

const NOT_RUNNING: &str =
    "No process runs in this session, so nobody can tell. A message starts it.";
const NOTHING_TOLD: &str = "The agent tells nothing of this.";
const NO_RULES: &str = "There are no rules.";
const NO_SERVERS: &str = "No MCP servers are set up.";
const NO_HOOKS: &str = "No hooks are set up.";
const NO_MEMORY: &str =
    "No memory files are loaded. A CLAUDE.md in the project would be read at the start.";

fn part(
    name: &str,
    title: &str,
    nothing: &str,
    answer: &Result<Value, String>,
    rows: impl FnOnce(&Value) -> Vec<AboutRow>,
) -> AboutPart {
    let rows = answer.as_ref().map(rows);
    let note = match &rows {
        Ok(rows) if rows.is_empty() => nothing.to_owned(),
        Ok(_) => String::new(),
        Err(why_not) => why_not.to_string(),
    };
    AboutPart {
        name: name.to_owned(),
        title: title.to_owned(),
        note,
        rows: rows.unwrap_or_default(),
    }
}
