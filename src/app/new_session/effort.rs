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
        let own = [OWN_EFFORT.to_owned()].into_iter();
        own.chain(offered.get()).collect::<Vec<_>>()
    };
    view! {
        <div class="field" hidden=move || offered.read().is_empty()>
            <label for="new-session-effort">"Effort"</label>
            <select
                id="new-session-effort"
                on:change=move |event| effort.set(event_target_value(&event))
            >
                // each knows whether it is chosen: those of another model come and go
                <For each=options key=String::clone let:value>
                    {
                        let name = effort_label(&value);
                        let of = value.clone();
                        view! {
                            <option value=value prop:selected=move || *effort.read() == of>
                                {name}
                            </option>
                        }
                    }
                </For>
            </select>
        </div>
    }
}
