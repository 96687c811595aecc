//! Sessions that were put away. How many there are is always known; which they are is asked for where they are shown.

use super::Live;
use super::board::Board;
use crate::api;
use crate::model::{Refusal, SessionId, SessionSummary};
use leptos::prelude::*;

#[derive(Clone, Copy)]
pub struct Archive {
    pub count: Memo<usize>,
    /// Counts the news, for whoever shows the list.
    pub news: RwSignal<usize>,
    /// What was done last in this tab: said wherever one is, with the way back.
    pub said: RwSignal<Option<PutAway>>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PutAway {
    pub title: String,
    /// The session that can be brought back; none of one that was deleted.
    pub undo: Option<SessionId>,
    /// Its page was left for it.
    pub page: bool,
}

impl Archive {
    pub fn new(board: RwSignal<Board>) -> Self {
        Self {
            count: Memo::new(move |_| board.read().archived()),
            news: RwSignal::new(0),
            said: RwSignal::new(None),
        }
    }

    pub fn say(self, put_away: PutAway) {
        let _ = self.said.try_set(Some(put_away));
    }

    pub fn forget(self) {
        let _ = self.said.try_set(None);
    }

    pub fn has_news(self) {
        let _ = self.news.try_update(|news| *news += 1);
    }
}

impl Live {
    pub fn is_archived(self, id: SessionId) -> Memo<bool> {
        Memo::new(move |_| self.is_archived_now(id))
    }

    pub fn is_archived_now(self, id: SessionId) -> bool {
        let board = self.board.read();
        board.session(id).is_some_and(SessionSummary::is_archived)
    }

    pub fn is_unknown(self, id: SessionId) -> bool {
        let known = self
            .board
            .try_with_untracked(|board| board.session(id).is_some());
        known != Some(true)
    }

    pub fn title_now(self, id: SessionId) -> String {
        let known = self
            .board
            .try_with_untracked(|board| board.session(id).map(|one| one.title.clone()));
        known.flatten().unwrap_or_default()
    }

    /// Who has its page before their eyes has seen what was cut off in it.
    pub fn see_cut_off(self, id: SessionId) {
        let is_unseen = self.of_process(id, |process| !process.cut_off.is_empty());
        let now = self.now;
        Effect::new(move |_| {
            if is_unseen.get() != Some(true) {
                return;
            }
            if document().hidden() {
                // a tab in the background is looked at later
                now.track();
                return;
            }
            leptos::task::spawn_local(async move {
                // what is not taken is shown once more, and that is all
                let _ = api::dismiss_cut_off(Some(id)).await;
            });
        });
    }

    /// A session that is in no list may be in the archive: then it is known from here on.
    pub async fn look_in_archive(self, id: SessionId) -> Result<(), Refusal> {
        let archived = api::list_archived().await?.into_iter();
        self.learn(archived.filter(|one| one.session_id == id).collect());
        Ok(())
    }

    pub fn know_archived(self, archived: Vec<SessionSummary>) {
        self.learn(archived);
    }
}
