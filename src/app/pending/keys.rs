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
    /// It is held down.
    pub repeats: bool,
}

impl Pressed {
    /// Of words that were meant for somewhere else. Space is not: it scrolls. Digits choose among the options of a question, and
    /// do nothing more.
    pub fn is_astray(&self, is_question: bool) -> bool {
        let is_one = self.key.chars().count() == 1;
        let chooses = is_question && self.key.starts_with(|key: char| key.is_ascii_digit());
        is_one && self.key != " " && !chooses
    }

    /// What the browser would do with it by itself: press the button, tick the box, choose another one.
    pub fn acts_by_itself(&self) -> bool {
        match self.key.as_str() {
            "Enter" => true,
            " " => self.place != Place::Card,
            "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight" => self.place == Place::Choice,
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
    if event.default_prevented() {
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
    Some(Pressed {
        key: event.key(),
        place,
        repeats: event.repeat(),
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
            repeats: false,
        }
    }

    fn at(place: Place, key: &str) -> Pressed {
        Pressed {
            place,
            ..on_card(key)
        }
    }

    #[test]
    fn what_words_are_made_of_is_astray_where_no_text_is_taken() {
        for place in [Place::Card, Place::Choice, Place::Control] {
            for is_question in [true, false] {
                let is_astray = |key: &str| at(place, key).is_astray(is_question);
                for key in ["a", "Z", "é", "ж", "?", "…", "👍"] {
                    assert!(is_astray(key), "{key} at {place:?}");
                }
                for key in [" ", "Enter", "Shift", "Escape", "ArrowDown"] {
                    assert!(!is_astray(key), "{key} at {place:?}");
                }
                assert_eq!(is_astray("7"), !is_question, "a number chooses");
            }
        }
    }

    #[test]
    fn what_the_browser_does_by_itself_is_known() {
        for place in [Place::Card, Place::Choice, Place::Control] {
            assert!(at(place, "Enter").acts_by_itself(), "{place:?}");
            assert!(!at(place, "a").acts_by_itself(), "{place:?}");
        }
        assert!(at(Place::Choice, " ").acts_by_itself());
        assert!(at(Place::Control, " ").acts_by_itself());
        assert!(at(Place::Choice, "ArrowDown").acts_by_itself());
        for key in [" ", "ArrowDown"] {
            assert!(!at(Place::Card, key).acts_by_itself(), "{key} scrolls");
        }
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
