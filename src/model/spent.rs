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

/// From here on a person does well to make room.
const FULL: u8 = 80;

impl Spent {
    /// Soon it is compacted by itself, perhaps in the middle of something.
    pub fn is_full(&self) -> bool {
        self.context_percent.is_some_and(|percent| percent >= FULL)
    }

    /// "38 % · $1.92"
    pub fn brief(&self) -> Option<String> {
        let full = if self.is_full() { " full" } else { "" };
        let context = self
            .context_percent
            .map(|percent| format!("{percent} %{full}"));
        let cost = self.cost_usd.map(|cost| format!("${cost:.2}"));
        let parts: Vec<String> = context.into_iter().chain(cost).collect();
        (!parts.is_empty()).then(|| parts.join(" · "))
    }

    pub fn sentence(&self) -> Option<String> {
        let context = self
            .context_percent
            .map(|percent| format!("{percent} % of the context is used."));
        let advice = self
            .is_full()
            .then(|| "Send /compact to make room.".to_owned());
        let cost = self
            .cost_usd
            .map(|cost| format!("The agent has cost ${cost:.2} so far, at list prices."));
        let parts: Vec<String> = context.into_iter().chain(advice).chain(cost).collect();
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
        let full = spent(Some(80), None);
        assert_eq!(full.brief().as_deref(), Some("80 % full"));
        assert!(
            full.sentence()
                .is_some_and(|words| words.contains("/compact"))
        );
        assert_eq!(Spent::default().brief(), None);
        assert_eq!(Spent::default().sentence(), None);
    }
}
