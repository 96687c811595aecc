//! One session in the sidebar. Its name for a screen reader is its title and, when one waits, "waiting for you".

use super::RowsMoved;
use super::mark::mark;
use crate::app::live::use_live;
use crate::app::new_session::NewSession;
use crate::app::put_away::{self, AskedOn};
use crate::app::ui::icon::Box;
use crate::app::ui::show::Show;
use crate::app::ui::{Words, age};
use crate::model::SessionId;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::components::A;

#[component]
pub fn SessionLink(id: SessionId) -> impl IntoView {
    let live = use_live();
    let title = live.title(id);
    let updated_at = live.of_session(id, |session| session.updated_at);
    let marked = live.of_session(id, |session| mark(session.process.as_ref()));
    let mark = Signal::derive(move || marked.get().unwrap_or_else(|| mark(None)));
    let last_activity = move || match updated_at.get() {
        Some(at) => age::when(at, live.now().get()),
        None => String::new(),
    };
    // what runs is archived on its page, which says what it ends
    let is_ended = live.of_process(id, |process| {
        !process.is_alive() && process.own_command.is_none()
    });
    let dialog = expect_context::<NewSession>();
    let RowsMoved(moved) = expect_context();
    let busy = RwSignal::new(false);
    let archive = move |_| {
        // the second half of a double click is not meant for the row that came up
        if busy.get_untracked() || moved.is_now() {
            return;
        }
        busy.set(true);
        spawn_local(async move {
            if let Err(refusal) = put_away::archive(live, dialog, id, AskedOn::Sidebar).await {
                live.tell(refusal.message);
            }
            let _ = busy.try_set(false);
        });
    };
    let label = move || format!("Archive {}", title.get().unwrap_or_default());
    view! {
        <A href=format!("/session/{id}") attr:class="nav-item" attr:title=move || title.get()>
            <span class=move || mark.get().dot aria-hidden="true"></span>
            <span class="title">
                {move || view! { <Words text=title.get().unwrap_or_default() /> }}
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
        <Show when=move || is_ended.get() == Some(true)>
            <button type="button" class="ghost put-away" title="Archive" aria-label=label on:click=archive>
                <Box />
            </button>
        </Show>
    }
}
