//! What is seldom done to a process. Ending it is asked twice, in place and in words.

use crate::api;
use crate::app::ui::icon;
use crate::model::{Refusal, SessionId};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;

#[component]
pub fn MoreMenu(session_id: SessionId, refusal: RwSignal<Option<Refusal>>) -> impl IntoView {
    let menu = NodeRef::<html::Details>::new();
    let is_sure = RwSignal::new(false);
    let busy = RwSignal::new(false);
    let close = move || {
        is_sure.set(false);
        if let Some(menu) = menu.get_untracked() {
            let _ = menu.remove_attribute("open");
        }
    };
    let end = move |_| {
        busy.set(true);
        refusal.set(None);
        spawn_local(async move {
            if let Err(words) = api::kill(session_id).await {
                let _ = refusal.try_set(Some(words));
            }
            let _ = busy.try_set(false);
        });
    };
    view! {
        <details
            class="menu"
            node_ref=menu
            on:keydown=move |event| {
                if event.key() == "Escape" {
                    close();
                }
            }
        >
            <summary class="icon-button" aria-label="More" title="More">
                <icon::More />
            </summary>
            <div class="menu-body">
                <Show
                    when=move || is_sure.get()
                    fallback=move || {
                        view! {
                            <button type="button" class="ghost" on:click=move |_| is_sure.set(true)>
                                "End process"
                            </button>
                        }
                    }
                >
                    <p>"End the process? What it is doing is lost; the conversation stays, and a message resumes it."</p>
                    <div class="menu-actions">
                        <button type="button" class="ghost" on:click=move |_| close()>
                            "Keep it"
                        </button>
                        <button
                            type="button"
                            class="danger"
                            disabled=move || busy.get()
                            on:click=end
                        >
                            "End it"
                        </button>
                    </div>
                </Show>
            </div>
        </details>
    }
}
