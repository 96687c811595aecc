//! The history: every request and how it ended, newest first. Filters are a plain form and pages plain links, so it
//! works as well in a browser that runs no script.

mod filters;
mod row;

use crate::api::first_picture;
use crate::app::live::use_live;
use crate::app::ui::icon;
use crate::model::HistoryFilter;
use filters::Filters;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;
use row::HistoryRow;

#[component]
pub fn HistoryPage() -> impl IntoView {
    let query = use_query_map().get_untracked();
    let filter = HistoryFilter::from_query(|name| query.get_str(name));
    let page = {
        let filter = filter.clone();
        SharedValue::new(move || first_picture::history(&filter)).into_inner()
    };
    let now = use_live().now().get_untracked();
    let export = |format: &str| {
        let all = HistoryFilter {
            before: None,
            ..filter.clone()
        };
        let and = if all.is_any() { "" } else { "&" };
        format!("/history/export?format={format}{and}{}", all.to_query())
    };
    let older = page
        .entries
        .last()
        .filter(|_| page.more)
        .map(|last| HistoryFilter {
            before: Some(last.request.request_id),
            ..filter.clone()
        })
        .map(|older| {
            view! {
                <a class="button" rel="external" href=format!("/history?{}", older.to_query())>
                    "Older"
                    <icon::ArrowRight />
                </a>
            }
        });
    let nothing = page.entries.is_empty().then(|| {
        let words = match filter.is_any() {
            true => "Every request and what you decided will be kept here.",
            false => "No request fits these filters. Change them, or look at all.",
        };
        view! {
            <div class="empty">
                <icon::Logo />
                <h2>{if filter.is_any() { "Nothing yet" } else { "Nothing found" }}</h2>
                <p>{words}</p>
            </div>
        }
    });
    let rows: Vec<_> = page
        .entries
        .into_iter()
        .map(|entry| view! { <HistoryRow entry now /> })
        .collect();
    view! {
        <Title text="History" />
        <main class="main history">
            <div class="bar">
                <h1>"History"</h1>
                <span class="spacer"></span>
                <a class="button ghost" rel="external" download="" href=export("csv")>"Export CSV"</a>
                <a class="button ghost" rel="external" download="" href=export("jsonl")>"Export JSONL"</a>
            </div>
            <div class="scroll">
                <div class="column">
                    <Filters filter=filter.clone() />
                    {nothing}
                    <ol class="history-list">{rows}</ol>
                    <nav class="history-pages" aria-label="Pages">
                        {filter
                            .before
                            .map(|_| {
                                let newest = HistoryFilter { before: None, ..filter.clone() };
                                view! {
                                    <a class="button" rel="external" href=format!("/history?{}", newest.to_query())>
                                        "Newest"
                                    </a>
                                }
                            })} <span class="spacer"></span> {older}
                    </nav>
                </div>
            </div>
        </main>
    }
}
