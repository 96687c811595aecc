//! Another title for a session, in the menu.

use crate::api;
use crate::app::live::use_live;
use crate::model::{Refusal, SessionId};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;

#[component]
pub fn RenameForm(session_id: SessionId, on_done: Callback<()>) -> impl IntoView {
    let live = use_live();
    let field = NodeRef::<html::Input>::new();
    let busy = RwSignal::new(false);
    let refusal = RwSignal::new(None::<Refusal>);
    let title = untrack(move || live.title(session_id).get().unwrap_or_default());
    Effect::new(move |_| {
        if let Some(field) = field.get() {
            let _ = field.focus();
            field.select();
        }
    });
    let save = move || {
        let Some(field) = field.get_untracked().filter(|_| !busy.get_untracked()) else {
            return;
        };
        busy.set(true);
        spawn_local(async move {
            match api::rename_session(session_id, field.value()).await {
                Ok(()) => {
                    live.learn_titles().await;
                    // it may be closed by now
                    let _ = on_done.try_run(());
                }
                Err(words) => drop(refusal.try_set(Some(words))),
            }
            let _ = busy.try_set(false);
        });
    };
    view! {
        <form
            class="rename"
            on:submit=move |event| {
                event.prevent_default();
                save();
            }
        >
            <input
                node_ref=field
                type="text"
                aria-label="Title"
                autocomplete="off"
                value=title
                on:input=move |_| refusal.set(None)
            />
            <button type="submit" class="primary" disabled=move || busy.get()>
                "Save"
            </button>
            {move || refusal.get().map(|words| view! { <p class="refusal" role="alert">{words.message}</p> })}
        </form>
    }
}
