//! Fetching a page: the address, whole and not clickable, and what is to be done with it.

use super::generic::extras;
use crate::app::ui::icon;
use crate::app::ui::untrusted::Untrusted;
use crate::model::ToolInput;
use leptos::prelude::*;

pub fn view(input: &ToolInput) -> AnyView {
    let url = input.text("url").unwrap_or_default().to_owned();
    let words = input.text("prompt").map(|words| {
        view! {
            <p class="agent-words">
                <Untrusted text=words />
            </p>
        }
    });
    view! {
        <div class="code">
            <div class="file last">
                <icon::Globe />
                <Untrusted text=url />
            </div>
        </div>
        {words}
        {extras(input, &["url", "prompt"])}
    }
    .into_any()
}
