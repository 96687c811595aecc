//! In the dialog: conversations of the chosen project that were held elsewhere, to go on with here.

use super::NewSession;
use crate::api;
use crate::app::live::use_live;
use crate::app::ui::show::Show;
use crate::app::ui::{Words, age, focus};
use crate::model::{KeptConversation, ProjectId};
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_bindgen::JsCast;
use uuid::Uuid;

/// Looks for them when the dialog is open and its project chosen; a folder that is being typed is not looked into.
pub fn look_for(
    is_open: RwSignal<bool>,
    chosen: Memo<Option<ProjectId>>,
) -> RwSignal<Option<Vec<KeptConversation>>> {
    let found = RwSignal::new(None);
    Effect::new(move |_| {
        let Some(project) = chosen.get().filter(|_| is_open.get()) else {
            found.set(None);
            return;
        };
        spawn_local(async move {
            // a list that cannot be had is none: a session is begun without it
            let kept = api::list_conversations(project.clone()).await;
            if chosen.try_get_untracked().flatten() == Some(project) {
                let _ = found.try_set(Some(kept.unwrap_or_default()));
            }
        });
    });
    found
}

/// The arrows go from one to the next, as in any list.
fn step(event: web_sys::KeyboardEvent) {
    let forward = match event.key().as_str() {
        "ArrowDown" => true,
        "ArrowUp" => false,
        _ => return,
    };
    let row = document()
        .active_element()
        .and_then(|active| active.closest("li").ok().flatten());
    let next = row.and_then(|row| match forward {
        true => row.next_element_sibling(),
        false => row.previous_element_sibling(),
    });
    let button = next.and_then(|next| next.query_selector("button").ok().flatten());
    if let Some(button) = button.and_then(|button| button.dyn_into::<web_sys::HtmlElement>().ok()) {
        event.prevent_default();
        let _ = button.focus();
    }
}

#[component]
pub fn KeptConversations(
    /// None while they are looked for.
    found: RwSignal<Option<Vec<KeptConversation>>>,
    /// Something is written that is to be said in it.
    #[prop(into)]
    with_message: Signal<bool>,
    on_choose: Callback<Uuid>,
) -> impl IntoView {
    let dialog = expect_context::<NewSession>();
    let (start, wanted) = (dialog.start, dialog.earlier);
    let now = use_live().now();
    let rows = move || {
        let found = found.get();
        found
            .into_iter()
            .flatten()
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
                                <Words text=one.title />
                                {one.begins
                                    .map(|begins| {
                                        view! {
                                            <small>
                                                <Words text=begins />
                                            </small>
                                        }
                                    })}
                            </span>
                            <span class="when">{move || age::when(one.updated_at, now.get())}</span>
                        </button>
                    </li>
                }
            })
            .collect::<Vec<_>>()
    };
    let count = Memo::new(move |_| found.read().as_ref().map(Vec::len));
    // who asked for them is brought to them, and to the message where there are none
    Effect::new(move |_| {
        if let (true, Some(count)) = (dialog.goes_there.get(), count.get()) {
            dialog.goes_there.set(false);
            focus::leave_for(match count {
                0 => "#new-session-message",
                _ => ".kept-list .kept",
            });
        }
    });
    view! {
        <p class="hint" role="status" hidden=move || !wanted.get() || count.get() != Some(0)>
            "This project has no earlier conversation but its sessions: those are in the sidebar, or archived."
        </p>
        <Show when=move || { count.get() > Some(0) }>
            <details class="kept-list" prop:open=move || wanted.get() on:keydown=step>
                <summary>
                    {move || match count.get().unwrap_or_default() {
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
