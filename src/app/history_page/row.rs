//! One request of the history: a line that tells it, and everything about it when it is opened.

use super::detail::Detail;
use crate::app::inbox_page::summary;
use crate::app::pending::relative;
use crate::app::transcript::outcome::{self, Tone};
use crate::app::ui::{Untrusted, Words, age};
use crate::model::{HistoryEntry, UnixTime};
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
                        <span class="history-line">
                            <span class="wish">{capitalised(&summary::wish(&request))}</span>
                            <span class="history-session">
                                <Words text=entry.title.clone() />
                            </span>
                        </span>
                        <code>
                            <Untrusted text=subject(&entry) />
                        </code>
                    </span>
                    <span class=class>{words}</span>
                    <time class="when" title=age::exactly(asked_at)>
                        {age::when(asked_at, now)}
                    </time>
                </summary>
                <Detail entry />
            </details>
        </li>
    }
}

/// As it ran; a path beneath the project without what all of them begin with.
fn subject(entry: &HistoryEntry) -> String {
    let request = entry.as_run();
    let subject = summary::subject(&request);
    match request.tool_input.text("command") {
        Some(_) => subject,
        None => relative(&subject, Some(entry.project_id.as_str())),
    }
}

fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}
