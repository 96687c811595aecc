//! A plan, read as a document: approve it, change it first, or send the agent back to planning with a word. Approving
//! never turns the questions off by itself: the mode to go on in is chosen beside the button.

use super::Asked;
use super::answering::{AnswerButton, BackButton};
use super::card::{Card, focus};
use super::keys::{Place, Pressed};
use super::payload::extras;
use super::reason_box::ReasonBox;
use super::sentence::asker;
use crate::app::draft::Draft;
use crate::app::live::use_live;
use crate::app::markdown::Markdown;
use crate::app::ui::show::Show;
use crate::app::ui::untrusted::Untrusted;
use crate::model::{Decision, PermissionMode, PlanDecision, Response};
use leptos::html;
use leptos::prelude::*;

/// The field of the input that names the plan's file.
const KEPT_IN: &str = "planFilePath";
const NOTHING_PLANNED: &str =
    "The plan is empty. Keep planning asks for one; Edit lets you write it yourself.";
const MODES: [PermissionMode; 2] = [PermissionMode::Default, PermissionMode::AcceptEdits];

#[derive(Clone, Copy)]
struct Choices {
    asked: Asked,
    original: StoredValue<String>,
    edited: Draft,
    is_editing: RwSignal<bool>,
    feedback: Draft,
    /// The feedback box is open.
    is_planning_on: RwSignal<bool>,
    mode: RwSignal<PermissionMode>,
}

impl Choices {
    /// Closes the box; keys go on working on the card.
    fn close(self, card: NodeRef<html::Form>) {
        self.is_planning_on.set(false);
        focus(card);
    }

    /// The plan as a person changed it, if it is on screen.
    fn changed(self) -> Option<String> {
        let edited = self.edited.text.get();
        let is_changed = self.is_editing.get() && edited != self.original.get_value();
        is_changed.then_some(edited)
    }

    /// Something was typed, and closed again.
    fn has_unsent_edit(self) -> bool {
        let text = self.edited.text.get();
        !self.is_editing.get() && !text.is_empty() && text != self.original.get_value()
    }

    fn approve(self) {
        self.send(
            "approve",
            PlanDecision {
                decision: Decision::Allow,
                message: None,
                plan: untrack(move || self.changed()),
                mode: Some(self.mode.get_untracked()),
            },
        );
    }

    fn plan_on(self) {
        self.send(
            "plan on",
            PlanDecision {
                decision: Decision::Deny,
                message: feedback(self.feedback.trimmed(), untrack(move || self.changed())),
                plan: None,
                mode: None,
            },
        );
    }

    fn send(self, button: &'static str, decision: PlanDecision) {
        self.asked
            .answering
            .send(button, Response::PlanApproval(decision));
    }

    /// What was typed before is there again; closing shows the plan as it was sent and keeps the text.
    fn toggle_editing(self) {
        if self.edited.text.with_untracked(String::is_empty) {
            self.edited.text.set(self.original.get_value());
        }
        self.is_editing.update(|open| *open = !*open);
    }
}

/// A plan that is not approved cannot be sent as one: what was changed in it goes with the words.
fn feedback(words: Option<String>, changed: Option<String>) -> Option<String> {
    match (words, changed) {
        (words, None) => words,
        (Some(words), Some(plan)) => {
            Some(format!("{words}\n\nThe plan as I changed it:\n\n{plan}"))
        }
        (None, Some(plan)) => Some(format!("Go on from the plan as I changed it:\n\n{plan}")),
    }
}

#[component]
pub fn PlanReview(asked: Asked) -> impl IntoView {
    let request = asked.request.get_value();
    let plan = request
        .tool_input
        .text("plan")
        .unwrap_or_default()
        .to_owned();
    let is_empty = plan.trim().is_empty();
    let kept_in = request.tool_input.text(KEPT_IN).map(str::to_owned);
    let choices = Choices {
        asked,
        original: StoredValue::new(plan),
        edited: Draft::of_request(request.request_id, "plan"),
        is_editing: RwSignal::new(false),
        feedback: Draft::of_request(request.request_id, "feedback"),
        is_planning_on: RwSignal::new(false),
        mode: RwSignal::new(PermissionMode::Default),
    };
    let card = NodeRef::<html::Form>::new();
    let on_key = move |pressed: Pressed| {
        let is_planning_on = choices.is_planning_on.get_untracked();
        match pressed.key.as_str() {
            "Escape" if is_planning_on => choices.close(card),
            "Escape" => choices.is_planning_on.set(true),
            // on the card itself, as a permission is allowed; an empty plan is not approved by a key
            "Enter" if pressed.place == Place::Card && !is_planning_on && !is_empty => {
                choices.approve();
            }
            _ => return false,
        }
        true
    };
    let asker = asker(&use_live().agent());
    view! {
        <Card asked card on_key=Callback::new(on_key)>
            <div class="body">
                <h2>{asker} " has a plan"</h2>
                <Show
                    when=move || choices.is_editing.get()
                    fallback=move || {
                        match is_empty {
                            true => view! { <p class="why">{NOTHING_PLANNED}</p> }.into_any(),
                            false => view! {
                                <div class="document" tabindex="0" role="group" aria-label="The plan">
                                    <Markdown text=choices.original.get_value() />
                                </div>
                            }
                            .into_any(),
                        }
                    }
                >
                    <PlanEditor choices />
                </Show>
                <Show when=move || choices.has_unsent_edit()>
                    <p class="why">"Your unsent edit is kept. Edit shows it again; Approve plan uses the original."</p>
                </Show>
                {kept_in
                    .map(|file| {
                        view! {
                            <p class="why">
                                "The agent keeps it in " <code>
                                    <Untrusted text=file />
                                </code>
                            </p>
                        }
                    })}
                {extras(&request.tool_input, &["plan", KEPT_IN])}
            </div>
            <Show
                when=move || choices.is_planning_on.get()
                fallback=move || view! { <Actions choices /> }
            >
                <Feedback choices card />
            </Show>
        </Card>
    }
}

