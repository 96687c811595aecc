//! The end of a turn: a quiet line with how long it took, or in words what went wrong.

use super::outcome::duration;
use crate::app::ui::untrusted::Untrusted;
use leptos::prelude::*;

#[component]
pub fn TurnEnd(error: Option<String>, interrupted: bool, duration_ms: u64) -> impl IntoView {
    let took = duration(duration_ms as f64 / 1000.0);
    match error {
        Some(error) => view! {
            <p class="notice error">
                "The turn ended with an error: " <Untrusted text=error />
                " Send a message to try again."
            </p>
        }
        .into_any(),
        None if interrupted => {
            view! { <p class="turn-end">{format!("Stopped after {took}")}</p> }.into_any()
        }
        None => view! { <p class="turn-end">{format!("Worked for {took}")}</p> }.into_any(),
    }
}
