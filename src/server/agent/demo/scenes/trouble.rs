//! Owns the scenes in which something goes wrong: errors, retries, crashes, a request taken back, a very long answer.

use std::future;
use std::sync::Arc;

use serde_json::json;
use uuid::Uuid;

use super::super::agent::Agent;
use super::super::outcomes::Fate;
use super::super::result::ApiFailure;
use super::super::stream::{self, Block};
use super::super::turn::{Stop, Turn};
use super::super::{usage, words};
use super::everyday::harmless_command;
use super::not_done;

pub async fn fail(turn: &mut Turn) -> Result<(), Stop> {
    let text = "API Error: 500 Internal server error. This is a server-side issue, usually temporary — try again in a moment. \
                (The demo agent made it up because you asked.)";
    api_fails(turn, "server_error", 500, text).await
}

/// As the CLI says it without a login.
pub async fn not_logged_in(turn: &mut Turn) -> Result<(), Stop> {
    let text = "Not logged in · Please run /login";
    api_fails(turn, "authentication_failed", 401, text).await
}

async fn api_fails(turn: &mut Turn, error: &str, status: u32, text: &str) -> Result<(), Stop> {
    turn.pause(600).await?;
    let block = json!({"type": "text", "text": text});
    let id = Uuid::new_v4().to_string();
    let message = stream::message(
        &id,
        "<synthetic>",
        block,
        json!("stop_sequence"),
        usage::full(0, 0),
    );
    let uuid = Uuid::new_v4();
    let failure = json!({"error": error, "is_api_error_message": true, "api_error_status": status, "api_error_type": "api_error"});
    let mut line = json!({"type": "assistant", "uuid": uuid, "message": message, "user_message_uuids": turn.uuids});
    line["user_message_uuid"] = json!(turn.uuids.first());
    for (name, value) in failure.as_object().into_iter().flatten() {
        line[name] = value.clone();
    }
    turn.agent.record(&turn.actor, json!({
        "type": "assistant", "uuid": uuid, "message": message, "error": error, "isApiErrorMessage": true,
    }));
    turn.agent.event_of(&turn.actor, line);
    Err(Stop::ApiFailed(ApiFailure {
        status,
        kind: "api_error",
        text: text.to_owned(),
    }))
}

pub async fn retry(turn: &mut Turn) -> Result<(), Stop> {
    for (attempt, delay) in [(1, 600), (2, 1100)] {
        turn.agent.event(json!({
            "type": "system", "subtype": "api_retry", "attempt": attempt, "max_retries": 10, "retry_delay_ms": delay,
            "error_status": 529, "error": "overloaded",
        }));
        turn.pause(delay).await?;
    }
    turn.say("There I am. The service was busy twice, and the third try went through. You did not have to do anything.").await
}

pub async fn crash(turn: &mut Turn) -> Result<(), Stop> {
    turn.say(
        "I am going to fall over now, in the middle of my turn. What I have said so far is kept.",
    )
    .await?;
    turn.pause(600).await?;
    fall_over(&turn.agent);
    future::pending().await
}

pub async fn crash_while_asking(turn: &mut Turn) -> Result<(), Stop> {
    let call = harmless_command();
    let (agent, asked) = (Arc::clone(&turn.agent), call.id.clone());
    let accident = tokio::spawn(async move {
        wait_for_ask(&agent, &asked).await;
        tokio::time::sleep(agent.environment.noticeable(1500)).await;
        fall_over(&agent);
    });
    let outcome = turn
        .call(
            "I ask you something, and then I fall over before you have much time to answer.",
            call,
        )
        .await;
    accident.abort();
    let closing = not_done(&outcome?, "run the command")
        .unwrap_or_else(|| "You were quicker than my accident. All is well.".into());
    turn.say(closing).await
}

fn fall_over(agent: &Agent) {
    eprintln!("demo agent: crashed because it was asked to");
    agent.exit(3);
}

pub async fn withdraw(turn: &mut Turn) -> Result<(), Stop> {
    let call = harmless_command();
    let (agent, asked) = (Arc::clone(&turn.agent), call.id.clone());
    let second_thoughts = tokio::spawn(async move {
        wait_for_ask(&agent, &asked).await;
        tokio::time::sleep(agent.environment.noticeable(1500)).await;
        let mut state = agent.state();
        agent.withdraw(&mut state, |ask| ask.tool_use_id == asked);
        agent.after_asks_closed(&mut state);
    });
    let outcome = turn
        .call(
            "I ask you something now, and I may take it back if I find the answer myself.",
            call,
        )
        .await;
    second_thoughts.abort();
    let outcome = outcome?;
    let closing = match outcome.fate {
        Fate::Withdrawn => "I found out by myself and took the request back. There is nothing left for you to answer.".to_owned(),
        _ => not_done(&outcome, "run the command").unwrap_or_else(|| "You answered before I could take it back. Thank you.".into()),
    };
    turn.say(closing).await
}

async fn wait_for_ask(agent: &Agent, tool_use_id: &str) {
    agent
        .wait_until(|state| state.asks.iter().any(|ask| ask.tool_use_id == tool_use_id))
        .await;
}

/// About half a minute at natural speed; ends sooner when interrupted.
pub async fn think(turn: &mut Turn) -> Result<(), Stop> {
    turn.respond(vec![
        Block::Thinking(words::LONG_THOUGHT.repeat(2)),
        Block::Text(words::LONG_ANSWER.repeat(28)),
    ])
    .await?;
    turn.say("That was all. You let me finish; thank you for your patience.")
        .await
}
