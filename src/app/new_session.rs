//! The dialog that starts a session. What is typed stays when it is closed; it is cleared only when a session began.

mod commands;
mod effort;
mod examples;
mod kept;
mod start;

pub use examples::Examples;
pub use start::{First, Start};

use super::attachments::{AttachButton, AttachedFiles, Attachments, DropPlace, Tray, Trays};
use super::live::use_live;
use super::message_input::completion::{Completion, CompletionList, FilesOf, Key, LIST};
use super::pending::is_plain_enter;
use super::ui::{SubmitButton, dialog_head::DialogHead};
use crate::app::ui::show::Show;
use crate::model::capabilities::OWN_EFFORT;
use crate::model::slash::{self, Own};
use crate::model::{PermissionMode, ProjectId, SessionId};
use commands::Commands;
use effort::EffortField;
use kept::KeptConversations;
use leptos::prelude::*;
use leptos::{ev, html};
use uuid::Uuid;

/// The choice that opens a field for a path. No project has this id: a path begins with a slash.
const ANOTHER: &str = "another";
/// The mode in which nothing is asked.
const BYPASS: &str = "bypassPermissions";

/// A directory that is being typed is not looked into.
const NO_PROJECT: &str =
    "Choose a project first: the earlier conversations of that one are listed then.";

/// Opens the dialog or starts a session, from anywhere. One for the whole app: the place that asked may be gone when
/// the answer comes.
#[derive(Clone, Copy)]
pub struct NewSession {
    is_open: RwSignal<bool>,
    /// The project's id; empty = the first one that is offered.
    chosen: RwSignal<String>,
    /// To choose among earlier conversations, not to write the first message of a new one.
    earlier: RwSignal<bool>,
    /// The focus is on its way to them.
    goes_there: RwSignal<bool>,
    pub start: Start,
}

impl NewSession {
    pub fn new() -> Self {
        Self {
            is_open: RwSignal::new(false),
            chosen: RwSignal::new(String::new()),
            earlier: RwSignal::new(false),
            goes_there: RwSignal::new(false),
            start: Start::new(),
        }
    }

    pub fn is_open(self) -> Signal<bool> {
        self.is_open.into()
    }

    pub fn open(self) {
        self.start.forget_refusal();
        let _ = self.earlier.try_set(false);
        let _ = self.goes_there.try_set(false);
        let _ = self.is_open.try_set(true);
    }

    /// With the earlier conversations of a project at hand; of the one that is chosen already, if none is named.
    pub fn open_earlier(self, project: Option<ProjectId>) {
        self.start.forget_refusal();
        if let Some(project) = project {
            let _ = self.chosen.try_set(project.0);
        }
        let _ = self.earlier.try_set(true);
        let _ = self.goes_there.try_set(true);
        let _ = self.is_open.try_set(true);
    }

    pub fn close(self) {
        let _ = self.goes_there.try_set(false);
        let _ = self.is_open.try_set(false);
    }
}

impl Default for NewSession {
    fn default() -> Self {
        Self::new()
    }
}

