//! Under a call whose work goes on in the background: that it does, and a way to end it.

use super::Around;
use crate::api;
use crate::model::ToolUseId;
use leptos::prelude::*;
use leptos::task::spawn_local;

#[component]
pub fn InBackground(call: Option<ToolUseId>) -> impl IntoView {
    let session_id = expect_context::<Around>().session_id;
    let call = StoredValue::new(call);
    let busy = RwSignal::new(false);
    let refusal = RwSignal::new(None::<String>);
    let stop = move |_| {
        let Some(call) = call.get_value() else {
            return;
        };
        busy.set(true);
        refusal.set(None);
        spawn_local(async move {
            // it stays busy until the agent says that it has ended
            if let Err(words) = api::stop_task(session_id, call).await {
                let _ = refusal.try_set(Some(words.message));
                let _ = busy.try_set(false);
            }
        });
    };
    view! {
        <p class="in-background">
            "Goes on in the background"
            <button type="button" class="small" disabled=move || busy.get() on:click=stop>
                "Stop it"
            </button>
        </p>
        {move || refusal.get().map(|words| view! { <p class="refusal" role="alert">{words}</p> })}
    }
}
