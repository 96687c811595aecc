//! In the dialog: conversations of the chosen project that were held elsewhere, to go on with here.

use super::NewSession;
use crate::api;
use crate::app::live::use_live;
use crate::app::ui::{Untrusted, age};
use crate::model::{KeptConversation, ProjectId};
use leptos::prelude::*;
use leptos::task::spawn_local;
use uuid::Uuid;

/// Looks for them when the dialog is open and its project chosen; a folder that is being typed is not looked into.
pub fn look_for(
    is_open: RwSignal<bool>,
    chosen: Memo<Option<ProjectId>>,
) -> RwSignal<Vec<KeptConversation>> {
    let found = RwSignal::new(Vec::new());
    Effect::new(move |_| {
        let Some(project) = chosen.get().filter(|_| is_open.get()) else {
            found.set(Vec::new());
            return;
        };
        spawn_local(async move {
            // a list that cannot be had is none: a session is begun without it
            let kept = api::list_conversations(project.clone()).await;
            if chosen.try_get_untracked().flatten() == Some(project) {
                let _ = found.try_set(kept.unwrap_or_default());
            }
        });
    });
    found
}

#[component]
pub fn KeptConversations(
    found: RwSignal<Vec<KeptConversation>>,
    /// Something is written that is to be said in it.
    #[prop(into)]
    with_message: Signal<bool>,
    on_choose: Callback<Uuid>,
) -> impl IntoView {
    let start = expect_context::<NewSession>().start;
    let now = use_live().now();
    let rows = move || {
        let found = found.get();
        found
            .into_iter()
            .map(|one| {
                view! {
                    <li>
                        <button
                            type="button"
                            class="kept"
                            disabled=move || start.is_busy().get()
                            on:click=move |_| on_choose.run(one.conversation_id)
                        >
                            <span class="title">
                                <Untrusted text=one.title />
                            </span>
                            <span class="when">{move || age::when(one.updated_at, now.get())}</span>
                        </button>
                    </li>
                }
            })
            .collect::<Vec<_>>()
    };
    let is_empty = Memo::new(move |_| found.read().is_empty());
    view! {
        <Show when=move || !is_empty.get()>
            <details class="kept-list">
                <summary>
                    {move || match found.read().len() {
                        1 => "Go on with an earlier conversation".to_owned(),
                        count => format!("Go on with one of {count} earlier conversations"),
                    }}
                </summary>
                <p class="hint" hidden=move || !with_message.get()>
                    "What you wrote above is sent to the one you choose."
                </p>
                <ul>{rows}</ul>
            </details>
        </Show>
    }
}
