//! Everything about one request: where and when it was asked and answered, what it was, and what became of it.

use crate::app::pending::payload::Payload;
use crate::app::transcript::answered::{Answers, answers};
use crate::app::ui::{Untrusted, Words, age};
use crate::model::{HistoryEntry, QuestionAnswers, RequestType, ResolvedBy, Response, Suggestion};
use leptos::prelude::*;

#[component]
pub fn Detail(entry: HistoryEntry) -> impl IntoView {
    let request = &entry.request;
    let asker = request.agent.clone();
    view! {
        <div class="history-detail">
            <p class="history-where">
                "Asked in "
                {session(&entry)}
                {asker.map(|agent| view! { " by " <Words text=agent.label /> })}
                ", "
                {age::exactly(request.created_at)}
                {ended(&entry)}
            </p>
            {asked(&entry)}
            {answer(&entry)}
        </div>
    }
}

/// The way to it, as long as there is one.
fn session(entry: &HistoryEntry) -> AnyView {
    let title = entry.title.clone();
    match entry.session_deleted {
        true if title.is_empty() => "a session that was deleted".into_any(),
        true => view! { <Words text=title /> " (deleted since)" }.into_any(),
        false => view! {
            <a href=format!("/session/{}", entry.session_id)>
                <Words text=title />
            </a>
        }
        .into_any(),
    }
}

/// Only a person answers; all else ends a request.
fn ended(entry: &HistoryEntry) -> Option<String> {
    let at = age::exactly(entry.at?);
    Some(match entry.by {
        Some(ResolvedBy::User) => format!("; answered at {at}"),
        _ => format!("; ended at {at}"),
    })
}

/// Questions are listed with their answers; everything else is shown as it was in its card.
fn asked(entry: &HistoryEntry) -> AnyView {
    let request = &entry.request;
    let (tool_name, input) = (request.tool_name.clone(), request.tool_input.clone());
    if input.questions().is_empty() || request.request_type != RequestType::AskUserQuestion {
        return view! { <Payload tool_name input /> }.into_any();
    }
    let rows = match &entry.response {
        Some(Response::AskUserQuestion(given)) => answers(&input, given),
        _ => answers(&input, &QuestionAnswers::default()),
    };
    view! {
        <Answers rows />
        <details class="raw">
            <summary>"As it was asked"</summary>
            <pre class="code">
                <Untrusted text=input.to_json() />
            </pre>
        </details>
    }
    .into_any()
}

/// What was sent instead of, or together with, what was asked for.
fn answer(entry: &HistoryEntry) -> Option<AnyView> {
    match entry.response.as_ref()? {
        Response::ToolApproval(decision) => {
            let tool_name = entry.request.tool_name.clone();
            let edited = decision.updated_input.clone().map(|input| {
                view! {
                    <p class="history-edited">"Allowed as edited:"</p>
                    <Payload tool_name input />
                }
            });
            let note = entry.response.as_ref().and_then(Response::note);
            let note = note.map(|note| {
                view! {
                    <p class="history-edited">"Allowed with the note:"</p>
                    <pre class="result">
                        <Words text=note.to_owned() />
                    </pre>
                }
            });
            let remembered: Vec<_> = decision.remember.iter().map(remembered).collect();
            Some(view! { {edited} {note} {remembered} }.into_any())
        }
        Response::PlanApproval(decision) => {
            let plan = decision.plan.clone()?;
            Some(
                view! {
                    <p class="history-edited">"Approved as edited:"</p>
                    <pre class="result">
                        <Words text=plan />
                    </pre>
                }
                .into_any(),
            )
        }
        Response::AskUserQuestion(_) => None,
    }
}

/// "Always allow Bash(ls *) in this session", as it was on the switch.
fn remembered(kept: &Suggestion) -> AnyView {
    let grants: Vec<_> = kept
        .grants()
        .into_iter()
        .map(|grant| view! { <code class="rule"><Untrusted text=grant /></code> })
        .collect();
    view! {
        <p class="history-edited">
            "Remembered: " {kept.verb()} " " {grants} " in " {kept.scope()}
        </p>
    }
    .into_any()
}
