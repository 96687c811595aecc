//! What a subagent does, under the call it works for: folded when that is over, open while it goes on. Each has a
//! colour of its own, so that two at work at once can be told apart.

use super::Around;
use super::item::TranscriptItem;
use super::tool_state::ToolState;
use crate::app::ui::show::Show;
use crate::app::ui::untrusted::Words;
use crate::model::AskingAgent;
use crate::model::conversation::Body;
use leptos::prelude::*;

/// As many as the styles have.
const COLOURS: usize = 6;

/// The class of its colour; always the same for the same one.
fn colour(id: &str) -> String {
    let sum = id.bytes().fold(7_usize, |sum, byte| {
        sum.wrapping_mul(31).wrapping_add(usize::from(byte))
    });
    format!("agent-{}", sum % COLOURS)
}

#[component]
pub fn Chip(agent: AskingAgent) -> impl IntoView {
    view! {
        <span class=format!("subagent-chip {}", colour(&agent.id))>
            <Words text=agent.label />
        </span>
    }
}

/// The lines under the line of a call, if there are any.
#[component]
pub fn Subagent(seq: u64, call: Memo<ToolState>) -> impl IntoView {
    let around = expect_context::<Around>();
    let lines = around.conversation.lines(Some(seq));
    let has_lines = Memo::new(move |_| !lines.read().is_empty());
    move || has_lines.get().then(|| view! { <Work seq call /> })
}

#[component]
fn Work(seq: u64, call: Memo<ToolState>) -> impl IntoView {
    let around = expect_context::<Around>();
    let lines = around.conversation.lines(Some(seq));
    let is_open = call.get_untracked() == ToolState::Running;
    let agent = untrack(move || {
        let lines = lines.read();
        let first = lines.first()?.item.get();
        match first.body {
            Body::Text { agent, .. } | Body::Thought { agent, .. } => agent,
            Body::Tool(tool) => tool.agent,
            _ => None,
        }
    })
    .unwrap_or_default();
    let count = move || match lines.read().len() {
        1 => "1 step".to_owned(),
        count => format!("{count} steps"),
    };
    let waits = Memo::new(move |_| {
        lines.read().iter().any(|line| {
            let item = line.item.read();
            matches!(&item.body, Body::Tool(tool) if ToolState::of(tool, true) == ToolState::Waiting)
        })
    });
    let dot = move || match (waits.get(), call.get()) {
        (true, _) => "agent-dot act",
        (false, ToolState::Running) => "agent-dot run",
        _ => "agent-dot",
    };
    view! {
        <details class=format!("subagent-work {}", colour(&agent.id)) open=is_open>
            <summary>
                <span class=dot aria-hidden="true"></span>
                <b>
                    <Words text=agent.label />
                </b>
                <span class="steps">{count}</span>
                <Show when=move || waits.get()>
                    <span class="waits">"waiting for you"</span>
                </Show>
            </summary>
            <div class="turn nested">
                <For each=move || lines.get() key=|line| line.seq let:line>
                    {view! { <TranscriptItem item=line.item /> }.into_any()}
                </For>
            </div>
        </details>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subagent_keeps_its_colour() {
        assert_eq!(colour("a1"), colour("a1"));
        let used: std::collections::BTreeSet<String> =
            (0..200).map(|id| colour(&format!("task-{id}"))).collect();
        assert_eq!(used.len(), COLOURS);
    }
}
