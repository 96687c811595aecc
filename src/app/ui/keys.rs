//! Which keys may be taken for a shortcut. Typing is safe: a key that means something where the focus is, is not ours.

use leptos::prelude::*;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

/// Elements that use keys themselves.
const USES_KEYS: &str =
    "input, textarea, select, [contenteditable], [role=textbox], [role=radio], [role=checkbox]";

/// Pressed in such an element.
pub fn is_in(event: &KeyboardEvent, what: &str) -> bool {
    let target = event.target();
    let target = target.and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|target| target.matches(what).unwrap_or(false))
}

/// A single key, not held with others, pressed where no one types.
pub fn is_free(event: &KeyboardEvent) -> bool {
    let chord = event.ctrl_key() || event.meta_key() || event.alt_key();
    let composing = event.is_composing() || event.default_prevented();
    let in_a_control = event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok())
        .and_then(|element| element.closest(USES_KEYS).ok().flatten())
        .is_some();
    let dialog_is_open = document()
        .query_selector("dialog[open]")
        .ok()
        .flatten()
        .is_some();
    !(chord || composing || in_a_control || dialog_is_open)
}
