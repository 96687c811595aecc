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
    /// Of a word that was meant for somewhere else. Space is not: it scrolls. Digits choose an option and nothing more.
    pub fn is_astray(&self) -> bool {
        self.place == Place::Card
            && self.key.chars().count() == 1
            && self.key.starts_with(char::is_alphabetic)
    }

    pub fn is_enter_on_card(&self) -> bool {
        self.place == Place::Card && self.key == "Enter"
    }

    /// Shows that somebody turned to the card. Arrows, capitals and corrections do not: whoever writes presses them, too.
    pub fn is_way_out(&self) -> bool {
        ["Escape", "Tab"].contains(&self.key.as_str())
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

#[cfg(test)]
mod tests {
    use super::*;

    fn on_card(key: &str) -> Pressed {
        Pressed {
            key: key.to_owned(),
            place: Place::Card,
        }
    }

    #[test]
    fn a_letter_on_the_card_is_astray_and_nothing_else_is() {
        assert!(
            ["a", "Z", "é", "ж"]
                .map(on_card)
                .iter()
                .all(Pressed::is_astray)
        );
        for key in [" ", "1", ".", "Enter", "Shift", "Escape"] {
            assert!(!on_card(key).is_astray(), "{key}");
        }
        let on_a_button = Pressed {
            place: Place::Control,
            ..on_card("a")
        };
        assert!(!on_a_button.is_astray());
    }

    #[test]
    fn only_keys_that_nobody_writes_with_lead_out() {
        for key in ["Escape", "Tab"] {
            assert!(on_card(key).is_way_out(), "{key}");
        }
        for key in [
            "a",
            " ",
            "7",
            "Shift",
            "Backspace",
            "ArrowLeft",
            "Home",
            "Enter",
            "Compose",
        ] {
            assert!(!on_card(key).is_way_out(), "{key}");
        }
    }
}
