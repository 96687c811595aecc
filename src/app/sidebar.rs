//! The sidebar: the inbox, and every session under its project, each with a mark that tells waiting from running.

mod active_row;
mod connection_status;
mod groups;
mod mark;
mod session_link;
mod theme_switch;

pub use connection_status::ConnectionStatus;
pub use mark::{kind_class, mark};
pub use theme_switch::{BEFORE_FIRST_PAINT, ThemeSwitch};

use super::frame::InboxLabel;
use super::live::use_live;
use super::new_session::NewSession;
use super::ui::icon::{Box, History, Inbox, Logo, Plus};
use super::ui::inert::Inert;
use crate::app::ui::show::Show;
use crate::model::SessionId;
use groups::{Group, groups};
use leptos::prelude::*;
use leptos_router::components::A;
use session_link::SessionLink;

/// So many sessions of a project are shown at first; those that wait are always there.
const AT_FIRST: usize = 8;

/// Other rows are where some were a moment ago.
#[derive(Clone, Copy)]
struct RowsMoved(Inert);

#[component]
pub fn Sidebar() -> impl IntoView {
    let live = use_live();
    let new_session = expect_context::<NewSession>();
    let grouped = Memo::new(move |_| groups(&live.projects(), &live.sessions().read()));
    let moved = Inert::not_yet();
    provide_context(RowsMoved(moved));
    Effect::new(move |before: Option<Vec<SessionId>>| {
        let now: Vec<SessionId> = grouped
            .read()
            .iter()
            .flat_map(Group::every_session)
            .collect();
        if before.is_some_and(|before| before != now) {
            moved.begin();
        }
        now
    });
    active_row::keep_in_view(grouped);
    view! {
        <div class="brand">
            <Logo />
            "Countersign"
        </div>
        <button type="button" class="new-session" on:click=move |_| new_session.open()>
            <Plus />
            "New session"
        </button>
        <A href="/" exact=true attr:class="nav-item inbox-link">
            <Inbox />
            <InboxLabel live />
        </A>
        // a whole new page: it is drawn from the store, not from the socket
        <A href="/history" attr:rel="external" attr:class="nav-item">
            <History />
            <span class="title">"History"</span>
        </A>
        <div class="nav-groups">
            <For each=move || grouped.get() key=|group| group.project_id.clone() let:group>
                <ProjectGroup
                    group=Memo::new(move |_| {
                        grouped
                            .read()
                            .iter()
                            .find(|known| known.project_id == group.project_id)
                            .cloned()
                            .unwrap_or_default()
                    })
                />
            </For>
            <Show when=move || grouped.read().is_empty()>
                <p class="nav-empty">{move || nothing(live.archive.count.get())}</p>
            </Show>
            <Show when=move || { live.archive.count.get() > 0 }>
                <A href="/archived" attr:class="nav-item quiet">
                    <Box />
                    <span class="title">"Archived"</span>
                    <span class="when">{move || live.archive.count.get()}</span>
                </A>
            </Show>
        </div>
    }
}

fn nothing(archived: usize) -> &'static str {
    match archived {
        0 => "No sessions yet.",
        _ => "No other sessions.",
    }
}

#[component]
fn ProjectGroup(group: Memo<Group>) -> impl IntoView {
    let all = RwSignal::new(false);
    let count = move || group.read().sessions.len();
    let shown = Memo::new(move |_| match all.get() {
        true => group.read().every_session(),
        false => group.read().first_sessions(AT_FIRST),
    });
    view! {
        <section class="nav-project" aria-label=move || group.read().name.clone()>
            <h2 class="nav-group" title=move || group.read().project_id.0.clone()>
                <span class="title">{move || group.read().name.clone()}</span>
                <span aria-hidden="true">{count}</span>
            </h2>
            <ul>
                <For each=move || shown.get() key=|id| *id let:id>
                    <li>
                        <SessionLink id />
                    </li>
                </For>
            </ul>
            <Show when=move || { shown.read().len() < count() }>
                <button type="button" class="ghost nav-more" on:click=move |_| all.set(true)>
                    {move || format!("Show all {}", count())}
                </button>
            </Show>
        </section>
    }
}
