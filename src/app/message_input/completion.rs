//! What the typed text may become, beside the field for a message: slash commands at its beginning, names of files after an `@`.
//! Arrow keys choose, Enter or Tab completes, Escape closes. The focus stays in the text.

use super::mention::{self, Mention};
use crate::api;
use crate::app::ui::show::Show;
use crate::app::ui::untrusted::{Untrusted, Words};
use crate::model::{Capabilities, ProjectId, SessionId, SlashCommand};
use leptos::prelude::*;
use leptos::task::spawn_local;

pub const LIST: &str = "completions";

#[derive(Clone, Copy)]
pub struct Completion {
    text: RwSignal<String>,
    /// Where it is written on, in the browser's units.
    caret: RwSignal<usize>,
    offers: Memo<Vec<Offer>>,
    chosen: RwSignal<usize>,
    /// Closed by Escape until the text changes.
    closed_for: RwSignal<Option<String>>,
    /// Without it a draft that begins with a slash would open the list by itself.
    has_focus: RwSignal<bool>,
}

/// Whose files are meant.
#[derive(Clone, PartialEq, Eq)]
pub enum FilesOf {
    Session(SessionId),
    Project(ProjectId),
}

/// What became of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    Taken,
    NotOurs,
}

#[derive(Clone, PartialEq, Eq)]
enum Offer {
    Command(SlashCommand),
    File { mention: Mention, path: String },
}

impl Completion {
    pub fn new(
        files_of: Signal<FilesOf>,
        text: RwSignal<String>,
        known: Signal<Capabilities>,
        // where there is none yet, Countersign has nothing to show of it
        in_session: bool,
    ) -> Self {
        let caret = RwSignal::new(0);
        let has_focus = RwSignal::new(false);
        let mention = Memo::new(move |_| {
            let mention = text.with(|text| mention::at(text, caret.get()));
            mention.filter(|_| has_focus.get())
        });
        let files = files_for(files_of, mention);
        let offers = Memo::new(move |_| {
            let commands = text.with(|text| known.read().offered_for(text, in_session));
            let found = files
                .get()
                .filter(|(of, _)| Some(of) == mention.read().as_ref());
            let files = found.into_iter().flat_map(|(mention, paths)| {
                let file = move |path| Offer::File {
                    mention: mention.clone(),
                    path,
                };
                paths.into_iter().map(file)
            });
            commands
                .into_iter()
                .map(Offer::Command)
                .chain(files)
                .collect()
        });
        let chosen = RwSignal::new(0);
        // another list begins at its head
        Effect::new(move |_| {
            offers.track();
            chosen.set(0);
        });
        Self {
            text,
            caret,
            offers,
            chosen,
            closed_for: RwSignal::new(None),
            has_focus,
        }
    }

    pub fn focus(self, has_focus: bool) {
        let _ = self.has_focus.try_set(has_focus);
    }

    /// The caret may have moved.
    pub fn look(self, area: &web_sys::HtmlTextAreaElement) {
        let caret = area.selection_start().ok().flatten().unwrap_or(0) as usize;
        if self.caret.get_untracked() != caret {
            self.caret.set(caret);
        }
    }

    pub fn is_open(self) -> bool {
        let is_closed = self.closed_for.with(|closed| {
            closed
                .as_ref()
                .is_some_and(|of| self.text.with(|text| of == text))
        });
        self.has_focus.get() && !is_closed && !self.offers.read().is_empty()
    }

    /// The row that the keys are on, for who hears the page.
    pub fn active(self) -> Option<String> {
        self.is_open().then(|| row_id(self.chosen.get()))
    }

