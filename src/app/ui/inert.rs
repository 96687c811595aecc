//! What has just appeared, or has just moved, takes no click and no key for a moment: they were meant for what was there
//! before. The moment begins when the change is drawn; on a busy machine, or in a hidden tab, that is later.

use leptos::prelude::*;
use std::time::Duration;

const MOMENT: Duration = Duration::from_millis(400);

#[derive(Clone, Copy)]
pub struct Inert {
    now: RwSignal<bool>,
    /// Of several changes in a row the last one counts.
    turn: StoredValue<u32>,
}

impl Inert {
    /// For what stands still.
    pub fn not_yet() -> Self {
        Self {
            now: RwSignal::new(false),
            turn: StoredValue::new(0),
        }
    }

    /// For what appears with the component that asks.
    pub fn at_first() -> Self {
        let inert = Self {
            now: RwSignal::new(true),
            turn: StoredValue::new(0),
        };
        Effect::new(move |_| inert.begin());
        inert
    }

    pub fn get(self) -> bool {
        self.now.get()
    }

    /// For what was pressed. What is gone takes nothing, either.
    pub fn is_now(self) -> bool {
        self.now.try_get_untracked() != Some(false)
    }

    pub fn begin(self) {
        let turn = self.turn.try_update_value(|turn| {
            *turn += 1;
            *turn
        });
        if self.now.try_get_untracked() == Some(false) {
            let _ = self.now.try_set(true);
        }
        request_animation_frame(move || {
            let end = move || {
                if self.turn.try_get_value() == turn {
                    let _ = self.now.try_set(false);
                }
            };
            set_timeout(end, MOMENT);
        });
    }
}
