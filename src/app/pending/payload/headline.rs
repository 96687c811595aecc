//! Calls that are about one thing: a page to fetch, words to search for, a subagent to start. The thing itself, whole and
//! not clickable, and under it what the agent says about it.

use super::generic::extras;
use crate::app::ui::icon;
use crate::app::ui::untrusted::{Untrusted, Words};
use crate::model::{ToolInput, text};
use leptos::prelude::*;

/// The field that names the thing, and the one with words about it.
fn fields(tool_name: &str) -> Option<(&'static str, &'static str)> {
    match tool_name {
        "WebFetch" => Some(("url", "prompt")),
        "WebSearch" => Some(("query", "")),
        "Agent" | "Task" => Some(("description", "prompt")),
        _ => None,
    }
}

/// Nothing for a call that is not about one thing.
pub fn view(tool_name: &str, input: &ToolInput) -> Option<AnyView> {
    let (thing, about) = fields(tool_name)?;
    let text = input.text(thing)?.to_owned();
    let drawing = match thing {
        "description" => view! { <icon::Plan /> }.into_any(),
        _ => view! { <icon::Globe /> }.into_any(),
    };
    let words = input.text(about).map(|words| {
        view! {
            <p class="agent-words">
                <Words text=words />
            </p>
        }
    });
    let host = (thing == "url").then(|| text::about_host(&text)).flatten();
    let view = view! {
        <div class="code">
            <div class="file last">
                {drawing}
                <Untrusted text />
            </div>
        </div>
        {host.map(|words| view! { <p class="finding">{format!("{words}.")}</p> })}
        {words}
        {extras(input, &[thing, about])}
    };
    Some(view.into_any())
}
