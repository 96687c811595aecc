//! The way to what came before: asked for by a person, put in front without moving what they look at.

use super::stick::Stick;
use crate::api;
use crate::app::live::use_live;
use crate::app::ui::button::Spinner;
use crate::app::ui::show::Show;
use crate::model::SessionId;
use leptos::prelude::*;
use leptos::task::spawn_local;

#[component]
pub fn Earlier(session_id: SessionId, stick: Stick) -> impl IntoView {
    let conversation = use_live().conversation(session_id);
    let has_earlier = conversation.has_earlier();
    let busy = RwSignal::new(false);
    let refusal = RwSignal::new(None::<String>);
    let show = move |_| {
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        refusal.set(None);
        spawn_local(async move {
            match api::events_before(session_id, conversation.first_seq()).await {
                Ok(events) => stick.keep_in_place(move || conversation.put_in_front(&events)),
                Err(words) => {
                    let _ = refusal.try_set(Some(words.message));
                }
            }
            let _ = busy.try_set(false);
        });
    };
    view! {
        <Show when=move || has_earlier.get()>
            <div class="earlier">
                <button type="button" class:busy=move || busy.get() on:click=show>
                    <Spinner visible=busy />
                    "Show earlier"
                </button>
                <Show when=move || refusal.read().is_some()>
                    <p class="refusal" role="alert">
                        {move || refusal.get()}
                    </p>
                </Show>
            </div>
        </Show>
    }
}
