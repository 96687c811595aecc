//! What a conversation has used up.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    /// How full its context was when the model was asked last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_percent: Option<u8>,
    /// All of it so far, at list prices, as the agent counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
}

impl Spent {
    /// "38 % · $1.92"
    pub fn brief(&self) -> Option<String> {
        let context = self.context_percent.map(|percent| format!("{percent} %"));
        let cost = self.cost_usd.map(|cost| format!("${cost:.2}"));
        let parts: Vec<String> = context.into_iter().chain(cost).collect();
        (!parts.is_empty()).then(|| parts.join(" · "))
    }

    pub fn sentence(&self) -> Option<String> {
        let context = self
            .context_percent
            .map(|percent| format!("{percent} % of the context is used."));
        let cost = self
            .cost_usd
            .map(|cost| format!("The agent has cost ${cost:.2} so far, at list prices."));
        let parts: Vec<String> = context.into_iter().chain(cost).collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_said() {
        let spent = |context_percent, cost_usd| Spent {
            context_percent,
            cost_usd,
        };
        let both = spent(Some(38), Some(1.916));
        assert_eq!(both.brief().as_deref(), Some("38 % · $1.92"));
        assert_eq!(spent(Some(0), None).brief().as_deref(), Some("0 %"));
        assert_eq!(spent(None, Some(0.5)).brief().as_deref(), Some("$0.50"));
        assert_eq!(Spent::default().brief(), None);
        assert_eq!(Spent::default().sentence(), None);
    }
}
