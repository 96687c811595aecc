//! The second piece comes before it is asked for: as soon as somebody is at the page, or an agent runs that may ask something.
//! A page that only stands there loads no more than it shows.

use super::second_piece;
use crate::app::live::Live;
use crate::model::{ProcessInfo, SessionSummary};
use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;

pub fn load(live: Live) {
    let is_any_alive = Memo::new(move |_| {
        let sessions = live.sessions();
        let is_alive = |session: &SessionSummary| {
            let process = session.process.as_ref();
            process.is_some_and(ProcessInfo::is_alive)
        };
        sessions.read().iter().any(is_alive)
    });
    // in the browser only
    Effect::new(move |_| {
        if is_any_alive.get() {
            now();
        }
    });
    Effect::new(move |_| {
        let listening = StoredValue::new(Vec::new());
        let stop = move || {
            let listeners = listening.try_update_value(std::mem::take);
            listeners
                .into_iter()
                .flatten()
                .for_each(WindowListenerHandle::remove);
        };
        let here = move || {
            now();
            stop();
        };
        listening.set_value(vec![
            window_event_listener(ev::pointermove, move |_| here()),
            window_event_listener(ev::pointerdown, move |_| here()),
            window_event_listener(ev::keydown, move |_| here()),
        ]);
        on_cleanup(stop);
    });
}

/// If it does not come now, whoever needs it asks again.
fn now() {
    if !second_piece::is_here() {
        spawn_local(async {
            let _ = second_piece::load().await;
        });
    }
}
