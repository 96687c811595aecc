//! Which model works in this session: the choices the agent itself offers. Without any, only what is in use is shown.

use crate::api;
use crate::app::live::use_live;
use crate::app::ui::untrusted::Untrusted;
use crate::model::{Capabilities, ProcessInfo, Refusal, SessionId};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;

#[component]
pub fn ModelSelect(
    session_id: SessionId,
    process: Memo<Option<ProcessInfo>>,
    refusal: RwSignal<Option<Refusal>>,
) -> impl IntoView {
    let capabilities = use_live().capabilities(session_id);
    let in_use = Memo::new(move |_| process.read().as_ref()?.model.clone());
    let current = Memo::new(move |_| choice(&capabilities.read(), in_use.get().as_deref()));
    let select = NodeRef::<html::Select>::new();
    let busy = RwSignal::new(false);
    let choose = move |event| {
        let model = event_target_value(&event);
        busy.set(true);
        refusal.set(None);
        spawn_local(async move {
            if let Err(words) = api::set_model(session_id, Some(model)).await {
                let _ = refusal.try_set(Some(words));
                // the signal has not changed, so nothing else would put it back
                if let (Some(select), Some(current)) = (
                    select.try_get_untracked().flatten(),
                    current.try_get_untracked(),
                ) {
                    select.set_value(&current);
                }
            }
            let _ = busy.try_set(false);
        });
    };
    // drawn anew with the model, so that the right one is selected
    let options = move || {
        let current = current.get();
        let known = capabilities.get();
        let mut options: Vec<(String, String, String)> = known
            .models
            .into_iter()
            .map(|model| (model.value, model.name, model.description))
            .collect();
        if options.iter().all(|(value, ..)| *value != current) {
            options.push((current.clone(), current.clone(), String::new()));
        }
        options
            .into_iter()
            .map(|(value, name, description)| {
                let is_current = value == current;
                view! {
                    <option value=value title=description selected=is_current>
                        {name}
                    </option>
                }
            })
            .collect::<Vec<_>>()
    };
    let can_choose = Memo::new(move |_| !capabilities.read().models.is_empty());
    view! {
        <Show
            when=move || can_choose.get()
            fallback=move || {
                in_use
                    .get()
                    .map(|model| {
                        view! {
                            <span class="pill wide-only" title="Model">
                                <Untrusted text=model />
                            </span>
                        }
                    })
            }
        >
            <select
                node_ref=select
                class="pill mode"
                aria-label="Model"
                title="The model that works in this session"
                disabled=move || busy.get()
                prop:value=move || current.get()
                on:change=choose
            >
                {options}
            </select>
        </Show>
    }
}

/// The choice that stands for the model in use.
fn choice(known: &Capabilities, in_use: Option<&str>) -> String {
    match in_use {
        None => "default".to_owned(),
        Some(in_use) => known
            .model_in_use(in_use)
            .map_or_else(|| in_use.to_owned(), |model| model.value.clone()),
    }
}
