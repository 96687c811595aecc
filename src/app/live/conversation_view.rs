//! The conversations this tab has seen, as signals: one for the list, one for each item, one for the text being
//! written. A changed item wakes only its own line. The folding itself is [`crate::model::conversation`].

use crate::model::conversation::{Body, Conversation, Item, Partial, Touched};
use crate::model::{Delta, Event, MessageId, SessionId, ToolUseId};
use leptos::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// Conversations by session, kept when their page is left: coming back shows them at once and asks only for the rest.
#[derive(Clone, Default)]
pub struct Shelf(HashMap<SessionId, Volume>);

/// An item's place, and the signal that changes with it.
#[derive(Clone)]
pub struct Line {
    /// Of the item: what a list is keyed by.
    pub seq: u64,
    /// The line it stands under, if it is the work of a subagent.
    pub under: Option<u64>,
    /// What the lines are ordered by.
    place: u64,
    pub item: ArcRwSignal<Item>,
}

#[derive(Clone, Default)]
struct Volume {
    /// Folded, without signals.
    plain: Arc<Mutex<Conversation>>,
    items: ArcRwSignal<Vec<Line>>,
    partial: ArcRwSignal<Option<Partial>>,
    /// Of the oldest event that is here.
    first_seq: ArcRwSignal<u64>,
    /// The newest line that keeps a list.
    list: ArcRwSignal<Option<u64>>,
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

    pub fn items(self) -> Signal<Vec<Line>> {
        let items = self.volume().items;
        Signal::derive(move || items.get())
    }

    /// The lines under a line; under none: those that stand for themselves.
    pub fn lines(self, under: Option<u64>) -> Signal<Vec<Line>> {
        self.ordered(move |line| line.under == under && !line.is_queued())
    }

    /// Messages that the agent will take when it is ready.
    pub fn queued(self) -> Signal<Vec<Line>> {
        self.ordered(Line::is_queued)
    }

    fn ordered(self, belongs: impl Fn(&Line) -> bool + Send + Sync + 'static) -> Signal<Vec<Line>> {
        let items = self.volume().items;
        Signal::derive(move || {
            let items = items.read();
            let mut here: Vec<Line> = items.iter().filter(|line| belongs(line)).cloned().collect();
            here.sort_by_key(|line| line.place);
            here
        })
    }

    /// There is more before what is here.
    pub fn has_earlier(self) -> Signal<bool> {
        let first_seq = self.volume().first_seq;
        Signal::derive(move || first_seq.get() > 1)
    }

    /// The newest line that keeps a list: what is still to be done.
    pub fn newest_list(self) -> Signal<Option<u64>> {
        let list = self.volume().list;
        Signal::derive(move || list.get())
    }

    /// The messages that one can go back to, with what was said; the newest first.
    pub fn ways_back(self) -> Vec<(MessageId, Body)> {
        let volume = self.volume();
        let plain = lock(&volume.plain);
        let ways = plain.ways_back().into_iter();
        ways.filter_map(|item| Some((item.taken_message()?, item.body.clone())))
            .collect()
    }

    /// Of what goes on in the background, that which began after this message.
    pub fn began_since(self, message: MessageId, background: &[ToolUseId]) -> Vec<ToolUseId> {
        lock(&self.volume().plain).began_since(message, background)
    }

    /// Events right before what is here. Others change nothing.
    pub fn put_in_front(self, events: &[Event]) {
        let volume = self.volume();
        let items = {
            let mut plain = lock(&volume.plain);
            if !plain.put_in_front(events) {
                return;
            }
            plain.items.iter().cloned().enumerate().collect()
        };
        volume.publish(items, true);
    }

    /// Of the oldest event that is here.
    pub fn first_seq(self) -> u64 {
        lock(&self.volume().plain).first_seq
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
        self.publish_list(&changes, all);
        let known = self.items.get_untracked();
        let (list, list_changed) = match all {
            true => renewed(&known, changes),
            false => continued(known, changes),
        };
        if list_changed {
            self.items.set(list);
        }
        let first_seq = lock(&self.plain).first_seq;
        if *self.first_seq.read_untracked() != first_seq {
            self.first_seq.set(first_seq);
        }
        self.publish_partial();
    }

    fn publish_list(&self, changes: &[(usize, Item)], all: bool) {
        let keeps_a_list =
            |item: &Item| matches!(&item.body, Body::Tool(tool) if !tool.todos.is_empty());
        let mut seqs = changes
            .iter()
            .rev()
            .filter(|(_, item)| keeps_a_list(item))
            .map(|(_, item)| item.seq);
        let before = self.list.get_untracked().filter(|_| !all);
        let newest = seqs.next().max(before);
        if self.list.get_untracked() != newest {
            self.list.set(newest);
        }
    }

    fn publish_partial(&self) {
        let partial = lock(&self.plain).partial.clone();
        if *self.partial.read_untracked() != partial {
            self.partial.set(partial);
        }
    }
}

/// Some items, at their places: only the end of the list changes.
fn continued(mut list: Vec<Line>, changes: Vec<(usize, Item)>) -> (Vec<Line>, bool) {
    let mut list_changed = false;
    for (index, item) in changes {
        match list.get_mut(index) {
            Some(line) if line.seq == item.seq => {
                list_changed |= (line.under, line.place) != (item.under, item.place());
                line.show(item);
            }
            _ => {
                list.truncate(index);
                list.push(Line::new(item));
                list_changed = true;
            }
        }
    }
    (list, list_changed)
}

/// All items: a line that was there before is kept, wherever it stands now.
fn renewed(known: &[Line], items: Vec<(usize, Item)>) -> (Vec<Line>, bool) {
    let by_seq: HashMap<u64, &Line> = known.iter().map(|line| (line.seq, line)).collect();
    let list: Vec<Line> = items
        .into_iter()
        .map(|(_, item)| match by_seq.get(&item.seq) {
            Some(line) => {
                let mut line = Line::clone(line);
                line.show(item);
                line
            }
            None => Line::new(item),
        })
        .collect();
    let place = |line: &Line| (line.seq, line.under, line.place);
    let is_same = list.iter().map(place).eq(known.iter().map(place));
    (list, !is_same)
}

impl Line {
    fn new(item: Item) -> Self {
        Self {
            seq: item.seq,
            under: item.under,
            place: item.place(),
            item: ArcRwSignal::new(item),
        }
    }

    fn is_queued(&self) -> bool {
        self.place == u64::MAX
    }

    fn show(&mut self, item: Item) {
        self.under = item.under;
        self.place = item.place();
        if *self.item.read_untracked() != item {
            self.item.set(item);
        }
    }
}

fn lock(plain: &Mutex<Conversation>) -> std::sync::MutexGuard<'_, Conversation> {
    plain.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
