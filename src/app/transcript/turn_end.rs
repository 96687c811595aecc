//! The end of a turn: a quiet line with how long it took, or in words what went wrong, with another try.

use super::Around;
use super::outcome::duration;
use crate::api;
use crate::app::live::use_live;
use crate::app::refused_send::RefusedSend;
use crate::app::ui::show::Show;
use crate::app::ui::untrusted::Untrusted;
use crate::model::conversation::{Body, Item, said_in_turn};
use crate::model::{NewAttachment, Refusal};
use leptos::prelude::*;
use leptos::task::spawn_local;

#[component]
pub fn TurnEnd(item: RwSignal<Item>) -> impl IntoView {
    let Item { seq, body, .. } = item.get_untracked();
    let Body::TurnEnd {
        error,
        interrupted,
        duration_ms,
        unasked,
    } = body
    else {
        return ().into_any();
    };
    let took = duration(duration_ms as f64 / 1000.0);
    match error {
        Some(error) => view! {
            <div class="notice error">
                <p>"The turn ended with an error: " <Untrusted text=error /></p>
                <TryAgain seq />
            </div>
        }
        .into_any(),
        None if interrupted => {
            view! { <p class="turn-end">{format!("Stopped after {took}")}</p> }.into_any()
        }
        None if unasked => {
            view! { <p class="turn-end">{format!("Background work taken in, {took}")}</p> }
                .into_any()
        }
        None => view! { <p class="turn-end">{format!("Worked for {took}")}</p> }.into_any(),
    }
}

/// Sends what this turn was about once more, as long as nothing else was said since.
#[component]
fn TryAgain(seq: u64) -> impl IntoView {
    let session_id = expect_context::<Around>().session_id;
    let items = use_live().conversation(session_id).items();
    // several messages may share a turn
    let words = move || {
        items.with_untracked(|items| {
            let items = items.iter().map(|line| line.item.get_untracked());
            said_in_turn(&items.collect::<Vec<Item>>(), seq)
        })
    };
    let is_last_word = Memo::new(move |_| {
        let is_last = items.with(|items| {
            let talk = items.iter().rev().find(|line| {
                matches!(
                    line.item.read_untracked().body,
                    Body::Said { .. } | Body::TurnEnd { .. }
                )
            });
            talk.is_some_and(|last| last.seq == seq)
        });
        // what it was about may be too long ago to be here
        is_last && words() != Default::default()
    });
    let busy = RwSignal::new(false);
    let refusal = RwSignal::new(None::<Refusal>);
    let send = move |anyway: bool| {
        let (text, files) = words();
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        refusal.set(None);
        spawn_local(async move {
            let files = files.iter().map(NewAttachment::again).collect();
            let sent = api::send_message(session_id, text, None, Some(files), Some(anyway)).await;
            if let Err(words) = sent {
                let _ = refusal.try_set(Some(words));
            }
            let _ = busy.try_set(false);
        });
    };
    view! {
        <Show when=move || is_last_word.get()>
            <button
                type="button"
                class="small"
                title="Sends the message once more"
                disabled=move || busy.get()
                on:click=move |_| send(false)
            >
                "Try again"
            </button>
            <RefusedSend
                session_id
                text=Callback::new(move |()| words().0)
                refusal
                on_anyway=Callback::new(move |()| send(true))
            />
        </Show>
    }
}
