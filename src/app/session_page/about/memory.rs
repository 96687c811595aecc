//! A memory file, open to be read and changed. What was typed leaves the screen only when it is saved or discarded.

use super::Told;
use crate::api;
use crate::app::ui::focus;
use crate::app::ui::untrusted::Untrusted;
use crate::model::{Code, MemoryText};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;

#[derive(Clone, Copy)]
pub struct Editor {
    /// The file that is open.
    pub path: RwSignal<Option<String>>,
    /// As it was read last.
    read: RwSignal<MemoryText>,
    /// What the file holds now, when that is not what was read at first.
    theirs: RwSignal<Option<String>>,
    /// What was typed is on its way: no letter more would be in it.
    is_saving: RwSignal<bool>,
    /// Someone wanted to leave without saving, and was told.
    is_warned: RwSignal<bool>,
    field: NodeRef<html::Textarea>,
}

impl Editor {
    pub fn new() -> Self {
        Self {
            path: RwSignal::default(),
            read: RwSignal::default(),
            theirs: RwSignal::default(),
            is_saving: RwSignal::default(),
            is_warned: RwSignal::default(),
            field: NodeRef::new(),
        }
    }

    fn typed(self) -> String {
        let field = self.field.get_untracked();
        field.map(|field| field.value()).unwrap_or_default()
    }

    pub fn is_changed(self) -> bool {
        let is_open = self.path.read_untracked().is_some();
        is_open
            && (self.theirs.read_untracked().is_some()
                || self.typed() != in_a_field(&self.read.read_untracked().text))
    }
}

/// A text field ends its lines in one way only.
fn in_a_field(text: &str) -> String {
    text.replace("\r\n", "\n")
}

const BEING_SAVED: &str = "What you wrote is being saved.";
const NOT_SAVED: &str = "What you wrote is not saved yet. Save it, or discard it.";

impl Told {
    pub(super) fn open_file(self, path: String) {
        self.busy.set(true);
        self.forget();
        spawn_local(async move {
            match api::read_memory(self.session_id, path.clone()).await {
                Ok(read) => {
                    let editor = self.editor;
                    drop(editor.read.try_set(read));
                    drop(editor.theirs.try_set(None));
                    let _ = editor.is_warned.try_set(false);
                    drop(editor.path.try_set(Some(path)));
                }
                Err(refusal) => drop(self.refusal.try_set(Some(refusal.message))),
            }
            let _ = self.busy.try_set(false);
        });
    }

    /// Closes the file, unless something would be lost. Says whether it is closed.
    pub(super) fn leave_file(self) -> bool {
        if self.editor.is_saving.get_untracked() {
            self.said.set(Some(BEING_SAVED.to_owned()));
            return false;
        }
        if self.editor.is_changed() {
            self.refusal.set(Some(NOT_SAVED.to_owned()));
            self.editor.is_warned.set(true);
            focus::leave_for("#memory-text");
            return false;
        }
        self.close_file();
        true
    }

    fn close_file(self) {
        self.forget();
        self.editor.path.set(None);
        focus::go_on("#about-part");
    }

    fn save_file(self) {
        let Some(path) = self
            .editor
            .path
            .get_untracked()
            .filter(|_| !self.busy.get_untracked())
        else {
            return;
        };
        let MemoryText { text, digest, .. } = self.editor.read.get_untracked();
        let typed = match text.contains("\r\n") {
            true => self.editor.typed().replace('\n', "\r\n"),
            false => self.editor.typed(),
        };
        self.busy.set(true);
        self.editor.is_saving.set(true);
        self.editor.is_warned.set(false);
        self.forget();
        spawn_local(async move {
            let saved = api::save_memory(self.session_id, path.clone(), typed, digest).await;
            let _ = self.editor.is_saving.try_set(false);
            drop(self.said.try_set(None));
            match saved {
                Ok(words) => {
                    drop(self.editor.path.try_set(None));
                    drop(self.said.try_set(Some(words)));
                    focus::go_on("#about-part");
                    self.learn().await;
                }
                Err(refusal) => {
                    drop(self.refusal.try_set(Some(refusal.message)));
                    if refusal.code == Code::ContentChanged {
                        self.show_theirs(path).await;
                    }
                    let _ = self.busy.try_set(false);
                    // a button that could not be pressed meanwhile has lost the focus
                    focus::go_on("#memory-text");
                }
            }
        });
    }

    /// Beside what was typed, so that nothing of either is lost.
    async fn show_theirs(self, path: String) {
        match api::read_memory(self.session_id, path).await {
            Ok(now) => {
                drop(self.editor.theirs.try_set(Some(now.text.clone())));
                drop(self.editor.read.try_set(now));
            }
            Err(refusal) => drop(self.refusal.try_set(Some(refusal.message))),
        }
    }
}

#[component]
pub fn MemoryEditor(told: Told, path: String, hidden: Signal<bool>) -> impl IntoView {
    let editor = told.editor;
    let field = editor.field;
    let MemoryText { text, target, .. } = editor.read.get_untracked();
    Effect::new(move |_| {
        if let Some(field) = field.get() {
            let _ = field.focus();
            // a file is read from its beginning
            let _ = field.set_selection_range(0, 0);
        }
    });
    let press = move |event: web_sys::KeyboardEvent| {
        if event.key() == "Enter" && (event.ctrl_key() || event.meta_key()) {
            event.prevent_default();
            told.save_file();
        }
    };
    let take_back = move |_| {
        if editor.is_warned.get_untracked() {
            told.close_file();
        } else {
            told.leave_file();
        }
    };
    let typed = move |_| {
        if editor.is_warned.get_untracked() {
            editor.is_warned.set(false);
            told.refusal.set(None);
        }
    };
    view! {
        <div class="memory-editor" hidden=hidden>
            <label for="memory-text" class="mono">
                <Untrusted text=path />
            </label>
            {target
                .map(|target| {
                    view! {
                        <p class="hint">
                            "It is a link. What you save is written to " <Untrusted text=target />
                        </p>
                    }
                })}
            <textarea
                id="memory-text"
                class="edit memory"
                node_ref=field
                spellcheck="false"
                readonly=move || editor.is_saving.get()
                prop:value=text
                on:keydown=press
                on:input=typed
            ></textarea>
            {move || {
                editor
                    .theirs
                    .get()
                    .map(|theirs| {
                        view! {
                            <section class="theirs" aria-label="What the file holds now">
                                <h3>"What the file holds now"</h3>
                                <pre tabindex="0">
                                    <Untrusted text=theirs />
                                </pre>
                            </section>
                        }
                    })
            }}
            <div class="editor-actions">
                <button
                    type="button"
                    class="primary"
                    aria-keyshortcuts="Control+Enter"
                    disabled=move || told.busy.get()
                    on:click=move |_| told.save_file()
                >
                    {move || match (editor.is_saving.get(), editor.theirs.read().is_some()) {
                        (true, _) => "Saving…",
                        (false, true) => "Save over it",
                        (false, false) => "Save",
                    }}
                </button>
                <button
                    type="button"
                    class="ghost"
                    disabled=move || editor.is_saving.get()
                    on:click=take_back
                >
                    {move || if editor.is_warned.get() { "Discard" } else { "Cancel" }}
                </button>
                <span class="hint wide-only">
                    {move || match editor.theirs.read().is_some() {
                        true => "Ctrl+Enter saves over it",
                        false => "Ctrl+Enter saves",
                    }}
                </span>
            </div>
        </div>
    }
}