    pub fn press(self, key: &str, area: &web_sys::HtmlTextAreaElement) -> Key {
        if !untrack(move || self.is_open()) {
            return Key::NotOurs;
        }
        let count = self.offers.read_untracked().len();
        let here = self.chosen.get_untracked().min(count - 1);
        match key {
            "ArrowDown" => self.choose((here + 1) % count),
            "ArrowUp" => self.choose((here + count - 1) % count),
            "Escape" => self.closed_for.set(Some(self.text.get_untracked())),
            "Enter" if self.is_complete(here) || !self.is_begun(here) => return Key::NotOurs,
            "Enter" | "Tab" => self.complete(here, area),
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

    /// What is typed is how it begins. A command that only has it in its middle is not what Enter means.
    fn is_begun(self, index: usize) -> bool {
        let offers = self.offers.read_untracked();
        let text = self.text.read_untracked();
        let typed = text.trim_start_matches('/').to_lowercase();
        match offers.get(index) {
            Some(Offer::Command(command)) => command.name.to_lowercase().starts_with(&typed),
            Some(Offer::File { .. }) => true,
            None => false,
        }
    }

    /// Nothing is left to be completed: Enter sends it.
    fn is_complete(self, index: usize) -> bool {
        let offers = self.offers.read_untracked();
        let text = self.text.read_untracked();
        match offers.get(index) {
            Some(Offer::Command(command)) => text.strip_prefix('/') == Some(command.name.as_str()),
            Some(Offer::File { mention, path }) => mention.typed == *path,
            None => true,
        }
    }

    fn complete(self, index: usize, area: &web_sys::HtmlTextAreaElement) {
        let offer = self
            .offers
            .with_untracked(|offers| offers.get(index).cloned());
        let (text, caret) = match offer {
            Some(Offer::Command(command)) => {
                let text = format!("/{} ", command.name);
                let caret = mention::units(&text);
                (text, caret)
            }
            Some(Offer::File { mention, path }) => self
                .text
                .with_untracked(|text| mention.completed(text, &path)),
            None => return,
        };
        // the field first: the caret cannot stand where there is no text yet
        area.set_value(&text);
        let place = u32::try_from(caret).unwrap_or(u32::MAX);
        let _ = area.set_selection_range(place, place);
        self.text.set(text);
        self.caret.set(caret);
    }
}

/// The files that fit what is mentioned, with what they were looked up for.
fn files_for(
    files_of: Signal<FilesOf>,
    mention: Memo<Option<Mention>>,
) -> RwSignal<Option<(Mention, Vec<String>)>> {
    let found = RwSignal::new(None);
    Effect::new(move |_| {
        let Some(of) = mention.get() else {
            return;
        };
        let (session_id, project) = match files_of.get() {
            FilesOf::Session(id) => (Some(id), None),
            FilesOf::Project(id) => (None, Some(id)),
        };
        spawn_local(async move {
            // a list that cannot be had is none: the text can be typed without it
            let Ok(paths) = api::find_files(session_id, project, of.typed.clone()).await else {
                return;
            };
            if mention.try_get_untracked().flatten().as_ref() == Some(&of) {
                let _ = found.try_set(Some((of, paths)));
            }
        });
    });
    found
}

fn row_id(index: usize) -> String {
    format!("{LIST}-{index}")
}

#[component]
pub fn CompletionList(
    completion: Completion,
    area: NodeRef<leptos::html::Textarea>,
) -> impl IntoView {
    let rows = move || {
        let offers = completion.offers.get();
        offers
            .into_iter()
            .enumerate()
            .map(|(index, offer)| {
                let is_chosen = move || completion.chosen.get() == index;
                view! {
                    <li
                        id=row_id(index)
                        role="option"
                        aria-selected=move || is_chosen().to_string()
                        class:chosen=is_chosen
                        // before the text loses the focus
                        on:mousedown=move |event| {
                            event.prevent_default();
                            if let Some(area) = area.get_untracked() {
                                completion.complete(index, &area);
                            }
                        }
                    >
                        <Row offer />
                    </li>
                }
            })
            .collect::<Vec<_>>()
    };
    let count = move || match completion.is_open() {
        true => format!("{} fit", completion.offers.read().len()),
        false => String::new(),
    };
    let label = move || match completion.offers.read().first() {
        Some(Offer::File { .. }) => "Files",
        _ => "Commands",
    };
    view! {
        <span class="visually-hidden" role="status" aria-label="Completions">
            {count}
        </span>
        <Show when=move || completion.is_open()>
            <ul id=LIST class="commands" role="listbox" aria-label=label>
                {rows}
            </ul>
        </Show>
    }
}

#[component]
fn Row(offer: Offer) -> impl IntoView {
    match offer {
        Offer::Command(command) => view! {
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
                <Words text=command.description />
            </span>
        }
        .into_any(),
        Offer::File { path, .. } => view! {
            <b class="path">
                <Untrusted text=path />
            </b>
        }
        .into_any(),
    }
}
