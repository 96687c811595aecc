//! What an edited input would do. Whoever edits must not lose the marks or the comparison, and what was not looked at yet is
//! not allowed by a quick hand: the button waits until what is shown belongs to what is typed.

use super::editing::Editing;
use super::insight::{Found, Understood, WITHOUT_MARKS};
use super::{Asked, payload};
use crate::api;
use crate::model::{Insight, PendingRequest, Refusal, ToolInput};
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::time::Duration;

/// While someone types nothing is asked.
const PAUSE: Duration = Duration::from_millis(200);

#[derive(Clone, Copy)]
pub struct Edited {
    asked: Asked,
    editing: Editing,
    looked_at: RwSignal<Option<(ToolInput, Result<Insight, Refusal>)>>,
    outdated: Trigger,
    /// What is shown is about what is typed.
    pub is_current: Memo<bool>,
}

impl Edited {
    pub fn new(asked: Asked, request: &PendingRequest, editing: Editing) -> Self {
        let looked_at = RwSignal::new(None::<(ToolInput, Result<Insight, Refusal>)>);
        let is_worth_it = payload::can_be_understood(&request.tool_name);
        let (session_id, request_id) = (asked.session_id, request.request_id);
        let outdated = Trigger::new();
        Effect::new(move |asking: Option<Option<TimeoutHandle>>| {
            outdated.track();
            if let Some(asking) = asking.flatten() {
                asking.clear();
            }
            let (input, text) = editing.changed().filter(|_| is_worth_it)?;
            let ask = move || {
                spawn_local(async move {
                    let insight = api::get_insight(session_id, request_id, Some(text)).await;
                    if let Some(insight) = insight.transpose() {
                        let _ = looked_at.try_set(Some((input, insight)));
                    }
                });
            };
            set_timeout_with_handle(ask, PAUSE).ok()
        });
        let is_current = Memo::new(move |_| match editing.changed() {
            Some((input, _)) if is_worth_it => {
                let looked_at = looked_at.read();
                looked_at.as_ref().is_some_and(|(of, _)| *of == input)
            }
            _ => true,
        });
        Self {
            asked,
            editing,
            looked_at,
            outdated,
            is_current,
        }
    }

    /// The file is another by now: what is shown of the changed input is not so any more.
    pub fn look_again(self) {
        self.looked_at.set(None);
        self.outdated.notify();
    }
}

/// Under the editor: the original while nothing is changed, then what the changed input would do.
#[component]
pub fn EditedInsight(edited: Edited, found: Found) -> impl IntoView {
    let Asked {
        session_id,
        request,
        ..
    } = edited.asked;
    let is_worth_it = request.with_value(|request| payload::can_be_understood(&request.tool_name));
    let is_changed = Memo::new(move |_| edited.editing.changed().is_some());
    let shown = move || {
        if !is_worth_it {
            return ().into_any();
        }
        if !is_changed.get() {
            return view! { <Understood session_id request found /> }.into_any();
        }
        if !edited.is_current.get() {
            return view! { <p class="why" role="status">"Looking at what you changed …"</p> }
                .into_any();
        }
        let looked_at = edited.looked_at.get();
        match looked_at {
            Some((input, Ok(insight))) => {
                let request = PendingRequest {
                    tool_input: input,
                    ..request.get_value()
                };
                let text = edited.editing.text();
                payload::understood(session_id, &request, Some(text), &insight)
                    .unwrap_or_else(|| ().into_any())
            }
            Some((_, Err(refusal))) => {
                let words = format!("{WITHOUT_MARKS} {}", refusal.message);
                view! { <p class="finding">{words}</p> }.into_any()
            }
            None => ().into_any(),
        }
    };
    view! {
        <div class="edited-insight" role="group" aria-label="Your edit">
            {shown}
        </div>
    }
}
