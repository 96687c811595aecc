//! What the server found out about the request on a card. Asked for once, when the card appears; until it comes the card
//! shows the request as it is. If it does not come the card says so: no mark must not be read as no danger.

use super::payload::{self, Payload};
use crate::api;
use crate::model::{Insight, PendingRequest, Refusal, RequestId, SessionId};
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::time::Duration;

pub type Found = RwSignal<Option<Result<Insight, Refusal>>>;

pub const WITHOUT_MARKS: &str =
    "What this would do could not be looked into, so nothing is marked. Read it with care.";

pub fn learn(session_id: SessionId, request: StoredValue<PendingRequest>) -> Found {
    let found = Found::new(None);
    let (request_id, is_worth_it) = request.with_value(|request| {
        let is_worth_it = payload::can_be_understood(&request.tool_name);
        (request.request_id, is_worth_it)
    });
    Effect::new(move |_| {
        if is_worth_it {
            // the card is built first; then there is time until the frame that shows it
            set_timeout(move || look(session_id, request_id, found), Duration::ZERO);
        }
    });
    found
}

/// Names the change of a file that was shown.
pub fn version(found: Found) -> Option<String> {
    found
        .try_with_untracked(|found| match found {
            Some(Ok(insight)) => insight
                .file
                .as_ref()
                .map(|file| file.change.version.clone()),
            _ => None,
        })
        .flatten()
}

/// Also once more, when what was found is outdated.
pub fn look(session_id: SessionId, request_id: RequestId, found: Found) {
    spawn_local(async move {
        let insight = api::get_insight(session_id, request_id, None).await;
        // of one that waits no more nothing is found: its card is about to go
        if let Some(insight) = insight.transpose() {
            drop(found.try_set(Some(insight)));
        }
    });
}

#[component]
pub fn Understood(
    session_id: SessionId,
    request: StoredValue<PendingRequest>,
    found: Found,
) -> impl IntoView {
    move || {
        request.with_value(|request| {
            let as_it_is = || {
                view! { <Payload tool_name=request.tool_name.clone() input=request.tool_input.clone() /> }
                    .into_any()
            };
            found.with(|found| match found {
                Some(Ok(insight)) => payload::understood(session_id, request, None, insight)
                    .unwrap_or_else(as_it_is),
                Some(Err(refusal)) => {
                    let words = format!("{WITHOUT_MARKS} {}", refusal.message);
                    view! { {as_it_is()} <p class="finding">{words}</p> }.into_any()
                }
                None => payload::beginning(request).unwrap_or_else(as_it_is),
            })
        })
    }
}
