//! How long something has been at work: a number that grows. Nobody is read it out each second.

use crate::app::live::use_live;
use crate::app::ui::age::at_work;
use crate::model::UnixTime;
use leptos::prelude::*;

/// Sooner than this it is not worth a number.
pub const WORTH_IT: f64 = 3.0;

/// None: it does not run, and the clock is not listened to.
#[component]
pub fn Elapsed(#[prop(into)] since: Signal<Option<UnixTime>>) -> impl IntoView {
    let now = use_live().now();
    let words = Memo::new(move |_| {
        let seconds = since.get().map(|since| now.get().since(since))?;
        (seconds >= WORTH_IT).then(|| at_work(seconds))
    });
    let is_there = Memo::new(move |_| words.read().is_some());
    view! {
        <Show when=move || is_there.get()>
            <span class="elapsed" aria-hidden="true">
                {move || words.get()}
            </span>
        </Show>
    }
}
