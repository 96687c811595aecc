//! The inbox without a script: a page drawn once, and plain form posts that answer through the same desk as everything
//! else. After each post the page is shown again, with a sentence about what became of the answer; what was refused is
//! still filled in.

mod filled;

use super::guard;
use super::router::Shared;
use crate::app::live::board::Board;
use crate::app::plain_page::{Entered, Listed, Plain, document};
use crate::model::{Answer, Decision, PendingRequest, Refusal};
use axum::Form;
use axum::extract::{Query, State};
use axum::http::{HeaderValue, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use filled::Filled;
use std::collections::HashMap;

pub async fn show(
    State(shared): State<Shared>,
    Query(query): Query<HashMap<String, String>>,
) -> Response {
    let said = query.get("said").and_then(|word| said(word));
    page(&shared, said, None).await
}

pub async fn answer(
    State(shared): State<Shared>,
    Form(fields): Form<Vec<(String, String)>>,
) -> Response {
    let filled = Filled::new(Entered::new(fields));
    match answered(&shared, &filled).await {
        // asked for again by its own address: a reload answers nothing
        Ok(()) => Redirect::to("/plain?said=answered").into_response(),
        Err(refusal) => page(&shared, Some(refusal.message), Some(&filled)).await,
    }
}

/// Only words of ours are shown, whatever the address says.
fn said(word: &str) -> Option<String> {
    (word == "answered").then(|| "Your answer was taken.".to_owned())
}

async fn answered(shared: &Shared, filled: &Filled) -> Result<(), Refusal> {
    let (session_id, request_id) = (filled.session_id()?, filled.request_id()?);
    let request = waiting(shared)
        .into_iter()
        .map(|waiting| waiting.request)
        .find(|request: &PendingRequest| request.request_id == request_id);
    // the desk itself says why one that is gone cannot be answered; nothing may be allowed by the way
    let response = match request {
        Some(request) => filled.response(&request)?,
        None => crate::model::Response::tool(Decision::Deny, None),
    };
    let answer = Answer {
        session_id,
        request_id,
        digest: filled.digest(),
        shown: filled.shown(),
        answer_id: None,
        response,
    };
    shared.hub.answer(answer).await
}

fn waiting(shared: &Shared) -> Vec<crate::app::live::board::Waiting> {
    Board::new(shared.hub.boot().sessions, 0).waiting()
}

async fn page(shared: &Shared, said: Option<String>, refused: Option<&Filled>) -> Response {
    let mut listed = Vec::new();
    for waiting in waiting(shared) {
        let insight = shared
            .hub
            .insight(waiting.session_id, waiting.request.request_id, None)
            .await
            .ok();
        let is_its_own = |filled: &&Filled| filled.request_id() == Ok(waiting.request.request_id);
        let entered = refused.filter(is_its_own).map(Filled::entered);
        listed.push(Listed {
            waiting,
            insight,
            entered: entered.unwrap_or_default(),
        });
    }
    let options = &shared.options;
    let boot = shared.hub.boot();
    let html = document(Plain {
        agent: boot.agent,
        now: boot.now,
        listed,
        said,
        sheet: format!("/{}/{}.css", options.site_pkg_dir, options.output_name),
    });
    let policy = HeaderValue::from_static(guard::PLAIN_PAGE_POLICY);
    ([(header::CONTENT_SECURITY_POLICY, policy)], Html(html)).into_response()
}
