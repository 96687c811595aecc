//! Owns the commands that are no conversation: `/clear`, `/compact` and `/effort`.

use serde_json::{Value, json};
use uuid::Uuid;

use super::actor::Actor;
use super::agent::Agent;
use super::input::UserMessage;
use super::rewind::Past;
use super::turn::{Turn, record_prompt};
use super::{hello, models, result};

pub fn is_known(message: &UserMessage) -> bool {
    message.is_slash_command() && matches!(name(message), "/clear" | "/compact" | "/effort")
}

fn name(message: &UserMessage) -> &str {
    message.text.split_whitespace().next().unwrap_or_default()
}

pub async fn run(turn: &Turn, message: &UserMessage) -> bool {
    match name(message) {
        "/clear" => clear(turn, message),
        "/effort" => effort(turn, message),
        _ => compact(turn, message).await,
    }
    true
}

/// The session goes on under a new id, which every later line carries.
fn clear(turn: &Turn, message: &UserMessage) {
    let agent = &turn.agent;
    let reset = Uuid::new_v4();
    agent.event(json!({
        "type": "conversation_reset", "new_conversation_id": reset, "uuid": reset, "trigger": "clear",
        "user_message_uuid": message.uuid, "timestamp": super::clock::now_iso(),
    }));
    agent.tell_background_tasks(&agent.state());
    agent.change_session(Uuid::new_v4().to_string());
    {
        let mut state = agent.state();
        state.usage = super::usage::Usage::default();
        state.prompts = 0;
        state.resumed_prompts = None;
        state.dangling.clear();
        state.past = Past::default();
        state.title = None;
    }
    hello::tell(agent, &turn.uuids);
    result::tell_local(turn, Some("clear"));
}

fn effort(turn: &Turn, message: &UserMessage) {
    let agent = &turn.agent;
    record_prompt(agent, message);
    hello::tell(agent, &turn.uuids);
    let words = {
        let mut state = agent.state();
        let word = message.text.split_whitespace().nth(1);
        let (words, effort) = models::said_effort(word, state.effort);
        state.effort = effort;
        words
    };
    let output = format!("<local-command-stdout>{words}</local-command-stdout>");
    say_in_the_persons_place(agent, &output, "isReplay");
    result::tell_local(turn, Some("effort"));
}

async fn compact(turn: &Turn, message: &UserMessage) {
    let agent = &turn.agent;
    record_prompt(agent, message);
    agent.event(json!({"type": "system", "subtype": "status", "status": "compacting"}));
    let stopped = agent.pause(&turn.actor, 1200).await.is_err();
    let outcome = if stopped { "failed" } else { "success" };
    agent.event(
        json!({"type": "system", "subtype": "status", "status": null, "compact_result": outcome}),
    );
    hello::tell(agent, &turn.uuids);
    if !stopped {
        let (before, prompts) = {
            let mut state = agent.state();
            let before = state.usage.context_tokens;
            state.usage.context_tokens = before.min(60);
            (before, state.prompts)
        };
        let metadata =
            json!({"trigger": "manual", "pre_tokens": before, "post_tokens": before.min(60)});
        let boundary = Uuid::new_v4();
        agent.record(&Actor::main(), json!({
            "type": "system", "subtype": "compact_boundary", "uuid": boundary, "content": "Conversation compacted",
            "compactMetadata": metadata,
        }));
        agent.event(json!({"type": "system", "subtype": "compact_boundary", "uuid": boundary, "compact_metadata": metadata}));
        let summary = format!(
            "This session is being continued from a previous conversation that ran out of context. The summary below covers \
             the earlier portion of the conversation.\n\nThe person tried the demo agent with {prompts} message(s)."
        );
        say_in_the_persons_place(agent, &summary, "isSynthetic");
        say_in_the_persons_place(
            agent,
            "<local-command-stdout>Compacted </local-command-stdout>",
            "isReplay",
        );
    }
    result::tell_local(turn, Some("compact"));
}

pub fn say_in_the_persons_place(agent: &Agent, text: &str, mark: &str) {
    let mut line = json!({"type": "user", "message": {"role": "user", "content": text}, "uuid": Uuid::new_v4()});
    let mut entry = line.clone();
    entry[if mark == "isSynthetic" {
        "isCompactSummary"
    } else {
        "isMeta"
    }] = Value::Bool(true);
    agent.record(&Actor::main(), entry);
    line[mark] = Value::Bool(true);
    agent.event_of(&Actor::main(), line);
}
