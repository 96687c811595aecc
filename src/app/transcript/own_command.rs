//! A command that the person ran by themselves, and what came of it.

use super::long_text::LongText;
use crate::app::ui::untrusted::Untrusted;
use leptos::prelude::*;

#[component]
pub fn OwnCommand(command: String, output: String, code: Option<i32>) -> impl IntoView {
    let end = match code {
        Some(0) => None,
        Some(code) => Some(format!("ended with code {code}")),
        None => Some("did not end by itself".to_owned()),
    };
    let result = match output.is_empty() {
        true => view! { <p class="delivery">"It printed nothing."</p> }.into_any(),
        false => view! { <LongText text=output class="result" /> }.into_any(),
    };
    view! {
        <div class="own-command" class:failed=code != Some(0)>
            <p class="ran">
                <span class="visually-hidden">"You ran: "</span>
                <span class="sign" aria-hidden="true">"!"</span>
                <code>
                    <Untrusted text=command />
                </code>
                {end.map(|end| view! { <span class="end">{end}</span> })}
            </p>
            {result}
        </div>
    }
}
