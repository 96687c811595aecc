//! Answers that an agent swallows, on a clock that the test drives.

use crate::support::{Indoors, Place, scripted_agent, settings};
use countersign::model::{Entry, Response, SessionId};
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);
/// It reads the answer, says nothing, and ends when it is told to.
const SWALLOWS: &str = "hear; hear";

async fn asked(body: &str) -> (Indoors, SessionId) {
    let place = Place::new();
    let agent = scripted_agent(&place, "agent", &format!("ready; hear; {body}"));
    let server = Indoors::start(place, agent, settings()).await;
    let session = server.start_session("hello").await;
    (server, session)
}

async fn answer(server: &Indoors, session: SessionId, response: Response) {
    let request = server.pending(session).await;
    let given = server.answer(session, request, response).await;
    given.expect("it is taken");
}

/// How often it was said that the agent says nothing.
fn told(server: &Indoors, session: SessionId) -> usize {
    let events = server.events(session);
    let is_it = |entry: &Entry| matches!(entry, Entry::Noticed { text, .. } if text.contains("said nothing for a minute"));
    events.iter().filter(|event| is_it(&event.entry)).count()
}

#[tokio::test]
async fn a_refusal_that_an_agent_swallows_is_told_once_after_a_minute() {
    let (server, session) = asked(&format!("ask id 'touch x'; {SWALLOWS}")).await;
    server.pending(session).await;
    server.pass(600 * SECOND);
    answer(&server, session, Response::deny(None)).await;
    server.pass(59 * SECOND);
    assert_eq!(told(&server, session), 0);
    server.pass(SECOND);
    assert_eq!(told(&server, session), 1);
    server.pass(600 * SECOND);
    assert_eq!(told(&server, session), 1, "once is enough");
    server.close().await;
}

#[tokio::test]
async fn an_agent_that_runs_what_it_may_is_not_called_silent() {
    let call = r#"line '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"toolu_id","name":"Bash","input":{"command":"touch x"}}]}}'"#;
    let (server, session) = asked(&format!("{call}; ask id 'touch x'; {SWALLOWS}")).await;
    answer(&server, session, Response::allow()).await;
    server.pass(600 * SECOND);
    assert_eq!(told(&server, session), 0, "the command may take long");
    server.close().await;
    // it runs nothing
    let (server, session) = asked(&format!("ask id 'touch x'; {SWALLOWS}")).await;
    answer(&server, session, Response::allow()).await;
    server.pass(60 * SECOND);
    assert_eq!(told(&server, session), 1);
    server.close().await;
}

#[tokio::test]
async fn any_line_of_the_agent_is_a_sign_of_life_and_so_is_another_request() {
    let body =
        format!("ask id 'touch x'; hear; line '{{\"type\":\"of no use\"}}'; say on; {SWALLOWS}");
    let (server, session) = asked(&body).await;
    answer(&server, session, Response::deny(None)).await;
    server
        .until(session, "its word", |_| {
            let events = server.events(session);
            let mut entries = events.iter().map(|event| &event.entry);
            entries.any(|entry| matches!(entry, Entry::TextWritten { .. }))
        })
        .await;
    server.pass(600 * SECOND);
    assert_eq!(told(&server, session), 0);
    server.close().await;

    let body = format!("ask one 'touch x'; ask two 'touch y'; hear; {SWALLOWS}");
    let (server, session) = asked(&body).await;
    server
        .until(session, "both", |process| {
            process.pending_requests.len() == 2
        })
        .await;
    answer(&server, session, Response::deny(None)).await;
    server.pass(600 * SECOND);
    assert_eq!(told(&server, session), 0, "it waits for the other answer");
    answer(&server, session, Response::deny(None)).await;
    server.pass(60 * SECOND);
    assert_eq!(told(&server, session), 1);
    server.close().await;
}
