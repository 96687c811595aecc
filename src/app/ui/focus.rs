//! Where the focus goes when what had it is gone. It is never taken from anything a person is in.

use leptos::html;
use leptos::prelude::*;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{EventTarget, HtmlElement};

pub fn is_nowhere() -> bool {
    document()
        .active_element()
        .is_none_or(|element| element.tag_name().eq_ignore_ascii_case("body"))
}

/// On the form itself, nothing in it.
pub fn is_on(form: NodeRef<html::Form>) -> bool {
    let active = document().active_element();
    let form = form.try_get_untracked().flatten();
    active.is_some_and(|active| form.is_some_and(|form| form.is_same_node(Some(&active))))
}

pub fn is_at(target: Option<EventTarget>) -> bool {
    let active = document().active_element().map(EventTarget::from);
    active.is_some() && active == target
}

/// Someone may be writing.
pub fn is_in_text() -> bool {
    let active = document().active_element();
    active.is_some_and(|active| active.matches("input, textarea").unwrap_or(false))
}

/// To the first such element, if there is one.
pub fn go_to(selector: &str) {
    let found = document().query_selector(selector).ok().flatten();
    if let Some(element) = found.and_then(|found| found.dyn_into::<HtmlElement>().ok()) {
        let _ = element.focus();
    }
}

/// A dialog gives the focus back to what opened it; that is away when it was the message input and a request waits.
pub fn come_back_from(dialog: NodeRef<html::Dialog>) {
    let active = document().active_element();
    // its page may have been left with it
    let dialog = dialog.try_get_untracked().flatten();
    let is_in_it = dialog.is_some_and(|dialog| dialog.contains(active.as_deref()));
    if is_in_it || is_nowhere() {
        leave_for(".composer textarea");
        leave_for(".dock form.card");
    }
}

/// From nowhere to there, with the frame that draws it: focusing earlier makes the browser lay the whole page out once
/// more.
pub fn go_on(selector: &'static str) {
    request_animation_frame(move || {
        if is_nowhere() {
            go_to(selector);
        }
    });
}

/// From nowhere, or from within what has been pressed and goes away.
pub fn leave_from(what: &'static str, selector: &'static str) {
    request_animation_frame(move || {
        let active = document().active_element();
        let is_in_it = active.is_some_and(|active| active.closest(what).ok().flatten().is_some());
        if is_in_it || is_nowhere() {
            go_to(selector);
        }
    });
}

/// From wherever it is: for someone who has just asked for another page.
pub fn leave_for(selector: &'static str) {
    request_animation_frame(move || go_to(selector));
}

/// What is read when nothing waits for an answer; from here the keys scroll, and the next card takes the focus.
pub const TRANSCRIPT: &str = "[role=log]";

pub fn is_in_transcript() -> bool {
    let active = document().active_element();
    active.is_some_and(|active| active.matches(TRANSCRIPT).unwrap_or(false))
}
