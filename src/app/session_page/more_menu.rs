//! What is seldom done to a session. Ending its process is asked twice, in place and in words.

use super::about::ShownPart;
use super::policies::PolicyChoices;
use super::rename::RenameForm;
use crate::api;
use crate::app::live::use_live;
use crate::app::ui::{focus, icon};
use crate::model::{Refusal, SessionId};
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
    let is_sure = RwSignal::new(false);
    let is_renaming = RwSignal::new(false);
    let shows_policies = RwSignal::new(false);
    let busy = RwSignal::new(false);
    let close = move || {
        let _ = is_sure.try_set(false);
        let _ = is_renaming.try_set(false);
        let _ = shows_policies.try_set(false);
        if let Some(menu) = menu.try_get_untracked().flatten() {
            let _ = menu.remove_attribute("open");
        }
    };
    let end = move |_| {
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
    let shown = expect_context::<ShownPart>();
    let about = move |_| {
        close();
        // where the focus goes back to when it is closed
        focus::go_to("[aria-label=More]");
        shown.open("status");
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
                    close();
                }
            }
        >
            <summary class="icon-button" aria-label="More" title="More">
                <icon::More />
            </summary>
            <div class="menu-body">
                <Show
                    when=move || is_sure.get() && is_alive.get()
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
                            <a
                                class="button ghost"
                                rel="external"
                                download=""
                                href=saved_at(session_id)
                                on:click=move |_| close()
                            >
                                "Save as text"
                            </a>
                            <Show when=move || is_alive.get()>
                                <button
                                    type="button"
                                    class="ghost"
                                    on:click=move |_| is_sure.set(true)
                                >
                                    "End process"
                                </button>
                            </Show>
                        }
                    }
                >
                    <p>"End the process? What it is doing is lost; the conversation stays, and a message resumes it."</p>
                    <div class="menu-actions">
                        <button type="button" class="ghost" on:click=move |_| close()>
                            "Keep it"
                        </button>
                        <button
                            type="button"
                            class="danger"
                            disabled=move || busy.get()
                            on:click=end
                        >
                            "End it"
                        </button>
                    </div>
                </Show>
            </div>
        </details>
    }
}

/// Where the conversation is given as a file.
pub fn saved_at(session_id: SessionId) -> String {
    format!("/export/{session_id}.md")
}
