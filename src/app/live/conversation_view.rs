//! The conversations this tab has seen, as signals: one for the list, one for each item, one for the text being
//! written. A changed item wakes only its own line. The folding itself is [`crate::model::conversation`].

use crate::model::conversation::{Conversation, Item, Partial, Touched};
use crate::model::{Delta, Event, SessionId};
use leptos::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// Conversations by session, kept when their page is left: coming back shows them at once and asks only for the rest.
#[derive(Clone, Default)]
pub struct Shelf(HashMap<SessionId, Volume>);

/// An item and the signal that changes with it; keyed by the item's `seq`.
pub type ItemSignal = (u64, ArcRwSignal<Item>);

#[derive(Clone, Default)]
struct Volume {
    /// Folded, without signals.
    plain: Arc<Mutex<Conversation>>,
    items: ArcRwSignal<Vec<ItemSignal>>,
    partial: ArcRwSignal<Option<Partial>>,
}

/// A handle; the signals live as long as the tab.
#[derive(Clone, Copy)]
pub struct ConversationView {
    shelf: StoredValue<Shelf>,
    id: SessionId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    All,
    /// Events before these are missing. Nothing was taken.
    Gap,
}

impl ConversationView {
    pub(super) fn new(shelf: StoredValue<Shelf>, id: SessionId) -> Self {
        Self { shelf, id }
    }

    pub fn items(self) -> Signal<Vec<ItemSignal>> {
        let items = self.volume().items;
        Signal::derive(move || items.get())
    }

    /// Text that is being written.
    pub fn partial(self) -> Signal<Option<Partial>> {
        let partial = self.volume().partial;
        Signal::derive(move || partial.get())
    }

    /// The first picture. What is already known stays.
    pub fn fill(self, events: &[Event]) {
        if self.last_seq().is_none() {
            self.take(events, false);
        }
    }

    /// Of the last event that is known.
    pub(super) fn last_seq(self) -> Option<u64> {
        let volume = self.volume();
        let last = lock(&volume.plain).last_seq;
        (last > 0).then_some(last)
    }

    pub(super) fn take(self, events: &[Event], reset: bool) -> Taken {
        let volume = self.volume();
        let mut touched = Changes::default();
        let changes = {
            let mut plain = lock(&volume.plain);
            if reset {
                *plain = Conversation::default();
                touched.all = true;
            } else if is_gap(&plain, events) {
                return Taken::Gap;
            }
            for event in events {
                touched.note(plain.apply(event));
            }
            touched.items(&plain)
        };
        volume.publish(changes, touched.all);
        Taken::All
    }

    pub(super) fn write(self, delta: &Delta) {
        let volume = self.volume();
        lock(&volume.plain).apply_delta(delta);
        volume.publish_partial();
    }

    /// Half a text whose other half will not come.
    pub(super) fn forget_partial(self) {
        let volume = self.volume();
        lock(&volume.plain).partial = None;
        volume.publish_partial();
    }

    fn volume(self) -> Volume {
        self.shelf
            .try_update_value(|shelf| shelf.0.entry(self.id).or_default().clone())
            .unwrap_or_default()
    }
}

/// The next unknown event must be the successor of the last known one; an empty conversation may begin anywhere.
fn is_gap(plain: &Conversation, events: &[Event]) -> bool {
    let next = events.iter().find(|event| event.seq > plain.last_seq);
    plain.last_seq > 0 && next.is_some_and(|event| event.seq != plain.last_seq + 1)
}

/// Which items a batch of events touched, so that a long conversation costs no more than its news.
#[derive(Default)]
struct Changes {
    indices: BTreeSet<usize>,
    all: bool,
}

impl Changes {
    fn note(&mut self, touched: Touched) {
        match touched {
            Touched::Added(index) | Touched::Changed(index) => {
                self.indices.insert(index);
            }
            Touched::Many => self.all = true,
            Touched::Nothing => {}
        }
    }

    fn items(&self, plain: &Conversation) -> Vec<(usize, Item)> {
        if self.all {
            plain.items.iter().cloned().enumerate().collect()
        } else {
            let item = |index: &usize| Some((*index, plain.items.get(*index)?.clone()));
            self.indices.iter().filter_map(item).collect()
        }
    }
}

impl Volume {
    /// Makes the signals say what the plain conversation says, waking only what differs.
    fn publish(&self, changes: Vec<(usize, Item)>, all: bool) {
        let mut list = self.items.get_untracked();
        let mut list_changed = false;
        if all && list.len() > changes.len() {
            list.truncate(changes.len());
            list_changed = true;
        }
        for (index, item) in changes {
            match list.get(index) {
                Some((seq, signal)) if *seq == item.seq => {
                    if *signal.read_untracked() != item {
                        signal.set(item);
                    }
                }
                _ => {
                    list.truncate(index);
                    list.push((item.seq, ArcRwSignal::new(item)));
                    list_changed = true;
                }
            }
        }
        if list_changed {
            self.items.set(list);
        }
        self.publish_partial();
    }

    fn publish_partial(&self) {
        let partial = lock(&self.plain).partial.clone();
        if *self.partial.read_untracked() != partial {
            self.partial.set(partial);
        }
    }
}

fn lock(plain: &Mutex<Conversation>) -> std::sync::MutexGuard<'_, Conversation> {
    plain.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
