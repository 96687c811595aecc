//! What stands in the place of a part that is on its way, or that did not come.

use super::{Part, second_piece};
use leptos::prelude::*;
use leptos::task::spawn_local;

#[derive(Clone, Copy, PartialEq)]
enum Way {
    Coming,
    Here,
    /// The server cannot be reached, or is another one by now.
    Missed,
}

#[component]
pub fn Coming(part: Part) -> impl IntoView {
    let way = RwSignal::new(Way::Coming);
    let load = move || {
        let _ = way.try_set(Way::Coming);
        spawn_local(async move {
            let _ = way.try_set(match second_piece::load().await {
                Ok(()) => Way::Here,
                Err(_) => Way::Missed,
            });
        });
    };
    load();
    let again = Callback::new(move |()| load());
    move || match way.get() {
        Way::Here => second_piece::draw(part),
        Way::Coming => Some(in_its_place(part, view! { <OnItsWay /> }.into_any())),
        Way::Missed => Some(in_its_place(part, view! { <Missed again /> }.into_any())),
    }
}

/// A page has a main part; dialogs lie above it.
fn in_its_place(part: Part, words: AnyView) -> AnyView {
    match part {
        Part::SessionPage | Part::HistoryPage | Part::ArchivedPage => {
            view! { <main class="main">{words}</main> }.into_any()
        }
        Part::NewSessionDialog | Part::BatchDialog => {
            view! { <div class="part-above">{words}</div> }.into_any()
        }
        Part::InboxRows(_) => words,
    }
}

/// Seen only when it takes long.
#[component]
fn OnItsWay() -> impl IntoView {
    view! {
        <p class="part-comes" role="status">
            "Loading…"
        </p>
    }
}

#[component]
fn Missed(again: Callback<()>) -> impl IntoView {
    view! {
        <div class="empty" role="alert">
            <h2>"This part of the page could not be loaded"</h2>
            <p>"The server cannot be reached, or another version of it was started meanwhile."</p>
            <div class="row">
                <button type="button" class="primary" on:click=move |_| again.run(())>
                    "Try again"
                </button>
                <button type="button" class="ghost" on:click=move |_| drop(location().reload())>
                    "Load the page anew"
                </button>
            </div>
        </div>
    }
}
