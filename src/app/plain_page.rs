//! The inbox for a browser that runs no script: the same requests and the same payload, answered by plain forms. Drawn
//! on the server alone ([`crate::server::plain_inbox`]), so none of it is in the program that the browser loads.

mod entered;
mod fields;

use super::live::board::Waiting;
use super::markdown::Markdown;
use super::pending::payload::{self, Payload};
use super::pending::{Part, asker, countdown, wish};
use super::ui::age::age;
use super::ui::icon::Logo;
use super::ui::untrusted::{Untrusted, Words};
use crate::model::{AgentDescription, Insight, RequestType, UnixTime};
use fields::{Actions, Questions};
use leptos::prelude::*;

pub use entered::Entered;

/// A request with what the server found out about it.
pub struct Listed {
    pub waiting: Waiting,
    pub insight: Option<Insight>,
    /// What was filled in, when it was refused.
    pub entered: Entered,
}

pub struct Plain {
    pub agent: AgentDescription,
    pub now: UnixTime,
    pub listed: Vec<Listed>,
    /// What became of the last answer.
    pub said: Option<String>,
    /// The address of the style sheet.
    pub sheet: String,
}

/// The whole document.
pub fn document(plain: Plain) -> String {
    let owner = Owner::new();
    // a title is text alone: no mark of a view may be in it
    let title = match plain.listed.len() {
        0 => "Inbox · Countersign".to_owned(),
        waiting => format!("({waiting}) Inbox · Countersign"),
    };
    let sheet = plain.sheet.clone();
    let body = owner.with(|| view! { <Body plain /> }.to_html());
    format!(
        r#"<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><link rel="stylesheet" href="{sheet}"><link rel="icon" type="image/svg+xml" href="/favicon.svg"><title>{title}</title></head><body>{body}</body></html>"#
    )
}

#[component]
fn Body(plain: Plain) -> impl IntoView {
    let Plain {
        agent,
        now,
        listed,
        said,
        ..
    } = plain;
    let is_empty = listed.is_empty();
    let cards = listed
        .into_iter()
        .map(|listed| card(&agent, now, listed))
        .collect::<Vec<_>>();
    view! {
                <main class="plain column">
                    <header class="plain-head">
                        <Logo />
                        <h1>"Inbox"</h1>
                        <a class="button" href="/plain">
                            "Look again"
                        </a>
                        <a class="button" href="/history">
                            "History"
                        </a>
                    </header>
                    <p class="why">
                        "This page needs no script, and does not follow by itself: look again for what is new. "
                        <a href="/">"The live inbox"</a>
                    </p>
                    {said
                        .map(|words| {
                            view! {
                                <p class="finding" role="status">
                                    <Untrusted text=words />
                                </p>
                            }
                        })}
                    {is_empty.then(|| view! { <h2>"Nothing waits for you"</h2> })}
                    {cards}
                </main>
    }
}

fn card(agent: &AgentDescription, now: UnixTime, listed: Listed) -> AnyView {
    let Listed {
        waiting,
        insight,
        entered,
    } = listed;
    let request = waiting.request;
    let shown = insight.as_ref().and_then(|found| found.file.as_ref());
    let shown = shown.map(|file| file.change.version.clone());
    let (class, kind) = match request.request_type {
        RequestType::ToolApproval => ("card", "Permission"),
        RequestType::AskUserQuestion => ("card question", "Question"),
        RequestType::PlanApproval => ("card plan", "Plan"),
    };
    let who = asker(agent);
    let subagent = request.agent.clone().map(|agent| {
        view! {
            <span class="subagent">
                <b>
                    <Words text=agent.label />
                </b>
            </span>
        }
    });
    let body = match request.request_type {
        RequestType::ToolApproval => {
            let words = wish(&request, Some(waiting.project_id.as_str())).into_iter();
            let words = words
                .map(|part| match part {
                    Part::Ours(words) => format!(" {words}").into_any(),
                    Part::Theirs(text) => view! { " " <code><Untrusted text /></code> }.into_any(),
                })
                .collect::<Vec<_>>();
            let understood = insight
                .filter(|found| !leaves_changes_out(found))
                .and_then(|found| payload::understood(waiting.session_id, &request, None, &found));
            let payload = understood.unwrap_or_else(|| {
                let (tool_name, input) = (request.tool_name.clone(), request.tool_input.clone());
                view! { <Payload tool_name input /> }.into_any()
            });
            let is_shown = request.tool_input.text("description") == request.description.as_deref();
            let description = request.description.clone().filter(|_| !is_shown);
            let reasons = [description, request.decision_reason.clone()];
            let reasons = reasons.into_iter().flatten();
            view! {
                <h2>{who} " wants to" {words}</h2>
                {payload}
                {reasons.map(|text| view! { <p class="why"><Untrusted text /></p> }).collect::<Vec<_>>()}
            }
            .into_any()
        }
        RequestType::AskUserQuestion => {
            view! { <Questions request=request.clone() entered=entered.clone() /> }.into_any()
        }
        RequestType::PlanApproval => {
            let text = request.tool_input.text("plan").unwrap_or_default();
            view! {
                <h2>{who} " has a plan"</h2>
                <div class="document">
                    <Markdown text=text.to_owned() />
                </div>
            }
            .into_any()
        }
    };
    let hidden = payload::has_odd_characters(&request.tool_input).then(|| {
        view! {
            <label class="finding">
                <input type="checkbox" name="seen" value="yes" checked=entered.has("seen", "yes") />
                " I have seen the hidden characters"
            </label>
        }
    });
    let waited = format!("waiting {}", age(now.0 - request.created_at.0));
    // it does not count on this page: what is left is what was left when it was drawn
    let left = request.expires_at.map(|at| {
        let left = countdown(at, now).words;
        view! { <span class="when">{format!("{left} when this page was loaded")}</span> }
    });
    view! {
        <form class=class method="post" action="/plain" aria-label="Pending request">
            <header>
                <span class="kind">{kind}</span>
                <span class="where">
                    <Words text=waiting.title />
                </span>
                {subagent}
                <span class="spacer"></span>
                {left}
                <span class="when">{waited}</span>
            </header>
            <input type="hidden" name="session_id" value=waiting.session_id.to_string() />
            <input type="hidden" name="request_id" value=request.request_id.to_string() />
            <input
                type="hidden"
                name="digest"
                value=request.digest.as_ref().map(ToString::to_string)
            />
            <input type="hidden" name="shown" value=shown />
            <div class="body">{body} {hidden}</div>
            <Actions kind=request.request_type entered />
        </form>
    }
    .into_any()
}

/// What is folded away can be opened only by a script: then the whole content is shown instead.
fn leaves_changes_out(insight: &Insight) -> bool {
    let rows = insight.file.iter().flat_map(|file| &file.change.rows);
    rows.filter_map(|row| row.gap).any(|gap| gap.changed > 0)
}
