//! Limits that pass with time, on a clock that the test drives. The agents are real children.

use crate::support::{Indoors, Place, demo_agent, scripted_agent, settings};
use countersign::model::{
    Entry, Outcome, ProcessInfo, ProcessState, RequestType, ResolvedBy, Response, SessionId,
};
use countersign::server::settings::{OnTimeout, Settings};
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(60);

async fn with_demo_agent(change: impl FnOnce(&mut Settings)) -> Indoors {
    let place = Place::new();
    let agent = demo_agent(&place);
    let mut settings = settings();
    change(&mut settings);
    Indoors::start(place, agent, settings).await
}

/// Its process is stopped, or was.
async fn has_ended(server: &Indoors, session: SessionId) -> ProcessInfo {
    let is_dead = |process: &ProcessInfo| process.state == ProcessState::Dead;
    server.until(session, "its end", is_dead).await
}

#[tokio::test]
async fn an_idle_process_is_stopped_and_the_next_message_resumes_it() {
    let server = with_demo_agent(|_| {}).await;
    let session = server.start_session("stream markdown").await;
    server.turns(session, 1).await;
    server.pass(15 * MINUTE);
    let process = has_ended(&server, session).await;
    let reason = process.kill_reason.expect("a reason");
    assert!(reason.contains("Idle"), "{reason}");
    assert_eq!(process.error, None);

    server.send(session, "ask a question").await;
    server.pending(session).await;
    server.close().await;
}

/// Allows what waits, and the rule that is offered with it for this session.
async fn grant_for_the_session(server: &Indoors, session: SessionId) {
    let request = server.pending(session).await;
    let mut offered = request.suggestions.iter();
    let rule = offered.find(|one| one.allows()).expect("a rule");
    let mut response = Response::allow();
    if let Response::ToolApproval(given) = &mut response {
        given.remember = vec![rule.clone().kept_in("session")];
    }
    let given = server.answer(session, request, response).await;
    given.expect("it is allowed");
}

#[tokio::test]
async fn what_was_granted_for_a_session_holds_after_an_idle_stop_and_ends_with_a_process_that_a_person_ends()
 {
    let server = with_demo_agent(|_| {}).await;
    let run = "run: echo hello > note.txt";
    let session = server.start_session(run).await;
    grant_for_the_session(&server, session).await;
    server.turns(session, 1).await;
    server.pass(15 * MINUTE);
    has_ended(&server, session).await;
    server.send(session, run).await;
    server.turns(session, 2).await;
    let is_question = |entry: &Entry| matches!(entry, Entry::Asked { .. });
    let events = server.events(session);
    let asked = events.iter().filter(|event| is_question(&event.entry));
    assert_eq!(asked.count(), 1, "the second time it was granted already");
    server.hub.kill(session).expect("it runs");
    has_ended(&server, session).await;
    server.send(session, run).await;
    server.pending(session).await;
    server.close().await;
}

#[tokio::test]
async fn a_message_makes_the_idle_time_begin_anew() {
    let server = with_demo_agent(|_| {}).await;
    let session = server.start_session("stream markdown").await;
    for turn in 1..=3 {
        server.turns(session, turn).await;
        server.pass(14 * MINUTE);
        is_listening(&server, session).await;
    }
    server.turns(session, 4).await;
    server.pass(15 * MINUTE);
    has_ended(&server, session).await;
    server.close().await;
}

#[tokio::test]
async fn a_process_is_never_stopped_while_a_request_waits() {
    let server = with_demo_agent(|_| {}).await;
    let session = server.start_session("run: echo hello").await;
    let request = server.pending(session).await;
    waits_for_a_day(&server, session).await;
    let given = server.answer(session, request, Response::allow()).await;
    given.expect("a day later");
    // the message that was sent meanwhile is taken in the same turn or in one of its own
    server
        .until(session, "everything to end", |process| {
            let events = server.events(session);
            let last = events.last().map(|event| &event.entry);
            let is_over = matches!(last, Some(Entry::TurnFinished { .. }));
            process.state == ProcessState::UserTurn && process.queued_messages == 0 && is_over
        })
        .await;
    server.pass(15 * MINUTE);
    has_ended(&server, session).await;
    server.close().await;
}

#[tokio::test]
async fn nor_while_something_runs_in_the_background() {
    let place = Place::new();
    let tasks = |list: &str| {
        format!(
            r#"line '{{"type":"system","subtype":"background_tasks_changed","tasks":[{list}]}}'"#
        )
    };
    let one = r#"{"task_id":"b1","task_type":"local_bash","description":"the long build"}"#;
    let body = format!(
        "ready; hear; {}; finish; hear; {}; finish; hear",
        tasks(one),
        tasks("")
    );
    let agent = scripted_agent(&place, "agent", &body);
    let server = Indoors::start(place.clone(), agent, settings()).await;
    let session = server.start_session("hello").await;
    let process = server.turns(session, 1).await;
    let doing = process.activity.as_deref();
    assert_eq!(doing, Some("In the background: the long build"));
    a_day_passes(&server);
    is_listening(&server, session).await;

    // its next turn ends it
    let process = server.turns(session, 2).await;
    assert_eq!(process.activity, None);
    server.pass(15 * MINUTE);
    has_ended(&server, session).await;
    server.close().await;
}

