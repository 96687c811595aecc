//! What the agents can do, asked for when a session is looked at and its process has greeted.

use super::Live;
use crate::api;
use crate::model::{Capabilities, ProcessState, SessionId};
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::collections::HashMap;

/// By session, with the start of the process that said so.
pub type Known = HashMap<SessionId, (Option<f64>, Capabilities)>;

impl Live {
    /// Keeps them known for as long as the calling component lives.
    pub fn learn_capabilities(self, id: SessionId) {
        let process = self.process(id);
        // a process that starts has not said anything yet
        let greeted = Memo::new(move |_| {
            let process = process.read();
            match process.as_ref() {
                Some(process) if process.state == ProcessState::Starting => None,
                Some(process) => Some(Some(process.started_at.0)),
                None => Some(None),
            }
        });
        Effect::new(move |_| {
            let Some(start) = greeted.get() else { return };
            let is_known = self
                .capabilities
                .try_with_untracked(|known| known.get(&id).map(|(of, _)| *of == start));
            if is_known.flatten() == Some(true) {
                return;
            }
            spawn_local(async move {
                if let Ok(found) = api::get_capabilities(Some(id)).await {
                    self.capabilities
                        .try_update(|known| known.insert(id, (start, found)));
                }
            });
        });
    }

    pub fn capabilities(self, id: SessionId) -> Memo<Capabilities> {
        let known = self.capabilities;
        Memo::new(move |_| {
            known.with(|known| {
                known
                    .get(&id)
                    .map(|(_, found)| found.clone())
                    .unwrap_or_default()
            })
        })
    }

    /// A message was taken back: its words belong into the message input again.
    pub fn give_back(self, id: SessionId, text: String) {
        let _ = self.given_back.try_set(Some((id, text)));
    }

    /// Words that came back for this session; they are given out once.
    pub fn take_back(self, id: SessionId) -> Option<String> {
        let is_for = self
            .given_back
            .with(|back| back.as_ref().is_some_and(|(of, _)| *of == id));
        is_for
            .then(|| self.given_back.try_update_untracked(Option::take))
            .flatten()
            .flatten()
            .map(|(_, text)| text)
    }
}
