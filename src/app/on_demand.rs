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
use super::inbox_page::{InboxRows, Ordered};
use super::new_session::NewSessionDialog;
use super::session_page::SessionPage;
use super::ui::show::Show;
use coming::Coming;
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;

/// The file of the second piece.
pub const FILE: &str = "split_later.wasm";

const AGAIN_MS: u32 = 2000;

/// On the page wherever a part was drawn, before it.
const SIGN: &str = "data-part";

#[derive(Clone, Copy)]
pub enum Part {
    SessionPage,
    HistoryPage,
    ArchivedPage,
    InboxRows(Ordered),
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
            Part::NewSessionDialog => view! { <NewSessionDialog /> }.into_any(),
            Part::BatchDialog => view! { <BatchDialog /> }.into_any(),
        }
    }
}

/// The second piece could not be loaded.
#[derive(Clone, Copy, Debug)]
pub struct NotLoaded;

/// Before a page is taken over, all that the server drew on it must be there. Until then it is as the server drew it.
pub async fn load_what_is_shown() {
    let shown = document().query_selector(&format!("[{SIGN}]"));
    if matches!(shown, Ok(Some(_))) {
        while second_piece::load().await.is_err() {
            TimeoutFuture::new(AGAIN_MS).await;
        }
    }
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
