//! What a dialog is called, and the way out of it.

use super::icon::Close;
use leptos::prelude::*;

#[component]
pub fn DialogHead(
    /// What the dialog is labelled by.
    id: &'static str,
    #[prop(into)] title: Signal<&'static str>,
    on_close: Callback<()>,
) -> impl IntoView {
    view! {
        <header class="dialog-head">
            <h2 id=id>{move || title.get()}</h2>
            <button
                type="button"
                class="ghost icon-button"
                aria-label="Close"
                on:click=move |_| on_close.run(())
            >
                <Close />
            </button>
        </header>
    }
}
