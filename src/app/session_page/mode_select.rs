//! How much the agent may do without asking, for this session.

use super::head_select::{Chooses, HeadSelect, Offered};
use crate::model::{PermissionMode, ProcessInfo, Refusal, SessionId};
use leptos::prelude::*;

#[component]
pub fn ModeSelect(
    session_id: SessionId,
    process: Memo<Option<ProcessInfo>>,
    refusal: RwSignal<Option<Refusal>>,
) -> impl IntoView {
    let mode = Memo::new(move |_| {
        let process = process.read();
        process
            .as_ref()
            .and_then(|process| process.permission_mode.clone())
            .unwrap_or_default()
    });
    let current = Memo::new(move |_| mode.read().word().to_owned());
    let offered = Memo::new(move |_| {
        let mut modes = PermissionMode::CHOICES.to_vec();
        let process = process.read();
        if process.as_ref().is_some_and(|process| process.may_bypass) {
            modes.push(PermissionMode::BypassPermissions);
        }
        let mode = mode.read();
        if !modes.contains(&mode) {
            modes.push(mode.clone());
        }
        let offered = |mode: PermissionMode| Offered {
            value: mode.word().to_owned(),
            name: mode.label().to_owned(),
            ..Offered::default()
        };
        modes.into_iter().map(offered).collect()
    });
    let is_dangerous = Signal::derive(move || *mode.read() == PermissionMode::BypassPermissions);
    view! {
        <HeadSelect session_id chooses=Chooses::Mode current offered refusal is_dangerous />
    }
}