#[tokio::test]
async fn nor_when_it_asks_after_its_turn() {
    let place = Place::new();
    let body = "ready; hear; finish; ask id 'touch x'; answered; hear";
    let agent = scripted_agent(&place, "agent", body);
    let server = Indoors::start(place.clone(), agent, settings()).await;
    let session = server.start_session("hello").await;
    server.pending(session).await;
    let process = server.turns(session, 1).await;
    assert!(
        process.pending_request().is_some(),
        "it is nobody's turn, and it asks"
    );
    waits_for_a_day(&server, session).await;
    server.close().await;
}

fn a_day_passes(server: &Indoors) {
    for _ in 0..48 {
        server.pass(30 * MINUTE);
    }
}

/// Time passes, and it is still there with what it asks.
async fn waits_for_a_day(server: &Indoors, session: SessionId) {
    a_day_passes(server);
    is_listening(server, session).await;
    let process = server.process(session);
    assert!(server.still_waits(session), "{process:?}");
}

/// It was not told to stop: one that was takes no messages, even while it is still there.
async fn is_listening(server: &Indoors, session: SessionId) {
    server.send(session, "stream markdown").await;
    let process = server.process(session);
    assert!(process.is_some_and(|process| process.is_alive()));
}

#[tokio::test]
async fn an_agent_that_is_never_ready_is_ended_after_its_time() {
    let place = Place::new();
    let agent = scripted_agent(&place, "agent", "sleep 86394; sleep 86394");
    let server = Indoors::start(place.clone(), agent, settings()).await;
    let session = server.start_session("hello").await;
    server.pass(Duration::from_secs(59));
    is_listening(&server, session).await;
    server.pass(Duration::from_secs(1));
    let process = has_ended(&server, session).await;
    let error = process
        .error
        .expect("an error, as of one that dies at its start");
    assert!(error.contains("not ready within 60 seconds"), "{error}");
    assert_eq!(process.kill_reason, None);
    server.close().await;
}

#[tokio::test]
async fn one_that_is_no_agent_at_all_is_told_with_what_it_wrote() {
    let place = Place::new();
    let body = "line 'Welcome to the shell.'; echo 'no such option' >&2; sleep 86393; sleep 86393";
    let agent = scripted_agent(&place, "agent", body);
    let server = Indoors::start(place.clone(), agent, settings()).await;
    let session = server.start_session("hello").await;
    server
        .until(session, "its line to be read", |_| {
            let events = server.events(session);
            let mut entries = events.iter().map(|event| &event.entry);
            entries.any(|entry| matches!(entry, Entry::Noticed { .. }))
        })
        .await;
    server.pass(MINUTE);
    let process = has_ended(&server, session).await;
    let error = process.error.expect("an error");
    for words in ["not ready", "“Welcome to the shell.”"] {
        assert!(error.contains(words), "{error}");
    }
    server.close().await;
}

#[tokio::test]
async fn a_request_nobody_answers_in_time_is_timed_out_and_never_called_denied() {
    let server = with_demo_agent(|settings| settings.requests.timeout_seconds = 300).await;
    let session = server.start_session("run: echo hello > made.txt").await;
    let request = server.pending(session).await;
    let expires = request.expires_at.expect("a time");
    assert_eq!(expires.since(request.created_at), 300.0);
    server.pass(Duration::from_secs(299));
    assert!(server.still_waits(session));
    server.pass(Duration::from_secs(1));
    let process = server.turns(session, 1).await;
    assert_eq!(process.pending_request(), None);
    let events = server.events(session);
    let ends: Vec<_> = events
        .iter()
        .filter_map(|event| match &event.entry {
            Entry::Resolved {
                outcome,
                by,
                waited,
                response,
                ..
            } => Some((*outcome, *by, *waited, response.clone())),
            _ => None,
        })
        .collect();
    assert_eq!(
        ends,
        [(Outcome::TimedOut, ResolvedBy::Timeout, 300.0, None)]
    );
    let told = events.iter().any(|event| {
        matches!(&event.entry, Entry::TextWritten { text, .. } if text.contains("Nobody answered") && text.contains("not decided"))
    });
    assert!(told, "the agent hears that nobody answered: {events:#?}");
    let late = server.answer(session, request, Response::allow()).await;
    let refusal = late.expect_err("too late");
    assert!(
        refusal.message.contains("Nobody had answered in time"),
        "{refusal}"
    );
    assert_eq!(server.place.project_file("made.txt"), None);
    server.close().await;
}

#[tokio::test]
async fn questions_have_a_limit_of_their_own_and_may_stop_the_turn() {
    let server = with_demo_agent(|settings| {
        settings.requests.timeout_seconds = 10;
        settings.requests.question_timeout_seconds = 600;
        settings.requests.on_timeout = OnTimeout::DenyAndStop;
    })
    .await;
    let session = server
        .start_session("ask a question then run: echo on")
        .await;
    assert_eq!(
        server.pending(session).await.request_type,
        RequestType::AskUserQuestion
    );
    server.pass(Duration::from_secs(599));
    assert!(server.still_waits(session));
    server.pass(Duration::from_secs(1));
    server.turns(session, 1).await;
    let events = server.events(session);
    let asked = events
        .iter()
        .filter(|event| matches!(event.entry, Entry::Asked { .. }))
        .count();
    assert_eq!(asked, 1, "the turn was stopped before it asked again");
    server.close().await;
}
