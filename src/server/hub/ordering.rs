//! What a person tells a running process: stop the turn, end, another mode, model or effort, give a message back.

use super::{Hub, State, just_ended, to_its_end, unknown_session};
use crate::desk::GivenUp;
use crate::model::capabilities::effort_named;
use crate::model::{Code, MessageId, PermissionMode, Refusal, SessionId, ToolUseId};
use crate::server::agent::{Order, Question};
use serde_json::Value;
use std::time::Duration;
use tokio::sync::oneshot;

/// Longer than any agent that works takes: to check the name of a model it asks its API, perhaps more than once.
const OBEYS_WITHIN: Duration = Duration::from_secs(60);

impl Hub {
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
        let hub = self.clone();
        to_its_end(async move { hub.change_mode(session_id, mode).await }).await
    }

    async fn change_mode(
        &self,
        session_id: SessionId,
        mode: PermissionMode,
    ) -> Result<(), Refusal> {
        let (alive, overtaken) = {
            let mut state = self.lock();
            let record = state
                .sessions
                .get(&session_id)
                .ok_or_else(unknown_session)?;
            known_mode(&mode)?;
            if mode == PermissionMode::BypassPermissions && !record.session.may_bypass {
                return Err(Refusal::new(
                    Code::InvalidRequest,
                    "This session was not started for \"bypassPermissions\", doing everything without asking. Start a new session in that mode if you want it.",
                ));
            }
            let alive = state.is_alive(session_id);
            if !alive {
                self.change_session(&mut state, session_id, |session| {
                    session.permission_mode = mode.clone()
                });
            }
            let overtaken = Self::asked_under_the_mode(&state, session_id, &mode);
            (alive, overtaken)
        };
        if !alive {
            return Ok(());
        }
        let (done, answered) = oneshot::channel();
        let why = GivenUp::ModeChanged(mode.clone());
        self.order(session_id, Order::SetMode { mode, done })?;
        obeyed(answered, "The agent did not take the mode").await?;
        self.give_up(&mut self.lock(), session_id, overtaken, &why);
        Ok(())
    }

    /// None or "default": the agent's own choice. Of a process that has ended, the next one gets it.
    pub async fn set_model(
        &self,
        session_id: SessionId,
        model: Option<String>,
    ) -> Result<(), Refusal> {
        let hub = self.clone();
        to_its_end(async move { hub.change_model(session_id, model).await }).await
    }

    async fn change_model(
        &self,
        session_id: SessionId,
        model: Option<String>,
    ) -> Result<(), Refusal> {
        let model = model.map(|model| model.trim().to_owned());
        let model = model.filter(|model| !model.is_empty() && model != "default");
        let alive = {
            let state = self.lock();
            if !state.sessions.contains_key(&session_id) {
                return Err(unknown_session());
            }
            state.is_alive(session_id)
        };
        if alive {
            let (done, answered) = oneshot::channel();
            let model = model.clone();
            self.order(session_id, Order::SetModel { model, done })?;
            obeyed(answered, "The agent did not take the model").await?;
        }
        let mut state = self.lock();
        if let Some(process) = state.process_mut(session_id).filter(|_| !alive) {
            // of the one that has ended nothing is said any more
            process.model = None;
            process.effort = None;
        }
        self.change_session(&mut state, session_id, |session| session.model = model);
        Ok(())
    }

    /// None or "default": the agent's own choice. Of a process that has ended, the next one gets it.
    pub async fn set_effort(
        &self,
        session_id: SessionId,
        effort: Option<String>,
    ) -> Result<(), Refusal> {
        let hub = self.clone();
        to_its_end(async move { hub.change_effort(session_id, effort).await }).await
    }

    async fn change_effort(
        &self,
        session_id: SessionId,
        effort: Option<String>,
    ) -> Result<(), Refusal> {
        let refuse = |words: String| Refusal::new(Code::InvalidRequest, words);
        let known = self.capabilities(Some(session_id));
        let (effort, alive) = {
            let state = self.lock();
            let process = state.process_info(session_id).ok_or_else(unknown_session)?;
            let (model, applies) = (process.model.as_deref(), process.effort.as_deref());
            let word = effort.unwrap_or_default();
            let effort = effort_named(&word, known.efforts(model, applies)).map_err(refuse)?;
            (effort, state.is_alive(session_id))
        };
        if alive {
            let (done, answered) = oneshot::channel();
            let told = effort.clone();
            self.order(session_id, Order::SetEffort { effort: told, done })?;
            let applies = obeyed(answered, "The agent did not take the effort").await?;
            if effort.is_some() && applies != effort {
                return Err(refuse(overruled(applies.as_deref())));
            }
        }
        let mut state = self.lock();
        if let Some(process) = state.process_mut(session_id).filter(|_| !alive) {
            process.effort = None;
        }
        self.change_session(&mut state, session_id, |session| session.effort = effort);
        Ok(())
    }

    /// An agent that runs is told, so that a terminal finds the conversation under the same title.
    pub fn rename_session(&self, session_id: SessionId, title: &str) -> Result<(), Refusal> {
        let title = title_of(title)?;
        let mut state = self.lock();
        let is_alive = state.is_alive(session_id);
        let record = state
            .sessions
            .get_mut(&session_id)
            .ok_or_else(unknown_session)?;
        if let Some(process) = record.process.as_ref().filter(|_| is_alive) {
            let _ = process.orders.send(Order::Rename(title.clone()));
        }
        self.change_session(&mut state, session_id, |session| session.title = title);
        Ok(())
    }

    /// Ends what a call began and what goes on in the background.
    pub async fn stop_task(&self, session_id: SessionId, call: ToolUseId) -> Result<(), Refusal> {
        let (done, answered) = oneshot::channel();
        self.order(session_id, Order::StopTask { call, done })?;
        obeyed(answered, "It was not stopped").await
    }

    /// A call that takes long goes on in the background, and the turn without its result.
    pub async fn move_to_background(
        &self,
        session_id: SessionId,
        call: ToolUseId,
    ) -> Result<(), Refusal> {
        let (done, answered) = oneshot::channel();
        self.order(session_id, Order::ToBackground { call, done })?;
        obeyed(answered, "It was not moved").await
    }

    /// Takes back a message that waits in the agent's queue.
    pub async fn cancel_message(
        &self,
        session_id: SessionId,
        message_id: MessageId,
    ) -> Result<(), Refusal> {
        let (done, answered) = oneshot::channel();
        self.order(session_id, Order::CancelMessage { message_id, done })?;
        match obeyed(answered, "The agent did not give the message back").await? {
            true => Ok(()),
            false => Err(Refusal::new(
                Code::AlreadyResolved,
                "It is too late to take this message back: the agent has it already.",
            )),
        }
    }

    /// Asks the agent something that is no part of the conversation. `if_not`: what is said before its own words.
    pub(super) async fn question(
        &self,
        session_id: SessionId,
        question: Question,
        if_not: &str,
    ) -> Result<Value, Refusal> {
        let (answer, answered) = oneshot::channel();
        let patience = question.patience();
        self.order(session_id, Order::Ask { question, answer })?;
        obeyed_within(patience, answered, if_not).await
    }

    /// Tells the process all that is allowed for its session. What that is is read when it is told, under the same lock:
    /// an older list must not come after a newer one.
    pub(super) async fn tell_grants(
        &self,
        session_id: SessionId,
        if_not: &str,
    ) -> Result<Value, Refusal> {
        let (answer, answered) = oneshot::channel();
        let patience = {
            let mut state = self.lock();
            let record = state.sessions.get(&session_id);
            let granted = record.ok_or_else(unknown_session)?.granted.clone();
            let question = Question::Grant(granted);
            let patience = question.patience();
            state.order(session_id, Order::Ask { question, answer })?;
            patience
        };
        obeyed_within(patience, answered, if_not).await
    }

    fn order(&self, session_id: SessionId, order: Order) -> Result<(), Refusal> {
        self.lock().order(session_id, order)
    }
}