#[component]
pub fn NewSessionDialog() -> impl IntoView {
    let live = use_live();
    let dialog = expect_context::<NewSession>();
    let start = dialog.start;
    let element = NodeRef::<html::Dialog>::new();
    // a page comes to life sooner without what nobody has asked for
    let has_been_opened = RwSignal::new(false);
    let message = NodeRef::<html::Textarea>::new();

    let chosen = dialog.chosen;
    let path = RwSignal::new(String::new());
    let prompt = RwSignal::new(String::new());
    let mode = RwSignal::new(PermissionMode::default().word().to_owned());
    let model = RwSignal::new(String::new());
    let effort = RwSignal::new(OWN_EFFORT.to_owned());
    let is_bypass = move || *mode.read() == BYPASS;
    let attachments = Attachments::new(Tray::default(), live.attachment_limits());
    let trays = expect_context::<Trays>();

    let selected = Memo::new(move |_| match chosen.get() {
        known if known.is_empty() => live.projects().first().map_or_else(
            || ANOTHER.to_owned(),
            |project| project.project_id.0.clone(),
        ),
        known => known,
    });
    let is_another = move || selected.get() == ANOTHER;
    let known_project =
        Memo::new(move |_| Some(ProjectId(selected.get())).filter(|project| project.0 != ANOTHER));
    let kept = kept::look_for(dialog.is_open, known_project);
    let Commands { known, doubt } = commands::learn(dialog.is_open, known_project);
    let project = move || match selected.get() {
        choice if choice == ANOTHER => ProjectId(path.get().trim().to_owned()),
        choice => ProjectId(choice),
    };
    let files_of = Signal::derive(move || FilesOf::Project(project()));
    let completion = Completion::new(files_of, prompt, known.into(), false);

    Effect::new(move |_| {
        let Some(element) = element.get() else {
            return;
        };
        if dialog.is_open.get() && !element.open() {
            has_been_opened.set(true);
            let _ = element.show_modal();
        } else if !dialog.is_open.get() && element.open() {
            element.close();
        }
    });

    Effect::new(move |_| {
        if let (true, Some(message)) = (dialog.is_open.get(), message.get())
            && !dialog.earlier.get_untracked()
        {
            let _ = message.focus();
        }
    });

    // `kept`: go on with this conversation; `clear`: it was written here, and an example is sent without files
    let begin = move |text: String, clear: bool, kept: Option<Uuid>| {
        let named = model.get_untracked().trim().to_owned();
        // with files it is a message, whatever it begins with
        let doubtful = match clear && untrack(move || attachments.is_empty()) {
            true => text.trim(),
            false => "",
        };
        if let Some(words) = doubt.run((doubtful.to_owned(), named.clone())) {
            return start.refuse(words);
        }
        // the list is in this dialog
        if clear && slash::own(&text, &known.read_untracked()) == Some(Own::TakesUp) {
            if known_project.read_untracked().is_none() {
                return start.refuse(NO_PROJECT.to_owned());
            }
            prompt.set(String::new());
            return dialog.open_earlier(None);
        }
        // as in a session: what is behind it, to be planned first
        let (text, mode_now) = match slash::own(&text, &known.read_untracked()) {
            Some(Own::Plans(what)) if clear && !what.is_empty() => (what, PermissionMode::Plan),
            _ => (text, PermissionMode::from_word(&mode.get_untracked())),
        };
        let (files, keys) = match clear {
            true => attachments.outgoing(),
            false => Default::default(),
        };
        // one that the model cannot be told is not on show
        let effort = effort.get_untracked();
        let is_offered = |effort: &String| {
            let model = Some(&*named).filter(|model| !model.is_empty());
            known.read_untracked().efforts(model, None).contains(effort)
        };
        let effort = Some(effort).filter(is_offered);
        let first = First {
            text,
            mode: mode_now,
            model: Some(known.read_untracked().model_called(&named))
                .filter(|model| !model.is_empty()),
            effort,
            files,
        };
        let begun = move |not_taken: Option<SessionId>| {
            dialog.close();
            if let Some(session_id) = not_taken {
                attachments.hand_over(&keys, &trays.of(session_id));
            }
            attachments.forget(&keys);
            if clear {
                let _ = prompt.try_set(String::new());
            }
            // to be asked nothing is chosen anew each time, never by leaving it as it was
            if mode.try_with_untracked(|mode| mode == BYPASS) == Some(true) {
                let _ = mode.try_set(PermissionMode::default().word().to_owned());
            }
        };
        match kept {
            Some(kept) => start.take_up(untrack(project), kept, first, begun),
            None => start.run(untrack(project), first, move || begun(None)),
        }
    };
    let take_up = Callback::new(move |kept: Uuid| begin(prompt.get_untracked(), true, Some(kept)));
    let has_message = move || !prompt.read().trim().is_empty() || !attachments.is_empty();
    let submit = move |event: ev::SubmitEvent| {
        event.prevent_default();
        begin(prompt.get_untracked(), true, None);
    };
    let on_keydown = move |event: ev::KeyboardEvent| {
        let Some(area) = message.get_untracked() else {
            return;
        };
        if event.is_composing() {
            return;
        }
        if completion.press(&event.key(), &area) == Key::Taken {
            event.prevent_default();
        } else if is_plain_enter(&event) {
            event.prevent_default();
            begin(prompt.get_untracked(), true, None);
        }
    };
    let look = move || {
        if let Some(area) = message.get_untracked() {
            completion.look(&area);
        }
    };

    view! {
        <dialog
            class="dialog"
            node_ref=element
            aria-labelledby="new-session-title"
            on:close=move |_| {
                // it is told late: by then it may have been opened again
                if element.get_untracked().is_none_or(|element| !element.open()) {
                    dialog.close();
                }
            }
        >
            <Show when=move || has_been_opened.get()>
                <form class="dialog-form" on:submit=submit on:input=move |_| start.forget_refusal()>
                    <DialogHead id="new-session-title" title="New session" on_close=Callback::new(move |()| dialog.close()) />
                    <div class="dialog-body">
                        <div class="field">
                            <label for="new-session-project">"Project"</label>
                            <select
                                id="new-session-project"
                                prop:value=move || selected.get()
                                on:change=move |event| chosen.set(event_target_value(&event))
                            >
                                <For
                                    each=move || live.projects()
                                    key=|project| project.project_id.clone()
                                    let:project
                                >
                                    {
                                        let id = project.project_id.0;
                                        view! {
                                            <option
                                                value=id.clone()
                                                prop:selected=move || selected.get() == id
                                            >
                                                {project.name}
                                            </option>
                                        }
                                    }
                                </For>
                                <option value=ANOTHER prop:selected=is_another>
                                    "Another directory…"
                                </option>
                            </select>
                            <p class="hint" hidden=is_another>
                                <code>{move || selected.get()}</code>
                            </p>
                        </div>
                        <div class="field" hidden=move || !is_another()>
                            <label for="new-session-directory">"Directory"</label>
                            <input
                                id="new-session-directory"
                                type="text"
                                class="mono"
                                placeholder="/home/you/code/project"
                                autocomplete="off"
                                spellcheck="false"
                                bind:value=path
                            />
                        </div>
                        <div class="field">
                            <div class="label-row">
                                <label for="new-session-message">"First message"</label>
                                <AttachButton attachments />
                            </div>
                            <DropPlace attachments>
                                <textarea
                                    id="new-session-message"
                                    rows="4"
                                    node_ref=message
                                    placeholder="What should it do?"
                                    prop:value=move || prompt.get()
                                    on:input=move |event| {
                                        prompt.set(event_target_value(&event));
                                        look();
                                    }
                                    on:keydown=on_keydown
                                    on:keyup=move |_| look()
                                    on:click=move |_| look()
                                    on:focus=move |_| completion.focus(true)
                                    on:blur=move |_| completion.focus(false)
                                    aria-autocomplete="list"
                                    aria-controls=move || completion.is_open().then_some(LIST)
                                    aria-activedescendant=move || completion.active()
                                ></textarea>
                                <CompletionList completion area=message />
                                <AttachedFiles attachments />
                            </DropPlace>
                        </div>
                        <Examples on_choose=move |text: String| begin(text, false, None) />
                        <div class="field-row">
                            <div class="field">
                                <label for="new-session-mode">"Permission mode"</label>
                                <select
                                    id="new-session-mode"
                                    prop:value=move || mode.get()
                                    on:change=move |event| mode.set(event_target_value(&event))
                                >
                                    {PermissionMode::CHOICES
                                        .into_iter()
                                        .chain([PermissionMode::BypassPermissions])
                                        .map(|choice| {
                                            view! {
                                                <option value=choice
                                                    .word()
                                                    .to_owned()>{choice.label().to_owned()}</option>
                                            }
                                        })
                                        .collect_view()}
                                </select>
                                <p class="hint">
                                    {move || {
                                        PermissionMode::from_word(&mode.read()).explanation()
                                    }}
                                </p>
                            </div>
                            <div class="field-column">
                                <div class="field">
                                    <label for="new-session-model">
                                        "Model " <span class="optional">"(optional)"</span>
                                    </label>
                                    <input
                                        id="new-session-model"
                                        type="text"
                                        placeholder="The agent’s own choice"
                                        autocomplete="off"
                                        spellcheck="false"
                                        list="new-session-models"
                                        bind:value=model
                                    />
                                    <datalist id="new-session-models">
                                        {move || {
                                            known
                                                .get()
                                                .models
                                                .into_iter()
                                                .map(|model| {
                                                    view! { <option value=model.value>{model.name}</option> }
                                                })
                                                .collect::<Vec<_>>()
                                        }}
                                    </datalist>
                                </div>
                                <EffortField known model effort />
                            </div>
                        </div>
                        <Show when=is_bypass>
                            <p class="warning-box" role="note">
                                <b>"Nothing is asked in this mode. "</b>
                                "The agent runs every command and changes every file at once, also by mistake, also what a web page or a file tells it to. Use it only where everything may be lost: in a container, on a machine without secrets. Questions and plans still come to you."
                            </p>
                        </Show>
                        <KeptConversations
                            found=kept
                            with_message=Signal::derive(has_message)
                            on_choose=take_up
                        />
                        <p class="refusal" role="alert" hidden=move || start.refusal().get().is_none()>
                            {move || start.refusal().get()}
                        </p>
                    </div>
                    <footer class="dialog-foot">
                        <span class="hint wide-only">
                            <kbd>"↵"</kbd>
                            " starts · "
                            <kbd>"⇧ ↵"</kbd>
                            " new line"
                        </span>
                        <span class="spacer"></span>
                        <button type="button" class="ghost" on:click=move |_| dialog.close()>
                            "Cancel"
                        </button>
                        <SubmitButton
                            busy=start.is_busy()
                            disabled=Signal::derive(move || {
                                attachments.is_reading()
                                    || prompt.read().trim().is_empty() && attachments.is_empty()
                            })
                        >
                            "Start session"
                        </SubmitButton>
                    </footer>
                </form>
            </Show>
        </dialog>
    }
}
