//! One session: its header, its transcript and its dock. Going from one session to another builds these anew, so that
//! nothing of the one is ever shown in the other.

pub mod about;
mod archived_line;
pub mod aside;
mod dock;
mod effort_select;
mod head_select;
mod header;
mod mode_select;
mod model_select;
pub mod more_menu;
mod policies;
mod queue;
mod rename;

use crate::api::first_picture;
use crate::app::live::{Connection, use_live};
use crate::app::message_input::SentHere;
use crate::app::transcript::{GoingBack, Transcript};
use crate::app::ui::icon;
use crate::model::SessionId;
use about::{AboutDialog, ShownPart};
use aside::{AsideDialog, ShownAside};
use dock::Dock;
use header::SessionHeader;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_meta::Title;
use leptos_router::hooks::use_params_map;

#[component]
pub fn SessionPage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| {
        let id = params.read().get("id")?;
        id.parse::<SessionId>().ok()
    });
    // for the page as it was first asked for; those gone to later are filled by the socket
    if let Some(id) = id.get_untracked() {
        let events = SharedValue::new(move || first_picture::newest_events(id)).into_inner();
        use_live().conversation(id).fill(&events);
    }
    // one that is archived is in no list
    let live = use_live();
    let first = id.get_untracked().filter(|id| live.is_unknown(*id));
    let first = first.filter(|id| {
        let id = *id;
        let found = SharedValue::new(move || first_picture::of_archive(id)).into_inner();
        let was_sought = found.is_some();
        live.know_archived(found.unwrap_or_default());
        was_sought
    });
    move || match id.get() {
        Some(id) => view! { <Session id was_sought=first == Some(id) /> }.into_any(),
        None => view! { <NoSession words="This address names no session." /> }.into_any(),
    }
}

#[component]
fn Session(
    id: SessionId,
    /// The archive was looked into.
    was_sought: bool,
) -> impl IntoView {
    let live = use_live();
    live.watch(id);
    live.archive.forget();
    live.see_cut_off(id);
    provide_context(SentHere::default());
    provide_context(GoingBack(RwSignal::new(None)));
    provide_context(ShownPart::default());
    provide_context(ShownAside::default());
    live.learn_capabilities(id);
    let is_known = live.of_session(id, |_| true);
    let was_sought = RwSignal::new(was_sought);
    // the archive could not be looked into
    let refusal = RwSignal::new(None::<String>);
    let is_live = Memo::new(move |_| live.connection().get() == Connection::Live);
    Effect::new(move |before: Option<()>| {
        // what could not be reached can be as soon as the connection is there
        let can_be_reached = is_live.get() || before.is_none();
        if is_known.get().is_some() || !can_be_reached {
            return;
        }
        spawn_local(async move {
            let looked = live.look_in_archive(id).await;
            let _ = was_sought.try_update(|sought| *sought |= looked.is_ok());
            let _ = refusal.try_set(looked.err().map(|words| words.message));
        });
    });
    move || {
        if is_known.get().is_some() {
            view! {
                <main class="main session">
                    <SessionHeader session_id=id />
                    <Transcript session_id=id />
                    <Dock session_id=id />
                    <AboutDialog session_id=id />
                    <AsideDialog session_id=id />
                </main>
            }
            .into_any()
        } else if was_sought.get() {
            view! { <NoSession words="This server knows no session with this id." /> }.into_any()
        } else {
            // nobody knows yet whether there is one
            view! {
                <main class="main">
                    <div class="scroll">
                        <div class="column">
                            {move || refusal.get().map(|words| view! { <p class="refusal" role="alert">{words}</p> })}
                        </div>
                    </div>
                </main>
            }
            .into_any()
        }
    }
}

#[component]
fn NoSession(words: &'static str) -> impl IntoView {
    first_picture::not_found();
    view! {
        <Title text="No such session" />
        <main class="main">
            <div class="empty">
                <icon::Logo />
                <h1>"There is no such session"</h1>
                <p>{words} " It may have been removed, or the address is mistyped."</p>
                <a class="button primary" href="/">
                    "Back to the inbox"
                </a>
            </div>
        </main>
    }
}
