//! The history: every request and how it ended, newest first. Filters are a plain form and pages plain links, so it
//! works as well in a browser that runs no script; one that does applies a choice at once.

mod detail;
mod filters;
mod found;
mod row;

use crate::app::live::use_live;
use crate::app::ui::icon;
use crate::model::{HistoryFilter, HistoryPage as Page};
use filters::Filters;
use found::Found;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_navigate, use_query_map};
use row::HistoryRow;

#[component]
pub fn HistoryPage() -> impl IntoView {
    let live = use_live();
    let query = use_query_map();
    let filter = Memo::new(move |_| {
        let query = query.read();
        HistoryFilter::from_query(|name| query.get_str(name))
    });
    let found = Found::following(filter);
    let navigate = use_navigate();
    let choose = Callback::new(move |chosen: HistoryFilter| {
        let options = NavigateOptions {
            // the way back leads to where the person came from, not through every choice
            replace: true,
            scroll: false,
            ..NavigateOptions::default()
        };
        navigate(&address(&chosen), options);
    });
    let export = move |format: &str| {
        let all = HistoryFilter {
            before: None,
            ..filter.get()
        };
        let and = if all.is_any() { "" } else { "&" };
        format!("/history/export?format={format}{and}{}", all.to_query())
    };
    let entries = move || {
        let page = found.page.read();
        page.as_ref()
            .map(|page| page.entries.clone())
            .unwrap_or_default()
    };
    view! {
        <Title text="History" />
        <main class="main history">
            <div class="bar">
                <h1>"History"</h1>
                <span class="spacer"></span>
                <a class="button ghost" rel="external" download="" href=move || export("csv")>"Export CSV"</a>
                <a class="button ghost" rel="external" download="" href=move || export("jsonl")>"Export JSONL"</a>
            </div>
            <div class="scroll">
                <div class="column">
                    <Filters filter choose />
                    {move || found.refusal.get().map(|words| view! { <p class="refusal" role="alert">{words}</p> })}
                    {move || nothing(found.page.read().as_ref(), &filter.read())}
                    <ol class="history-list" aria-busy=move || found.busy.get().then_some("true")>
                        <For
                            each=entries
                            key=|entry| (entry.request.request_id, entry.outcome)
                            children=move |entry| view! { <HistoryRow entry now=live.now().get_untracked() /> }
                        />
                    </ol>
                    <nav class="history-pages" aria-label="Pages">
                        {move || newest(&filter.read())} <span class="spacer"></span>
                        {move || older(found.page.read().as_ref(), &filter.read())}
                    </nav>
                </div>
            </div>
        </main>
    }
}

fn address(filter: &HistoryFilter) -> String {
    match filter.to_query() {
        query if query.is_empty() => "/history".to_owned(),
        query => format!("/history?{query}"),
    }
}

fn nothing(page: Option<&Page>, filter: &HistoryFilter) -> Option<AnyView> {
    if !page?.entries.is_empty() {
        return None;
    }
    let (heading, words) = match filter.is_any() {
        true => (
            "Nothing yet",
            "Every request and what you decided will be kept here.",
        ),
        false => (
            "Nothing found",
            "No request fits these filters. Change them, or look at all.",
        ),
    };
    Some(
        view! {
            <div class="empty">
                <icon::Logo />
                <h2>{heading}</h2>
                <p>{words}</p>
            </div>
        }
        .into_any(),
    )
}

fn newest(filter: &HistoryFilter) -> Option<AnyView> {
    filter.before?;
    let newest = HistoryFilter {
        before: None,
        ..filter.clone()
    };
    Some(
        view! {
            <a class="button" rel="external" href=address(&newest)>
                "Newest"
            </a>
        }
        .into_any(),
    )
}

fn older(page: Option<&Page>, filter: &HistoryFilter) -> Option<AnyView> {
    let page = page.filter(|page| page.more)?;
    let older = HistoryFilter {
        before: Some(page.entries.last()?.request.request_id),
        ..filter.clone()
    };
    Some(
        view! {
            <a class="button" rel="external" href=address(&older)>
                "Older"
                <icon::ArrowRight />
            </a>
        }
        .into_any(),
    )
}
