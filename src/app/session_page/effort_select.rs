//! How much the model thinks in this session: what applies, among what the model in use can be told. One that cannot be told
//! has no such choice.

use super::head_select::{Chooses, HeadSelect, Offered};
use crate::app::live::use_live;
use crate::app::ui::show::Show;
use crate::model::capabilities::{OWN_EFFORT, effort_label};
use crate::model::{ProcessInfo, Refusal, SessionId};
use leptos::prelude::*;

#[component]
pub fn EffortSelect(
    session_id: SessionId,
    process: Memo<Option<ProcessInfo>>,
    refusal: RwSignal<Option<Refusal>>,
) -> impl IntoView {
    let capabilities = use_live().capabilities(session_id);
    let current = Memo::new(move |_| {
        let process = process.read();
        let applies = process.as_ref().and_then(|process| process.effort.clone());
        applies.unwrap_or_else(|| OWN_EFFORT.to_owned())
    });
    let offered = Memo::new(move |_| {
        let (process, known) = (process.read(), capabilities.read());
        let Some(process) = process.as_ref() else {
            return Vec::new();
        };
        let efforts = known.efforts(process.model.as_deref(), process.effort.as_deref());
        if efforts.is_empty() {
            return Vec::new();
        }
        let mut values = vec![OWN_EFFORT.to_owned()];
        values.extend_from_slice(efforts);
        let current = current.get();
        if !values.contains(&current) {
            values.push(current);
        }
        let offered = |value: String| Offered {
            name: effort_label(&value),
            value,
            ..Offered::default()
        };
        values.into_iter().map(offered).collect()
    });
    view! {
        <Show when=move || !offered.read().is_empty()>
            <HeadSelect session_id chooses=Chooses::Effort current offered refusal />
        </Show>
    }
}
