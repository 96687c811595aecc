//! What the agent of this session tells of itself: how it stands, what fills its window, its rules, servers, hooks and
//! memory. Asked for anew whenever it is opened.

use crate::api;
use crate::app::ui::button::Spinner;
use crate::app::ui::focus;
use crate::app::ui::icon::Close;
use crate::app::ui::untrusted::Untrusted;
use crate::model::{AboutPart, AboutRow, ServerAction, SessionId};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;

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
}

impl Told {
    fn ask(self) {
        self.busy.set(true);
        spawn_local(async move { self.learn().await });
    }

    async fn learn(self) {
        match api::about_session(self.session_id).await {
            Ok(parts) => drop(self.parts.try_set(parts)),
            Err(refusal) => drop(self.refusal.try_set(Some(refusal.message))),
        }
        let _ = self.busy.try_set(false);
    }

    fn act(self, server: String, action: ServerAction) {
        self.busy.set(true);
        self.refusal.set(None);
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
    };
    let element = NodeRef::<html::Dialog>::new();
    let is_wanted = Memo::new(move |_| shown.read().is_some());
    Effect::new(move |_| {
        let Some(element) = element.get() else { return };
        match (is_wanted.get(), element.open()) {
            (true, false) => {
                told.parts.set(Vec::new());
                told.refusal.set(None);
                told.ask();
                drop(element.show_modal());
            }
            (false, true) => element.close(),
            _ => {}
        }
    });
    view! {
        <dialog
            class="dialog about"
            node_ref=element
            aria-labelledby="about-title"
            on:close=move |_| shown.set(None)
        >
            <Show when=move || is_wanted.get()>
                <header class="dialog-head">
                    <h2 id="about-title">"About this session"</h2>
                    <button
                        type="button"
                        class="ghost icon-button"
                        aria-label="Close"
                        on:click=move |_| shown.set(None)
                    >
                        <Close />
                    </button>
                </header>
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
    let choose = move |name: String| {
        told.refusal.set(None);
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
                    {move || current.get().map(|part| view! { <Part part told /> })}
                </div>
            </Show>
        </div>
    }
}

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
    let server = row.label.clone();
    let actions: Vec<_> = row
        .actions
        .into_iter()
        .map(|action| {
            let (words, server) = (words(action), server.clone());
            view! {
                <button
                    type="button"
                    class="small"
                    aria-label=format!("{words} {server}")
                    disabled=move || told.busy.get()
                    on:click=move |_| told.act(server.clone(), action)
                >
                    {words}
                </button>
            }
        })
        .collect();
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
            {(!actions.is_empty()).then(|| view! { <span class="server-actions">{actions}</span> })}
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
