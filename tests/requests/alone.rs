//! When everyone is gone, on a clock that the test drives. The agents are real children.

use crate::support::{Indoors, Place, demo_agent, settings};
use countersign::model::policy::{OnDisconnect, OnTimeout, OwnPolicies};
use countersign::model::{Answer, ClientId, Entry, Outcome, ResolvedBy, Response, SessionId};
use std::time::Duration;

const fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

async fn with(policy: OnDisconnect) -> Indoors {
    let place = Place::new();
    let agent = demo_agent(&place);
    let mut settings = settings();
    settings.requests.on_disconnect = policy;
    Indoors::start(place, agent, settings).await
}

fn waits(server: &Indoors, session: SessionId) -> bool {
    server
        .process(session)
        .is_some_and(|process| process.pending_request().is_some())
}

fn ends(server: &Indoors, session: SessionId) -> Vec<(Outcome, ResolvedBy)> {
    let events = server.events(session);
    let ends = events.iter().filter_map(|event| match &event.entry {
        Entry::Resolved { outcome, by, .. } => Some((*outcome, *by)),
        _ => None,
    });
    ends.collect()
}

#[tokio::test]
async fn by_default_a_request_waits_though_everyone_is_gone() {
    let server = with(OnDisconnect::Keep).await;
    drop(server.hub.arrive(ClientId::random()));
    let session = server.start_session("run: echo hello").await;
    server.pending(session).await;
    server.pass(seconds(7 * 24 * 3600));
    assert!(waits(&server, session));
    server.close().await;
}

#[tokio::test]
async fn with_deny_it_is_given_up_when_the_last_one_has_left_and_the_agent_hears_why() {
    let server = with(OnDisconnect::Deny).await;
    let (one, other) = (
        server.hub.arrive(ClientId::random()),
        server.hub.arrive(ClientId::random()),
    );
    let session = server.start_session("run: echo hello > made.txt").await;
    let request = server.pending(session).await;
    drop(one);
    server.pass(seconds(60));
    assert!(waits(&server, session), "someone is still there");
    drop(other);
    server.pass(seconds(2));
    assert!(waits(&server, session), "a reload is no goodbye");
    let back = server.hub.arrive(ClientId::random());
    server.pass(seconds(60));
    assert!(waits(&server, session), "they are back");
    drop(back);
    server.pass(seconds(3));
    server.turns(session, 1).await;
    assert_eq!(
        ends(&server, session),
        [(Outcome::Cancelled, ResolvedBy::Disconnect)]
    );
    let events = server.events(session);
    let told = events.iter().any(|event| {
        matches!(&event.entry, Entry::TextWritten { text, .. }
            if text.contains("Nobody is there to answer") && text.contains("not decided"))
    });
    assert!(told, "the agent hears that nobody was there: {events:#?}");
    let late = Answer::to(session, &request, Response::allow());
    let refusal = server.hub.answer(late).await.expect_err("too late");
    assert!(
        refusal.message.contains("nobody was connected"),
        "{refusal}"
    );
    assert_eq!(server.place.project_file("made.txt"), None);
    server.close().await;
}

#[tokio::test]
async fn with_a_delay_it_is_given_up_that_much_later() {
    let server = with(OnDisconnect::DenyAfter(30)).await;
    let session = server
        .start_session("run: echo one then run: echo two")
        .await;
    server.pending(session).await;
    server.pass(seconds(3600));
    assert!(waits(&server, session), "where nobody was, nobody is gone");
    drop(server.hub.arrive(ClientId::random()));
    server.pass(seconds(29));
    assert!(waits(&server, session));
    server.pass(seconds(1));
    let next = server
        .until(session, "the next request", |process| {
            process
                .pending_request()
                .is_some_and(|request| request.tool_input.text("command") == Some("echo two"))
        })
        .await;
    assert_eq!(next.pending_requests.len(), 1);
    server.pass(seconds(29));
    assert!(waits(&server, session), "it has its own time");
    server.pass(seconds(1));
    server.turns(session, 1).await;
    assert_eq!(ends(&server, session).len(), 2);
    server.close().await;
}

#[tokio::test]
async fn a_session_may_have_it_otherwise_and_a_limit_of_its_own() {
    let server = with(OnDisconnect::Deny).await;
    let session = server
        .start_session("run: echo one then run: echo two")
        .await;
    let request = server.pending(session).await;
    assert_eq!(request.expires_at, None);
    let own = OwnPolicies {
        timeout_seconds: Some(60),
        on_timeout: Some(OnTimeout::DenyAndStop),
        on_disconnect: Some(OnDisconnect::Keep),
        ..OwnPolicies::default()
    };
    server.hub.set_policies(session, own).expect("set");
    drop(server.hub.arrive(ClientId::random()));
    server.pass(seconds(3600));
    assert!(
        waits(&server, session),
        "what was asked before has no limit, and absence is no end"
    );
    let allow = Answer::to(session, &request, Response::allow());
    server.hub.answer(allow).await.expect("in time");
    let next = server.until(session, "the next request", |process| {
        process
            .pending_request()
            .is_some_and(|request| request.expires_at.is_some())
    });
    next.await;
    server.pass(seconds(59));
    assert!(waits(&server, session));
    server.pass(seconds(1));
    server.turns(session, 1).await;
    assert_eq!(
        ends(&server, session)[1],
        (Outcome::TimedOut, ResolvedBy::Timeout)
    );
    server.close().await;
}
