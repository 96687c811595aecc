//! What to look for: a plain form that leads to the same page with other words in its address. With a script a choice
//! applies at once, without loading the page anew: who types a date is not interrupted after its first digit.

use crate::app::live::use_live;
use crate::model::history::{YES, word};
use crate::model::{Day, HistoryFilter, Outcome, RequestType};
use leptos::html;
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

/// Where a choice goes: the name of its field, and its value.
type Apply = Callback<(&'static str, String)>;

#[component]
pub fn Filters(filter: Memo<HistoryFilter>, choose: Callback<HistoryFilter>) -> impl IntoView {
    let live = use_live();
    let text = NodeRef::<html::Input>::new();
    let apply = Callback::new(move |(name, value): (&'static str, String)| {
        let chosen = filter.get_untracked();
        // words that were written and not yet searched for are part of what is looked for
        let chosen = match text.get_untracked() {
            Some(text) => chosen.with("text", &text.value()),
            None => chosen,
        };
        choose.run(chosen.with(name, &value));
    });
    let now = filter.get_untracked();
    let projects: Vec<(String, String)> = untrack(move || live.projects())
        .into_iter()
        .map(|project| (project.project_id.0, project.name))
        .collect();
    let project = now.project.as_ref().map(|project| project.0.clone());
    let kinds = KINDS.map(|(kind, words)| (word(kind), words.to_owned()));
    let outcomes = OUTCOMES.map(|(outcome, words)| (word(outcome), words.to_owned()));
    let reset = move || {
        (!filter.read().is_any()).then(|| {
            view! {
                <a class="button ghost" rel="external" href="/history">
                    "Show all"
                </a>
            }
        })
    };
    view! {
        <form
            class="history-filters"
            method="get"
            action="/history"
            role="search"
            aria-label="Filter the history"
            autocomplete="off"
        >
            <input
                type="search"
                name="text"
                aria-label="Search"
                placeholder="Search commands, files, answers…"
                autocomplete="off"
                node_ref=text
                value=now.text.clone().unwrap_or_default()
            />
            {choice("kind", "Kind", "Any kind", now.request_type.map(word), kinds.to_vec(), apply)}
            {choice("outcome", "Outcome", "Any outcome", now.outcome.map(word), outcomes.to_vec(), apply)}
            {choice("project", "Project", "Any project", project, projects, apply)}
            {day("from", "From", now.from, apply)}
            {day("to", "To", now.to, apply)}
            <label title="Only what you edited before you allowed it">
                <input
                    type="checkbox"
                    name="edited"
                    value=YES
                    checked=now.edited
                    on:change=move |event| {
                        let value = if event_target_checked(&event) { YES } else { "" };
                        apply.run(("edited", value.to_owned()));
                    }
                />
                "Edited"
            </label>
            {now
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
    apply: Apply,
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
        <select name=name aria-label=label on:change=move |event| apply.run((name, event_target_value(&event)))>
            <option value="">{any}</option>
            {options}
        </select>
    }
    .into_any()
}

fn day(name: &'static str, words: &'static str, chosen: Option<Day>, apply: Apply) -> AnyView {
    view! {
        <label class="history-day" title="Days begin at midnight UTC, as the times on this page">
            {words}
            <input
                type="date"
                name=name
                value=chosen.map(|day| day.to_string())
                on:change=move |event| apply.run((name, event_target_value(&event)))
            />
        </label>
    }
    .into_any()
}
