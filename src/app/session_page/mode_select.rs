//! How much the agent may do without asking, for this session. Shows what the server says; a choice that is refused goes
//! back.

use crate::api;
use crate::model::{PermissionMode, ProcessInfo, Refusal, SessionId};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;

#[component]
pub fn ModeSelect(
    session_id: SessionId,
    process: Memo<Option<ProcessInfo>>,
    refusal: RwSignal<Option<Refusal>>,
) -> impl IntoView {
    let current = Memo::new(move |_| {
        let process = process.read();
        process
            .as_ref()
            .and_then(|process| process.permission_mode.clone())
            .unwrap_or_default()
    });
    let may_bypass = Memo::new(move |_| {
        let process = process.read();
        process.as_ref().is_some_and(|process| process.may_bypass)
    });
    let select = NodeRef::<html::Select>::new();
    let busy = RwSignal::new(false);
    let choose = move |event| {
        let mode = PermissionMode::from_word(&event_target_value(&event));
        busy.set(true);
        refusal.set(None);
        spawn_local(async move {
            if let Err(words) = api::set_permission_mode(session_id, mode).await {
                let _ = refusal.try_set(Some(words));
                // the signal has not changed, so nothing else would put it back
                if let (Some(select), Some(current)) = (
                    select.try_get_untracked().flatten(),
                    current.try_get_untracked(),
                ) {
                    select.set_value(current.word());
                }
            }
            let _ = busy.try_set(false);
        });
    };
    // the options are drawn anew with the mode, so that the first picture has the right one selected
    let options = move || {
        let current = current.get();
        let mut modes = PermissionMode::CHOICES.to_vec();
        if may_bypass.get() {
            modes.push(PermissionMode::BypassPermissions);
        }
        if !modes.contains(&current) {
            modes.push(current.clone());
        }
        modes
            .into_iter()
            .map(|mode| {
                let is_current = mode == current;
                view! {
                    <option value=mode.word().to_owned() selected=is_current>
                        {mode.label().to_owned()}
                    </option>
                }
            })
            .collect::<Vec<_>>()
    };
    view! {
        <select
            node_ref=select
            class="pill mode"
            class:danger=move || current.get() == PermissionMode::BypassPermissions
            aria-label="Permission mode"
            title="How much the agent may do without asking"
            disabled=move || busy.get()
            prop:value=move || current.get().word().to_owned()
            on:change=choose
        >
            {options}
        </select>
    }
}
