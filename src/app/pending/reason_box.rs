//! A box for a few words that go with a "no": the reason of a denial, what to change in a plan. Enter sends, Esc closes
//! the box and keeps the words.

use super::keys::is_plain_enter;
use crate::app::draft::Draft;
use leptos::html;
use leptos::prelude::*;

#[component]
pub fn ReasonBox(
    label: &'static str,
    placeholder: &'static str,
    draft: Draft,
    on_send: Callback<()>,
    on_close: Callback<()>,
) -> impl IntoView {
    let area = NodeRef::<html::Textarea>::new();
    // it was opened on purpose: the person goes on here
    Effect::new(move |_| {
        if let Some(area) = area.get() {
            let _ = area.focus();
        }
    });
    let on_keydown = move |event: web_sys::KeyboardEvent| {
        if is_plain_enter(&event) {
            event.prevent_default();
            event.stop_propagation();
            // a key that is held from the card before answers nothing
            if !event.repeat() {
                on_send.run(());
            }
        } else if event.key() == "Escape" && !event.is_composing() {
            event.prevent_default();
            event.stop_propagation();
            on_close.run(());
        }
    };
    view! {
        <div class="reason">
            <textarea
                node_ref=area
                rows="2"
                aria-label=label
                placeholder=placeholder
                prop:value=move || draft.text.get()
                on:input=move |event| draft.text.set(event_target_value(&event))
                on:keydown=on_keydown
            ></textarea>
        </div>
    }
}
