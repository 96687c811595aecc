//! For whoever tries the demo agent: what it is, and five things to see, one click each.

use super::NewSession;
use crate::app::live::use_live;
use leptos::prelude::*;

const PROMPTS: [&str; 5] = [
    "Give me the tour",
    "Run a command",
    "Ask me a question",
    "Propose a plan",
    "Ask three things at once",
];

/// Nothing at all when a real agent is there.
#[component]
pub fn Examples(#[prop(into)] on_choose: Callback<String>) -> impl IntoView {
    let start = expect_context::<NewSession>().start;
    let agent = use_live().agent();
    agent.is_demo.then(|| {
        view! {
            <div class="examples">
                <p class="hint">
                    {agent
                        .note
                        .unwrap_or_else(|| "This is the demo agent: it follows a script, and really does what you allow.".to_owned())}
                </p>
                <div class="example-list" role="group" aria-label="Examples">
                    {PROMPTS
                        .map(|prompt| {
                            view! {
                                <button
                                    type="button"
                                    class="example"
                                    disabled=move || start.is_busy().get()
                                    on:click=move |_| on_choose.run(prompt.to_owned())
                                >
                                    {prompt}
                                </button>
                            }
                        })
                        .collect_view()}
                </div>
            </div>
        }
    })
}
