//! The form that answers a pending request, the same in the dock of a session and in the inbox. The frame around it is
//! ours; what the agent wrote appears only inside the payload and is shown as text. It must never decide what is
//! allowed: it sends an answer, and the server says whether it counts.

mod answering;
mod card;
mod clock;
mod edited;
mod editing;
pub mod insight;
mod keys;
pub mod payload;
mod picked;
mod plan_review;
mod question;
mod questions;
mod reason_box;
mod remember;
mod sentence;
mod tool_approval;

pub use answering::{AnsweredHere, Moved};
pub use card::Step;
pub use clock::countdown;
pub use editing::Editing;
pub use keys::is_plain_enter;
pub use sentence::{Part, asker, mcp, relative, wish};

use crate::app::draft;
use crate::app::live::use_live;
use crate::app::ui::layout;
use crate::model::{PendingRequest, RequestType, SessionId};
use answering::Answering;
use leptos::prelude::*;
use plan_review::PlanReview;
use questions::Questions;
use tool_approval::ToolApproval;

/// A request on screen: what it says, where it stands in its queue, and the way to answer it.
#[derive(Clone, Copy)]
struct Asked {
    session_id: SessionId,
    request: StoredValue<PendingRequest>,
    position: Signal<usize>,
    of: Signal<usize>,
    on_step: Option<Callback<Step>>,
    number: Option<Signal<usize>>,
    answering: Answering,
}

impl Asked {
    /// In the inbox, among those of other sessions.
    fn is_listed(&self) -> bool {
        self.number.is_some()
    }
}

#[component]
pub fn PendingRequestForm(
    session_id: SessionId,
    request: PendingRequest,
    /// 1-based, among the requests of its session.
    #[prop(into)]
    position: Signal<usize>,
    #[prop(into)] of: Signal<usize>,
    /// Shows the neighbours in the queue, where there is a queue to walk.
    #[prop(optional, into)]
    on_step: Option<Callback<Step>>,
    /// Where several stand on one page: which of them it is.
    #[prop(optional, into)]
    number: Option<Signal<usize>>,
) -> impl IntoView {
    let request_id = request.request_id;
    let live = use_live();
    let waiting = live.waiting();
    let answering = Answering::new(session_id, &request);
    let agents = [
        request
            .tool_input
            .text("plan")
            .unwrap_or_default()
            .to_owned(),
        Editing::original_of(&request),
    ];
    on_cleanup(move || {
        // left for another page, the drafts stay; answered anywhere, they are of no use any more
        let still_waits = waiting.try_with_untracked(|waiting| {
            waiting
                .iter()
                .any(|other| other.request.request_id == request_id)
        });
        if still_waits == Some(false) {
            // whoever was writing when it was answered elsewhere, or ended, must not look for their words
            if !answering.is_sending()
                && let Some(words) = draft::written_for(request_id, &agents)
            {
                live.tell_unsent(session_id, words);
            }
            draft::forget_request(request_id);
        }
    });

    Effect::new(|_| layout::work_out_early());

    let kind = request.request_type;
    let asked = Asked {
        session_id,
        answering,
        request: StoredValue::new(request),
        position,
        of,
        on_step,
        number,
    };
    match kind {
        RequestType::ToolApproval => view! { <ToolApproval asked /> }.into_any(),
        RequestType::AskUserQuestion => view! { <Questions asked /> }.into_any(),
        RequestType::PlanApproval => view! { <PlanReview asked /> }.into_any(),
    }
}
