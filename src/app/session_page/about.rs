//! What the agent of this session tells of itself: how it stands, what fills its window, its rules, servers, hooks and
//! memory. Asked for anew whenever it is opened. Rules and memory files are changed here, too.

mod memory;
mod rules;

use crate::api;
use crate::app::ui::button::Spinner;
use crate::app::ui::dialog_head::DialogHead;
use crate::app::ui::focus;
use crate::app::ui::show::Show;
use crate::app::ui::untrusted::Untrusted;
use crate::model::{AboutPart, AboutRow, FileAction, PermissionRule, ServerAction, SessionId};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use memory::{Editor, MemoryEditor};
use rules::{NewRule, Said};

/// The part that is to be shown, from wherever it is asked for.
#[derive(Clone, Copy, Default)]
pub struct ShownPart(RwSignal<Option<String>>);

impl ShownPart {
    pub fn open(self, part: &str) {
        self.0.set(Some(part.to_owned()));
    }
}

/// What is known, and what was refused.
#[derive(Clone, Copy)]
struct Told {
    session_id: SessionId,
    parts: RwSignal<Vec<AboutPart>>,
    refusal: RwSignal<Option<String>>,
    busy: RwSignal<bool>,
    /// What a person has just done here.
    said: RwSignal<Option<String>>,
    /// The rule that it took away, for as long as that can be undone.
    removed: RwSignal<Option<PermissionRule>>,
    /// A rule that is being written: it is there again when the dialog is.
    begun: RwSignal<String>,
    editor: Editor,
}

impl Told {
    /// What was said before is over.
    fn forget(self) {
        self.refusal.set(None);
        self.said.set(None);
        self.removed.set(None);
    }

    fn ask(self) {
        self.busy.set(true);
        spawn_local(async move { self.learn().await });
    }

    async fn learn(self) {
        match api::about_session(self.session_id).await {
            Ok(parts) => drop(self.parts.try_set(parts)),
            Err(refusal) => {
                // what was refused before it matters more
                let _ = self.refusal.try_update(|said| {
                    said.get_or_insert(refusal.message);
                });
            }
        }
        let _ = self.busy.try_set(false);
    }

    fn act(self, server: String, action: ServerAction) {
        self.busy.set(true);
        self.forget();
        spawn_local(async move {
            if let Err(refusal) = api::act_on_server(self.session_id, server, action).await {
                let _ = self.refusal.try_set(Some(refusal.message));
            }
            self.learn().await;
            // the button that was pressed is drawn anew
            focus::go_on("#about-part");
        });
    }
}

#[component]
pub fn AboutDialog(session_id: SessionId) -> impl IntoView {
    let shown = expect_context::<ShownPart>().0;
    let told = Told {
        session_id,
        parts: RwSignal::default(),
        refusal: RwSignal::default(),
        busy: RwSignal::new(false),
        said: RwSignal::default(),
        removed: RwSignal::default(),
        begun: RwSignal::default(),
        editor: Editor::new(),
    };
    let element = NodeRef::<html::Dialog>::new();
    let is_wanted = Memo::new(move |_| shown.read().is_some());
    Effect::new(move |_| {
        let Some(element) = element.get() else { return };
        match (is_wanted.get(), element.open()) {
            (true, false) => {
                told.parts.set(Vec::new());
                told.forget();
                told.editor.path.set(None);
                told.ask();
                drop(element.show_modal());
            }
            (false, true) => element.close(),
            _ => {}
        }
    });
    // what is typed and not saved is shown instead of being left
    let leave = move || {
        if told.leave_file() {
            shown.set(None);
        } else {
            shown.set(Some(MEMORY.to_owned()));
        }
    };
    let press = move |event: web_sys::KeyboardEvent| {
        if event.key() == "Escape" && told.editor.path.read_untracked().is_some() {
            event.prevent_default();
            if shown.read_untracked().as_deref() == Some(MEMORY) {
                told.leave_file();
            } else {
                leave();
            }
        }
    };
    view! {
        <dialog
            class="dialog about"
            node_ref=element
            aria-labelledby="about-title"
            on:keydown=press
            on:cancel=move |event: web_sys::Event| {
                if told.editor.is_changed() {
                    event.prevent_default();
                    leave();
                }
            }
            on:close=move |_| {
                shown.set(None);
                focus::come_back_from(element);
            }
        >
            <Show when=move || is_wanted.get()>
                <DialogHead id="about-title" title="About this session" on_close=Callback::new(move |()| leave()) />
                <Parts told shown />
            </Show>
        </dialog>
    }
}

