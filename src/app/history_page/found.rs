//! What there is for the filter in the address: with the page at first, asked for when the filter changes.

use crate::api;
use crate::api::first_picture;
use crate::model::{HistoryFilter, HistoryPage};
use leptos::prelude::*;
use leptos::task::spawn_local;

#[derive(Clone, Copy)]
pub struct Found {
    /// None: not known yet.
    pub page: RwSignal<Option<HistoryPage>>,
    pub busy: RwSignal<bool>,
    pub refusal: RwSignal<Option<String>>,
}

impl Found {
    pub fn following(filter: Memo<HistoryFilter>) -> Self {
        let first = SharedValue::new(move || first_picture::history(&filter.read_untracked()));
        let first = first.into_inner();
        let came_with_the_page = first.is_some();
        let found = Self {
            page: RwSignal::new(first),
            busy: RwSignal::new(false),
            refusal: RwSignal::new(None),
        };
        Effect::new(move |is_later: Option<()>| {
            let wanted = filter.get();
            if is_later.is_some() || !came_with_the_page {
                found.busy.set(true);
                spawn_local(async move { found.ask(filter, wanted).await });
            }
        });
        found
    }

    /// What comes after another choice was made is no longer wanted; nor when the page is gone.
    async fn ask(self, filter: Memo<HistoryFilter>, wanted: HistoryFilter) {
        let answer = api::history(Some(wanted.clone())).await;
        if filter.try_get_untracked() != Some(wanted) {
            return;
        }
        match answer {
            Ok(page) => {
                let _ = self.page.try_set(Some(page));
                let _ = self.refusal.try_set(None);
            }
            Err(words) => {
                let _ = self.refusal.try_set(Some(words.message));
            }
        }
        let _ = self.busy.try_set(false);
    }
}
