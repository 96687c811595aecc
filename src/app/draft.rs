//! Text a person has not sent yet: it survives reload and navigation, in this browser only. It is read in an Effect,
//! after hydration, so that the first picture is the same on both sides. It must never hold anything but the person's
//! own words.

use crate::model::{RequestId, SessionId};
use leptos::prelude::*;

const PREFIX: &str = "countersign.draft.";

/// A text signal with a place in the browser's storage.
#[derive(Clone, Copy)]
pub struct Draft {
    place: StoredValue<String>,
    pub text: RwSignal<String>,
}

impl Draft {
    pub fn of_message(session_id: SessionId) -> Self {
        Self::new(place_of_message(session_id))
    }

    pub fn of_inbox(field: &str) -> Self {
        Self::new(format!("{PREFIX}inbox.{field}"))
    }

    /// One field of the answer to a request.
    pub fn of_request(request_id: RequestId, field: &str) -> Self {
        Self::new(format!("{PREFIX}{request_id}.{field}"))
    }

    fn new(place: String) -> Self {
        let place = StoredValue::new(place);
        let text = RwSignal::new(String::new());
        Effect::new(move |was_read: Option<()>| {
            let now = text.get();
            if was_read.is_some() {
                place.with_value(|place| write(place, &now));
            } else if now.is_empty()
                && let Some(kept) = place.with_value(|place| read(place))
            {
                text.set(kept);
            }
        });
        Self { place, text }
    }

    /// For a task that may outlive the input it was typed into.
    pub fn place(self) -> String {
        self.place.get_value()
    }

    pub fn is_empty(self) -> bool {
        self.text.with(|text| text.trim().is_empty())
    }

    /// The text without blanks around it, if there is any.
    pub fn trimmed(self) -> Option<String> {
        self.text.try_with_untracked(|text| {
            let text = text.trim();
            (!text.is_empty()).then(|| text.to_owned())
        })?
    }

    /// This was sent. What was written meanwhile is the beginning of something new.
    pub fn was_sent(self, sent: &str) {
        let now = self.text.try_get_untracked().unwrap_or_default();
        match now.strip_prefix(sent).map(str::trim_start) {
            Some(rest) if !rest.is_empty() => drop(self.text.try_set(rest.to_owned())),
            Some(_) => self.forget(),
            None if now.trim() == sent.trim() => self.forget(),
            None => {}
        }
    }

    /// It was sent: nothing is left to be kept.
    pub fn forget(self) {
        let _ = self.place.try_with_value(|place| write(place, ""));
        let _ = self.text.try_set(String::new());
    }
}

/// Words that came back while the message input may be on another page; what is begun there stays.
pub fn keep_for_message(session_id: SessionId, text: &str) {
    let place = place_of_message(session_id);
    if read(&place).is_none() {
        write(&place, text);
    }
}

/// The session was deleted.
pub fn forget_message(session_id: SessionId) {
    write(&place_of_message(session_id), "");
}

/// The names of files that are about to be sent. They are too large to be kept over a reload, but that they are gone must be
/// said. Of this tab alone: another one has its own.
pub fn note_files(session_id: SessionId, names: &str) {
    let Some(storage) = storage_of_the_tab() else {
        return;
    };
    let _ = storage.set_item(&place_of_files(session_id), names);
}

/// The names of files that an earlier page of this tab had.
pub fn files_before(session_id: SessionId) -> Option<String> {
    let names = storage_of_the_tab()?.get_item(&place_of_files(session_id));
    names.ok().flatten().filter(|names| !names.is_empty())
}

fn place_of_files(session_id: SessionId) -> String {
    format!("{PREFIX}{session_id}.files")
}

fn storage_of_the_tab() -> Option<web_sys::Storage> {
    web_sys::window()?.session_storage().ok().flatten()
}

fn place_of_message(session_id: SessionId) -> String {
    format!("{PREFIX}{session_id}.message")
}

/// This text was sent, and the input that kept it may be gone.
pub fn forget_sent(place: &str, text: &str) {
    if read(place).is_some_and(|kept| kept.trim() == text) {
        write(place, "");
    }
}

/// What a person wrote for this request, without what only repeats the agent's words.
pub fn written_for(request_id: RequestId, agents: &[String]) -> Option<String> {
    const FIELDS: [&str; 13] = [
        "note", "reason", "feedback", "edit", "plan", "other.0", "other.1", "other.2", "other.3",
        "note.0", "note.1", "note.2", "note.3",
    ];
    let written = FIELDS.iter().filter_map(|field| {
        let text = read(&format!("{PREFIX}{request_id}.{field}"))?;
        if text.trim().is_empty() || agents.contains(&text) {
            return None;
        }
        // an edited command must not be sent as if it had been said: it may begin with a slash
        Some(match *field {
            "edit" | "plan" => format!("I had changed it to:\n\n{text}"),
            _ => text,
        })
    });
    let written: Vec<String> = written.collect();
    (!written.is_empty()).then(|| written.join("\n\n"))
}

/// A request is over: nothing that was typed for it is of use any more.
pub fn forget_request(request_id: RequestId) {
    let Some(storage) = storage() else { return };
    let prefix = format!("{PREFIX}{request_id}.");
    let count = storage.length().unwrap_or(0);
    let places: Vec<String> = (0..count)
        .filter_map(|index| storage.key(index).ok().flatten())
        .filter(|place| place.starts_with(&prefix))
        .collect();
    for place in places {
        let _ = storage.remove_item(&place);
    }
}

fn read(place: &str) -> Option<String> {
    storage()?.get_item(place).ok().flatten()
}

/// A full or forbidden storage costs the draft, never the page.
fn write(place: &str, text: &str) {
    let Some(storage) = storage() else { return };
    let _ = if text.is_empty() {
        storage.remove_item(place)
    } else {
        storage.set_item(place, text)
    };
}

fn storage() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok().flatten()
}
