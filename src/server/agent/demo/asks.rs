//! Owns the open questions: any number at once, answered in any order, each exactly once.

use serde_json::{Map, Value, json};
use tokio::sync::oneshot;
use uuid::Uuid;

use super::actor::{AbortReason, Actor};
use super::agent::{Activity, Agent, State};
use super::answer::Answer;
use super::kept_rules;
use super::mode::Mode;
use super::tools::Call;

pub struct OpenAsk {
    pub request_id: String,
    pub tool_use_id: String,
    pub actor: Actor,
    /// The whole `control_request`, for a host that asks again what is open.
    pub message: Value,
    answer: oneshot::Sender<Answer>,
}

impl Agent {
    /// Asks the host, and waits as long as it takes: there is no time limit on this side.
    pub async fn ask(&self, actor: &Actor, call: &Call, explanation: Map<String, Value>) -> Answer {
        let (sender, receiver) = oneshot::channel();
        {
            let mut state = self.state();
            if state.input_closed {
                return Answer::StreamClosed;
            }
            let request_id = Uuid::new_v4().to_string();
            let message = json!({
                "type": "control_request", "request_id": request_id, "request": request(actor, call, explanation),
            });
            self.announce(&mut state, Activity::RequiresAction);
            self.send(&message);
            state.asks.push(OpenAsk {
                request_id,
                tool_use_id: call.id.clone(),
                actor: actor.clone(),
                message,
                answer: sender,
            });
        }
        self.changed();
        receiver.await.unwrap_or(Answer::Withdrawn)
    }

    /// The host's answer. A second one, or one for a question that is gone, is passed over in silence.
    pub fn answer(&self, request_id: &str, answer: Answer) {
        let mut state = self.state();
        let Some(at) = state
            .asks
            .iter()
            .position(|ask| ask.request_id == request_id)
        else {
            return;
        };
        let ask = state.asks.remove(at);
        match &answer {
            Answer::Allow {
                updated_permissions,
                ..
            } => {
                for update in updated_permissions {
                    self.apply_permission_update(&mut state, update);
                }
            }
            Answer::Deny {
                interrupt: true, ..
            } => {
                // stops whoever asked, and takes back what else it asks
                ask.actor.abort.trigger(AbortReason::Interrupted);
                let asker = ask.actor.agent_id().map(ToOwned::to_owned);
                self.withdraw(&mut state, |other| {
                    other.actor.agent_id() == asker.as_deref()
                });
            }
            _ => {}
        }
        let _ = ask.answer.send(answer);
        self.after_asks_closed(&mut state);
    }

    fn apply_permission_update(&self, state: &mut State, update: &Value) {
        if update["type"] != "setMode" {
            state.rules.apply(update);
            kept_rules::keep(update, self.settings());
            return;
        }
        match update["mode"].as_str().and_then(Mode::parse) {
            // silently ignored, as the CLI does, unless the process was launched for it
            Some(Mode::BypassPermissions) if !self.arguments.bypass_available => {}
            Some(mode) => self.set_mode(state, mode),
            None => {}
        }
    }

    /// Takes questions back and tells the host so. The caller says afterwards that the session runs again.
    pub fn withdraw(&self, state: &mut State, which: impl Fn(&OpenAsk) -> bool) {
        let (gone, kept): (Vec<OpenAsk>, Vec<OpenAsk>) = state.asks.drain(..).partition(which);
        state.asks = kept;
        for ask in gone {
            self.send(&json!({"type": "control_cancel_request", "request_id": ask.request_id}));
            let _ = ask.answer.send(Answer::Withdrawn);
        }
        self.changed();
    }

    /// stdin has ended: nobody can answer any more, and the host is not told, for it closed the pipe itself.
    pub fn close_asks(&self, state: &mut State) {
        for ask in state.asks.drain(..) {
            let _ = ask.answer.send(Answer::StreamClosed);
        }
        self.after_asks_closed(state);
    }

    pub fn after_asks_closed(&self, state: &mut State) {
        if state.asks.is_empty() && state.activity == Activity::RequiresAction {
            self.announce(state, Activity::Running);
        }
        self.changed();
    }

    /// Stops the running turn and every subagent, background ones included. Says nothing by itself but the cancels.
    pub fn abort_everything(&self, state: &mut State, reason: AbortReason) {
        self.abort(state, reason, |_| true);
    }

    /// Stops the running turn; what works in the background is spared for who can stop it by itself.
    pub fn abort_turn(&self, state: &mut State, reason: AbortReason) {
        let spares = state.interrupt_spares_background;
        self.abort(state, reason, |actor| !spares || actor.is_in_front());
    }

    fn abort(&self, state: &mut State, reason: AbortReason, which: impl Fn(&Actor) -> bool) {
        self.withdraw(state, |ask| which(&ask.actor));
        for actor in state.actors.iter().filter(|actor| which(actor)) {
            actor.abort.trigger(reason);
        }
    }
}

fn request(actor: &Actor, call: &Call, explanation: Map<String, Value>) -> Value {
    let mut request = json!({
        "subtype": "can_use_tool", "tool_name": call.name, "display_name": call.display_name(), "input": call.input,
        "tool_use_id": call.id,
    });
    for (name, value) in explanation {
        request[name] = value;
    }
    if let Some(agent_id) = actor.agent_id() {
        request["agent_id"] = json!(agent_id);
    }
    request
}
