//! The questions of an agent, one below the other, answered together. Answers are never thrown away by a key; leaving
//! them unanswered is a button of its own.

use super::Asked;
use super::answering::AnswerButton;
use super::card::Card;
use super::keys::{Place, Pressed, is_plain_enter};
use super::payload::Payload;
use super::question::{Asking, QuestionGroup};
use super::sentence::asker;
use crate::app::live::use_live;
use crate::app::ui::focus;
use crate::app::ui::keys::is_in;
use crate::model::{QuestionAnswers, Response};
use leptos::html;
use leptos::prelude::*;
use web_sys::wasm_bindgen::JsCast;

#[component]
pub fn Questions(asked: Asked) -> impl IntoView {
    let request = asked.request.get_value();
    let list: Vec<Asking> = request
        .tool_input
        .questions()
        .into_iter()
        .enumerate()
        .map(|(index, question)| Asking::new(request.request_id, index, question))
        .collect();
    let count = list.len();
    let list = StoredValue::new(list);
    let card = NodeRef::<html::Form>::new();
    // the question that had the focus last
    let current = RwSignal::new(None::<usize>);

    // one with several choices takes more of them until Enter goes on
    let digits_for = Memo::new(move |_| {
        let list = list.get_value();
        let last = current.get().and_then(|index| list.get(index));
        last.filter(|last| last.takes_several())
            .or_else(|| list.iter().find(|asking| !asking.is_done()))
            .or(list.last())
            .map(|asking| asking.index)
    });
    // whoever goes on with digits sees what the next one is for
    Effect::new(move |before: Option<Option<usize>>| {
        let now = digits_for.get();
        let asking = now.and_then(|index| list.get_value().get(index).copied());
        if let Some(asking) = asking
            && before.is_some_and(|before| before != now)
            && focus::is_on(card)
        {
            asking.show();
        }
        now
    });

    // none until every question has an answer, or was left out; and one at least has one
    let answers = Memo::new(move |_| {
        let list = list.get_value();
        let mut response = QuestionAnswers::default();
        let is_done = list.iter().all(|asking| asking.is_done());
        for asking in &list {
            asking.put_into(&mut response);
        }
        (is_done && !response.answers.is_empty()).then_some(response)
    });
    let submit = move || {
        if let Some(response) = answers.get_untracked() {
            asked
                .answering
                .send("submit", Response::AskUserQuestion(response));
        }
    };
    let skip = move || {
        let response = QuestionAnswers {
            cancelled: true,
            ..QuestionAnswers::default()
        };
        asked
            .answering
            .send("skip", Response::AskUserQuestion(response));
    };
    let go_on = move || {
        if let Some(open) = next_open(&list.get_value()) {
            current.set(Some(open.index));
            open.take_focus();
            // the next number is for it
            open.show();
        }
    };
    let on_key = move |pressed: Pressed| {
        let list = list.get_value();
        match pressed.key.as_str() {
            // on a button it presses that button
            "Enter" if pressed.place == Place::Control => return false,
            "Enter" if answers.get_untracked().is_some() => submit(),
            "Enter" => go_on(),
            "Escape" => {
                // leaves the card, and nothing else
                if let Some(element) = document().active_element() {
                    blur(&element);
                }
                focus::go_on(focus::TRANSCRIPT);
            }
            key => {
                let Some(number) = key.parse::<usize>().ok().filter(|number| *number < 10) else {
                    return false;
                };
                let asking = match pressed.place {
                    Place::Card => digits_for.get_untracked(),
                    Place::Choice | Place::Control => current.get_untracked().or(Some(0)),
                };
                let asking = asking.and_then(|index| list.get(index).copied());
                // nobody chooses what they do not see: the first key shows it
                return asking.is_some_and(|asking| {
                    if asking.show() {
                        return true;
                    }
                    current.set(Some(asking.index));
                    let was_done = untrack(|| asking.is_done());
                    let is_taken = asking.press_number(number);
                    if is_taken && number > 0 && pressed.place == Place::Choice {
                        let is_answered = !was_done && !asking.takes_several();
                        match is_answered && next_open(&list).is_some() {
                            // as on the card: the next number is for the next question
                            true => go_on(),
                            // one that is corrected stays at hand
                            false => asking.focus_number(number),
                        }
                    }
                    is_taken
                });
            }
        }
        true
    };

    // from a text, too: there Enter is done with it, and Escape leaves it
    let on_keydown = move |event: web_sys::KeyboardEvent| {
        let at_once = event.ctrl_key() || event.meta_key();
        let is_writing = is_in(&event, "textarea, input.note");
        let is_enter = match at_once {
            true => is_writing && event.key() == "Enter",
            false => is_in(&event, "textarea") && is_plain_enter(&event),
        };
        let leaves = event.key() == "Escape" && is_writing;
        if !is_enter && !leaves {
            return;
        }
        event.prevent_default();
        event.stop_propagation();
        if leaves {
            if let Some(card) = card.get_untracked() {
                let _ = card.focus();
            }
        } else if !event.repeat() && !untrack(move || asked.answering.is_closed()) {
            match at_once || answers.get_untracked().is_some() {
                true => submit(),
                false => go_on(),
            }
        }
    };

    let lead = match count {
        0 => "asks something this page cannot read",
        1 => "asks",
        _ => "asks a few things",
    };
    let asker = asker(&use_live().agent());
    let may_skip = count > 1;
    let left = move || {
        let open = list.get_value().iter().filter(|one| !one.is_done()).count();
        match (open, count) {
            (0, _) | (_, 0 | 1) => None,
            (open, _) => Some(format!("{open} of {count} left")),
        }
    };
    let groups: Vec<_> = list
        .get_value()
        .into_iter()
        .map(|asking| {
            let on_focus = Callback::new(move |index| current.set(Some(index)));
            view! { <QuestionGroup asking on_focus digits_for may_skip /> }
        })
        .collect();
    let unreadable = (count == 0)
        .then(|| view! { <Payload tool_name=request.tool_name input=request.tool_input /> });
    view! {
        <Card asked card on_key=Callback::new(on_key)>
            <div class="body" on:keydown=on_keydown>
                <p class="asks">{asker} " " {lead}</p>
                {groups}
                {unreadable}
            </div>
            <div class="actions">
                <AnswerButton
                    answering=asked.answering
                    name="skip"
                    class="ghost"
                    effect=Some("Leaves the questions unanswered and stops the turn")
                    on_press=Callback::new(move |()| skip())
                >
                    "Skip and stop"
                </AnswerButton>
                <span class="spacer"></span>
                <span class="why">{left}</span>
                <AnswerButton
                    answering=asked.answering
                    name="submit"
                    class="primary"
                    disabled=Signal::derive(move || answers.read().is_none())
                    on_press=Callback::new(move |()| submit())
                >
                    "Submit answers"
                    <kbd class="unless-writing" aria-hidden="true">"↵"</kbd>
                    <kbd class="while-writing" aria-hidden="true">"Ctrl ↵"</kbd>
                </AnswerButton>
            </div>
        </Card>
    }
}

/// The first question without an answer.
fn next_open(list: &[Asking]) -> Option<&Asking> {
    list.iter().find(|asking| !untrack(|| asking.is_done()))
}

fn blur(element: &web_sys::Element) {
    if let Some(element) = element.dyn_ref::<web_sys::HtmlElement>() {
        let _ = element.blur();
    }
}
