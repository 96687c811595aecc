//! What could be remembered beyond this once: each suggestion on its own switch, off unless the person turns it on, with
//! the literal rule and the place where it is kept. Turned on, both can be changed, and others that wait and that the rule
//! covers are counted: they are offered to be answered too, after a table that lists them.

use super::Asked;
use crate::api;
use crate::app::live::{Waiting, use_live};
use crate::app::ui::untrusted::Untrusted;
use crate::model::pending::PLACES;
use crate::model::{RequestId, Suggestion};
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::time::Duration;

#[derive(Clone, Copy)]
pub struct Remembered {
    /// As the person has them now.
    offered: RwSignal<Vec<Suggestion>>,
    on: RwSignal<Vec<usize>>,
    /// What else those that are on would have allowed.
    covered: RwSignal<Vec<RequestId>>,
}

impl Remembered {
    pub fn new(asked: Asked, offered: Vec<Suggestion>) -> Self {
        let remembered = Self {
            offered: RwSignal::new(offered),
            on: RwSignal::new(Vec::new()),
            covered: RwSignal::new(Vec::new()),
        };
        remembered.look_for_others(asked);
        remembered
    }

    /// Those turned on, as they are on screen.
    pub fn chosen(self) -> Vec<Suggestion> {
        self.on.with(|on| {
            self.offered.with(|offered| {
                on.iter()
                    .filter_map(|index| offered.get(*index).cloned())
                    .collect()
            })
        })
    }

    /// The others that the chosen rules cover, as they stand in the inbox.
    pub fn others(self) -> Vec<Waiting> {
        let waiting = use_live().waiting();
        let covered = self.covered.read();
        let is_covered = |one: &&Waiting| covered.contains(&one.request.request_id);
        waiting.read().iter().filter(is_covered).cloned().collect()
    }

    fn look_for_others(self, asked: Asked) {
        /// While someone types nothing is asked.
        const PAUSE: Duration = Duration::from_millis(250);
        let request_id = asked.request.with_value(|request| request.request_id);
        let waiting = use_live().waiting();
        Effect::new(move |asking: Option<Option<TimeoutHandle>>| {
            if let Some(asking) = asking.flatten() {
                asking.clear();
            }
            let chosen = self.chosen();
            if chosen.is_empty() || waiting.read().len() < 2 {
                self.covered.set(Vec::new());
                return None;
            }
            let ask = move || {
                spawn_local(async move {
                    let found = api::covered(asked.session_id, request_id, chosen).await;
                    drop(self.covered.try_set(found.unwrap_or_default()));
                });
            };
            set_timeout_with_handle(ask, PAUSE).ok()
        });
    }

    fn switch(self, index: usize, on: bool) {
        self.on.update(|list| {
            list.retain(|other| *other != index);
            if on {
                list.push(index);
                list.sort_unstable();
            }
        });
    }

    fn change(self, index: usize, change: impl FnOnce(Suggestion) -> Suggestion) {
        self.offered.update(|offered| {
            if let Some(suggestion) = offered.get_mut(index) {
                *suggestion = change(suggestion.clone());
            }
        });
    }
}

#[component]
pub fn RememberSwitches(remembered: Remembered) -> impl IntoView {
    let rows: Vec<_> = remembered.offered.with_untracked(|offered| {
        offered
            .iter()
            .enumerate()
            .map(|(index, suggestion)| row(remembered, index, suggestion))
            .collect()
    });
    let others = move || match remembered.covered.read().len() {
        0 => None,
        1 => Some(
            "This also covers 1 other request that waits: you are asked about it next.".to_owned(),
        ),
        count => Some(format!(
            "This also covers {count} other requests that wait: you are asked about them next."
        )),
    };
    (!rows.is_empty()).then(|| {
        view! {
            <div class="remember-list">
                {rows} {move || others().map(|words| view! { <p class="why">{words}</p> })}
            </div>
        }
    })
}

fn row(remembered: Remembered, index: usize, suggestion: &Suggestion) -> AnyView {
    let is_on = Memo::new(move |_| remembered.on.with(|on| on.contains(&index)));
    let now = Memo::new(move |_| {
        remembered
            .offered
            .with(|offered| offered.get(index).cloned())
    });
    let grants = move || {
        let grants = now.get().map(|now| now.grants()).unwrap_or_default();
        grants
            .into_iter()
            .map(|grant| {
                view! {
                    <code class="rule">
                        <Untrusted text=grant />
                    </code>
                }
            })
            .collect::<Vec<_>>()
    };
    let editor = StoredValue::new(suggestion.clone());
    view! {
        <label class="remember">
            <input
                type="checkbox"
                role="switch"
                class="switch"
                prop:checked=move || is_on.get()
                on:change=move |event| remembered.switch(index, event_target_checked(&event))
            />
            <span class="remember-words">
                {suggestion.verb()} " " {grants} " in "
                <span class="scope">{move || now.get().map(|now| now.scope())}</span>
            </span>
        </label>
        <Show when=move || is_on.get()>
            {editor.with_value(|suggestion| edited(remembered, index, suggestion))}
        </Show>
    }
    .into_any()
}

/// The text of the rule, and where it is kept.
fn edited(remembered: Remembered, index: usize, suggestion: &Suggestion) -> AnyView {
    let now = move || {
        remembered
            .offered
            .with(|offered| offered.get(index).cloned())
    };
    let text = move || now().and_then(|now| now.rule_text().map(str::to_owned));
    let place = move || now().map(|now| now.place().to_owned());
    let rule = suggestion.rule_text().map(|_| {
        view! {
            <label class="rule-text">
                {suggestion.rule_tool().to_owned()} "("
                <input
                    type="text"
                    class="mono"
                    aria-label="Text of the rule"
                    spellcheck="false"
                    autocomplete="off"
                    prop:value=text
                    on:input=move |event| {
                        let text = event_target_value(&event);
                        remembered.change(index, |rule| rule.with_rule_text(&text));
                    }
                /> ")"
            </label>
        }
    });
    let places = suggestion.may_move().then(|| {
        view! {
            <select
                class="pill"
                aria-label="Kept in"
                prop:value=place
                on:change=move |event| {
                    let place = event_target_value(&event);
                    remembered.change(index, |rule| rule.kept_in(&place));
                }
            >
                {PLACES
                    .map(|known| {
                        view! {
                            <option value=known prop:selected=move || place().as_deref() == Some(known)>
                                {Suggestion::scope_of(known)}
                            </option>
                        }
                    })
                    .collect_view()}
            </select>
        }
    });
    let trouble = move || now().and_then(|now| now.trouble());
    view! {
        <div class="rule-edit">
            {rule} {places}
            {move || trouble().map(|words| view! { <p class="refusal">{words}</p> })}
        </div>
    }
    .into_any()
}
