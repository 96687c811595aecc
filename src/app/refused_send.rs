//! Why a message was not taken, in words, and the ways that are left when another process has the conversation open.

use crate::api;
use crate::app::live::use_live;
use crate::app::ui::show::Show;
use crate::model::{Code, Refusal, SessionId};
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;

#[component]
pub fn RefusedSend(
    session_id: SessionId,
    /// What was to be sent.
    text: Callback<(), String>,
    refusal: RwSignal<Option<Refusal>>,
    on_anyway: Callback<()>,
) -> impl IntoView {
    let live = use_live();
    let busy = RwSignal::new(false);
    let navigate = use_navigate();
    let open = Callback::new(move |path: String| navigate(&path, NavigateOptions::default()));
    let fork = move |_| {
        busy.set(true);
        let text = text.run(());
        spawn_local(async move {
            let sent = async {
                let forked = api::fork_session(session_id).await?.session_id;
                live.make_sure_of(forked).await;
                api::send_message(forked, text, None, None, None).await?;
                Ok::<SessionId, Refusal>(forked)
            };
            match sent.await {
                Ok(forked) => {
                    open.try_run(format!("/session/{forked}"));
                }
                Err(words) => {
                    let _ = refusal.try_set(Some(words));
                }
            }
            let _ = busy.try_set(false);
        });
    };
    let is_taken = move || {
        refusal
            .read()
            .as_ref()
            .is_some_and(|refusal| refusal.code == Code::SessionTaken)
    };
    view! {
        <Show when=move || refusal.read().is_some()>
            <div class="refusal" role="alert">
                <p>{move || refusal.get().map(|refusal| refusal.message)}</p>
                <Show when=is_taken>
                    <div class="refusal-actions">
                        <button type="button" disabled=move || busy.get() on:click=fork>
                            "Fork and send"
                        </button>
                        <button
                            type="button"
                            class="danger"
                            disabled=move || busy.get()
                            on:click=move |_| on_anyway.run(())
                        >
                            "Open anyway"
                        </button>
                    </div>
                </Show>
            </div>
        </Show>
    }
}
