//! The keyboard in the inbox: j and k step through the rows; o opens the session of the row one is in, x selects the row, l
//! puts it off; and when the row one is in goes away, one stays in its place instead of falling out of the page.

use crate::app::live::{Live, Waiting, use_live};
use crate::app::pending::Moved;
use crate::app::ui::inert::Inert;
use crate::app::ui::{self, keys};
use crate::model::RequestId;
use leptos::prelude::*;
use leptos::{ev, html};
use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlInputElement};

/// Why a row has nothing to select it with.
const ALONE: &str = "This one is not selected together with others: it is answered by itself.";

pub fn follow_keys(list: NodeRef<html::Ol>) {
    let live = use_live();
    Effect::new(move |_| {
        let listener = window_event_listener(ev::keydown, move |event| {
            let Some(list) = list.try_get_untracked().flatten() else {
                return;
            };
            if !keys::is_free(&event) {
                return;
            }
            let rows = rows(&list);
            let current = current(&rows);
            let done = match event.key().as_str() {
                "j" => step_to(&rows, next(current)),
                "k" => step_to(&rows, current.map_or(0, |index| index.saturating_sub(1))),
                "o" => press(&rows, current.unwrap_or(0), "a.row-session"),
                "x" => select(&rows, current.unwrap_or(0), live),
                "l" => press(&rows, current.unwrap_or(0), "button.fold"),
                _ => return,
            };
            if done.is_some() {
                event.prevent_default();
            }
        });
        on_cleanup(move || listener.remove());
    });
}

/// When the row one is in goes away or to the end, the next request has the focus, so that its keys work. One key pressed too often
/// answers nothing: while rows move, none of them takes an answer.
pub fn keep_the_place(list: NodeRef<html::Ol>, ordered: Memo<Vec<Waiting>>) {
    let moved = Inert::not_yet();
    provide_context(Moved(moved));
    let place = StoredValue::new(None::<usize>);
    Effect::new(move |_| {
        let listener = window_event_listener(ev::focusin, move |_| {
            if let Some(list) = list.try_get_untracked().flatten() {
                let _ = place.try_set_value(current(&rows(&list)));
            }
        });
        on_cleanup(move || listener.remove());
    });
    Effect::new(move |before: Option<Vec<RequestId>>| {
        let now: Vec<RequestId> = ordered
            .read()
            .iter()
            .map(|one| one.request.request_id)
            .collect();
        let Some(before) = before else {
            return now;
        };
        // gone, or put off: the others move up
        if !now.starts_with(&before) {
            moved.begin();
        }
        // when the rows of the news are there
        request_animation_frame(move || {
            let list = list.try_get_untracked().flatten();
            let place = place.try_get_value().flatten();
            if let (Some(list), Some(place)) = (list, place)
                && ui::focus::is_nowhere()
            {
                let rows = rows(&list);
                step_to(&rows, place.min(rows.len().saturating_sub(1)));
            }
        });
        now
    });
}

fn rows(list: &Element) -> Vec<Element> {
    let children = list.children();
    (0..children.length())
        .filter_map(|index| children.item(index))
        .collect()
}

/// The row that has the focus.
fn current(rows: &[Element]) -> Option<usize> {
    let active = document().active_element()?;
    rows.iter().position(|row| row.contains(Some(&active)))
}

fn next(current: Option<usize>) -> usize {
    current.map_or(0, |index| index + 1)
}

/// Focuses the request itself, so that its own keys work at once; of a folded row, the row.
fn step_to(rows: &[Element], index: usize) -> Option<()> {
    let row = rows.get(index)?;
    match form_in(row) {
        Some(form) => focus(&form),
        None => focus(row),
    }
    row.scroll_into_view();
    Some(())
}

/// None while the row is folded.
fn form_in(row: &Element) -> Option<Element> {
    row.query_selector(".row-form:not([hidden]) form").ok()?
}

/// What a click on that part of the row does.
fn press(rows: &[Element], index: usize, part: &str) -> Option<()> {
    let part = rows.get(index)?.query_selector(part).ok()??;
    part.dyn_into::<HtmlElement>().ok()?.click();
    Some(())
}

/// Selects the row, or says why it cannot be.
fn select(rows: &[Element], index: usize, live: Live) -> Option<()> {
    let pick = rows.get(index)?.query_selector("input.pick").ok()?;
    match pick.and_then(|pick| pick.dyn_into::<HtmlInputElement>().ok()) {
        None => live.tell(ALONE.to_owned()),
        Some(pick) if pick.disabled() => live.tell(pick.title()),
        Some(pick) => {
            live.forget_notice();
            pick.click();
        }
    }
    Some(())
}

fn focus(element: &Element) {
    if let Some(element) = element.dyn_ref::<HtmlElement>() {
        let _ = element.focus();
    }
}
