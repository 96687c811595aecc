//! Any tool: its fields by name, and the JSON itself one click away.

use crate::app::ui::untrusted::Untrusted;
use crate::model::ToolInput;
use leptos::prelude::*;

pub fn view(input: &ToolInput) -> AnyView {
    let fields = input.fields();
    if fields.is_empty() {
        return view! { <p class="why">"It is called without any input."</p> }.into_any();
    }
    view! {
        {listed(fields)}
        <details class="raw">
            <summary>"Raw input"</summary>
            <pre class="code">
                <Untrusted text=input.to_json() />
            </pre>
        </details>
    }
    .into_any()
}

/// The fields that a tool's own view does not show.
pub fn extras(input: &ToolInput, shown: &[&str]) -> Option<AnyView> {
    let rest: Vec<_> = input
        .fields()
        .into_iter()
        .filter(|(name, _)| !shown.contains(&name.as_str()))
        .collect();
    (!rest.is_empty()).then(|| listed(rest))
}

fn listed(fields: Vec<(String, String)>) -> AnyView {
    let rows: Vec<_> = fields
        .into_iter()
        .map(|(name, value)| {
            view! {
                <div>
                    <dt>
                        <Untrusted text=name />
                    </dt>
                    <dd>
                        <Untrusted text=value />
                    </dd>
                </div>
            }
        })
        .collect();
    view! { <dl class="fields">{rows}</dl> }.into_any()
}
