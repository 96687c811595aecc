//! What could be remembered beyond this once: each suggestion on its own switch, off unless the person turns it on, with
//! the literal rule and the place where it is kept. Turned on, both can be changed; one that was changed so that it misses
//! the very request it is given with says so. Others that wait and that a rule covers are counted: they are offered to be
//! allowed too, after a table that lists them.

use super::Asked;
use super::insight::Found;
use crate::api;
use crate::app::live::{Waiting, use_live};
use crate::app::ui::show::Show;
use crate::app::ui::untrusted::Untrusted;
use crate::model::insight::command::CommandInsight;
use crate::model::pending::PLACES;
use crate::model::{RequestId, Suggestion};
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::time::Duration;

#[derive(Clone, Copy)]
pub struct Remembered {
    request_id: RequestId,
    /// As the person has them now.
    offered: RwSignal<Vec<Suggestion>>,
    on: RwSignal<Vec<usize>>,
    /// What those that are on would have allowed, each by itself. One that was changed since is not in here.
    covered: RwSignal<Vec<(Suggestion, Vec<RequestId>)>>,
}

impl Remembered {
    pub fn new(asked: Asked, offered: Vec<Suggestion>) -> Self {
        let remembered = Self {
            request_id: asked.request.with_value(|request| request.request_id),
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
        let covered = self.covered_others();
        let is_covered = |one: &&Waiting| covered.contains(&one.request.request_id);
        waiting.read().iter().filter(is_covered).cloned().collect()
    }

    /// One that is on was changed so that it cannot be kept.
    pub fn has_trouble(self) -> bool {
        self.chosen().iter().any(|rule| rule.trouble().is_some())
    }

    /// The chosen rules that allow something, as they are written.
    pub fn rules(self) -> Vec<String> {
        let chosen = self.chosen().into_iter();
        let allowing = chosen.filter(Suggestion::allows);
        allowing.flat_map(|rule| rule.grants()).collect()
    }

    fn covered_others(self) -> Vec<RequestId> {
        let chosen = self.chosen();
        let covered = self.covered.read();
        let by_chosen = covered.iter().filter(|(rule, _)| chosen.contains(rule));
        let ids = by_chosen.flat_map(|(_, ids)| ids.iter().copied());
        let mut others: Vec<RequestId> = Vec::new();
        for id in ids.filter(|id| *id != self.request_id) {
            if !others.contains(&id) {
                others.push(id);
            }
        }
        others
    }

    /// It is known that this rule would not have covered the request.
    fn misses_its_own(self, rule: &Suggestion) -> bool {
        let covered = self.covered.read();
        let known = covered.iter().find(|(known, _)| known == rule);
        known.is_some_and(|(_, ids)| !ids.contains(&self.request_id))
    }

    fn look_for_others(self, asked: Asked) {
        /// While someone types nothing is asked.
        const PAUSE: Duration = Duration::from_millis(250);
        let waiting = use_live().waiting();
        Effect::new(move |asking: Option<Option<TimeoutHandle>>| {
            if let Some(asking) = asking.flatten() {
                asking.clear();
            }
            let chosen = self.chosen();
            waiting.track();
            if chosen.is_empty() {
                self.covered.set(Vec::new());
                return None;
            }
            let ask = move || {
                spawn_local(async move {
                    let mut found = Vec::new();
                    for rule in chosen {
                        let alone = vec![rule.clone()];
                        let ids = api::covered(asked.session_id, self.request_id, alone).await;
                        // of what could not be found out nothing is said
                        found.extend(ids.ok().map(|ids| (rule, ids)));
                    }
                    drop(self.covered.try_set(found));
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

const DANGEROUS: &str =
    "Once remembered, commands like this one run without asking, and this one is marked dangerous.";
const UNREADABLE: &str = "Once remembered, commands like this one run without asking, and what this one does could not be read.";
const ALSO: &str = "Allowing remembers the rule, too.";
const NOT_EDITED: &str =
    "What is remembered is about the request as it was asked, not about your version of it.";
const TRUSTED_ONLY: &str = "Claude Code heeds this file only in a folder that you trust. Until then it asks again; the next start of the process says so, with a way to trust it.";
const MISSES: &str = "This rule would not have covered this request.";

#[component]
pub fn RememberSwitches(
    remembered: Remembered,
    found: Found,
    /// Something else than what was asked is about to be sent.
    is_edited: Signal<bool>,
) -> impl IntoView {
    let rows: Vec<_> = remembered.offered.with_untracked(|offered| {
        offered
            .iter()
            .enumerate()
            .map(|(index, suggestion)| row(remembered, index, suggestion))
            .collect()
    });
    let allows = remembered
        .offered
        .with_untracked(|offered| offered.iter().any(Suggestion::allows));
    let warning = move || {
        let found = found.read();
        let command = found.as_ref().and_then(|found| found.as_ref().ok());
        let command = command.and_then(|insight| insight.command.as_ref());
        command.filter(|_| allows).and_then(warning_about)
    };
    let others = move || match remembered.covered_others().len() {
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
                {move || warning().map(|words| view! { <p class="finding danger">{words}</p> })}
                {rows}
                // not on the button: what it is called is what it does with this request, and it stays where it is
                {move || {
                    let remembers = !remembered.chosen().is_empty();
                    remembers.then(|| view! { <p class="why" role="status">{ALSO}</p> })
                }}
                {move || {
                    let is_said = is_edited.get() && !remembered.chosen().is_empty();
                    is_said.then(|| view! { <p class="finding">{NOT_EDITED}</p> })
                }}
                {move || others().map(|words| view! { <p class="why">{words}</p> })}
            </div>
        }
    })
}

/// Before a rule is made of a command that is better not repeated unseen.
fn warning_about(command: &CommandInsight) -> Option<&'static str> {
    if command.has_danger() {
        Some(DANGEROUS)
    } else if command.is_unreadable() {
        Some(UNREADABLE)
    } else {
        None
    }
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
    let is_claude = !use_live().agent().is_demo;
    let needs_trust = move || is_claude && place().as_deref() == Some("projectSettings");
    let misses =
        move || now().is_some_and(|now| now.trouble().is_none() && remembered.misses_its_own(&now));
    view! {
        <div class="rule-edit">
            {rule} {places}
            {move || trouble().map(|words| view! { <p class="refusal">{words}</p> })}
            {move || needs_trust().then(|| view! { <p class="why" role="status">{TRUSTED_ONLY}</p> })}
            {move || misses().then(|| view! { <p class="why" role="status">{MISSES}</p> })}
        </div>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::insight::command::{Mark, MarkKind, Parsed, Severity, Span};

    #[test]
    fn a_rule_is_warned_of_when_the_command_is_dangerous_or_cannot_be_read() {
        let mut command = CommandInsight::default();
        assert_eq!(warning_about(&command), None);
        command.parsed = Parsed::No {
            why: "The shell's grammar is not followed here.".to_owned(),
            at: None,
        };
        assert_eq!(warning_about(&command), Some(UNREADABLE));
        command.marks.push(Mark {
            kind: MarkKind::RunsAsRoot,
            severity: Severity::Danger,
            sentence: "May run as root".to_owned(),
            segment: Span::default(),
            words: Vec::new(),
        });
        assert_eq!(warning_about(&command), Some(DANGEROUS));
    }
}
