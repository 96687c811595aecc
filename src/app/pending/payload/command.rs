//! A command: all of it, wrapped, with the agent's own words about it beneath and marked as such.

use super::generic::extras;
use crate::app::ui::untrusted::Untrusted;
use crate::model::ToolInput;
use leptos::prelude::*;

pub fn view(input: &ToolInput) -> AnyView {
    let text = input.text("command").unwrap_or_default().to_owned();
    let words = input.text("description").map(|words| {
        view! {
            <p class="agent-words">
                <Untrusted text=words />
            </p>
        }
    });
    view! {
        {command(text)}
        {words}
        {extras(input, &["command", "description"])}
    }
    .into_any()
}

pub fn command(text: String) -> impl IntoView {
    view! {
        <div class="code">
            <div class="seg">
                <span class="op" aria-hidden="true">
                    "$"
                </span>
                <pre class="command">
                    <Untrusted text />
                </pre>
            </div>
        </div>
    }
}
