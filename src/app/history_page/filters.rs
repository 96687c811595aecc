//! What to look for: a plain form that leads to the same page with other words in its address.

use crate::app::live::use_live;
use crate::model::history::word;
use crate::model::{HistoryFilter, Outcome, RequestType};
use leptos::prelude::*;

const KINDS: [(RequestType, &str); 3] = [
    (RequestType::ToolApproval, "Permission"),
    (RequestType::AskUserQuestion, "Question"),
    (RequestType::PlanApproval, "Plan"),
];
const OUTCOMES: [(Outcome, &str); 9] = [
    (Outcome::Allowed, "Allowed"),
    (Outcome::Denied, "Denied"),
    (Outcome::Answered, "Answered"),
    (Outcome::Cancelled, "Skipped"),
    (Outcome::TimedOut, "Timed out"),
    (Outcome::Withdrawn, "Withdrawn"),
    (Outcome::ProcessEnded, "Process ended"),
    (Outcome::AllowedByRule, "Allowed by a rule"),
    (Outcome::DeniedByRule, "Denied by a rule"),
];

#[component]
pub fn Filters(filter: HistoryFilter) -> impl IntoView {
    let live = use_live();
    // the page is drawn anew for every search
    let projects: Vec<(String, String)> = untrack(move || live.projects())
        .into_iter()
        .map(|project| (project.project_id.0, project.name))
        .collect();
    let project = filter.project.as_ref().map(|project| project.0.clone());
    let kinds = KINDS.map(|(kind, words)| (word(kind), words.to_owned()));
    let outcomes = OUTCOMES.map(|(outcome, words)| (word(outcome), words.to_owned()));
    let reset = (!filter.is_any()).then(|| {
        view! {
            <a class="button ghost" rel="external" href="/history">
                "Show all"
            </a>
        }
    });
    view! {
        <form class="history-filters" method="get" action="/history" role="search" aria-label="Filter the history">
            <input
                type="search"
                name="text"
                aria-label="Search"
                placeholder="Search commands, files, answers…"
                autocomplete="off"
                value=filter.text.clone().unwrap_or_default()
            />
            {choice("kind", "Kind", "Any kind", filter.request_type.map(word), kinds.to_vec())}
            {choice("outcome", "Outcome", "Any outcome", filter.outcome.map(word), outcomes.to_vec())}
            {choice("project", "Project", "Any project", project, projects)}
            {filter
                .session_id
                .map(|id| view! { <input type="hidden" name="session" value=id.to_string() /> })}
            <button type="submit">"Search"</button>
            {reset}
        </form>
    }
}

fn choice(
    name: &'static str,
    label: &'static str,
    any: &'static str,
    chosen: Option<String>,
    options: Vec<(String, String)>,
) -> AnyView {
    let options: Vec<_> = options
        .into_iter()
        .map(|(value, words)| {
            let is_chosen = chosen.as_deref() == Some(&value);
            view! {
                <option value=value selected=is_chosen>
                    {words}
                </option>
            }
        })
        .collect();
    view! {
        <select name=name aria-label=label>
            <option value="">{any}</option>
            {options}
        </select>
    }
    .into_any()
}
