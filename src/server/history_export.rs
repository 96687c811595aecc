//! The history as a file: one JSON object per line, or a table for a spreadsheet. Read and sent page by page, so that
//! a long history needs no more memory than a short one.

use super::router::Shared;
use crate::model::calendar::iso;
use crate::model::history::word;
use crate::model::{HistoryEntry, HistoryFilter, HistoryPage};
use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures::stream;
use std::collections::HashMap;

#[derive(Clone, Copy)]
enum Format {
    Lines,
    Table,
}

pub async fn download(
    State(shared): State<Shared>,
    Query(query): Query<HashMap<String, String>>,
) -> Response {
    let format = match query.get("format").map(String::as_str) {
        None | Some("jsonl") => Format::Lines,
        Some("csv") => Format::Table,
        Some(_) => {
            let words = "The format is \"jsonl\" or \"csv\".";
            return (StatusCode::BAD_REQUEST, words).into_response();
        }
    };
    // a file of everything is not what was asked for
    if let Some(field) = HistoryFilter::misread(|name| query.get(name).map(String::as_str)) {
        let words =
            format!("What \"{field}\" says is not understood: leave it out, or correct it.");
        return (StatusCode::BAD_REQUEST, words).into_response();
    }
    let filter = HistoryFilter::from_query(|name| query.get(name).map(String::as_str));
    let hub = shared.hub;
    let pages = stream::unfold(Some(filter), move |filter| {
        let hub = hub.clone();
        async move {
            let filter = filter?;
            let page = match hub.history(filter.clone()).await {
                Ok(page) => page,
                // what breaks off must not look complete
                Err(refusal) => return Some((Err(std::io::Error::other(refusal)), None)),
            };
            let next = match page.entries.last() {
                Some(last) if page.more => Some(HistoryFilter {
                    before: Some(last.request.request_id),
                    ..filter.clone()
                }),
                _ => None,
            };
            let first = filter.before.is_none();
            Some((Ok(text(format, &page, first)), next))
        }
    });
    let (kind, name) = match format {
        Format::Lines => ("application/x-ndjson", "countersign-history.jsonl"),
        Format::Table => ("text/csv; charset=utf-8", "countersign-history.csv"),
    };
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{name}\""),
        ),
    ];
    (headers, Body::from_stream(pages)).into_response()
}

fn text(format: Format, page: &HistoryPage, first: bool) -> Vec<u8> {
    match format {
        Format::Lines => lines(page),
        Format::Table => table(page, first),
    }
}

fn lines(page: &HistoryPage) -> Vec<u8> {
    let mut text = Vec::new();
    for entry in &page.entries {
        if serde_json::to_writer(&mut text, entry).is_ok() {
            text.push(b'\n');
        }
    }
    text
}

const COLUMNS: [&str; 13] = [
    "asked_at",
    "resolved_at",
    "waited_seconds",
    "outcome",
    "by",
    "edited",
    "request_type",
    "tool_name",
    "tool_input",
    "response",
    "session_id",
    "title",
    "project",
];

fn table(page: &HistoryPage, first: bool) -> Vec<u8> {
    let mut rows = csv::Writer::from_writer(Vec::new());
    if first {
        let _ = rows.write_record(COLUMNS);
    }
    for entry in &page.entries {
        let _ = rows.write_record(row(entry).map(|cell| harmless(&cell)));
    }
    rows.into_inner().unwrap_or_default()
}

fn row(entry: &HistoryEntry) -> [String; COLUMNS.len()] {
    fn json(value: &impl serde::Serialize) -> String {
        serde_json::to_string(value).unwrap_or_default()
    }
    let seconds = |value: f64| format!("{value:.3}");
    [
        iso(entry.request.created_at),
        entry.at.map(iso).unwrap_or_default(),
        entry.waited().map(seconds).unwrap_or_default(),
        entry.outcome.map(word).unwrap_or_default(),
        entry.by.map(word).unwrap_or_default(),
        entry.was_edited().to_string(),
        word(entry.request.request_type),
        entry.request.tool_name.clone(),
        json(&entry.request.tool_input),
        entry.response.as_ref().map(json).unwrap_or_default(),
        entry.session_id.to_string(),
        entry.title.clone(),
        entry.project_id.0.clone(),
    ]
}

/// A spreadsheet would run a cell that begins like a formula; an agent may have written it.
fn harmless(cell: &str) -> String {
    match cell.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        true => format!("'{cell}"),
        false => cell.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_never_a_formula() {
        for formula in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1"] {
            assert_eq!(harmless(formula), format!("'{formula}"));
        }
        assert_eq!(harmless("echo =1"), "echo =1");
    }
}
