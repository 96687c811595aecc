//! What a person wrote to the agent.

use super::files::Files;
use crate::app::ui::untrusted::Untrusted;
use crate::model::conversation::{Body, Item};
use leptos::prelude::*;

#[component]
pub fn Said(item: RwSignal<Item>) -> impl IntoView {
    let is_queued = move || matches!(item.read().body, Body::Said { queued: true, .. });
    let (text, attachments) = match item.get_untracked().body {
        Body::Said {
            text, attachments, ..
        } => (text, attachments),
        _ => (String::new(), Vec::new()),
    };
    view! {
        <div class="said" class:queued=is_queued>
            <span class="visually-hidden">"You: "</span>
            <Files files=attachments />
            <Untrusted text />
            <Show when=is_queued>
                <span class="queued-mark">"Queued: the agent takes it when it is ready"</span>
            </Show>
        </div>
    }
}
