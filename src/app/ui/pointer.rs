//! A press is a click only if it is released where it began. So what would move things under a pointer waits until it is up.

use leptos::ev;
use leptos::prelude::*;
use std::time::Duration;

/// Whether a pointer is down, until its click has been heard.
pub fn is_down() -> Signal<bool> {
    let is_down = RwSignal::new(false);
    // in the browser only
    Effect::new(move |_| {
        let set = move |down| {
            let _ = is_down.try_set(down);
        };
        // the click comes right behind it
        let up = move || set_timeout(move || set(false), Duration::ZERO);
        let listeners = [
            window_event_listener(ev::pointerdown, move |_| set(true)),
            window_event_listener(ev::pointerup, move |_| up()),
            window_event_listener(ev::pointercancel, move |_| up()),
        ];
        on_cleanup(move || listeners.into_iter().for_each(WindowListenerHandle::remove));
    });
    is_down.into()
}
