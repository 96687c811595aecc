//! What was open when the server stopped, as long as nobody has looked at it. It waits no more, so it is only said.

use super::summary::{subject, wish};
use crate::api;
use crate::app::live::{Waiting, use_live};
use crate::app::ui::icon::ArrowRight;
use crate::app::ui::show::Show;
use crate::app::ui::{Untrusted, Words, age, focus};
use leptos::prelude::*;
use leptos::task::spawn_local;

#[component]
pub fn CutOff() -> impl IntoView {
    let live = use_live();
    let cut_off = live.cut_off();
    let dismiss = move |_| {
        spawn_local(async move {
            match api::dismiss_cut_off(None).await {
                Ok(()) => focus::go_on("#content"),
                Err(refusal) => live.tell(refusal.message),
            }
        });
    };
    let rows = move || {
        let cut_off = cut_off.get().into_iter();
        cut_off.map(|one| view! { <Row one /> }).collect::<Vec<_>>()
    };
    view! {
        <Show when=move || !cut_off.read().is_empty()>
            <section class="cut-off" aria-labelledby="cut-off">
                <h2 id="cut-off">"Cut off when the server stopped"</h2>
                <button type="button" class="small" on:click=dismiss>
                    "Dismiss"
                </button>
                <p class="hint">
                    "Nobody had answered these. Open the session and send a message to go on."
                </p>
                <ul>
                    {rows}
                </ul>
            </section>
        </Show>
    }
}

#[component]
fn Row(one: Waiting) -> impl IntoView {
    let now = use_live().now();
    let asked_at = one.request.created_at;
    view! {
        <li>
            <p class="l1">
                <a href=format!("/session/{}", one.session_id) class="row-session">
                    <span>{one.project_id.name().to_owned()}</span>
                    " · "
                    <Words text=one.title />
                    <ArrowRight />
                </a>
                " "
                <span class="wish">{was(&wish(&one.request))}</span>
            </p>
            <time class="when">{move || age::when(asked_at, now.get())}</time>
            <p class="l2">
                <Untrusted text=subject(&one.request) />
            </p>
        </li>
    }
}

/// It did so before the server stopped.
fn was(wish: &str) -> String {
    let (verb, rest) = wish.split_once(' ').unwrap_or((wish, ""));
    let verb = match verb {
        "asks" => "asked",
        "wants" => "wanted",
        "has" => "had",
        other => other,
    };
    format!("{verb} {rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_cut_off_is_told_of_the_past() {
        assert_eq!(was("wants to run a command"), "wanted to run a command");
        assert_eq!(was("asks 3 questions"), "asked 3 questions");
        assert_eq!(was("has a plan"), "had a plan");
    }
}
