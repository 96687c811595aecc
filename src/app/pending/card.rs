//! The frame of a request: who asks, in which session, since when, until when. All of it is ours; the agent's words
//! come as children. It must never take the focus from someone who types.

use super::Asked;
use super::answering::{AnswerStatus, AnsweredHere};
use super::clock::{clock, countdown};
use super::keys::{self, Pressed};
use crate::app::live::use_live;
use crate::app::transcript::subagent::Chip;
use crate::app::ui::show::Show;
use crate::app::ui::untrusted::Words;
use crate::app::ui::{focus, icon, pointer};
use crate::model::{RequestType, UnixTime};
use leptos::html;
use leptos::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Previous,
    Next,
}

#[component]
pub fn Card(
    asked: Asked,
    /// Whether the key was taken.
    on_key: Callback<Pressed, bool>,
    #[prop(optional)] card: NodeRef<html::Form>,
    children: Children,
) -> impl IntoView {
    let kind = asked.request.with_value(|request| request.request_type);
    let class = match kind {
        RequestType::ToolApproval => "card",
        RequestType::AskUserQuestion => "card question",
        RequestType::PlanApproval => "card plan",
    };
    let name = move || match asked.number.map(|number| number.get()) {
        None | Some(..=1) => "Pending request".to_owned(),
        Some(number) => format!("Pending request {number}"),
    };
    follow_the_queue(card);
    let is_folded = RwSignal::new(false);
    // someone types and believes to be elsewhere: the Enter at the end must not answer
    let went_astray = RwSignal::new(false);
    let says_so = RwSignal::new(false);
    // the words stand beneath the buttons: what is pressed stays where it is until it is let go
    let is_pressed = match asked.is_listed() {
        true => Signal::stored(false),
        false => pointer::is_down(),
    };
    Effect::new(move |_| {
        if !is_pressed.get() && !went_astray.get_untracked() {
            says_so.set(false);
        }
    });
    let on_keydown = move |event: web_sys::KeyboardEvent| {
        let element = card.get_untracked();
        let Some(pressed) = keys::pressed(&event, element.as_ref()) else {
            return;
        };
        let was_astray = went_astray.get_untracked();
        let is_question = kind == RequestType::AskUserQuestion;
        if pressed.is_way_out() {
            went_astray.set(false);
            says_so.set(false);
            if was_astray {
                // of the words, and no further
                if pressed.key == "Escape" {
                    event.prevent_default();
                    event.stop_propagation();
                }
                return;
            }
        } else if !asked.is_listed() && pressed.is_astray(is_question) {
            // in the list the letters are its keys
            went_astray.set(true);
            says_so.set(true);
            return;
        } else if was_astray {
            if pressed.acts_by_itself() {
                event.prevent_default();
            }
            return;
        }
        // what is not seen is not answered
        let is_closed = untrack(move || asked.answering.is_closed());
        if pressed.repeats || is_folded.get_untracked() || is_closed {
            return;
        }
        if on_key.run(pressed) {
            event.prevent_default();
            event.stop_propagation();
        }
    };
    // a button is pressed when the space bar is let go
    let on_keyup = move |event: web_sys::KeyboardEvent| {
        let is_astray = went_astray.try_get_untracked() == Some(true);
        if is_astray && keys::pressed(&event, None).is_some() {
            event.prevent_default();
        }
    };
    // another window in front is no other place on this page
    let on_focusout = move |event: web_sys::FocusEvent| {
        if !focus::is_at(event.target()) {
            // also when the card goes, and takes the focus along
            let _ = went_astray.try_set(false);
            if is_pressed.try_get_untracked() == Some(false) {
                let _ = says_so.try_set(false);
            }
        }
    };
    view! {
        <form
            node_ref=card
            class=class
            class:fresh=move || asked.answering.is_fresh()
            class:folded=move || is_folded.get()
            aria-label=name
            tabindex="0"
            on:keydown=on_keydown
            on:keyup=on_keyup
            on:focusout=on_focusout
            on:pointerdown=move |_| went_astray.set(false)
            on:input=move |_| asked.answering.forget_refusal()
            on:submit=move |event| event.prevent_default()
        >
            <Eyebrow asked is_folded />
            {children()}
            <AnswerStatus answering=asked.answering />
            <Show when=says_so>
                <p class="why" role="status">
                    "What you type goes nowhere: no text field has the focus. Keys do nothing here until you press Esc or Tab, or click."
                </p>
            </Show>
        </form>
    }
}

