//! Under a call that takes long: it can go on in the background, where it no longer holds up the turn; and there it can be
//! ended by itself.

use super::Around;
use super::tool_state::{ToolState, takes_long};
use crate::api;
use crate::app::live::use_live;
use crate::app::ui::focus;
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
pub fn TakesLong(
    tool: Memo<ToolItem>,
    state: Memo<ToolState>,
    called_at: UnixTime,
) -> impl IntoView {
    let around = expect_context::<Around>();
    let now = use_live().now();
    // its own commands are short, and it has no way to do it
    let is_demo = use_live().agent().is_demo;
    let call = Memo::new(move |_| {
        let tool = tool.read();
        let can_be_moved =
            matches!(tool.tool_name.as_str(), "Bash" | "Agent" | "Task") && tool.agent.is_none();
        let call = tool.tool_use_id.clone()?;
        let is_held_up = !is_demo
            && can_be_moved
            && state.get() == ToolState::Running
            // it is the person who takes long
            && !around.asked_for.read().contains(&call)
            && takes_long(now.get().since(tool.began_at(called_at)));
        is_held_up.then_some(call)
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
            match told.await {
                Ok(()) => focus::go_on(focus::TRANSCRIPT),
                Err(words) => {
                    let _ = refusal.try_set(Some(words.message));
                    let _ = busy.try_set(false);
                }
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
