//! Where a key was pressed. A card acts on a key only when the card itself or a control in it has the focus that does
//! not take text: typing is safe.

use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlFormElement, KeyboardEvent, Node};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Card,
    /// A box to tick, or one of several to choose from: like the card, it takes no words.
    Choice,
    /// A button, a link.
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
        self.place != Place::Control
            && self.key.chars().count() == 1
            && self.key.starts_with(char::is_alphabetic)
    }

    /// Would answer, or change what is chosen, in the middle or at the end of such words.
    pub fn is_held_back(&self) -> bool {
        match self.key.as_str() {
            "Enter" => self.place != Place::Control,
            " " => self.place == Place::Choice,
            _ => false,
        }
    }

    /// Shows that somebody turned to the card. Arrows, capitals and corrections do not: whoever writes presses them, too.
    pub fn is_way_out(&self) -> bool {
        ["Escape", "Tab"].contains(&self.key.as_str())
    }
}

const CHOICE: &str = "input[type=radio], input[type=checkbox]";
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
    let place = match on_card {
        true => Place::Card,
        false if target.matches(CHOICE).unwrap_or_default() => Place::Choice,
        false => Place::Control,
    };
    let key = event.key();
    Some(Pressed { key, place })
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

    fn at(place: Place, key: &str) -> Pressed {
        Pressed {
            place,
            ..on_card(key)
        }
    }

    #[test]
    fn a_letter_where_no_text_is_taken_is_astray_and_nothing_else_is() {
        for place in [Place::Card, Place::Choice] {
            for key in ["a", "Z", "é", "ж"] {
                assert!(at(place, key).is_astray(), "{key} at {place:?}");
            }
            for key in [" ", "1", ".", "Enter", "Shift", "Escape"] {
                assert!(!at(place, key).is_astray(), "{key} at {place:?}");
            }
        }
        assert!(!at(Place::Control, "a").is_astray(), "on a button");
    }

    #[test]
    fn what_follows_such_letters_neither_answers_nor_chooses() {
        assert!(at(Place::Card, "Enter").is_held_back());
        assert!(at(Place::Choice, "Enter").is_held_back());
        assert!(at(Place::Choice, " ").is_held_back());
        assert!(!at(Place::Card, " ").is_held_back(), "it scrolls");
        for key in ["Enter", " "] {
            assert!(!at(Place::Control, key).is_held_back(), "{key} on a button");
        }
        assert!(!at(Place::Choice, "ArrowDown").is_held_back());
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
