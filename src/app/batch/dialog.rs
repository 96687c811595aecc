//! The table of what will run, and one answer for all of it.

use super::{Batch, Listed};
use crate::app::live::{Waiting, use_live};
use crate::app::pending::insight::{Understood, learn};
use crate::app::ui::button::Spinner;
use crate::app::ui::inert::Inert;
use crate::app::ui::untrusted::Untrusted;
use crate::model::{Answer, Decision, Response};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// How it went with one of them.
type Went = RwSignal<Option<Result<&'static str, String>>>;

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
            on:close=move |_| batch.close()
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
    let rows: Vec<(Waiting, Went)> = listed
        .requests
        .into_iter()
        .map(|waiting| (waiting, Went::new(None)))
        .collect();
    let count = rows.len();
    let shown: Vec<_> = rows
        .iter()
        .enumerate()
        .map(|(index, (waiting, went))| row(index + 1, waiting, *went))
        .collect();
    let rows = StoredValue::new(rows);
    let send = move |decision: Decision| {
        is_sending.set(Some(decision));
        spawn_local(async move {
            for (waiting, went) in rows.get_value() {
                let answer = Answer {
                    session_id: waiting.session_id,
                    request_id: waiting.request.request_id,
                    digest: waiting.request.digest.clone(),
                    response: Response::tool(decision, None),
                };
                let result = live.answer(answer).await.map(|()| match decision {
                    Decision::Allow => "Allowed",
                    Decision::Deny => "Denied",
                });
                drop(went.try_set(Some(result.map_err(|refusal| refusal.message))));
            }
            let _ = is_sending.try_set(None);
            let is_done = rows.try_with_value(|rows| {
                let all_went = |(_, went): &(Waiting, Went)| {
                    went.try_get_untracked()
                        .is_some_and(|went| matches!(went, Some(Ok(_))))
                };
                rows.iter().all(all_went)
            });
            if is_done == Some(true) {
                batch.close();
            }
        });
    };
    let is_over =
        move || rows.with_value(|rows| rows.iter().all(|(_, went)| went.read().is_some()));
    let is_closed = move || fresh.get() || is_sending.get().is_some() || is_over();
    let (deny, allow) = match count {
        1 => ("Deny it".to_owned(), "Allow it once".to_owned()),
        _ => (
            format!("Deny all {count}"),
            format!("Allow all {count} once"),
        ),
    };
    let is_busy = move |decision| Signal::derive(move || is_sending.get() == Some(decision));
    view! {
        <header class="dialog-head">
            <h2 id="batch-title">{listed.why}</h2>
        </header>
        <div class="dialog-body">
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
                {move || if is_over() { "Close" } else { "Back" }}
            </button>
            <span class="spacer"></span>
            <button
                type="button"
                class="danger"
                disabled=is_closed
                on:click=move |_| send(Decision::Deny)
            >
                <Spinner visible=is_busy(Decision::Deny) />
                {deny}
            </button>
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

fn row(number: usize, waiting: &Waiting, went: Went) -> AnyView {
    let request = StoredValue::new(waiting.request.clone());
    let found = learn(waiting.session_id, request);
    let session_id = waiting.session_id;
    let outcome = move || {
        went.get().map(|went| match went {
            Ok(words) => view! { <span class="why">{words}</span> }.into_any(),
            Err(words) => view! { <span class="refusal">{words}</span> }.into_any(),
        })
    };
    view! {
        <tr>
            <th scope="row">
                {format!("{number}. ")} <Untrusted text=waiting.title.clone() />
                <div role="status">{outcome}</div>
            </th>
            <td>
                <Understood session_id request found />
            </td>
        </tr>
    }
    .into_any()
}
