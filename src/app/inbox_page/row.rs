//! One request in the inbox: a line with who, what and how long, and under it the whole form.

use super::Later;
use super::summary::{subject, wish};
use crate::app::batch::{Selection, can_be_listed};
use crate::app::live::{Waiting, use_live};
use crate::app::new_session::NewSession;
use crate::app::pending::PendingRequestForm;
use crate::app::sidebar::kind_class;
use crate::app::ui::icon::ArrowRight;
use crate::app::ui::{Untrusted, Words, age};
use leptos::prelude::*;
use leptos_router::components::A;

#[component]
pub fn InboxRow(
    /// As it was when the row appeared; its id, and so the row, stays.
    first: Waiting,
    /// All of them, as they stand on the page.
    ordered: Memo<Vec<Waiting>>,
) -> impl IntoView {
    let live = use_live();
    let later = expect_context::<Later>();
    let start = expect_context::<NewSession>().start;
    let session_id = first.session_id;
    let selection = expect_context::<Selection>();
    let created_at = first.request.created_at;
    let waited = move || age::age(live.now().get().since(created_at));
    let wish = wish(&first.request);
    let subject = subject(&first.request);
    let agent = first.request.agent.clone();
    let request_id = first.request.request_id;
    let known_title = live.title(first.session_id);
    let title = move || known_title.get().unwrap_or_else(|| first.title.clone());
    // its place in the queue changes when the one before it is answered
    let place = Memo::new(move |_| {
        let waiting = live.waiting();
        let waiting = waiting.read();
        let now = waiting
            .iter()
            .find(|one| one.request.request_id == request_id);
        now.map_or((first.position, first.of), |one| (one.position, one.of))
    });
    // forms of one name cannot be told apart in a list of them
    let number = Signal::derive(move || {
        let ordered = ordered.read();
        let here = ordered
            .iter()
            .position(|one| one.request.request_id == request_id);
        here.map_or(1, |here| here + 1)
    });
    let is_folded = Memo::new(move |_| later.has(request_id));
    let named = subject.clone();
    let pick = can_be_listed(&first.request).then(|| {
        let request = StoredValue::new(first.request.clone());
        let may_join = Memo::new(move |_| {
            let waiting = live.waiting();
            request.with_value(|request| selection.may_join(&waiting.read(), request))
        });
        view! {
            <input
                type="checkbox"
                class="pick"
                aria-label=format!("Select, to answer several at once: {named}")
                title=move || {
                    (!may_join.get()).then_some("Only requests of the same kind are answered at once")
                }
                disabled=move || !may_join.get() && !selection.has(request_id)
                prop:checked=move || selection.has(request_id)
                on:change=move |event| selection.pick(request_id, event_target_checked(&event))
            />
        }
    });
    let form_id = format!("request-{}", first.request.request_id);
    view! {
        <li class="inbox-row" class:folded=move || is_folded.get() tabindex="-1">
            <div class="row-line">
                <span
                    class=format!("dot {}", kind_class(first.request.request_type))
                    aria-hidden="true"
                ></span>
                <div class="row-words">
                    <p class="l1">
                        <A
                            href=format!("/session/{}", first.session_id)
                            attr:class="row-session"
                            on:click=move |_| start.opens(session_id)
                        >
                            <span>{first.project_id.name().to_owned()}</span>
                            " · "
                            {move || view! { <Words text=title() /> }}
                            <ArrowRight />
                        </A>
                        " "
                        <span class="wish">{wish}</span>
                        {agent
                            .map(|agent| {
                                view! {
                                    <span class="wish">
                                        " · " <Words text=agent.label />
                                    </span>
                                }
                            })}
                    </p>
                    <p class="l2" hidden=move || !is_folded.get()>
                        <Untrusted text=subject />
                    </p>
                </div>
                <span class="when">
                    <span class="later" hidden=move || !is_folded.get()>
                        "later · "
                    </span>
                    {waited}
                </span>
                {pick}
                <button
                    type="button"
                    class:ghost=move || !is_folded.get()
                    class="fold"
                    aria-expanded=move || (!is_folded.get()).to_string()
                    aria-controls=form_id.clone()
                    on:click=move |_| later.toggle(request_id, &live.waiting().read_untracked())
                >
                    {move || if is_folded.get() { "Review" } else { "Not now" }}
                </button>
            </div>
            <div class="row-form" id=form_id hidden=move || is_folded.get()>
                <PendingRequestForm
                    session_id=first.session_id
                    request=first.request
                    position=Signal::derive(move || place.get().0)
                    of=Signal::derive(move || place.get().1)
                    number
                />
            </div>
        </li>
    }
}