#[component]
fn Parts(told: Told, shown: RwSignal<Option<String>>) -> impl IntoView {
    let parts = told.parts;
    let current = Memo::new(move |_| {
        let parts = parts.read();
        let shown = shown.read();
        let is_it = |part: &&AboutPart| Some(&part.name) == shown.as_ref();
        parts.iter().find(is_it).or(parts.first()).cloned()
    });
    let name = Memo::new(move |_| current.read().as_ref().map(|part| part.name.clone()));
    let is_at = move |part: &str| name.read().as_deref() == Some(part);
    let is_away = Signal::derive(move || !is_at(MEMORY));
    let has_no_rules = Signal::derive(move || {
        !is_at("permissions")
            || current
                .read()
                .as_ref()
                .is_none_or(|part| part.rows.is_empty())
    });
    let is_editing = Memo::new(move |_| !is_away.get() && told.editor.path.read().is_some());
    let choose = move |name: String| {
        told.forget();
        shown.set(Some(name));
    };
    // as in a list: one of them has the focus, and the arrow keys go to the next
    let press = move |event: web_sys::KeyboardEvent| {
        let is_forward = match event.key().as_str() {
            "ArrowDown" | "ArrowRight" => true,
            "ArrowUp" | "ArrowLeft" => false,
            _ => return,
        };
        event.prevent_default();
        let names: Vec<String> = parts.with_untracked(|parts| {
            let names = parts.iter().map(|part| part.name.clone());
            names.collect()
        });
        let here = name.get_untracked();
        let here = names.iter().position(|name| Some(name) == here.as_ref());
        let (here, count) = (here.unwrap_or(0), names.len().max(1));
        let next = match is_forward {
            true => (here + 1) % count,
            false => (here + count - 1) % count,
        };
        if let Some(next) = names.get(next).cloned() {
            let tab = format!("#{}", tab_id(&next));
            choose(next);
            focus::go_to(&tab);
        }
    };
    let tab = move |part: AboutPart| {
        let (id, of) = (tab_id(&part.name), part.name.clone());
        let is_current = Memo::new(move |_| name.read().as_ref() == Some(&of));
        view! {
            <button
                type="button"
                role="tab"
                id=id
                class="ghost"
                aria-controls="about-part"
                aria-selected=move || is_current.get().to_string()
                tabindex=move || if is_current.get() { "0" } else { "-1" }
                on:click=move |_| choose(part.name.clone())
            >
                {part.title}
            </button>
        }
    };
    let is_there = Memo::new(move |_| !parts.read().is_empty());
    Effect::new(move |_| {
        if is_there.get() {
            focus::leave_for(".about [role=tab][aria-selected=true]");
        }
    });
    view! {
        <div class="about-body">
            <Show
                when=move || is_there.get()
                fallback=move || {
                    view! {
                        <p class="about-asking" role="status" hidden=move || !told.busy.get()>
                            <Spinner visible=told.busy />
                            "Asking the agent…"
                        </p>
                        <Refused told />
                    }
                }
            >
                <div class="about-tabs" role="tablist" aria-label="Parts" on:keydown=press>
                    <For each=move || parts.get() key=|part| part.name.clone() let:part>
                        {tab(part)}
                    </For>
                </div>
                <div
                    class="about-part"
                    role="tabpanel"
                    id="about-part"
                    tabindex="0"
                    data-part=move || name.get()
                    aria-labelledby=move || name.get().map(|name| tab_id(&name))
                >
                    <Refused told />
                    <Said told />
                    <NewRule told hidden=has_no_rules />
                    {move || {
                        let path = told.editor.path.get();
                        path.map(|path| view! { <MemoryEditor told path hidden=is_away /> })
                    }}
                    {move || {
                        let part = current.get().filter(|_| !is_editing.get());
                        part.map(|part| view! { <Part part told /> })
                    }}
                </div>
            </Show>
        </div>
    }
}

