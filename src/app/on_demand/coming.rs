//! What stands in the place of a part that is on its way, or that did not come. It is tried again by itself, and at once when
//! somebody asks for it.

use super::{Arrived, Part, rest, second_piece};
use crate::app::batch::Batch;
use crate::app::new_session::NewSession;
use crate::app::ui::button::Spinner;
use crate::app::ui::focus;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::HtmlElement;
use web_sys::wasm_bindgen::JsCast;

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
    let Arrived(arrived) = expect_context();
    // whoever else asked for it
    Effect::new(move |_| {
        if arrived.get() {
            way.set(Way::Here);
        }
    });
    spawn_local(async move {
        let mut tries = 0;
        while !try_once(way, arrived).await {
            rest(tries).await;
            tries += 1;
        }
    });
    let is_trying = RwSignal::new(false);
    let again = Callback::new(move |()| {
        is_trying.set(true);
        spawn_local(async move {
            try_once(way, arrived).await;
            let _ = is_trying.try_set(false);
        });
    });
    let leave = Callback::new(leave(part));
    // what is shown stays, and keeps the focus, while it is tried again in vain
    let way = Memo::new(move |_| way.get());
    move || match way.get() {
        Way::Here => second_piece::draw(part),
        Way::Coming => Some(in_its_place(part, view! { <OnItsWay /> }.into_any())),
        Way::Missed => Some(in_its_place(
            part,
            view! { <Missed part is_trying again leave /> }.into_any(),
        )),
    }
}

/// Whether that was all: it is here, or nobody waits for it any more.
async fn try_once(way: RwSignal<Way>, arrived: RwSignal<bool>) -> bool {
    let now = match second_piece::load().await {
        Ok(()) => Way::Here,
        Err(_) => Way::Missed,
    };
    if now == Way::Here {
        let _ = arrived.try_set(true);
    }
    let is_gone = way.try_set(now).is_some();
    is_gone || now == Way::Here
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

/// A page has a main part; dialogs lie above it; of the rows and the bar beneath them, the rows say it for both.
fn in_its_place(part: Part, words: AnyView) -> AnyView {
    match part {
        Part::SessionPage | Part::HistoryPage | Part::ArchivedPage => {
            view! { <main class="main">{words}</main> }.into_any()
        }
        Part::NewSessionDialog | Part::BatchDialog => {
            view! { <div class="part-above">{words}</div> }.into_any()
        }
        Part::InboxRows(_) => words,
        Part::PickedBar => ().into_any(),
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
fn Missed(
    part: Part,
    is_trying: RwSignal<bool>,
    again: Callback<()>,
    leave: Callback<()>,
) -> impl IntoView {
    let first = NodeRef::<html::Button>::new();
    let opener = StoredValue::new_local(None);
    // whoever opened a dialog goes on in it, unless they write meanwhile
    Effect::new(move |_| {
        if let Some(first) = first
            .get()
            .filter(|_| is_dialog(part) && !focus::is_in_text())
        {
            opener.set_value(document().active_element());
            let _ = first.focus();
        }
    });
    let leave = move || {
        let opener = opener.try_get_value().flatten();
        leave.run(());
        if let Some(opener) = opener.and_then(|opener| opener.dyn_into::<HtmlElement>().ok()) {
            let _ = opener.focus();
        }
    };
    let on_keydown = move |event: web_sys::KeyboardEvent| {
        if is_dialog(part) && event.key() == "Escape" {
            event.prevent_default();
            leave();
        }
    };
    view! {
        <div class="part-missed" role="alert" on:keydown=on_keydown>
            <h2>"This part of the page could not be loaded"</h2>
            <p>"The server cannot be reached, or another version of it was started meanwhile. It is tried again by itself."</p>
            <div>
                <button
                    node_ref=first
                    type="button"
                    class="primary"
                    aria-busy=move || is_trying.get().to_string()
                    on:click=move |_| again.run(())
                >
                    <Spinner visible=is_trying />
                    "Try again"
                </button>
                <button type="button" on:click=move |_| drop(location().reload())>
                    "Load the page anew"
                </button>
                {is_dialog(part)
                    .then(|| {
                        view! {
                            <button type="button" class="ghost" on:click=move |_| leave()>
                                "Cancel"
                            </button>
                        }
                    })}
            </div>
        </div>
    }
}
