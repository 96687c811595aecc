//! Whether what is on screen is what is true: live, reconnecting or offline.

use crate::app::live::{Connection, use_live};
use leptos::prelude::*;

#[component]
pub fn ConnectionStatus() -> impl IntoView {
    let connection = use_live().connection();
    let word = move || match connection.get() {
        Connection::Connecting => "connecting",
        Connection::Live => "live",
        Connection::Reconnecting => "reconnecting",
        Connection::Offline => "offline",
    };
    view! {
        <span class="connection" role="status" aria-label="Connection" data-state=word>
            <span class="dot" aria-hidden="true"></span>
            <span>{word}</span>
        </span>
    }
}
