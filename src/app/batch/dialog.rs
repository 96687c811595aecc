//! The table of what will run, and one answer for all of it.

use super::{Batch, Listed};
use crate::app::inbox_page::summary::wish;
use crate::app::live::{Live, Waiting, use_live};
use crate::app::pending::Editing;
use crate::app::pending::insight::{self, Found, Understood, learn};
use crate::app::ui::button::Spinner;
use crate::app::ui::focus;
use crate::app::ui::inert::Inert;
use crate::app::ui::show::Show;
use crate::app::ui::untrusted::Untrusted;
use crate::model::{Answer, AnswerId, Decision, PendingRequest, Response};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// One of those listed.
#[derive(Clone)]
struct Row {
    waiting: Waiting,
    request: StoredValue<PendingRequest>,
    found: Found,
    went: RwSignal<Option<Result<&'static str, String>>>,
    /// It still waits, and has no answer from here.
    is_open: Memo<bool>,
}

impl Row {
    fn new(live: Live, waiting: Waiting) -> Self {
        let went = RwSignal::new(None);
        let request_id = waiting.request.request_id;
        let request = StoredValue::new(waiting.request.clone());
        let is_open = Memo::new(move |_| {
            let all = live.waiting();
            let all = all.read();
            let mut ids = all.iter().map(|one| one.request.request_id);
            went.read().is_none() && ids.any(|id| id == request_id)
        });
        Self {
            found: learn(waiting.session_id, request),
            waiting,
            request,
            went,
            is_open,
        }
    }

    fn answer(&self, decision: Decision) -> Answer {
        let response = Response::tool(decision, None);
        Answer {
            shown: insight::version(self.found),
            answer_id: Some(AnswerId::random()),
            ..Answer::to(self.waiting.session_id, &self.waiting.request, response)
        }
    }

    /// The table may be closed while its answers are on their way: they are given all the same, and what is refused is said.
    async fn give(&self, live: Live, answer: Answer, decision: Decision) {
        if self.is_open.try_get_untracked() == Some(false) {
            return;
        }
        let result = live.answer(answer).await.map(|()| match decision {
            Decision::Allow => "Allowed",
            Decision::Deny => "Denied",
        });
        let unheard = self
            .went
            .try_set(Some(result.map_err(|refusal| refusal.message)));
        if let Some(Some(Err(words))) = unheard {
            live.tell(words);
        }
    }

    fn is_refused(&self) -> bool {
        let went = self.went.try_get_untracked().flatten();
        went.is_some_and(|went| went.is_err())
    }
}

#[component]
pub fn BatchDialog() -> impl IntoView {
    let batch = expect_context::<Batch>();
    let element = NodeRef::<html::Dialog>::new();
    Effect::new(move |_| {
        let is_wanted = batch.listed.read().is_some();
        if let Some(element) = element.get() {
            match (is_wanted, element.open()) {
                (true, false) => drop(element.show_modal()),
                (false, true) => element.close(),
                _ => {}
            }
        }
    });
    view! {
        <dialog
            class="dialog batch"
            node_ref=element
            aria-labelledby="batch-title"
            on:close=move |_| {
                batch.close();
                focus::go_on("form.card");
            }
        >
            {move || batch.listed.get().map(|listed| view! { <Table batch listed /> })}
        </dialog>
    }
}

