//! Which model works in this session: the choices the agent itself offers. Without any, only what is in use is shown.

use super::head_select::{Chooses, HeadSelect, Offered};
use crate::app::live::use_live;
use crate::app::ui::show::Show;
use crate::app::ui::untrusted::Untrusted;
use crate::model::{Capabilities, ProcessInfo, Refusal, SessionId};
use leptos::prelude::*;

#[component]
pub fn ModelSelect(
    session_id: SessionId,
    process: Memo<Option<ProcessInfo>>,
    refusal: RwSignal<Option<Refusal>>,
) -> impl IntoView {
    let capabilities = use_live().capabilities(session_id);
    let in_use = Memo::new(move |_| process.read().as_ref()?.model.clone());
    let current = Memo::new(move |_| choice(&capabilities.read(), in_use.get().as_deref()));
    let offered = Memo::new(move |_| {
        let current = current.get();
        let models = capabilities.get().models.into_iter();
        let mut offered: Vec<Offered> = models
            .map(|model| Offered {
                value: model.value,
                name: model.name,
                description: model.description,
            })
            .collect();
        if offered.iter().all(|one| one.value != current) {
            offered.push(Offered {
                value: current.clone(),
                name: current,
                ..Offered::default()
            });
        }
        offered
    });
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
            <HeadSelect session_id chooses=Chooses::Model current offered refusal />
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
