//! Owns what happens one after another: takes what waits, runs it as a turn, and rests when nothing is owed.

use std::sync::Arc;

use serde_json::json;
use uuid::Uuid;

use super::actor::Actor;
use super::agent::{Activity, Agent, Work};
use super::history::DanglingCall;
use super::input::UserMessage;
use super::intent::{self, Step};
use super::result::{self, Origin};
use super::stream;
use super::turn::{Stop, Turn, record_prompt};
use super::{hello, scenes, slash, usage, words};

pub async fn run(agent: Arc<Agent>) {
    loop {
        let work = take_work(&agent);
        if !work.is_empty() {
            run_turn(&agent, work).await;
            continue;
        }
        if rest(&agent) {
            return;
        }
        agent.wake.notified().await;
    }
}

/// Everything that may share a turn: messages that wait together are answered together.
fn take_work(agent: &Agent) -> Vec<Work> {
    let mut state = agent.state();
    let stands_alone = |work: &Work| match work {
        Work::Message(message) => message.is_slash_command() || !message.should_query,
        Work::Report { .. } => true,
    };
    let mut work = Vec::new();
    while let Some(next) = state.queue.front() {
        let alone = stands_alone(next);
        if alone && !work.is_empty() {
            break;
        }
        work.extend(state.queue.pop_front());
        if alone {
            break;
        }
    }
    state.turn_running = !work.is_empty();
    work
}

/// Says that nothing is owed any more; true if the process is to end.
fn rest(agent: &Agent) -> bool {
    let mut state = agent.state();
    if state.background().next().is_some() {
        return false;
    }
    agent.announce(&mut state, Activity::Idle);
    if state.leaving {
        agent.exit(0);
    } else if state.input_closed {
        agent.exit(u8::from(state.last_result_failed));
    }
    state.leaving || state.input_closed
}

async fn run_turn(agent: &Arc<Agent>, work: Vec<Work>) {
    let actor = Actor::main();
    {
        let mut state = agent.state();
        state.actors.push(actor.clone());
        state.denials.clear();
        state.usage.start_turn();
        agent.announce(&mut state, Activity::Running);
    }
    let (mut messages, mut origin, mut report) = (Vec::new(), None, None);
    for item in work {
        match item {
            Work::Message(message) => messages.push(message),
            Work::Report {
                run_id,
                description,
                summary,
            } => {
                origin = Some(Origin { run_id });
                report = Some((description, summary));
            }
        }
    }
    let uuids: Vec<String> = messages
        .iter()
        .map(|message| message.uuid.clone())
        .collect();
    let mut turn = Turn::new(Arc::clone(agent), actor, uuids.clone());
    for uuid in &uuids {
        agent.lifecycle(uuid, "started");
        agent.transcript().note(json!({"type": "queue-operation", "operation": "dequeue", "timestamp": super::clock::now_iso()}));
    }
    let own_end = match (report, messages.as_slice()) {
        (Some((description, summary)), _) => {
            hello::tell(agent, &[]);
            let stop = turn
                .say(words::subagent_came_back(&description, &summary))
                .await
                .err();
            end(&turn, stop.as_ref(), origin.as_ref())
        }
        (None, [message]) if slash::is_known(message) => slash::run(&turn, message).await,
        (None, [message]) if !message.should_query => {
            record_prompt(agent, message);
            result::tell_local(&turn, None);
            true
        }
        (None, _) => {
            let stop = converse(&mut turn, &messages).await.err();
            end(&turn, stop.as_ref(), None)
        }
    };
    let after = if own_end { "completed" } else { "cancelled" };
    for uuid in &uuids {
        agent.lifecycle(uuid, after);
    }
    {
        let mut state = agent.state();
        state.actors.retain(|actor| actor.subagent.is_some());
        state.turn_running = false;
    }
    agent.changed();
}

/// SIGINT ends a turn without a `result`.
fn end(turn: &Turn, stop: Option<&Stop>, origin: Option<&Origin>) -> bool {
    for uuid in &turn.joined {
        turn.agent.lifecycle(
            uuid,
            if stop.is_none() {
                "completed"
            } else {
                "cancelled"
            },
        );
    }
    {
        let mut transcript = turn.agent.transcript();
        let leaf = transcript.leaf().map(ToOwned::to_owned);
        transcript
            .note(json!({"type": "last-prompt", "leafUuid": leaf, "lastPrompt": turn.last_prompt}));
    }
    if turn.agent.state().leaving {
        return false;
    }
    result::tell(turn, stop, origin)
}

async fn converse(turn: &mut Turn, messages: &[UserMessage]) -> Result<(), Stop> {
    let agent = Arc::clone(&turn.agent);
    let dangling = std::mem::take(&mut agent.state().dangling);
    close_dangling(&agent, &dangling);
    for message in messages {
        record_prompt(&agent, message);
        turn.steps.extend(intent::steps(&message.text));
        turn.last_prompt.clone_from(&message.text);
    }
    hello::tell(&agent, &turn.uuids);
    let first_words = messages.first().map_or("", |message| {
        let attachment = message.attachments.first().map_or("", String::as_str);
        match message.text.trim() {
            "" => attachment,
            text => text,
        }
    });
    let (first, welcome_back) = {
        let mut state = agent.state();
        let first = state.prompts == 0;
        state.prompts += messages.len();
        if state.title.is_none() {
            agent.set_title(&mut state, &intent::title(first_words), false);
        }
        (first, state.resumed_prompts.take())
    };
    if let Some(prompts) = welcome_back {
        turn.say(words::welcome_back(prompts, dangling.len()))
            .await?;
    }
    let attachments: Vec<&str> = messages
        .iter()
        .flat_map(|message| message.attachments.iter().map(String::as_str))
        .collect();
    if !attachments.is_empty() {
        turn.say(words::received(&attachments)).await?;
    }
    if turn.steps.is_empty() && (first || attachments.is_empty()) {
        turn.steps
            .push_back(if first { Step::Tour } else { Step::Unknown });
    }
    while let Some(step) = turn.steps.pop_front() {
        scenes::perform(turn, step).await?;
    }
    Ok(())
}

/// A call that was open when an earlier process ended gets its missing result: on disk only, the host is not told.
fn close_dangling(agent: &Agent, dangling: &[DanglingCall]) {
    let actor = Actor::main();
    for call in dangling {
        let text = "[Tool call interrupted: the session ended before this call's result was recorded. \
                    The tool may or may not have run.]";
        agent.record(&actor, json!({
            "type": "user", "uuid": Uuid::new_v4(), "sourceToolAssistantUUID": call.assistant_uuid,
            "toolUseResult": format!("Error: {text}"),
            "message": {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": call.tool_use_id, "content": text, "is_error": true}
            ]},
        }));
    }
    if !dangling.is_empty() {
        let block = json!({"type": "text", "text": "No response requested."});
        let id = Uuid::new_v4().to_string();
        let message = stream::message(
            &id,
            "<synthetic>",
            block,
            json!("stop_sequence"),
            usage::full(0, 0),
        );
        agent.record(
            &actor,
            json!({"type": "assistant", "uuid": Uuid::new_v4(), "message": message}),
        );
    }
}
