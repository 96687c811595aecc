//! What stands in the place of a part that is on its way, or that did not come.

use super::{Part, second_piece};
use crate::app::batch::Batch;
use crate::app::new_session::NewSession;
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
    let leave = Callback::new(leave(part));
    move || match way.get() {
        Way::Here => second_piece::draw(part),
        Way::Coming => Some(in_its_place(part, view! { <OnItsWay /> }.into_any())),
        Way::Missed => Some(in_its_place(
            part,
            view! { <Missed part again leave /> }.into_any(),
        )),
    }
}

/// A dialog that is not there can be left like one that is.
fn leave(part: Part) -> impl Fn(()) + Send + Sync {
    let (new_session, batch) = (use_context::<NewSession>(), use_context::<Batch>());
    move |()| match part {
        Part::NewSessionDialog => drop(new_session.map(NewSession::close)),
        Part::BatchDialog => drop(batch.map(Batch::close)),
        _ => {}
    }
}

fn is_dialog(part: Part) -> bool {
    matches!(part, Part::NewSessionDialog | Part::BatchDialog)
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
fn Missed(part: Part, again: Callback<()>, leave: Callback<()>) -> impl IntoView {
    view! {
        <div class="part-missed" role="alert">
            <h2>"This part of the page could not be loaded"</h2>
            <p>"The server cannot be reached, or another version of it was started meanwhile."</p>
            <div>
                <button type="button" class="primary" on:click=move |_| again.run(())>
                    "Try again"
                </button>
                <button type="button" on:click=move |_| drop(location().reload())>
                    "Load the page anew"
                </button>
                {is_dialog(part)
                    .then(|| {
                        view! {
                            <button type="button" class="ghost" on:click=move |_| leave.run(())>
                                "Cancel"
                            </button>
                        }
                    })}
            </div>
        </div>
    }
}