impl State {
    fn order(&mut self, session_id: SessionId, order: Order) -> Result<(), Refusal> {
        let is_alive = self.is_alive(session_id);
        let record = self
            .sessions
            .get_mut(&session_id)
            .ok_or_else(unknown_session)?;
        // whoever ends the process takes back what they granted while it ran
        if matches!(order, Order::Kill { .. }) {
            record.granted.clear();
        }
        match &mut record.process {
            Some(process) if is_alive => {
                process.stopping |= matches!(order, Order::Kill { .. });
                process.interrupted |= matches!(order, Order::Interrupt);
                process.orders.send(order).map_err(|_| just_ended())
            }
            _ => Err(Refusal::new(
                Code::UnknownSession,
                "This session has no running process. Send a message to resume it.",
            )),
        }
    }
}

fn overruled(applies: Option<&str>) -> String {
    match applies {
        Some(applies) => format!(
            "The effort stays {applies}: the agent's environment (CLAUDE_CODE_EFFORT_LEVEL) or its settings decide it."
        ),
        None => {
            "The model in use cannot be told how much to think. Choose another model.".to_owned()
        }
    }
}

pub(super) fn known_mode(mode: &PermissionMode) -> Result<(), Refusal> {
    match mode {
        PermissionMode::Other(word) => Err(Refusal::new(
            Code::InvalidRequest,
            format!("There is no permission mode \"{word}\"."),
        )),
        _ => Ok(()),
    }
}

/// One line that says something and fits where titles stand.
fn title_of(given: &str) -> Result<String, Refusal> {
    const LONGEST: usize = 200;
    let title = given.split_whitespace().collect::<Vec<_>>().join(" ");
    let why = match title.chars().count() {
        0 => "The title is empty. Write what the session is about.".to_owned(),
        count if count > LONGEST => {
            format!("The title has {count} characters; at most {LONGEST} are taken. Shorten it.")
        }
        _ => return Ok(title),
    };
    Err(Refusal::new(Code::InvalidRequest, why))
}

/// Waits for the agent's answer. `if_not`: what is said before its own words.
async fn obeyed<T>(
    answered: oneshot::Receiver<Result<T, String>>,
    if_not: &str,
) -> Result<T, Refusal> {
    obeyed_within(OBEYS_WITHIN, answered, if_not).await
}

async fn obeyed_within<T>(
    patience: Duration,
    answered: oneshot::Receiver<Result<T, String>>,
    if_not: &str,
) -> Result<T, Refusal> {
    match tokio::time::timeout(patience, answered).await {
        Ok(Ok(Ok(answer))) => Ok(answer),
        Ok(Ok(Err(error))) => Err(Refusal::new(
            Code::InvalidRequest,
            format!("{if_not}: {}.", error.trim_end_matches('.')),
        )),
        Ok(Err(_)) => Err(just_ended()),
        Err(_) => Err(Refusal::new(
            Code::AgentUnavailable,
            format!("{if_not}: it did not answer in time. Try again, or end its process."),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_one_line_that_says_something() {
        assert_eq!(
            title_of("  Mend \n the  gate ").ok().as_deref(),
            Some("Mend the gate")
        );
        for (given, why) in [(" \n ", "is empty"), (&"long ".repeat(50), "at most 200")] {
            let refused = title_of(given).expect_err("not taken");
            assert!(refused.message.contains(why), "{}", refused.message);
        }
    }
}
