//! How a turn ended, and what went wrong, in words for a person.

use super::{list, word};
use crate::model::Entry;
use crate::server::agent::process::Heard;
use serde_json::Value;
use std::time::Duration;

/// A "success" that is an error is an error.
pub fn turn_finished(message: &Value) -> Entry {
    let interrupted = word(message, "terminal_reason").starts_with("aborted");
    let is_error = message["is_error"].as_bool().unwrap_or(false)
        || word(message, "subtype").starts_with("error");
    Entry::TurnFinished {
        error: (is_error && !interrupted).then(|| error_words(message)),
        interrupted,
        duration_ms: message["duration_ms"].as_u64().unwrap_or(0),
        unasked: word(&message["origin"], "kind") == "task-notification",
    }
}

fn error_words(message: &Value) -> String {
    let errors: Vec<&str> = list(&message["errors"])
        .iter()
        .filter_map(Value::as_str)
        // for those who make the program, not for those who use it
        .filter(|error| !error.starts_with("[ede_diagnostic]"))
        .collect();
    let said = word(message, "result");
    if is_login_missing(message) {
        return "Claude Code is not logged in.".to_owned();
    }
    let status = message["api_error_status"].as_u64();
    match (said, word(message, "subtype"), errors.as_slice()) {
        ("", "error_max_turns", _) => {
            "The limit of turns was reached. Send a message to go on.".to_owned()
        }
        ("", _, []) => "The turn failed, and the agent does not say why.".to_owned(),
        ("", _, errors) => errors.join(" "),
        (text, _, _) => match status.map_or_else(|| unreached_words(text), status_words) {
            Some(words) => format!("{words} It said: {text}"),
            None => text.to_owned(),
        },
    }
}

/// What a status of the API means to the person, where it means something.
fn status_words(status: u64) -> Option<&'static str> {
    Some(match status {
        401 | 403 => {
            "The API does not accept the login: run \"claude\" in a terminal and type /login, or check the key."
        }
        404 => "The API does not know this model: choose another one.",
        413 => {
            "The conversation or an attachment is too large for the API: type /compact, or send less."
        }
        429 => "The API limits the rate: wait a while, then try again.",
        500 => "The API had an error of its own: try again in a moment.",
        529 => "The API is overloaded: try again in a moment.",
        _ => return None,
    })
}

/// There is no status when nobody answered.
fn unreached_words(text: &str) -> Option<&'static str> {
    let text = text.to_ascii_lowercase();
    (text.starts_with("api error") && text.contains("connect")).then_some(
        "The API could not be reached: check this machine's network, its proxy, and ANTHROPIC_BASE_URL if it is set, \
         then send the message again.",
    )
}

fn is_login_missing(message: &Value) -> bool {
    message["is_error"].as_bool().unwrap_or(false)
        && word(message, "result").starts_with("Not logged in")
}

/// Without a login there is no use in going on; a new process reads a new login.
pub fn login_is_missing(message: &Value) -> Option<String> {
    is_login_missing(message).then(|| {
        "Claude Code is not logged in. Run \"claude\" in a terminal on this machine and type /login there, or set \
         ANTHROPIC_API_KEY and start Countersign again. Then send the message again."
            .to_owned()
    })
}

/// While it happens: why the API is tried again, and when.
pub fn retry(message: &Value) -> Heard {
    let what = match word(message, "error") {
        "authentication_failed" => "The API does not accept the login".to_owned(),
        "rate_limit" => "The API limits the rate".to_owned(),
        "overloaded" => "The API is overloaded".to_owned(),
        "server_error" => "The API has an error of its own".to_owned(),
        _ => "The API could not be reached".to_owned(),
    };
    let status = message["error_status"]
        .as_u64()
        .map(|status| format!(" ({status})"))
        .unwrap_or_default();
    let attempt = message["attempt"].as_u64().unwrap_or(1);
    let most = message["max_retries"].as_u64().unwrap_or(0);
    let after = message["retry_delay_ms"].as_u64();
    Heard::TriesAgain {
        why: format!("{what}{status}. Trying again, attempt {attempt} of {most}"),
        after: after.map(Duration::from_millis),
    }
}

/// For a person: the message itself goes on to tell the model what to do about it.
pub fn why_refused(message: &Value) -> &str {
    let first_sentence = || {
        let text = word(message, "message");
        text.split_once(". ").map_or(text, |(first, _)| first)
    };
    match (
        word(message, "decision_reason_type"),
        word(message, "decision_reason"),
    ) {
        ("mode", _) => "the permission mode allows only what a rule allows",
        (_, "") => first_sentence(),
        (_, reason) => reason,
    }
}
