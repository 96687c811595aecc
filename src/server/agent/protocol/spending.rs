//! What a conversation has used up: how full its context is, and what it has cost. The agent says the one with each message of
//! the model and the other with the end of a turn.

use super::word;
use crate::model::Spent;
use serde_json::Value;

#[derive(Default)]
pub struct Spending {
    /// What the model read last, of the conversation itself.
    context: Option<u64>,
    model: String,
}

impl Spending {
    /// A message of the model, not of a subagent's.
    pub fn read(&mut self, message: &Value) {
        let usage = &message["message"]["usage"];
        let read = [
            "input_tokens",
            "cache_creation_input_tokens",
            "cache_read_input_tokens",
            "output_tokens",
        ];
        let tokens = read
            .iter()
            .filter_map(|name| usage[*name].as_u64())
            .fold(0, u64::saturating_add);
        // an error of the API comes as a message that nobody was asked for
        if tokens > 0 && word(&message["message"], "model") != "<synthetic>" {
            self.context = Some(tokens);
            word(&message["message"], "model").clone_into(&mut self.model);
        }
    }

    /// What was in it is gone, or told in fewer words: nothing is known until the model is asked again.
    pub fn forget_context(&mut self) {
        self.context = None;
    }

    pub fn until(&self, result: &Value) -> Spent {
        let models = result["modelUsage"].as_object();
        let window = models.and_then(|models| {
            let named = models.iter().find(|(name, _)| **name == self.model);
            let (_, usage) = named.or_else(|| models.iter().next())?;
            usage["contextWindow"].as_u64().filter(|window| *window > 0)
        });
        let percent = |(tokens, window): (u64, u64)| tokens.saturating_mul(100) / window;
        Spent {
            context_percent: self
                .context
                .zip(window)
                .map(percent)
                .and_then(|percent| u8::try_from(percent.min(100)).ok()),
            cost_usd: result["total_cost_usd"].as_f64().filter(|cost| *cost > 0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn message(model: &str, tokens: [u64; 4]) -> Value {
        let [input, created, read, output] = tokens;
        json!({"message": {"model": model, "usage": {"input_tokens": input, "cache_creation_input_tokens": created,
            "cache_read_input_tokens": read, "output_tokens": output}}})
    }

    fn result(cost: f64) -> Value {
        json!({"total_cost_usd": cost, "modelUsage": {
            "small": {"contextWindow": 1000}, "large": {"contextWindow": 200_000},
        }})
    }

    #[test]
    fn the_context_is_what_the_model_read_last_and_the_window_is_that_model_s() {
        let mut spending = Spending::default();
        spending.read(&message("large", [10, 0, 0, 1]));
        spending.read(&message("large", [2_000, 4_000, 70_000, 1]));
        spending.read(&message("<synthetic>", [0, 0, 0, 0]));
        let spent = spending.until(&result(1.92));
        assert_eq!(spent.context_percent, Some(38));
        assert_eq!(spent.cost_usd, Some(1.92));
    }

    #[test]
    fn what_is_not_said_is_not_known() {
        let mut spending = Spending::default();
        assert_eq!(spending.until(&result(0.0)), Spent::default());
        assert_eq!(spending.until(&json!({})), Spent::default());
        spending.read(&message("large", [10, 0, 0, 1]));
        assert_eq!(spending.until(&json!({})), Spent::default());
        spending.forget_context();
        assert_eq!(spending.until(&result(0.0)).context_percent, None);
    }

    #[test]
    fn more_than_full_is_full() {
        let mut spending = Spending::default();
        spending.read(&message("small", [u64::MAX / 2, 0, 0, 0]));
        assert_eq!(spending.until(&result(0.0)).context_percent, Some(100));
    }
}
