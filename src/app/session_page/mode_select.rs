//! How much the agent may do without asking, for this session.

use super::head_select::{Chooses, HeadSelect, Offered};
use crate::api;
use crate::app::ui::focus;
use crate::app::ui::show::Show;
use crate::model::{PermissionMode, ProcessInfo, Refusal, RequestType, SessionId};
use leptos::prelude::*;
use leptos::task::spawn_local;

#[component]
pub fn ModeSelect(
    session_id: SessionId,
    process: Memo<Option<ProcessInfo>>,
    refusal: RwSignal<Option<Refusal>>,
    /// A mode that was chosen and is asked about once more.
    asks: RwSignal<Option<PermissionMode>>,
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
    let holds = move |value: String| {
        let is_held = ends_something(process.read_untracked().as_ref());
        asks.set(is_held.then(|| PermissionMode::from_word(&value)));
        if is_held {
            focus::leave_for(".mode-question .keep");
        }
        is_held
    };
    view! {
        <HeadSelect
            session_id
            chooses=Chooses::Mode
            current
            offered
            refusal
            is_dangerous
            holds=Callback::new(holds)
        />
    }
}

/// What was asked under a mode ends with it; questions do not.
fn ends_something(process: Option<&ProcessInfo>) -> bool {
    let mut waiting = process
        .into_iter()
        .flat_map(|process| &process.pending_requests);
    waiting.any(|request| request.request_type != RequestType::AskUserQuestion)
}

/// Before what waits is taken back.
#[component]
pub fn ModeQuestion(
    session_id: SessionId,
    process: Memo<Option<ProcessInfo>>,
    refusal: RwSignal<Option<Refusal>>,
    asks: RwSignal<Option<PermissionMode>>,
) -> impl IntoView {
    // answered meanwhile, it stands in nobody's way
    let is_asked =
        Memo::new(move |_| asks.read().is_some() && ends_something(process.read().as_ref()));
    let done = move || {
        asks.set(None);
        focus::leave_for("[aria-label='Permission mode']");
    };
    let change = move |_| {
        let Some(mode) = asks.get_untracked() else {
            return;
        };
        done();
        spawn_local(async move {
            let told = api::set_permission_mode(session_id, mode).await;
            let _ = refusal.try_set(told.err());
        });
    };
    view! {
        <Show when=move || is_asked.get()>
            <div class="trouble mode-question" role="group" aria-label="Another mode">
                <p>
                    "What waits for you was asked in the mode that holds now. With another mode it is taken back, and the agent is told why. Answer it first, if you want it done."
                </p>
                <button type="button" class="ghost small keep" on:click=move |_| done()>
                    "Keep the mode"
                </button>
                <button type="button" class="small" on:click=change>
                    {move || {
                        let label = asks.get().map(|mode| mode.label().to_owned());
                        format!("Take it back: {}", label.unwrap_or_default())
                    }}
                </button>
            </div>
        </Show>
    }
}
