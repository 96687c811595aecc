//! One session in the sidebar. Its name for a screen reader is its title and, when one waits, "waiting for you".

use super::mark::mark;
use crate::app::live::use_live;
use crate::app::ui::{Untrusted, age};
use crate::model::SessionId;
use leptos::prelude::*;
use leptos_router::components::A;

#[component]
pub fn SessionLink(id: SessionId) -> impl IntoView {
    let live = use_live();
    let session = live.session(id);
    let title = Memo::new(move |_| session.read().as_ref().map(|known| known.title.clone()));
    let updated_at = Memo::new(move |_| session.read().as_ref().map(|known| known.updated_at));
    let mark = Memo::new(move |_| {
        let session = session.read();
        mark(session.as_ref().and_then(|known| known.process.as_ref()))
    });
    let last_activity = move || match updated_at.get() {
        Some(at) => age::when(at, live.now().get()),
        None => String::new(),
    };
    view! {
        <A href=format!("/session/{id}") attr:class="nav-item" attr:title=move || title.get()>
            <span class=move || mark.get().dot aria-hidden="true"></span>
            <span class="title">
                {move || view! { <Untrusted text=title.get().unwrap_or_default() /> }}
                <span class="visually-hidden">{move || mark.get().words}</span>
            </span>
            {move || match mark.get().waiting {
                Some((kind, count)) => {
                    view! {
                        <span class=format!("count {kind}") aria-hidden="true">
                            {count}
                        </span>
                    }
                        .into_any()
                }
                None => view! { <span class="when" aria-hidden="true">{last_activity}</span> }.into_any(),
            }}
        </A>
    }
}
