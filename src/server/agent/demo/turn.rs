//! Owns one turn: what was asked for, the rounds of words and tools, and messages that arrive meanwhile.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::actor::{AbortReason, Actor};
use super::agent::{Agent, Work};
use super::input::UserMessage;
use super::intent::{self, Step};
use super::outcomes::{Fate, Outcome};
use super::result::ApiFailure;
use super::rewind::Said;
use super::stream::{self, Block, Message};
use super::tools::{self, Call};

pub struct Turn {
    pub agent: Arc<Agent>,
    pub actor: Actor,
    pub steps: VecDeque<Step>,
    /// Every message this turn answers; those that joined late stand at the end.
    pub uuids: Vec<String>,
    pub joined: Vec<String>,
    pub last_text: String,
    pub last_prompt: String,
    pub started: Instant,
    pub rounds: u32,
    notes: Vec<String>,
    first_line_told: bool,
}

/// Why a turn ends before its script does.
pub enum Stop {
    /// Interrupted while words were being written.
    WhileWriting,
    /// Interrupted while tools ran or waited.
    WhileTools,
    TooManyRounds(u32),
    ApiFailed(ApiFailure),
}

impl Turn {
    pub fn new(agent: Arc<Agent>, actor: Actor, uuids: Vec<String>) -> Self {
        Self {
            agent,
            actor,
            steps: VecDeque::new(),
            uuids,
            joined: Vec::new(),
            last_text: String::new(),
            last_prompt: String::new(),
            started: Instant::now(),
            rounds: 0,
            notes: Vec::new(),
            first_line_told: false,
        }
    }

    pub async fn pause(&self, milliseconds: u64) -> Result<(), Stop> {
        self.agent
            .pause(&self.actor, milliseconds)
            .await
            .map_err(|_| {
                stream::say_as_user(&self.agent, &self.actor, "[Request interrupted by user]");
                Stop::WhileWriting
            })
    }

    /// Words only. What a person wrote meanwhile is acknowledged with them.
    pub async fn say(&mut self, text: impl Into<String>) -> Result<(), Stop> {
        let mut text = text.into();
        for note in self.notes.drain(..) {
            let quoted = note.trim().replace('\n', "\n> ");
            text.push_str(&format!(
                "\n\nAnd I read what you wrote while I was at it:\n\n> {quoted}"
            ));
        }
        self.respond(vec![Block::Text(text)]).await.map(|_| ())
    }

    /// Words, then one tool.
    pub async fn call(&mut self, words: &str, call: Call) -> Result<Outcome, Stop> {
        let mut outcomes = self
            .respond(vec![Block::text(words), Block::Tool(call)])
            .await?;
        outcomes.pop().ok_or(Stop::WhileTools)
    }

    /// One message of the assistant and, if it calls tools, their results.
    pub async fn respond(&mut self, blocks: Vec<Block>) -> Result<Vec<Outcome>, Stop> {
        if let Some(most) = self
            .agent
            .arguments
            .max_turns
            .filter(|most| self.rounds >= *most)
        {
            return Err(Stop::TooManyRounds(most));
        }
        self.rounds += 1;
        let calls_tools = blocks.iter().any(|block| matches!(block, Block::Tool(_)));
        let answers = (!self.first_line_told && !self.uuids.is_empty()).then(|| json!(self.uuids));
        self.first_line_told = true;
        let (agent, actor) = (Arc::clone(&self.agent), self.actor.clone());
        let mut tools = ToolRound::new(&agent, &actor);
        let stop_reason = if calls_tools { "tool_use" } else { "end_turn" };
        let mut message = Message::begin(&agent, &actor, answers, &self.uuids, stop_reason);
        let mut cut_off = false;
        for block in blocks {
            if message.block(&block).await.is_err() {
                cut_off = true;
                break;
            }
            match block {
                Block::Text(text) => self.last_text = text,
                Block::Tool(call) => tools.add(call),
                Block::Thinking(_) => {}
            }
        }
        if !cut_off {
            message.end();
        }
        let outcomes = tools.finish().await;
        if cut_off {
            return Err(Stop::WhileWriting);
        }
        if calls_tools {
            if let Some(reason) = actor.abort.reason() {
                if reason == AbortReason::Interrupted {
                    stream::say_as_user(
                        &agent,
                        &actor,
                        "[Request interrupted by user for tool use]",
                    );
                }
                return Err(Stop::WhileTools);
            }
            self.let_messages_join();
        }
        Ok(outcomes)
    }

    /// Messages that arrived while tools ran become part of this turn.
    fn let_messages_join(&mut self) {
        let agent = Arc::clone(&self.agent);
        let mut arrived = Vec::new();
        {
            let mut state = agent.state();
            let joins = |work: &Work| matches!(work, Work::Message(message) if !message.is_slash_command() && message.should_query);
            while state.queue.front().is_some_and(joins) {
                if let Some(Work::Message(message)) = state.queue.pop_front() {
                    arrived.push(message);
                }
            }
        }
        for message in arrived {
            agent.lifecycle(&message.uuid, "started");
            record_prompt(&agent, &message);
            self.steps.extend(intent::steps(&message.text));
            self.uuids.push(message.uuid.clone());
            self.joined.push(message.uuid);
            self.notes.push(message.text);
        }
    }
}

/// A person's message, on disk under the id that the host gave it.
pub fn record_prompt(agent: &Agent, message: &UserMessage) {
    let mode = agent.state().mode.name();
    let after = agent.transcript().leaf().map(ToOwned::to_owned);
    let said = Said::read(&message.uuid, &message.text, after.as_deref());
    agent.state().past.says(said);
    agent.record(&Actor::main(), json!({
        "type": "user", "uuid": message.uuid, "message": {"role": "user", "content": message.content},
        "permissionMode": mode, "promptSource": "sdk",
    }));
    agent.state().usage.add_reading(&message.text);
    if agent.arguments.replay_user_messages {
        agent.event_of(&Actor::main(), json!({
            "type": "user", "uuid": message.uuid, "message": {"role": "user", "content": message.content}, "isReplay": true,
        }));
    }
}

/// The tools of one message: neighbours that may run together start as soon as they are written,
/// the others wait for all before them.
struct ToolRound {
    agent: Arc<Agent>,
    actor: Actor,
    started: Vec<JoinHandle<Outcome>>,
    waiting: VecDeque<Call>,
}

impl ToolRound {
    fn new(agent: &Arc<Agent>, actor: &Actor) -> Self {
        Self {
            agent: Arc::clone(agent),
            actor: actor.clone(),
            started: Vec::new(),
            waiting: VecDeque::new(),
        }
    }

    fn add(&mut self, call: Call) {
        if self.waiting.is_empty() && call.runs_beside_others() {
            self.start(call);
        } else {
            self.waiting.push_back(call);
        }
    }

    fn start(&mut self, call: Call) {
        self.started.push(tokio::spawn(tools::run(
            Arc::clone(&self.agent),
            self.actor.clone(),
            call,
        )));
    }

    async fn finish(mut self) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        loop {
            for handle in self.started.drain(..) {
                outcomes.push(handle.await.unwrap_or_else(|error| Outcome {
                    fate: Fate::Failed,
                    text: error.to_string(),
                    input: Value::Null,
                    changed: false,
                }));
            }
            let Some(call) = self.waiting.pop_front() else {
                return outcomes;
            };
            let together = call.runs_beside_others();
            self.start(call);
            while together && self.waiting.front().is_some_and(Call::runs_beside_others) {
                if let Some(next) = self.waiting.pop_front() {
                    self.start(next);
                }
            }
        }
    }
}
