//! The slash commands that fit what is typed, above the message input: arrow keys choose, Enter or Tab completes, Escape
//! closes. The focus stays in the text.

use crate::app::ui::untrusted::Untrusted;
use crate::model::{Capabilities, SlashCommand};
use leptos::prelude::*;

pub const LIST: &str = "slash-commands";

#[derive(Clone, Copy)]
pub struct Commands {
    text: RwSignal<String>,
    fitting: Memo<Vec<SlashCommand>>,
    chosen: RwSignal<usize>,
    /// Closed by Escape until the text changes.
    closed_for: RwSignal<Option<String>>,
    /// Without it a draft that begins with a slash would open the list by itself.
    has_focus: RwSignal<bool>,
}

/// What became of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    Taken,
    NotOurs,
}

impl Commands {
    pub fn new(text: RwSignal<String>, known: Memo<Capabilities>) -> Self {
        let fitting = Memo::new(move |_| text.with(|text| known.read().commands_for(text)));
        let chosen = RwSignal::new(0);
        // another list begins at its head
        Effect::new(move |_| {
            fitting.track();
            chosen.set(0);
        });
        Self {
            text,
            fitting,
            chosen,
            closed_for: RwSignal::new(None),
            has_focus: RwSignal::new(false),
        }
    }

    pub fn focus(self, has_focus: bool) {
        let _ = self.has_focus.try_set(has_focus);
    }

    pub fn is_open(self) -> bool {
        let is_closed = self.closed_for.with(|closed| {
            closed
                .as_ref()
                .is_some_and(|of| self.text.with(|text| of == text))
        });
        self.has_focus.get() && !is_closed && !self.fitting.read().is_empty()
    }

    /// The row that the keys are on, for who hears the page.
    pub fn active(self) -> Option<String> {
        self.is_open().then(|| row_id(self.chosen.get()))
    }

    pub fn press(self, key: &str) -> Key {
        if !untrack(move || self.is_open()) {
            return Key::NotOurs;
        }
        let count = self.fitting.read_untracked().len();
        let here = self.chosen.get_untracked().min(count - 1);
        match key {
            "ArrowDown" => self.choose((here + 1) % count),
            "ArrowUp" => self.choose((here + count - 1) % count),
            "Escape" => self.closed_for.set(Some(self.text.get_untracked())),
            "Enter" if self.is_complete(here) => return Key::NotOurs,
            "Enter" | "Tab" => self.complete(here),
            _ => return Key::NotOurs,
        }
        Key::Taken
    }

    /// It may be further down than the list shows.
    fn choose(self, index: usize) {
        self.chosen.set(index);
        if let Some(row) = document().get_element_by_id(&row_id(index)) {
            row.scroll_into_view_with_bool(false);
        }
    }

    /// Nothing is left to be completed: Enter sends it.
    fn is_complete(self, index: usize) -> bool {
        let fitting = self.fitting.read_untracked();
        let text = self.text.read_untracked();
        fitting
            .get(index)
            .is_some_and(|command| text.strip_prefix('/') == Some(command.name.as_str()))
    }

    fn complete(self, index: usize) {
        let name = self
            .fitting
            .with_untracked(|fitting| fitting.get(index).map(|command| command.name.clone()));
        if let Some(name) = name {
            self.text.set(format!("/{name} "));
        }
    }
}

fn row_id(index: usize) -> String {
    format!("{LIST}-{index}")
}

#[component]
pub fn CommandList(commands: Commands) -> impl IntoView {
    let rows = move || {
        let fitting = commands.fitting.get();
        fitting
            .into_iter()
            .enumerate()
            .map(|(index, command)| {
                let is_chosen = move || commands.chosen.get() == index;
                view! {
                    <li
                        id=row_id(index)
                        role="option"
                        aria-selected=move || is_chosen().to_string()
                        class:chosen=is_chosen
                        // before the text loses the focus
                        on:mousedown=move |event| {
                            event.prevent_default();
                            commands.complete(index);
                        }
                    >
                        <b>"/" <Untrusted text=command.name /></b>
                        {(!command.argument_hint.is_empty())
                            .then(|| {
                                view! {
                                    <span class="argument">
                                        <Untrusted text=command.argument_hint />
                                    </span>
                                }
                            })}
                        <span class="about">
                            <Untrusted text=command.description />
                        </span>
                    </li>
                }
            })
            .collect::<Vec<_>>()
    };
    let count = move || match commands.is_open() {
        true => format!("{} commands fit", commands.fitting.read().len()),
        false => String::new(),
    };
    view! {
        <span class="visually-hidden" role="status" aria-label="Commands">
            {count}
        </span>
        <Show when=move || commands.is_open()>
            <ul id=LIST class="commands" role="listbox" aria-label="Commands">
                {rows}
            </ul>
        </Show>
    }
}
