//! A sentence from us or from the agent's program, not from the model.

use crate::app::ui::untrusted::Untrusted;
use crate::model::transcript::Level;
use leptos::prelude::*;

#[component]
pub fn Notice(level: Level, text: String) -> impl IntoView {
    let (class, word) = match level {
        Level::Info => ("notice", ""),
        Level::Warning => ("notice warning", "Warning: "),
        Level::Error => ("notice error", "Error: "),
    };
    view! {
        <p class=class>
            <span class="visually-hidden">{word}</span>
            <Untrusted text />
        </p>
    }
}
