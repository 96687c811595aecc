//! What is seldom done to a session. Ending its process is asked twice, in place and in words.

use super::about::ShownPart;
use super::aside::{Aside, ShownAside};
use super::policies::PolicyChoices;
use super::rename::RenameForm;
use crate::api;
use crate::app::live::use_live;
use crate::app::new_session::NewSession;
use crate::app::put_away::{self, AskedOn};
use crate::app::ui::show::Show;
use crate::app::ui::{focus, icon};
use crate::model::{ProcessState, Refusal, SessionId};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;

#[component]
pub fn MoreMenu(
    session_id: SessionId,
    is_alive: Memo<bool>,
    refusal: RwSignal<Option<Refusal>>,
) -> impl IntoView {
    let live = use_live();
    let menu = NodeRef::<html::Details>::new();
    let asked = RwSignal::new(None::<Asked>);
    let is_archived = live.is_archived(session_id);
    let dialog = expect_context::<NewSession>();
    let is_renaming = RwSignal::new(false);
    let shows_policies = RwSignal::new(false);
    let busy = RwSignal::new(false);
    let close = move || {
        let _ = asked.try_set(None);
        let _ = is_renaming.try_set(false);
        let _ = shows_policies.try_set(false);
        if let Some(menu) = menu.try_get_untracked().flatten() {
            let _ = menu.remove_attribute("open");
        }
    };
    let end = move || {
        busy.set(true);
        refusal.set(None);
        spawn_local(async move {
            if let Err(words) = api::kill(session_id).await {
                let _ = refusal.try_set(Some(words));
            }
            close();
            let _ = busy.try_set(false);
        });
    };
    let archive = move || {
        busy.set(true);
        refusal.set(None);
        spawn_local(async move {
            let archived = put_away::archive(live, dialog, session_id, AskedOn::Page);
            if let Err(words) = archived.await {
                put_away::refuse(live, refusal, words);
            }
            close();
            let _ = busy.try_set(false);
        });
    };
    // the question takes the place of what was pressed
    let ask = move |what: Asked| {
        asked.set(Some(what));
        focus::leave_from(".session-head .menu", ".menu-actions .keep");
    };
    // what runs is not ended without a word
    let runs_own = live.of_process(session_id, |process| process.own_command.is_some());
    let runs = Memo::new(move |_| is_alive.get() || runs_own.get() == Some(true));
    let archive_or_ask = move |_| match runs.get_untracked() {
        true => ask(Asked::Archive),
        false => archive(),
    };
    let is_busy = live.of_process(session_id, |process| {
        process.state != ProcessState::UserTurn || !process.background_calls.is_empty()
    });
    let waits = live.of_process(session_id, |process| !process.pending_requests.is_empty());
    let shown = expect_context::<ShownPart>();
    let shown_aside = expect_context::<ShownAside>();
    // where the focus goes back to, also when a dialog is closed
    let leave = move || {
        close();
        focus::go_to("[aria-label=More]");
    };
    let about = move |_| {
        leave();
        shown.open("status");
    };
    let changes = move |_| {
        leave();
        shown_aside.open(Aside::Changes);
    };
    let navigate = use_navigate();
    let open = Callback::new(move |path: String| navigate(&path, NavigateOptions::default()));
    let fork = move |_| {
        busy.set(true);
        refusal.set(None);
        spawn_local(async move {
            match api::fork_session(session_id).await {
                Ok(forked) => {
                    live.make_sure_of(forked.session_id).await;
                    open.try_run(format!("/session/{}", forked.session_id));
                }
                Err(words) => {
                    let _ = refusal.try_set(Some(words));
                }
            }
            close();
            let _ = busy.try_set(false);
        });
    };
    view! {
        <details
            class="menu"
            node_ref=menu
            on:keydown=move |event| {
                if event.key() == "Escape" {
                    leave();
                }
            }
        >
            <summary class="icon-button" aria-label="More" title="More">
                <icon::More />
            </summary>
            <div class="menu-body">
                <Show
                    when=move || asked.read().is_some() && runs.get()
                    fallback=move || {
                        view! {
                            <button
                                type="button"
                                class="ghost"
                                title="The agent, its context, rules, servers, hooks and memory"
                                on:click=about
                            >
                                "About this session"
                            </button>
                            <button
                                type="button"
                                class="ghost"
                                aria-expanded=move || is_renaming.get().to_string()
                                on:click=move |_| is_renaming.update(|open| *open = !*open)
                            >
                                "Rename"
                            </button>
                            <Show when=move || is_renaming.get()>
                                <RenameForm session_id on_done=Callback::new(move |()| close()) />
                            </Show>
                            <button
                                type="button"
                                class="ghost"
                                title="A copy of this conversation, to go on differently"
                                disabled=move || busy.get()
                                on:click=fork
                            >
                                "Fork session"
                            </button>
                            <button
                                type="button"
                                class="ghost"
                                title="What becomes of requests that nobody answers, and who may answer"
                                aria-expanded=move || shows_policies.get().to_string()
                                on:click=move |_| shows_policies.update(|shown| *shown = !*shown)
                            >
                                "Policies"
                            </button>
                            <Show when=move || shows_policies.get()>
                                <PolicyChoices session_id refusal />
                            </Show>
                            <button
                                type="button"
                                class="ghost"
                                title="What has changed in the project's files since the last commit"
                                on:click=changes
                            >
                                "Changes in the project"
                            </button>
                            <a
                                class="button ghost"
                                rel="external"
                                download=""
                                href=saved_at(session_id)
                                on:click=move |_| close()
                            >
                                "Save as text"
                            </a>
                            <Show when=move || !is_archived.get()>
                                <button
                                    type="button"
                                    class="ghost"
                                    title="Out of the lists, with nothing lost; it can be brought back"
                                    disabled=move || busy.get()
                                    on:click=archive_or_ask
                                >
                                    "Archive"
                                </button>
                            </Show>
                            <Show when=move || is_alive.get()>
                                <button
                                    type="button"
                                    class="ghost"
                                    on:click=move |_| ask(Asked::End)
                                >
                                    "End process"
                                </button>
                            </Show>
                        }
                    }
                >
                    <p>{move || asked.get().map(|asked| asked.words(is_alive.get(), waits.get() == Some(true), is_busy.get() == Some(true)))}</p>
                    <div class="menu-actions">
                        <button type="button" class="ghost keep" on:click=move |_| leave()>
                            "Keep it"
                        </button>
                        <button
                            type="button"
                            class="danger"
                            disabled=move || busy.get()
                            on:click=move |_| match asked.get_untracked() {
                                Some(Asked::Archive) => archive(),
                                _ => end(),
                            }
                        >
                            {move || match asked.get() {
                                Some(Asked::Archive) => "Archive it",
                                _ => "End it",
                            }}
                        </button>
                    </div>
                </Show>
            </div>
        </details>
    }
}

/// What ends the process, and is asked once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    End,
    Archive,
}

impl Asked {
    fn words(self, is_alive: bool, waits: bool, is_busy: bool) -> &'static str {
        match (self, waits) {
            (Asked::End, _) if !is_busy => {
                "End the process? It is at rest: nothing is lost, and a message resumes the conversation."
            }
            (Asked::End, _) => {
                "End the process? What it is doing is lost; the conversation stays, and a message resumes it."
            }
            (Asked::Archive, _) if !is_alive => {
                "Archive the session? Your command that runs in it is stopped. The conversation stays, and can be brought back."
            }
            (Asked::Archive, false) if !is_busy => {
                "Archive the session? Its process, which is at rest, is ended. The conversation stays, and can be brought back."
            }
            (Asked::Archive, false) => {
                "Archive the session? Its process is ended, and what it is doing is lost. The conversation stays, and can be brought back."
            }
            (Asked::Archive, true) => {
                "Archive the session? Its process is ended, and what it asks you is withdrawn. The conversation stays, and can be brought back."
            }
        }
    }
}

/// Where the conversation is given as a file.
pub fn saved_at(session_id: SessionId) -> String {
    format!("/export/{session_id}.md")
}
