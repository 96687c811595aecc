//! Calls the person when something waits and they do not look: a mark on the tab's icon, a quiet sound, a notification
//! of the desktop. Each request calls once, whatever the number of tabs, and is gone when it is answered anywhere.
//! Requests that wait when a page is opened call nobody: the person is there.

mod claim;
mod preferences;
mod sound;
mod switches;

pub use preferences::Preferences;
pub use switches::AttentionSwitches;

use crate::app::inbox_page::summary;
use crate::app::live::{Live, Waiting};
use crate::app::pending::asker;
use crate::model::RequestId;
use claim::Claim;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::wasm_bindgen::closure::Closure;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use web_sys::{Notification, NotificationOptions, NotificationPermission};

/// What stands on the desktop or is held for a request of this tab.
#[derive(Default)]
struct Call {
    _claim: Option<Claim>,
    notification: Option<Notification>,
}

impl Drop for Call {
    fn drop(&mut self) {
        if let Some(notification) = &self.notification {
            notification.close();
        }
    }
}

thread_local! {
    /// A browser has one thread for the page; on the server nothing ever looks here.
    static CALLS: RefCell<HashMap<RequestId, Call>> = RefCell::default();
    static LOOK: RefCell<Option<Claim>> = const { RefCell::new(None) };
}

/// Only for the browser: everything happens in effects.
pub fn attend(live: Live, preferences: Preferences) {
    Effect::new(|_| tell_when_looked_at());
    Effect::new(move |known: Option<HashSet<RequestId>>| {
        let waiting = live.waiting();
        let waiting = waiting.read();
        mark_icon(!waiting.is_empty());
        let now: HashSet<RequestId> = waiting.iter().map(|one| one.request.request_id).collect();
        CALLS.with_borrow_mut(|calls| calls.retain(|id, _| now.contains(id)));
        let Some(known) = known else {
            return now;
        };
        for one in waiting
            .iter()
            .filter(|one| !known.contains(&one.request.request_id))
        {
            call(live, one.clone(), preferences);
        }
        now
    });
}

fn call(live: Live, waiting: Waiting, preferences: Preferences) {
    if !preferences.wants_anything() {
        return;
    }
    let id = waiting.request.request_id;
    CALLS.with_borrow_mut(|calls| calls.insert(id, Call::default()));
    let speak = move || {
        claim::claim(id, move |claim| {
            // answered meanwhile
            if !CALLS.with_borrow(|calls| calls.contains_key(&id)) {
                return;
            }
            preferences.ring();
            let notification = (document().hidden() && preferences.notifies())
                .then(|| notify(live, &waiting))
                .flatten();
            let call = Call {
                _claim: Some(claim),
                notification,
            };
            CALLS.with_borrow_mut(|calls| calls.insert(id, call));
        });
    };
    match document().hidden() {
        true => claim::unless_looked_at(speak),
        false => speak(),
    }
}

/// The other tabs know that this one is looked at.
fn tell_when_looked_at() {
    let look = || {
        LOOK.with_borrow_mut(Option::take);
        if !document().hidden() {
            // it may have been left meanwhile
            claim::look(|look| {
                let look = (!document().hidden()).then_some(look);
                LOOK.with_borrow_mut(|kept| *kept = look);
            });
        }
    };
    look();
    let listener = window_event_listener_untyped("visibilitychange", move |_| look());
    on_cleanup(move || listener.remove());
}

/// Says who wants what kind of thing; not what it is about: that may be secret, and a desktop is seen by others.
fn notify(live: Live, waiting: &Waiting) -> Option<Notification> {
    if Notification::permission() != NotificationPermission::Granted {
        return None;
    }
    let options = NotificationOptions::new();
    options.set_body(&waiting.title);
    options.set_tag(&waiting.request.request_id.to_string());
    options.set_icon("/favicon-waiting.svg");
    let words = format!(
        "{} {}",
        asker(&live.agent()),
        summary::wish(&waiting.request)
    );
    let notification = Notification::new_with_options(&words, &options).ok()?;
    let path = format!("/session/{}", waiting.session_id);
    let open = Closure::once_into_js(move || {
        let _ = window().focus();
        let _ = window().location().set_href(&path);
    });
    notification.set_onclick(open.dyn_ref());
    Some(notification)
}

fn mark_icon(waits: bool) {
    let icon = document().query_selector("link[rel=icon]").ok().flatten();
    if let Some(icon) = icon {
        let address = match waits {
            true => "/favicon-waiting.svg",
            false => "/favicon.svg",
        };
        if icon.get_attribute("href").as_deref() != Some(address) {
            let _ = icon.set_attribute("href", address);
        }
    }
}
