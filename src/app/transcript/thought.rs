//! What the agent thought, or summed up, folded: there for whoever wants it.

use crate::app::ui::show::Show;
use crate::app::ui::untrusted::Words;
use leptos::prelude::*;

#[component]
pub fn Thought(text: String, #[prop(default = "Thought")] title: &'static str) -> impl IntoView {
    let text = StoredValue::new(text);
    // most are never opened: their text is drawn when one is
    let was_opened = RwSignal::new(false);
    view! {
        <details class="thought" on:toggle=move |_| was_opened.set(true)>
            <summary>{title}</summary>
            <Show when=move || was_opened.get()>
                <p class="thought-text">
                    <Words text=text.get_value() />
                </p>
            </Show>
        </details>
    }
}
