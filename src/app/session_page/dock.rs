//! The bottom of a session: the pending request if there is one, else the message input. The input is always there, put
//! aside while a request stands in its place: so that whoever types in it at that moment loses no key.

use super::queue::Queue;
use crate::app::live::use_live;
use crate::app::message_input::MessageInput;
use crate::app::new_session::NewSession;
use crate::app::pending::{AnsweredHere, PendingRequestForm, Step};
use crate::app::ui::focus;
use crate::model::{RequestId, SessionId};
use leptos::prelude::*;

#[component]
pub fn Dock(session_id: SessionId) -> impl IntoView {
    let live = use_live();
    let process = live.process(session_id);
    let requests = Memo::new(move |_| {
        let process = process.read();
        process
            .as_ref()
            .map(|process| process.pending_requests.clone())
            .unwrap_or_default()
    });
    let chosen = RwSignal::new(None::<RequestId>);
    // whoever began the session here goes on with what it asks
    let start = expect_context::<NewSession>().start;
    let goes_on = RwSignal::new(start.has_just_begun(session_id));
    provide_context(AnsweredHere(goes_on));

    // the form is drawn anew only when it is another one, not when the process or the queue changes around it
    let queue =
        Memo::new(move |before: Option<&Queue>| Queue::of(&requests.read(), chosen.get(), before));
    let shown = Memo::new(move |_| queue.read().shown.clone());
    let position = Signal::derive(move || queue.read().position() + 1);
    let of = Signal::derive(move || queue.read().len());
    let on_step = Callback::new(move |step: Step| {
        let next = queue.read_untracked().step(step);
        if next.is_some() {
            chosen.set(next);
        }
    });
    Effect::new(move |before: Option<bool>| {
        let is_asked = shown.read().is_some();
        match before {
            // the dialog gave the focus back to what had opened it
            None if goes_on.get_untracked() => focus::leave_for(focus::TRANSCRIPT),
            Some(true) if !is_asked && goes_on.get_untracked() => focus::go_on(focus::TRANSCRIPT),
            _ => {}
        }
        is_asked
    });
    let content = move || {
        let request = shown.get().and_then(|shown| {
            let requests = requests.read_untracked();
            let is_it =
                |request: &&crate::model::PendingRequest| request.request_id == shown.request_id;
            requests.iter().find(is_it).cloned()
        });
        request
            .map(|request| view! { <PendingRequestForm session_id request position of on_step /> })
    };
    let aside = Signal::derive(move || shown.read().is_some());
    view! {
        <div class="dock">
            <div class="column">
                <MessageInput session_id aside />
                {content}
            </div>
        </div>
    }
}
