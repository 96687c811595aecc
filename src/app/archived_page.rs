//! The sessions that were put away, the last one first: each opens as it was, and is brought back from here.

use super::live::{Live, use_live};
use super::ui::inert::Inert;
use super::ui::{Words, age, focus, icon};
use crate::api;
use crate::api::first_picture;
use crate::app::ui::show::Show;
use crate::model::{Refusal, SessionId, SessionSummary};
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_meta::Title;

#[component]
pub fn ArchivedPage() -> impl IntoView {
    let live = use_live();
    let first: Option<Vec<SessionSummary>> = SharedValue::new(first_picture::archived).into_inner();
    let archived = RwSignal::new(first);
    let refusal = RwSignal::new(None::<Refusal>);
    // why the list is not what it should be
    let unlisted = RwSignal::new(None::<Refusal>);
    let refused = move || unlisted.get().or(refusal.get());
    // whoever opens one from here finds it at once
    Effect::new(move |_| live.know_archived(archived.get().unwrap_or_default()));
    // the answers to two questions may come in any order
    let turn = StoredValue::new(0_u32);
    Effect::new(move |before: Option<()>| {
        live.archive.news.track();
        // the first picture has them
        if before.is_none() && archived.read_untracked().is_some() {
            return;
        }
        turn.update_value(|turn| *turn += 1);
        let this = turn.get_value();
        spawn_local(async move {
            let list = api::list_archived().await;
            if turn.try_get_value() != Some(this) {
                return;
            }
            match list {
                Ok(list) => {
                    drop(archived.try_set(Some(list)));
                    drop(unlisted.try_set(None));
                }
                Err(words) => drop(unlisted.try_set(Some(words))),
            }
        });
    });
    let moved = Inert::not_yet();
    Effect::new(move |before: Option<Vec<SessionId>>| {
        let archived = archived.read();
        let rows = archived.iter().flatten();
        let now: Vec<SessionId> = rows.map(|session| session.session_id).collect();
        if before.is_some_and(|before| !now.starts_with(&before)) {
            moved.begin();
        }
        now
    });
    let is_empty = Memo::new(move |_| archived.read().as_ref().is_some_and(Vec::is_empty));
    view! {
        <Title text="Archived" />
        <main class="main">
            <div class="bar">
                <h1>"Archived"</h1>
            </div>
            <div class="scroll">
                <div class="column">
                    {move || refused().map(|words| view! { <p class="refusal" role="alert">{words.message}</p> })}
                    <Show when=move || is_empty.get()>
                        <div class="empty">
                            <icon::Logo />
                            <h2>"Nothing is archived"</h2>
                            <p>"A session that you archive, under More, is found here again."</p>
                        </div>
                    </Show>
                    <ul class="history-list archived-list" tabindex="-1">
                        <For
                            each=move || archived.get().unwrap_or_default()
                            key=|session| (session.session_id, session.title.clone())
                            let:session
                        >
                            <Row live session refusal moved />
                        </For>
                    </ul>
                </div>
            </div>
        </main>
    }
}

#[component]
fn Row(
    live: Live,
    session: SessionSummary,
    refusal: RwSignal<Option<Refusal>>,
    /// Other rows are where some were a moment ago.
    moved: Inert,
) -> impl IntoView {
    let id: SessionId = session.session_id;
    let now = live.now();
    let busy = RwSignal::new(false);
    let bring_back = move |_| {
        // the second half of a double click is not meant for the row that came up
        if busy.get_untracked() || moved.is_now() {
            return;
        }
        busy.set(true);
        spawn_local(async move {
            let refused = api::bring_back_session(id).await.err();
            drop(refusal.try_set(refused));
            let _ = busy.try_set(false);
            // its row goes with it
            focus::go_on(".archived-list");
        });
    };
    let label = format!("Bring back {}", session.title);
    let project = session.project_id.name().to_owned();
    let path = session.project_id.0.clone();
    view! {
        <li class="history-row">
            <a href=format!("/session/{id}")>
                <Words text=session.title />
            </a>
            <span class="project" title=path>{project}</span>
            <time class="when" title=age::exactly(session.updated_at)>
                {move || age::when(session.updated_at, now.get())}
            </time>
            <button type="button" class="small" aria-label=label disabled=move || busy.get() on:click=bring_back>
                "Bring back"
            </button>
        </li>
    }
}
