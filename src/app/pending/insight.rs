//! What the server found out about the request on a card. Asked for once, when the card appears; until it comes, and if it
//! does not, the card shows the request as it is.

use super::Asked;
use super::payload::{self, Payload};
use crate::api;
use crate::model::Insight;
use leptos::prelude::*;
use leptos::task::spawn_local;

pub type Found = RwSignal<Option<Insight>>;

pub fn learn(asked: Asked) -> Found {
    let found = Found::new(None);
    let (request_id, is_worth_it) = asked.request.with_value(|request| {
        let is_worth_it = payload::can_be_understood(&request.tool_name);
        (request.request_id, is_worth_it)
    });
    Effect::new(move |_| {
        if is_worth_it {
            spawn_local(async move {
                if let Ok(insight) = api::get_insight(asked.session_id, request_id).await {
                    let _ = found.try_set(Some(insight));
                }
            });
        }
    });
    found
}

#[component]
pub fn Understood(asked: Asked, found: Found) -> impl IntoView {
    move || {
        asked.request.with_value(|request| {
            let understood = found.with(|found| {
                payload::understood(asked.session_id, request, found.as_ref()?)
            });
            understood.unwrap_or_else(|| {
                view! { <Payload tool_name=request.tool_name.clone() input=request.tool_input.clone() /> }
                    .into_any()
            })
        })
    }
}
