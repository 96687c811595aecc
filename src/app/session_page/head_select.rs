//! A choice in the head of a session. Shows what the server says; a choice that is refused goes back.

use crate::api;
use crate::model::{PermissionMode, Refusal, SessionId};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// Of a model, and of an effort.
const OWN_CHOICE: &str = "default";

/// Where the signal has not changed, nothing else would put it back.
fn show_again(select: NodeRef<html::Select>, current: Memo<String>) {
    let select = select.try_get_untracked().flatten();
    if let (Some(select), Some(current)) = (select, current.try_get_untracked()) {
        select.set_value(&current);
    }
}

/// What is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chooses {
    Mode,
    Model,
    Effort,
}

impl Chooses {
    async fn tell(self, session_id: SessionId, value: String) -> Result<(), Refusal> {
        match self {
            Chooses::Mode => {
                api::set_permission_mode(session_id, PermissionMode::from_word(&value)).await
            }
            Chooses::Model => api::set_model(session_id, Some(value)).await,
            Chooses::Effort => api::set_effort(session_id, Some(value)).await,
        }
    }

    fn label(self) -> &'static str {
        match self {
            Chooses::Mode => "Permission mode",
            Chooses::Model => "Model",
            Chooses::Effort => "Effort",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Chooses::Mode => {
                "How much the agent may do without asking (Alt+M in the message input: the next)"
            }
            Chooses::Model => "The model that works in this session",
            Chooses::Effort => {
                "How much the model thinks before it acts: more takes longer and costs more"
            }
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Offered {
    pub value: String,
    pub name: String,
    pub description: String,
}

#[component]
pub fn HeadSelect(
    session_id: SessionId,
    chooses: Chooses,
    current: Memo<String>,
    offered: Memo<Vec<Offered>>,
    refusal: RwSignal<Option<Refusal>>,
    #[prop(optional, into)] is_dangerous: Signal<bool>,
    /// Whether a choice is not to be told yet.
    #[prop(optional)]
    holds: Option<Callback<String, bool>>,
) -> impl IntoView {
    let select = NodeRef::<html::Select>::new();
    let busy = RwSignal::new(false);
    // arrow keys choose one after the other: while one is on its way, the last of the others waits
    let next = StoredValue::new(None::<String>);
    let choose = move |event| {
        let value = event_target_value(&event);
        if holds.is_some_and(|holds| holds.run(value.clone())) {
            return show_again(select, current);
        }
        next.set_value(Some(value));
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        refusal.set(None);
        spawn_local(async move {
            let mut goes_back = false;
            while let Some(value) = next.try_update_value(Option::take).flatten() {
                // the agent's own choice is shown by its name
                goes_back = value == OWN_CHOICE;
                let told = chooses.tell(session_id, value).await;
                goes_back |= told.is_err();
                let _ = refusal.try_set(told.err());
            }
            if goes_back {
                show_again(select, current);
            }
            let _ = busy.try_set(false);
        });
    };
    // drawn anew with the choice, so that the first picture has the right one selected
    let options = move || {
        let current = current.get();
        let offered = offered.get().into_iter();
        offered
            .map(|one| {
                let is_current = one.value == current;
                view! {
                    <option value=one.value title=one.description selected=is_current>
                        {one.name}
                    </option>
                }
            })
            .collect::<Vec<_>>()
    };
    view! {
        <select
            node_ref=select
            class="pill mode"
            class:danger=is_dangerous
            aria-label=chooses.label()
            title=chooses.title()
            // not disabled: that would take the focus away from whoever chooses by keys
            aria-busy=move || busy.get().to_string()
            prop:value=move || current.get()
            on:change=choose
        >
            {options}
        </select>
    }
}
