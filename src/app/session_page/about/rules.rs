//! Permission rules that a person adds and removes. Removing one asks nothing: it can be undone.

use super::Told;
use crate::api;
use crate::app::ui::focus;
use crate::model::{Behavior, PermissionRule, RulePlace};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;

const BEHAVIORS: [Behavior; 3] = [Behavior::Allow, Behavior::Ask, Behavior::Deny];
const PLACES: [RulePlace; 3] = [RulePlace::Local, RulePlace::Project, RulePlace::User];

impl Told {
    /// `is_written`: in the field, where the next one will be.
    pub(super) fn change_rule(self, rule: PermissionRule, keep: bool, is_written: bool) {
        if self.busy.get_untracked() {
            return;
        }
        self.busy.set(true);
        self.forget();
        spawn_local(async move {
            let is_done = match api::change_rule(self.session_id, rule.clone(), keep).await {
                Ok(words) => {
                    drop(self.said.try_set(Some(words)));
                    drop(self.removed.try_set((!keep).then(|| rule.clone())));
                    true
                }
                Err(refusal) => {
                    // it can be corrected and tried again at once
                    let _ = self.busy.try_set(false);
                    drop(self.refusal.try_set(Some(refusal.message)));
                    false
                }
            };
            if is_written {
                // the next one may have been begun meanwhile
                let is_same = |begun: &String| *begun == rule.rule;
                if is_done && self.begun.try_with_untracked(is_same) == Some(true) {
                    let _ = self.begun.try_set(String::new());
                }
                focus::leave_from(".new-rule button", "#new-rule");
            }
            self.learn().await;
            if !is_written {
                // the button that was pressed is gone with its row
                focus::go_on("#about-part");
            }
        });
    }

    /// What was allowed for this session only.
    pub(super) fn take_back(self, grant: String) {
        self.busy.set(true);
        self.forget();
        spawn_local(async move {
            match api::take_back(self.session_id, grant).await {
                Ok(words) => drop(self.said.try_set(Some(words))),
                Err(refusal) => drop(self.refusal.try_set(Some(refusal.message))),
            }
            self.learn().await;
            focus::go_on("#about-part");
        });
    }
}

/// What was done, and the way back.
#[component]
pub fn Said(told: Told) -> impl IntoView {
    let undo = move |_| {
        if let Some(rule) = told.removed.get_untracked() {
            told.change_rule(rule, true, false);
        }
    };
    view! {
        <div class="about-said" role="status" hidden=move || told.said.read().is_none()>
            <span>{move || told.said.get()}</span>
            <button
                type="button"
                class="small"
                hidden=move || told.removed.read().is_none()
                disabled=move || told.busy.get()
                on:click=undo
            >
                "Undo"
            </button>
        </div>
    }
}

#[component]
pub fn NewRule(told: Told, hidden: Signal<bool>) -> impl IntoView {
    let behavior = NodeRef::<html::Select>::new();
    let place = NodeRef::<html::Select>::new();
    let chosen = |select: NodeRef<html::Select>| {
        let select = select.get_untracked();
        select.map_or(0, |select| {
            usize::try_from(select.selected_index()).unwrap_or(0)
        })
    };
    let add = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let rule = PermissionRule {
            behavior: BEHAVIORS.get(chosen(behavior)).copied().unwrap_or_default(),
            place: PLACES.get(chosen(place)).copied().unwrap_or_default(),
            rule: told.begun.get_untracked(),
        };
        told.change_rule(rule, true, true);
    };
    view! {
        <form class="new-rule" hidden=hidden on:submit=add>
            <select node_ref=behavior aria-label="What the rule does">
                <option>"Allow"</option>
                <option>"Ask"</option>
                <option>"Deny"</option>
            </select>
            <input
                id="new-rule"
                type="text"
                class="mono"
                aria-label="Rule"
                placeholder="Bash(npm test:*)"
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                prop:value=move || told.begun.get()
                on:input=move |event| told.begun.set(event_target_value(&event))
            />
            <select node_ref=place aria-label="Where the rule is kept">
                <option>"This project, for me"</option>
                <option>"This project, for all"</option>
                <option>"All my projects"</option>
            </select>
            <button type="submit" disabled=move || told.busy.get()>
                "Add rule"
            </button>
        </form>
    }
}
