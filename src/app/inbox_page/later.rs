//! "Not now": what a person has put off stands at the end of the inbox, folded and marked. It decides nothing, and is kept
//! in this browser, so that leaving the inbox and coming back changes nothing.

use crate::app::draft::Draft;
use crate::app::live::Waiting;
use crate::model::RequestId;
use leptos::prelude::*;

#[derive(Clone, Copy)]
pub struct Later {
    /// The ids, in the order they were put off.
    put_off: Draft,
}

impl Later {
    pub fn of_this_browser() -> Self {
        Self {
            put_off: Draft::of_inbox("later"),
        }
    }

    pub fn has(self, id: RequestId) -> bool {
        self.put_off.text.with(|text| place(text, id).is_some())
    }

    pub fn toggle(self, id: RequestId, waiting: &[Waiting]) {
        self.put_off
            .text
            .update(|text| *text = toggled(text, id, waiting));
    }

    pub fn order(self, waiting: Vec<Waiting>) -> Vec<Waiting> {
        self.put_off.text.with(|text| ordered(text, waiting))
    }
}

fn place(text: &str, id: RequestId) -> Option<usize> {
    let id = id.to_string();
    text.split_whitespace().position(|other| other == id)
}

/// What waits no more is forgotten by the way.
fn toggled(text: &str, id: RequestId, waiting: &[Waiting]) -> String {
    let was_there = place(text, id).is_some();
    let id = id.to_string();
    let waits = |other: &str| {
        let mut waiting = waiting.iter();
        waiting.any(|one| one.request.request_id.to_string() == other)
    };
    let mut kept: Vec<&str> = text
        .split_whitespace()
        .filter(|other| *other != id && waits(other))
        .collect();
    if !was_there {
        kept.push(&id);
    }
    kept.join(" ")
}

/// Oldest first, and after them what was put off, in the order it was.
fn ordered(text: &str, mut waiting: Vec<Waiting>) -> Vec<Waiting> {
    waiting.sort_by_key(|one| place(text, one.request.request_id).map_or(0, |index| index + 1));
    waiting
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{PendingRequest, ProjectId, SessionId, samples};

    #[test]
    fn what_is_put_off_goes_to_the_end_and_comes_back_to_its_place() {
        let one = || Waiting {
            session_id: SessionId::random(),
            project_id: ProjectId::from("/code/api"),
            title: String::new(),
            request: PendingRequest {
                request_id: RequestId::random(),
                ..samples::plain_request()
            },
            position: 1,
            of: 1,
        };
        let all = vec![one(), one(), one()];
        let ids: Vec<_> = all.iter().map(|one| one.request.request_id).collect();
        let order = |text: &str| -> Vec<usize> {
            let index = |one: &Waiting| ids.iter().position(|id| *id == one.request.request_id);
            let ordered = ordered(text, all.clone());
            ordered.iter().filter_map(index).collect()
        };
        assert_eq!(order(""), [0, 1, 2]);
        let text = toggled("", ids[0], &all);
        assert_eq!(order(&text), [1, 2, 0]);
        let text = toggled(&text, ids[1], &all);
        assert_eq!(order(&text), [2, 0, 1]);
        let text = toggled(&text, ids[0], &all);
        assert_eq!(order(&text), [0, 2, 1]);
        let text = toggled(&text, ids[2], &all[2..]);
        assert_eq!(text, ids[2].to_string(), "the others wait no more");
        assert_eq!(order("what is no id"), [0, 1, 2]);
    }
}
