//! The inbox when nothing waits: it says so, and what goes on meanwhile.

use crate::app::live::{Connection, use_live};
use crate::app::new_session::{Examples, First, NewSession};
use crate::app::ui::icon::{Logo, Plus};
use crate::model::{PermissionMode, ProcessState};
use leptos::prelude::*;

#[component]
pub fn EmptyInbox() -> impl IntoView {
    let live = use_live();
    let new_session = expect_context::<NewSession>();
    let start = new_session.start;
    let working = Memo::new(move |_| {
        let sessions = live.sessions();
        let sessions = sessions.read();
        sessions
            .iter()
            .filter_map(|session| session.process.as_ref())
            .filter(|process| {
                matches!(
                    process.state,
                    ProcessState::Starting | ProcessState::AssistantTurn
                )
            })
            .count()
    });
    let try_example = move |prompt: String| {
        if let Some(project) = live.projects().into_iter().next() {
            let first = First {
                text: prompt,
                mode: PermissionMode::default(),
                model: None,
                effort: None,
                files: Vec::new(),
            };
            start.run(project.project_id, first, || {});
        }
    };
    let connection = live.connection();
    let is_offline = move || connection.get() == Connection::Offline;
    let agent = live.agent();
    // the demo agent's examples say it themselves
    let amiss = agent.note.filter(|_| !agent.is_demo);
    view! {
        <div class="empty">
            <Logo />
            <h2>
                {move || match is_offline() {
                    true => "Not connected",
                    false => "Nothing waits for you",
                }}
            </h2>
            <p>
                {move || match is_offline() {
                    true => BEFORE.to_owned(),
                    false => meanwhile(working.get()),
                }}
            </p>
            <button type="button" class="primary" on:click=move |_| new_session.open()>
                <Plus />
                "Start a session"
            </button>
            <Examples on_choose=try_example />
            {amiss.map(|words| view! { <p class="finding">{words}</p> })}
            <p class="refusal" role="alert" hidden=move || start.refusal().get().is_none()>
                {move || start.refusal().get()}
            </p>
        </div>
    }
}

const BEFORE: &str = "Nothing waited for you when the server was last reached. What waits now is seen when it is back.";

fn meanwhile(working: usize) -> String {
    match working {
        0 => "When an agent asks for permission, has a question or a plan, it appears here."
            .to_owned(),
        1 => "One session is at work. What it asks appears here.".to_owned(),
        more => format!("{more} sessions are at work. What they ask appears here."),
    }
}
