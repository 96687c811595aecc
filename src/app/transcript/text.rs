//! What the agent wrote.

use super::subagent::Chip;
use crate::app::markdown::Markdown;
use crate::model::AskingAgent;
use leptos::prelude::*;

#[component]
pub fn Text(text: String, agent: Option<AskingAgent>) -> impl IntoView {
    let by_subagent = agent.is_some();
    view! {
        <div class="wrote" class:by-subagent=by_subagent>
            {agent.map(|agent| view! { <Chip agent /> })} <Markdown text />
        </div>
    }
}
