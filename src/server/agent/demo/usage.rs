//! Owns the counters: tokens are estimated from the text, and a demonstration costs nothing.

use serde_json::{Value, json};

use super::models::CONTEXT_WINDOW;

#[derive(Clone, Copy, Debug, Default)]
pub struct Usage {
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// What one model call would read now.
    pub context_tokens: u64,
    pub turn_input: u64,
    pub turn_output: u64,
}

impl Usage {
    /// One answer of the model, which reads everything said before.
    pub fn add_answer(&mut self, text: &str) {
        let written = tokens(text).max(1);
        self.input_tokens += self.context_tokens;
        self.turn_input += self.context_tokens;
        self.output_tokens += written;
        self.turn_output += written;
        self.context_tokens += written;
    }

    pub fn add_reading(&mut self, text: &str) {
        self.context_tokens += tokens(text);
    }

    pub fn start_turn(&mut self) {
        (self.turn_input, self.turn_output) = (0, 0);
    }

    pub fn of_turn(&self) -> Value {
        full(self.turn_input, self.turn_output)
    }

    pub fn by_model(&self, model: &str) -> Value {
        by_model(model, self.input_tokens, self.output_tokens)
    }

    pub fn by_model_this_turn(&self, model: &str) -> Value {
        by_model(model, self.turn_input, self.turn_output)
    }
}

pub fn tokens(text: &str) -> u64 {
    u64::try_from(text.len() / 4).unwrap_or(0)
}

/// The short form, as it stands on a message that is still being written.
pub fn brief(input: u64, output: u64) -> Value {
    json!({
        "input_tokens": input, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
        "output_tokens": output, "service_tier": "standard",
    })
}

pub fn full(input: u64, output: u64) -> Value {
    json!({
        "input_tokens": input, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": output,
        "output_tokens_details": {"thinking_tokens": 0},
        "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0}, "service_tier": "standard",
        "cache_creation": {"ephemeral_1h_input_tokens": 0, "ephemeral_5m_input_tokens": 0},
        "inference_geo": "", "iterations": [], "speed": "standard", "fallback_credit": null,
    })
}

fn by_model(model: &str, input: u64, output: u64) -> Value {
    json!({model: {
        "inputTokens": input, "outputTokens": output, "cacheReadInputTokens": 0, "cacheCreationInputTokens": 0,
        "webSearchRequests": 0, "costUSD": 0.0, "contextWindow": CONTEXT_WINDOW, "maxOutputTokens": 32_000,
        "thinkingTokens": 0, "canonicalModel": model, "provider": "demo", "costBasis": "list",
    }})
}