#[component]
fn PlanEditor(choices: Choices) -> impl IntoView {
    let area = NodeRef::<html::Textarea>::new();
    Effect::new(move |_| {
        if let Some(area) = area.get() {
            let _ = area.focus();
        }
    });
    view! {
        <textarea
            node_ref=area
            class="edit plan-text"
            aria-label="Plan"
            rows="14"
            prop:value=move || choices.edited.text.get()
            on:input=move |event| choices.edited.text.set(event_target_value(&event))
        ></textarea>
    }
}

#[component]
fn Actions(choices: Choices) -> impl IntoView {
    let answering = choices.asked.answering;
    let request_id = choices
        .asked
        .request
        .with_value(|request| request.request_id);
    let mode_id = format!("after-{request_id}");
    let options: Vec<_> = MODES
        .iter()
        .map(|mode| {
            view! { <option value=mode.word().to_owned()>{mode.label().to_owned()}</option> }
        })
        .collect();
    view! {
        <div class="actions">
            <button
                type="button"
                class="ghost"
                disabled=move || answering.is_closed()
                on:click=move |_| choices.is_planning_on.set(true)
            >
                "Keep planning"
                <kbd aria-hidden="true">"Esc"</kbd>
            </button>
            <span class="spacer"></span>
            <button
                type="button"
                aria-expanded=move || choices.is_editing.get().to_string()
                disabled=move || answering.is_closed()
                on:click=move |_| choices.toggle_editing()
            >
                "Edit"
            </button>
            <span class="after-approval">
                <label for=mode_id.clone()>"then"</label>
                <select
                    id=mode_id
                    class="pill"
                    aria-label="After approval"
                    prop:value=move || choices.mode.with(|mode| mode.word().to_owned())
                    on:change=move |event| {
                        choices.mode.set(PermissionMode::from_word(&event_target_value(&event)));
                    }
                >
                    {options}
                </select>
            </span>
            <AnswerButton
                answering
                name="approve"
                class="primary"
                on_press=Callback::new(move |()| choices.approve())
            >
                <span>
                    "Approve plan"
                    // its name stays
                    <span aria-hidden="true">
                        {move || choices.changed().is_some().then_some(", edited")}
                    </span>
                </span>
                <kbd aria-hidden="true" hidden=move || choices.is_editing.get()>
                    "↵"
                </kbd>
            </AnswerButton>
        </div>
    }
}

#[component]
fn Feedback(choices: Choices, card: NodeRef<html::Form>) -> impl IntoView {
    let answering = choices.asked.answering;
    let close = Callback::new(move |()| choices.close(card));
    let plan_on = Callback::new(move |()| choices.plan_on());
    view! {
        <ReasonBox
            label="Feedback"
            placeholder="What should change in the plan (the agent reads this)"
            draft=choices.feedback
            on_send=plan_on
            on_close=close
        />
        <Show when=move || choices.changed().is_some()>
            <p class="why goes-along">"What you changed in the plan is sent along."</p>
        </Show>
        <div class="actions">
            <BackButton answering on_press=close />
            <span class="spacer"></span>
            <AnswerButton answering name="plan on" class="primary" on_press=plan_on>
                "Keep planning"
                <kbd aria-hidden="true">"↵"</kbd>
            </AnswerButton>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_changed_in_the_plan_goes_with_the_feedback() {
        let text = |words: &str| Some(words.to_owned());
        assert_eq!(feedback(None, None), None);
        assert_eq!(feedback(text("Shorter"), None), text("Shorter"));
        let both = feedback(text("Shorter"), text("1. One")).unwrap_or_default();
        assert!(both.starts_with("Shorter") && both.ends_with("1. One"));
        let alone = feedback(None, text("1. One")).unwrap_or_default();
        assert!(alone.ends_with("1. One"));
    }
}
