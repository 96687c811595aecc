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

/// This letter with Alt. What stands on the key counts, not where the key is; only where Alt or the script makes it no letter of
/// ours (µ, ь) the place does.
pub fn is_alt(event: &KeyboardEvent, letter: char) -> bool {
    let others = event.ctrl_key() || event.meta_key();
    event.alt_key() && !others && names(&event.key(), &event.code(), letter)
}

fn names(key: &str, code: &str, letter: char) -> bool {
    let mut place = [0; 4];
    let place = letter.to_ascii_uppercase().encode_utf8(&mut place);
    let is_there = || code.strip_prefix("Key") == Some(place);
    key.eq_ignore_ascii_case(place) || (!key.is_ascii() && is_there())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_is_what_stands_on_the_key() {
        assert!(names("m", "KeyM", 'm'));
        assert!(names("M", "KeyM", 'm'));
        // AZERTY has it elsewhere, and a comma in its place
        assert!(names("m", "Semicolon", 'm'));
        assert!(!names(",", "KeyM", 'm'));
        // a Mac writes this with Alt; a Russian keyboard has other letters
        assert!(names("µ", "KeyM", 'm'));
        assert!(names("ь", "KeyM", 'm'));
        assert!(!names("ф", "KeyA", 'm'));
    }
}