#[component]
fn Table(batch: Batch, listed: Listed) -> impl IntoView {
    let live = use_live();
    // it may open by itself, after an answer with a rule that covers more
    let fresh = Inert::at_first();
    let is_sending = RwSignal::new(None::<Decision>);
    let rows: Vec<Row> = listed
        .requests
        .into_iter()
        .map(|waiting| Row::new(live, waiting))
        .collect();
    let shown: Vec<_> = rows
        .iter()
        .enumerate()
        .map(|(index, row)| listed_row(index + 1, row, is_sending))
        .collect();
    let rows = StoredValue::new(rows);
    let send = move |decision: Decision| {
        is_sending.set(Some(decision));
        let all = rows.get_value().into_iter();
        let open = all.filter(|row| row.is_open.get_untracked());
        let answers: Vec<(Row, Answer)> = open
            .map(|row| (row.clone(), row.answer(decision)))
            .collect();
        spawn_local(async move {
            for (row, answer) in &answers {
                row.give(live, answer.clone(), decision).await;
            }
            let is_refused = answers.iter().any(|(row, _)| row.is_refused());
            if is_sending.try_set(None).is_none() && !is_refused {
                batch.close();
            }
        });
    };
    let open = Memo::new(move |_| {
        rows.with_value(|rows| rows.iter().filter(|row| row.is_open.get()).count())
    });
    let is_over = move || open.get() == 0 && is_sending.get().is_none();
    let is_closed = move || fresh.get() || is_sending.get().is_some() || is_over();
    // what is about to be answered, as the words on the button stay while it is
    let count = Memo::new(move |before: Option<&usize>| match is_sending.get() {
        Some(_) => before.copied().unwrap_or_default(),
        None => open.get(),
    });
    let deny = move || match count.get() {
        0 | 1 => "Deny it".to_owned(),
        count => format!("Deny all {count}"),
    };
    let allow = move || match count.get() {
        0 | 1 => "Allow it once".to_owned(),
        count => format!("Allow all {count} once"),
    };
    // after a rule to allow they are allowed or left: to deny them is another matter
    let is_offer = !listed.rules.is_empty();
    let leave = move || match (is_over(), is_offer, count.get()) {
        (true, ..) => "Close",
        (false, true, 0 | 1) => "Leave it",
        (false, true, _) => "Leave them",
        (false, false, _) => "Back",
    };
    let rules: Vec<_> = listed
        .rules
        .into_iter()
        .map(|rule| view! { " " <code class="rule"><Untrusted text=rule /></code> })
        .collect();
    let is_busy = move |decision| Signal::derive(move || is_sending.get() == Some(decision));
    view! {
        <header class="dialog-head">
            <h2 id="batch-title">{listed.why}</h2>
        </header>
        <div class="dialog-body">
            {is_offer
                .then(|| {
                    view! {
                        <p class="why">"Remembered:" {rules} ". Leave these, and each waits for an answer of its own."</p>
                    }
                })}
            <table class="batch-table">
                <thead>
                    <tr>
                        <th scope="col">"Session"</th>
                        <th scope="col">"What will run"</th>
                    </tr>
                </thead>
                <tbody>{shown}</tbody>
            </table>
        </div>
        <div class="dialog-foot">
            <button type="button" class="ghost" on:click=move |_| batch.close()>
                {leave}
            </button>
            <span class="spacer"></span>
            {(!is_offer)
                .then(|| {
                    view! {
                        <button
                            type="button"
                            class="danger"
                            disabled=is_closed
                            on:click=move |_| send(Decision::Deny)
                        >
                            <Spinner visible=is_busy(Decision::Deny) />
                            {deny}
                        </button>
                    }
                })}
            <button
                type="button"
                class="primary"
                disabled=is_closed
                on:click=move |_| send(Decision::Allow)
            >
                <Spinner visible=is_busy(Decision::Allow) />
                {allow}
            </button>
        </div>
    }
}

fn listed_row(number: usize, row: &Row, is_sending: RwSignal<Option<Decision>>) -> AnyView {
    let Row {
        waiting,
        request,
        found,
        went,
        is_open,
    } = row.clone();
    let editing = Editing::new(&waiting.request);
    let wish = wish(&waiting.request);
    // the same command in two projects is not the same
    let place = waiting.project_id.to_string();
    let session_id = waiting.session_id;
    let outcome = move || match went.get() {
        Some(Ok(words)) => Some(view! { <span class="why">{words}</span> }.into_any()),
        Some(Err(words)) => Some(view! { <span class="refusal">{words}</span> }.into_any()),
        None if !is_open.get() && is_sending.get().is_none() => {
            Some(view! { <span class="why">"No longer waits"</span> }.into_any())
        }
        None => None,
    };
    view! {
        <tr>
            <th scope="row">
                {format!("{number}. ")} <Untrusted text=waiting.title />
                <div class="wish">{wish}</div>
                <div class="wish">"in " <code><Untrusted text=place /></code></div>
                <div role="status">{outcome}</div>
            </th>
            <td>
                <Understood session_id request found />
                <Show when=move || editing.has_unsent_edit()>
                    <p class="finding">
                        "You have begun to edit this one. From here it runs as it was asked: go back to send your version."
                    </p>
                </Show>
            </td>
        </tr>
    }
    .into_any()
}
