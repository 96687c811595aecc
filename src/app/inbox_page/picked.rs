//! The bar under the inbox while requests are picked: how many, and the way to the table that answers them at once.

use super::summary::wish;
use crate::app::batch::{Batch, Selection};
use crate::app::live::use_live;
use leptos::prelude::*;

#[component]
pub fn PickedBar() -> impl IntoView {
    let live = use_live();
    let (batch, selection) = (expect_context::<Batch>(), expect_context::<Selection>());
    let picked = Memo::new(move |_| selection.still_waiting(&live.waiting().read()));
    let review = move |_| {
        let requests = picked.get_untracked();
        let words = match requests.as_slice() {
            [] => return,
            [one] => format!("1 agent {}", wish(&one.request)),
            all => format!("{} requests to answer at once", all.len()),
        };
        // it stays: whoever comes back from the table finds it as it was
        batch.open(words, requests);
    };
    let alike = Memo::new(move |_| selection.all_alike(&live.waiting().read()));
    let has_more = move || alike.read().len() > picked.read().len();
    view! {
        <div class="picked-bar" role="region" aria-label="Selected" hidden=move || picked.read().is_empty()>
            <span>{move || format!("{} selected", picked.read().len())}</span>
            <span class="spacer"></span>
            <button
                type="button"
                class="ghost"
                hidden=move || !has_more()
                on:click=move |_| selection.pick_all(alike.get_untracked())
            >
                {move || format!("Select all {} of this kind", alike.read().len())}
            </button>
            <button type="button" class="ghost" on:click=move |_| selection.clear()>
                "Clear"
            </button>
            <button type="button" class="primary" on:click=review>
                "Review and answer"
            </button>
        </div>
    }
}
