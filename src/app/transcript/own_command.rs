//! A command that the person ran by themselves, and what came of it.

use super::long_text::LongText;
use super::so_far::{Told, WrittenSoFar};
use crate::api;
use crate::app::ui::untrusted::Untrusted;
use crate::model::SessionId;
use leptos::prelude::*;
use leptos::task::spawn_local;

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

/// While it runs, in every tab.
#[component]
pub fn OwnCommandRuns(session_id: SessionId, command: String) -> impl IntoView {
    let refusal = RwSignal::new(None::<String>);
    let ask = Callback::new(move |()| -> Told {
        Box::pin(async move { api::command_output(session_id).await.map(Some) })
    });
    let stop = move |_| {
        spawn_local(async move {
            if let Err(words) = api::stop_command(session_id).await {
                let _ = refusal.try_set(Some(words.message));
            }
        });
    };
    view! {
        <div class="own-command runs">
            <p class="ran">
                <span class="visually-hidden">"You run: "</span>
                <span class="sign" aria-hidden="true">"!"</span>
                <code>
                    <Untrusted text=command />
                </code>
                <span class="end">"runs"</span>
                <button type="button" class="small" on:click=stop>
                    "Stop the command"
                </button>
            </p>
            {move || refusal.get().map(|words| view! { <p class="refusal" role="alert">{words}</p> })}
            <WrittenSoFar ask />
        </div>
    }
}
