//! Staying at the newest line, only for a reader who is there. Scrolling up lets go; coming back to the end, or asking
//! for it, holds again.

use leptos::html;
use leptos::prelude::*;
use web_sys::ResizeObserver;
use web_sys::wasm_bindgen::JsCast;
use web_sys::wasm_bindgen::closure::Closure;

/// As near to the end as counts for being there, in pixels.
const NEAR: i32 = 48;
/// The same for who went up: less than the step of an arrow key, so that the smallest step lets go.
const STILL_THERE: i32 = 8;

#[derive(Clone, Copy)]
pub struct Stick {
    pub scroller: NodeRef<html::Div>,
    pub is_at_end: RwSignal<bool>,
    last_top: StoredValue<i32>,
}

impl Stick {
    pub fn new() -> Self {
        Self {
            scroller: NodeRef::new(),
            is_at_end: RwSignal::new(true),
            last_top: StoredValue::new(0),
        }
    }

    /// After whatever `track` looks at has changed, the end is shown again to whoever was there.
    pub fn follow(self, track: impl Fn() + 'static) {
        Effect::new(move |_| {
            track();
            self.scroller.track();
            if self.is_at_end.get_untracked() {
                // after the change is drawn; by then the reader may have gone elsewhere
                request_animation_frame(move || self.scroll_if_at_end());
            }
        });
    }

    /// When the room itself changes, as the dock beneath it grows, whoever was at the end is there again.
    pub fn hold(self) {
        let watching = StoredValue::new_local(None::<ResizeObserver>);
        Effect::new(move |_| {
            let Some(scroller) = self.scroller.get() else {
                return;
            };
            let resized = Closure::<dyn Fn()>::new(move || self.scroll_if_at_end());
            let observer = ResizeObserver::new(resized.into_js_value().unchecked_ref()).ok();
            if let Some(observer) = &observer {
                observer.observe(&scroller);
            }
            watching.set_value(observer);
        });
        on_cleanup(move || {
            let _ = watching.try_update_value(|observer| {
                if let Some(observer) = observer.take() {
                    observer.disconnect();
                }
            });
        });
    }

    /// What is put above the lines in view leaves them where they are.
    pub fn keep_in_place(self, change: impl FnOnce()) {
        let below =
            |scroller: &web_sys::HtmlDivElement| scroller.scroll_height() - scroller.scroll_top();
        let before = self
            .scroller
            .try_get_untracked()
            .flatten()
            .map(|scroller| below(&scroller));
        let _ = self.is_at_end.try_set(false);
        change();
        // after the change is drawn
        request_animation_frame(move || {
            if let (Some(before), Some(scroller)) =
                (before, self.scroller.try_get_untracked().flatten())
            {
                scroller.set_scroll_top(scroller.scroll_height() - before);
                self.scrolled();
            }
        });
    }

    pub fn to_the_end(self) {
        self.is_at_end.set(true);
        self.scroll();
    }

    pub fn scrolled(self) {
        let Some(scroller) = self.scroller.get_untracked() else {
            return;
        };
        let top = scroller.scroll_top();
        let left = scroller.scroll_height() - scroller.client_height() - top;
        let went_up = top < self.last_top.get_value();
        self.last_top.set_value(top);
        let is_at_end = match went_up {
            true => left <= STILL_THERE,
            // growth alone is no reason to let go: the text may be longer by the time this is told
            false => left <= NEAR || self.is_at_end.get_untracked(),
        };
        if self.is_at_end.get_untracked() != is_at_end {
            self.is_at_end.set(is_at_end);
        }
    }

    fn scroll_if_at_end(self) {
        if self.is_at_end.try_get_untracked() == Some(true) {
            self.scroll();
        }
    }

    fn scroll(self) {
        if let Some(scroller) = self.scroller.try_get_untracked().flatten() {
            scroller.set_scroll_top(scroller.scroll_height());
            // the browser tells of it later, perhaps together with the reader's own: that one is known as going up only by this
            let _ = self.last_top.try_set_value(scroller.scroll_top());
        }
    }
}
