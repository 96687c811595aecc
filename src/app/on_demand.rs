//! The program comes in two pieces. The first is all that every page needs: the frame, the sidebar, the connection and an inbox
//! in which nothing waits. The second has what is drawn here by a [`Part`]; it is loaded with the pages that show one, and
//! otherwise [soon]. The linker's output is cut in two by `cargo xtask` (feature `split`); without that, and on the server,
//! there is one piece and nothing is loaded.

mod coming;
mod second_piece;
pub mod soon;

use super::archived_page::ArchivedPage;
use super::batch::BatchDialog;
use super::history_page::HistoryPage;
use super::inbox_page::{InboxRows, Ordered, PickedBar};
use super::new_session::NewSessionDialog;
use super::session_page::SessionPage;
use super::ui::show::Show;
use coming::Coming;
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;

/// The file of the second piece.
pub const FILE: &str = "split_later.wasm";

const FIRST_REST_MS: u32 = 2000;

/// On the page wherever a part was drawn, before it.
const SIGN: &str = "data-part";

#[derive(Clone, Copy)]
pub enum Part {
    SessionPage,
    HistoryPage,
    ArchivedPage,
    InboxRows(Ordered),
    PickedBar,
    NewSessionDialog,
    BatchDialog,
}

impl Part {
    fn draw(self) -> AnyView {
        match self {
            Part::SessionPage => view! { <SessionPage /> }.into_any(),
            Part::HistoryPage => view! { <HistoryPage /> }.into_any(),
            Part::ArchivedPage => view! { <ArchivedPage /> }.into_any(),
            Part::InboxRows(ordered) => view! { <InboxRows ordered /> }.into_any(),
            Part::PickedBar => view! { <PickedBar /> }.into_any(),
            Part::NewSessionDialog => view! { <NewSessionDialog /> }.into_any(),
            Part::BatchDialog => view! { <BatchDialog /> }.into_any(),
        }
    }
}

/// Whether the page at this path is one.
pub fn is_a_part(path: &str) -> bool {
    ["/history", "/archived"].contains(&path) || path.starts_with("/session/")
}

/// Whether the second piece came after the page: one for the whole app, so that one place tells all others.
#[derive(Clone, Copy, Default)]
pub struct Arrived(RwSignal<bool>);

/// The second piece could not be loaded.
#[derive(Clone, Copy, Debug)]
pub struct NotLoaded;

/// Before a page is taken over, all that the server drew on it must be there. Until then it is as the server drew it.
pub async fn load_what_is_shown() {
    let shown = document().query_selector(&format!("[{SIGN}]"));
    if !matches!(shown, Ok(Some(_))) {
        return;
    }
    let mut tries = 0;
    while second_piece::load().await.is_err() {
        rest(tries).await;
        tries += 1;
    }
}

/// Before the next try, longer each time: a server that is away may be back soon, one of another version never has this piece.
async fn rest(tries: u32) {
    TimeoutFuture::new(FIRST_REST_MS << tries.min(4)).await;
}

/// Draws a part; at once if it is there.
#[component]
pub fn OnDemand(part: Part) -> impl IntoView {
    match second_piece::draw(part) {
        Some(drawn) => view! {
            <template data-part=""></template>
            {drawn}
        }
        .into_any(),
        None => view! { <Coming part /> }.into_any(),
    }
}

/// A dialog is not there before it is asked for; then it stays, with what was typed into it. One that did not come is asked for
/// again when it is opened again.
#[component]
pub fn OnceOpened(by: Signal<bool>, part: Part) -> impl IntoView {
    let is_shown = Memo::new(move |before: Option<&bool>| {
        before == Some(&true) && second_piece::is_here() || by.get()
    });
    view! {
        <Show when=is_shown>
            <OnDemand part />
        </Show>
    }
}
