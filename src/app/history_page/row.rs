//! One request of the history: a line that tells it, and everything about it when it is opened.

use crate::app::inbox_page::summary;
use crate::app::pending::payload::Payload;
use crate::app::transcript::outcome::{self, Tone};
use crate::app::ui::{Untrusted, age};
use crate::model::{HistoryEntry, Response, Suggestion, UnixTime};
use leptos::prelude::*;

#[component]
pub fn HistoryRow(entry: HistoryEntry, now: UnixTime) -> impl IntoView {
    let request = entry.request.clone();
    let resolution = entry.resolution();
    let (words, tone) = match &resolution {
        Some(resolution) => (
            outcome::words(request.request_type, resolution),
            outcome::tone(request.request_type, resolution.outcome),
        ),
        None => ("Still open".to_owned(), Tone::Quiet),
    };
    let class = match tone {
        Tone::Good => "outcome",
        Tone::Bad => "outcome bad",
        Tone::Quiet => "outcome quiet",
    };
    let asked_at = request.created_at;
    view! {
        <li class="history-row">
            <details>
                <summary>
                    <span class="history-what">
                        <span class="wish">{capitalised(&summary::wish(&request))}</span>
                        <code>
                            <Untrusted text=summary::subject(&entry.as_run()) />
                        </code>
                    </span>
                    <span class=class>{words}</span>
                    <time class="when" title=age::exactly(asked_at)>
                        {age::when(asked_at, now)}
                    </time>
                </summary>
                <div class="history-detail">
                    <p class="history-where">
                        "Asked in "
                        <a href=format!("/session/{}", entry.session_id)>
                            <Untrusted text=entry.title.clone() />
                        </a>
                        {request.agent.clone().map(|agent| view! { " by " <Untrusted text=agent.label /> })}
                        ", "
                        {age::exactly(asked_at)}
                    </p>
                    <Payload tool_name=request.tool_name.clone() input=request.tool_input.clone() />
                    {answer(&entry)}
                </div>
            </details>
        </li>
    }
}

/// What was sent instead of what was asked for, or the answers.
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
                        <Untrusted text=note.to_owned() />
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
                        <Untrusted text=plan />
                    </pre>
                }
                .into_any(),
            )
        }
        Response::AskUserQuestion(given) if given.answers.is_empty() => None,
        Response::AskUserQuestion(given) => {
            let rows: Vec<_> = given
                .answers
                .iter()
                .map(|(question, answer)| {
                    view! {
                        <div>
                            <dt>
                                <Untrusted text=question.clone() />
                            </dt>
                            <dd>
                                <Untrusted text=answer.clone() />
                            </dd>
                        </div>
                    }
                })
                .collect();
            Some(view! { <dl class="answered">{rows}</dl> }.into_any())
        }
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

fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}
