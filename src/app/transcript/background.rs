//! Under a call that takes long: it can go on in the background, where it no longer holds up the turn; and there it can be
//! ended by itself.

use super::Around;
use super::tool_state::{ToolState, running_for};
use crate::api;
use crate::app::live::use_live;
use crate::model::conversation::ToolItem;
use crate::model::{Refusal, SessionId, ToolUseId, UnixTime};
use leptos::prelude::*;
use leptos::task::spawn_local;

#[component]
pub fn InBackground(call: Option<ToolUseId>) -> impl IntoView {
    let stop =
        Callback::new(|(session_id, call)| -> Told { Box::pin(api::stop_task(session_id, call)) });
    view! { <TaskLine words="Goes on in the background" label="Stop it" call order=stop /> }
}

/// A command or a subagent that holds up the turn for so long that one wonders.
#[component]
pub fn TakesLong(tool: Memo<ToolItem>, state: Memo<ToolState>, begun: UnixTime) -> impl IntoView {
    let now = use_live().now();
    // its own commands are short, and it has no way to do it
    let is_demo = use_live().agent().is_demo;
    let call = Memo::new(move |_| {
        let tool = tool.read();
        let can_be_moved =
            matches!(tool.tool_name.as_str(), "Bash" | "Agent" | "Task") && tool.agent.is_none();
        let waited = tool.resolution.as_ref().map_or(0.0, |one| one.waited);
        (!is_demo && can_be_moved && state.get() == ToolState::Running)
            .then(|| running_for(now.get().since(begun) - waited))
            .flatten()?;
        tool.tool_use_id.clone()
    });
    let order = Callback::new(|(session_id, call)| -> Told {
        Box::pin(api::move_to_background(session_id, call))
    });
    move || {
        call.get().map(|call| {
            view! { <TaskLine words="Takes long" label="Let it go on in the background" call=Some(call) order /> }
        })
    }
}

/// What the server said to an order.
type Told = std::pin::Pin<Box<dyn Future<Output = Result<(), Refusal>>>>;

#[component]
fn TaskLine(
    words: &'static str,
    label: &'static str,
    call: Option<ToolUseId>,
    order: Callback<(SessionId, ToolUseId), Told>,
) -> impl IntoView {
    let session_id = expect_context::<Around>().session_id;
    let call = StoredValue::new(call);
    let busy = RwSignal::new(false);
    let refusal = RwSignal::new(None::<String>);
    let press = move |_| {
        let Some(call) = call.get_value() else {
            return;
        };
        busy.set(true);
        refusal.set(None);
        let told = order.run((session_id, call));
        spawn_local(async move {
            // it stays busy until the agent says that it is done
            if let Err(words) = told.await {
                let _ = refusal.try_set(Some(words.message));
                let _ = busy.try_set(false);
            }
        });
    };
    view! {
        <p class="in-background">
            {words} <button type="button" class="small" disabled=move || busy.get() on:click=press>
                {label}
            </button>
        </p>
        {move || refusal.get().map(|words| view! { <p class="refusal" role="alert">{words}</p> })}
    }
}
