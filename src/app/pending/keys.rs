//! Where a key was pressed. A card acts on a key only when the card itself or a control in it has the focus that does
//! not take text: typing is safe.

use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlFormElement, KeyboardEvent, Node};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Card,
    /// A button, a box to tick, a choice.
    Control,
}

#[derive(Clone, Debug)]
pub struct Pressed {
    pub key: String,
    pub place: Place,
}

impl Pressed {
    /// What someone presses who writes. Digits are not among it: they choose an option and nothing more.
    pub fn is_letter(&self) -> bool {
        let is_of_a_text = |key: char| key.is_alphabetic() || key == ' ';
        self.is_one_character() && self.key.starts_with(is_of_a_text)
    }

    /// Others have a name: Tab, Enter, the arrows.
    pub fn is_one_character(&self) -> bool {
        self.key.chars().count() == 1
    }
}

const TAKES_TEXT: &str =
    "textarea, select, [contenteditable], input:not([type=radio]):not([type=checkbox])";

/// None: not for the card.
pub fn pressed(event: &KeyboardEvent, card: Option<&HtmlFormElement>) -> Option<Pressed> {
    if event.ctrl_key() || event.meta_key() || event.alt_key() || event.is_composing() {
        return None;
    }
    if event.default_prevented() || event.repeat() {
        return None;
    }
    let target = event.target()?.dyn_into::<Element>().ok()?;
    if target.closest(TAKES_TEXT).ok().flatten().is_some() {
        return None;
    }
    let on_card = card.is_some_and(|card| card.is_same_node(Some(target.unchecked_ref::<Node>())));
    Some(Pressed {
        key: event.key(),
        place: if on_card { Place::Card } else { Place::Control },
    })
}

/// Enter as "send it": not for a new line, not while a word is being composed.
pub fn is_plain_enter(event: &KeyboardEvent) -> bool {
    // 229 is what some browsers report for the Enter that ends a composition
    event.key() == "Enter" && !event.shift_key() && !event.is_composing() && event.key_code() != 229
}
