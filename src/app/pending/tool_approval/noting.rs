//! "Yes, but …": the call is allowed, and the agent reads a note right after. A closed box keeps the words and sends none.

use super::super::answering::{AnswerButton, BackButton};
use super::super::reason_box::ReasonBox;
use super::{Choices, Open};
use crate::app::ui::show::Show;
use leptos::prelude::*;

impl Choices {
    fn allow_with_note(self) {
        if let Some(note) = self.note.trimmed() {
            self.allow_with("allow with a note", Some(note));
        }
    }
}

#[component]
pub fn Noting(choices: Choices) -> impl IntoView {
    let answering = choices.asked.answering;
    let close = Callback::new(move |()| choices.close());
    let allow = Callback::new(move |()| choices.allow_with_note());
    // what must not be allowed by a key alone waits for the button
    let on_enter = Callback::new(move |()| {
        if !choices.default_to_no {
            allow.run(());
        }
    });
    view! {
        <ReasonBox
            label="Note"
            placeholder="Yes, but … (the agent reads this right after the call)"
            draft=choices.note
            on_send=on_enter
            on_close=close
        />
        <div class="actions">
            <BackButton answering on_press=close />
            <span class="spacer"></span>
            <AnswerButton
                answering
                name="allow with a note"
                class="primary"
                disabled=Signal::derive(move || !choices.may_allow.get() || choices.note.is_empty())
                on_press=allow
            >
                "Allow with a note"
                {(!choices.default_to_no).then(|| view! { <kbd aria-hidden="true">"↵"</kbd> })}
            </AnswerButton>
        </div>
    }
}

#[component]
pub fn UnsentReason(choices: Choices) -> impl IntoView {
    let is_unsent = move || choices.open.get() != Open::Reason && !choices.reason.is_empty();
    view! {
        <Show when=is_unsent>
            <p class="why">"Your reason is kept. Deny shows it again."</p>
        </Show>
    }
}

#[component]
pub fn UnsentNote(choices: Choices) -> impl IntoView {
    let is_unsent = move || choices.open.get() != Open::Note && !choices.note.is_empty();
    view! {
        <Show when=is_unsent>
            <p class="why">"Your note is kept. Allow with a note shows it again; Allow once does not send it."</p>
        </Show>
    }
}
