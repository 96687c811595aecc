//! In the dialog: how much the model is to think, where the agent has said what it can be told.

use crate::model::Capabilities;
use crate::model::capabilities::{OWN_EFFORT, effort_label};
use leptos::prelude::*;

#[component]
pub fn EffortField(
    known: RwSignal<Capabilities>,
    model: RwSignal<String>,
    effort: RwSignal<String>,
) -> impl IntoView {
    let offered = Memo::new(move |_| {
        let (known, model) = (known.read(), model.read());
        let model = Some(model.trim()).filter(|model| !model.is_empty());
        known.efforts(model, None).to_vec()
    });
    let options = move || {
        let offered = offered.get().into_iter();
        let options = [OWN_EFFORT.to_owned()].into_iter().chain(offered);
        options
            .map(|value| {
                let name = effort_label(&value);
                view! { <option value=value>{name}</option> }
            })
            .collect::<Vec<_>>()
    };
    view! {
        <div class="field" hidden=move || offered.read().is_empty()>
            <label for="new-session-effort">"Effort"</label>
            <select
                id="new-session-effort"
                prop:value=move || effort.get()
                on:change=move |event| effort.set(event_target_value(&event))
            >
                {options}
            </select>
        </div>
    }
}