/// After an answer given here the next card in the queue takes the focus, so that keys go on working; never when the
/// focus is somewhere else.
fn follow_the_queue(card: NodeRef<html::Form>) {
    let Some(AnsweredHere(answered_here)) = use_context() else {
        return;
    };
    Effect::new(move |done: Option<()>| {
        let Some(card) = card.get() else { return };
        if done.is_none() && answered_here.get_untracked() {
            answered_here.set(false);
            // with the frame that draws it: focusing earlier makes the browser lay the whole page out once more
            request_animation_frame(move || {
                if focus::is_nowhere() || focus::is_in_transcript() {
                    let _ = card.focus();
                }
            });
        }
    });
}

/// Back to the card: its keys go on working.
pub fn focus(card: NodeRef<html::Form>) {
    if let Some(card) = card.get_untracked() {
        let _ = card.focus();
    }
}

#[component]
fn Eyebrow(
    asked: Asked,
    /// To read on a narrow screen what led to it.
    is_folded: RwSignal<bool>,
) -> impl IntoView {
    let live = use_live();
    let title = live.title(asked.session_id);
    let now = live.now();
    let (kind, agent, created_at, expires_at) = asked.request.with_value(|request| {
        (
            request.request_type,
            request.agent.clone(),
            request.created_at,
            request.expires_at,
        )
    });
    let (word, drawing) = match kind {
        RequestType::ToolApproval => ("Permission", view! { <icon::Shield /> }.into_any()),
        RequestType::AskUserQuestion => ("Question", view! { <icon::QuestionMark /> }.into_any()),
        RequestType::PlanApproval => ("Plan", view! { <icon::Plan /> }.into_any()),
    };
    view! {
        <header>
            <span class="icon">{drawing}</span>
            <span class="kind">{word}</span>
            <span class="where">{move || view! { <Words text=title.get().unwrap_or_default() /> }}</span>
            {agent
                .map(|agent| {
                    view! {
                        <span class="subagent">"subagent " <Chip agent /></span>
                    }
                })} <span class="spacer"></span> <Place asked />
            <span class="when">
                "waiting " {move || clock(now.get().since(created_at))}
            </span>
            {expires_at.map(|expires_at| view! { <TimeLeft expires_at now /> })}
            <button
                type="button"
                class="step fold"
                aria-expanded=move || (!is_folded.get()).to_string()
                aria-label=move || if is_folded.get() { "Show the request" } else { "Show the conversation" }
                disabled=move || asked.answering.is_fresh()
                on:click=move |_| is_folded.update(|folded| *folded = !*folded)
            >
                <icon::ChevronDown />
            </button>
        </header>
    }
}

#[component]
fn TimeLeft(expires_at: UnixTime, now: Signal<UnixTime>) -> impl IntoView {
    let left = Memo::new(move |_| countdown(expires_at, now.get()));
    view! {
        <span role="timer" class="countdown" class:soon=move || left.read().soon>
            {move || left.get().words}
        </span>
    }
}

/// "1 of 3", with the way to the others.
#[component]
fn Place(asked: Asked) -> impl IntoView {
    let Asked {
        position,
        of,
        on_step,
        ..
    } = asked;
    let words = move || format!("{} of {}", position.get(), of.get());
    let is_first = move || position.get() <= 1;
    let is_last = move || position.get() >= of.get();
    view! {
        <Show when=move || { of.get() > 1 }>
            <span class="place">
                {on_step
                    .map(|on_step| {
                        view! {
                            <button
                                type="button"
                                class="step"
                                aria-label="Previous request"
                                disabled=is_first
                                on:click=move |_| on_step.run(Step::Previous)
                            >
                                <icon::ChevronLeft />
                            </button>
                        }
                    })} <span class="when">{words}</span>
                {on_step
                    .map(|on_step| {
                        view! {
                            <button
                                type="button"
                                class="step"
                                aria-label="Next request"
                                disabled=is_last
                                on:click=move |_| on_step.run(Step::Next)
                            >
                                <icon::ChevronRight />
                            </button>
                        }
                    })}
            </span>
        </Show>
    }
}