const MEMORY: &str = "memory";

fn tab_id(name: &str) -> String {
    format!("about-{name}")
}

#[component]
fn Refused(told: Told) -> impl IntoView {
    view! {
        <p class="refusal" role="alert" hidden=move || told.refusal.read().is_none()>
            {move || told.refusal.get()}
        </p>
    }
}

#[component]
fn Part(part: AboutPart, told: Told) -> impl IntoView {
    let groups: Vec<_> = part
        .rows
        .chunk_by(|one, next| one.group == next.group)
        .map(|rows| {
            let group = rows.first().map(|row| row.group.as_str());
            let group = group.filter(|group| !group.is_empty()).map(|group| {
                let (words, place) = group.split_once(" · ").unwrap_or((group, ""));
                (words.to_owned(), place.to_owned())
            });
            let rows: Vec<_> = rows.iter().cloned().map(|row| row_of(row, told)).collect();
            view! {
                {group
                    .map(|(words, place)| {
                        view! {
                            <h3>
                                <Untrusted text=words />
                                " "
                                <span class="place">
                                    <Untrusted text=place />
                                </span>
                            </h3>
                        }
                    })}
                <ul class="about-rows">{rows}</ul>
            }
        })
        .collect();
    view! {
        {(!part.note.is_empty())
            .then(|| {
                view! {
                    <p class="about-note">
                        <Untrusted text=part.note />
                    </p>
                }
            })}
        {groups}
    }
}

fn row_of(row: AboutRow, told: Told) -> impl IntoView {
    let button = |words: &'static str, of: &str, act: Box<dyn Fn()>| {
        view! {
            <button
                type="button"
                class="small"
                aria-label=format!("{words} {of}")
                disabled=move || told.busy.get()
                on:click=move |_| act()
            >
                {words}
            </button>
        }
    };
    let mut buttons = Vec::new();
    for action in row.actions {
        let server = row.label.clone();
        let act = move || told.act(server.clone(), action);
        buttons.push(button(words(action), &row.label, Box::new(act)));
    }
    if let Some(rule) = row.rule {
        let act = move || told.change_rule(rule.clone(), false, false);
        buttons.push(button("Remove", &row.value, Box::new(act)));
    }
    if row.is_granted {
        let grant = row.value.clone();
        let act = move || told.take_back(grant.clone());
        buttons.push(button("Take back", &row.value, Box::new(act)));
    }
    if let Some(action) = row.file {
        let (path, words) = (
            row.value.clone(),
            match action {
                FileAction::Edit => "Edit",
                FileAction::Create => "Create",
            },
        );
        let act = move || told.open_file(path.clone());
        buttons.push(button(words, &row.value, Box::new(act)));
    }
    let buttons = (!buttons.is_empty()).then_some(buttons);
    view! {
        <li class:trouble-row=row.is_trouble class:measured=row.share.is_some()>
            <span class="label">
                <Untrusted text=row.label />
            </span>
            <span class="value">
                <Untrusted text=row.value />
            </span>
            {row
                .share
                .map(|share| {
                    view! { <progress max="1000" value=share.to_string() aria-hidden="true"></progress> }
                })}
            {(!row.detail.is_empty())
                .then(|| {
                    view! {
                        <span class="detail">
                            <Untrusted text=row.detail />
                        </span>
                    }
                })}
            {buttons.map(|buttons| view! { <span class="row-actions">{buttons}</span> })}
        </li>
    }
}

fn words(action: ServerAction) -> &'static str {
    match action {
        ServerAction::Reconnect => "Reconnect",
        ServerAction::SwitchOn => "Switch on",
        ServerAction::SwitchOff => "Switch off",
    }
}
