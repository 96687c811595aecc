//! The inbox: every pending request of every session, oldest first, each answerable in place. A row can be folded
//! to one line and put at the end ("not now"), which decides nothing. The order never changes under one's hands.

mod cut_off;
mod empty;
mod later;
mod picked;
mod row;
mod steps;
pub mod summary;

use super::live::{Waiting, use_live};
use super::on_demand::{OnDemand, Part};
use super::ui::age;
use crate::app::ui::show::Show;
use crate::model::UnixTime;
use cut_off::CutOff;
use empty::EmptyInbox;
use leptos::html;
use leptos::prelude::*;
use leptos_meta::Title;
use row::InboxRow;

pub use later::Later;
pub use picked::PickedBar;

#[component]
pub fn InboxPage() -> impl IntoView {
    let live = use_live();
    let waiting = live.waiting();
    let later = expect_context::<Later>();
    let ordered = Memo::new(move |_| later.order(waiting.get()));
    let is_empty = Memo::new(move |_| waiting.read().is_empty());
    let has_waited =
        Memo::new(move |before: Option<&bool>| before == Some(&true) || !is_empty.get());
    let overview = move || in_short(&waiting.read(), live.now().get());
    view! {
        <Title text="Inbox" />
        <main class="main">
            <div class="bar">
                <h1>"Inbox"</h1>
                <span class="when">{overview}</span>
                <span class="spacer"></span>
                <span class="pill wide-only" hidden=move || is_empty.get()>
                    <kbd>"j"</kbd>
                    <kbd>"k"</kbd>
                    " move · "
                    <kbd>"a"</kbd>
                    " allow · "
                    <kbd>"y"</kbd>
                    " with a note · "
                    <kbd>"d"</kbd>
                    " deny · "
                    <kbd>"l"</kbd>
                    " later · "
                    <kbd>"x"</kbd>
                    " select · "
                    <kbd>"o"</kbd>
                    " open"
                </span>
            </div>
            <div class="scroll">
                <div class="column">
                    <CutOff />
                    <Show when=move || is_empty.get()>
                        <EmptyInbox />
                    </Show>
                    <Show when=move || has_waited.get()>
                        <OnDemand part=Part::InboxRows(ordered) />
                    </Show>
                </div>
            </div>
            // below what scrolls: it is seen wherever in the list one is
            <Show when=move || has_waited.get()>
                <OnDemand part=Part::PickedBar />
            </Show>
        </main>
    }
}

/// What waits, in the order of the inbox.
pub type Ordered = Memo<Vec<Waiting>>;

#[component]
pub fn InboxRows(ordered: Ordered) -> impl IntoView {
    let list = NodeRef::<html::Ol>::new();
    steps::follow_keys(list);
    steps::keep_the_place(list, ordered);
    view! {
        <ol class="inbox" node_ref=list hidden=move || ordered.read().is_empty()>
            <For
                each=move || ordered.get()
                key=|one| (one.request.request_id, one.request.digest.clone())
                let:one
            >
                <InboxRow first=one ordered />
            </For>
        </ol>
    }
}

/// "3 waiting · oldest 6 min"
fn in_short(waiting: &[Waiting], now: UnixTime) -> String {
    match waiting.first() {
        None => String::new(),
        Some(oldest) => format!(
            "{} waiting · oldest {}",
            waiting.len(),
            age::roughly(now.since(oldest.request.created_at))
        ),
    }
}
