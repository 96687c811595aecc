//! What could be remembered beyond this once: each suggestion on its own switch, off unless the person turns it on, with
//! the literal rule and the place where it is kept.

use crate::app::ui::untrusted::Untrusted;
use crate::model::Suggestion;
use leptos::prelude::*;

#[derive(Clone, Copy)]
pub struct Remembered {
    offered: StoredValue<Vec<Suggestion>>,
    on: RwSignal<Vec<usize>>,
}

impl Remembered {
    pub fn new(offered: Vec<Suggestion>) -> Self {
        Self {
            offered: StoredValue::new(offered),
            on: RwSignal::new(Vec::new()),
        }
    }

    /// Those turned on, each exactly as it was offered.
    pub fn chosen(self) -> Vec<Suggestion> {
        let on = self.on.get_untracked();
        self.offered.with_value(|offered| {
            on.iter()
                .filter_map(|index| offered.get(*index).cloned())
                .collect()
        })
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
}

#[component]
pub fn RememberSwitches(remembered: Remembered) -> impl IntoView {
    let rows: Vec<_> = remembered.offered.with_value(|offered| {
        offered
            .iter()
            .enumerate()
            .map(|(index, suggestion)| row(remembered, index, suggestion))
            .collect()
    });
    (!rows.is_empty()).then(|| view! { <div class="remember-list">{rows}</div> })
}

fn row(remembered: Remembered, index: usize, suggestion: &Suggestion) -> impl IntoView + use<> {
    let grants: Vec<_> = suggestion
        .grants()
        .into_iter()
        .map(|grant| {
            view! {
                <code class="rule">
                    <Untrusted text=grant />
                </code>
            }
        })
        .collect();
    view! {
        <label class="remember">
            <input
                type="checkbox"
                role="switch"
                class="switch"
                prop:checked=move || remembered.on.with(|on| on.contains(&index))
                on:change=move |event| remembered.switch(index, event_target_checked(&event))
            />
            <span class="remember-words">
                {suggestion.verb()} " " {grants} " in " <span class="scope">{suggestion.scope()}</span>
            </span>
        </label>
    }
}
