//! Requests that cannot be read or that are too many: the agent is never left waiting, and the person is told.

use crate::support::{Place, Server, deny, scripted_agent, until};
use serde_json::{Value, json};

/// What the agent heard as answers, by its own names of them.
fn denials(place: &Place) -> Vec<(Value, String)> {
    let heard = place.project_file("heard.jsonl").unwrap_or_default();
    let lines = heard
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    // it may be asked what it waits for, too
    let answers = lines.filter(|line| line["type"] == "control_response");
    let answers = answers.map(|line| {
        let response = &line["response"];
        assert_eq!(response["response"]["behavior"], "deny", "{line}");
        let message = response["response"]["message"].as_str();
        (
            response["request_id"].clone(),
            message.expect("words").to_owned(),
        )
    });
    answers.collect()
}

fn notices(events: &[Value]) -> Vec<&str> {
    let notices = events.iter().filter(|event| event["kind"] == "noticed");
    notices.filter_map(|event| event["text"].as_str()).collect()
}

async fn says_that_it_waits(server: &Server, session: &str) {
    until("its word", async || {
        let events = server.events(session).await;
        events
            .iter()
            .any(|event| event["text"] == "waits")
            .then_some(())
    })
    .await;
}

#[tokio::test]
async fn what_cannot_be_read_is_refused_at_once_and_the_page_goes_on() {
    let place = Place::new();
    let deep = "[".repeat(122) + &"]".repeat(122);
    let called = format!(
        r#"{{"type":"assistant","message":{{"content":[{{"type":"tool_use","id":"t","name":"Deep","input":{{"a":{deep}}}}}]}}}}"#
    );
    let asked = |input: &str| {
        format!(
            r#"{{"type":"control_request","request_id":7,"request":{{"subtype":"can_use_tool","tool_name":"Write","input":{input}}}}}"#
        )
    };
    let (before, after) = asked(r#"{"content":"?"}"#)
        .split_once('?')
        .map(|(before, after)| (before.to_owned(), after.to_owned()))
        .expect("two parts");
    let body = format!(
        "ready; hear; line '{called}'; ready\n\
         ask half 'echo \\ud800'; answered\n\
         line '{deep}'; answered\n\
         printf '%s' '{before}'; head -c 9000000 /dev/zero | tr '\\0' x; line '{after}'; answered\n\
         say on; finish; while :; do hear; done",
        deep = asked(&format!(r#"{{"a":{deep}}}"#)),
    );
    let agent = scripted_agent(&place, "agent", &body);
    let server = place.server().agent(agent).start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("hello").await;
    socket.turn(&session).await;
    let heard = denials(&place);
    let names: Vec<&Value> = heard.iter().map(|(name, _)| name).collect();
    assert_eq!(names, [&json!("half"), &json!(7), &json!(7)]);
    for ((_, message), why) in heard.iter().zip(["hex escape", "nested", "too long"]) {
        assert!(message.contains(why), "{message}");
    }
    let events = server.events(&session).await;
    let told = notices(&events);
    let refused = told.iter().filter(|text| text.contains("was refused"));
    assert_eq!(refused.count(), 3, "{told:?}");
    assert!(told.iter().any(|text| text.contains("was skipped")));
    assert!(!events.iter().any(|event| event["kind"] == "tool_called"));

    // and it can be read by the next server, too
    server.cut_off().await;
    let server = place.server().start().await;
    let again = server.events(&session).await;
    assert_eq!(again[..events.len()], events[..]);
}

#[tokio::test]
async fn more_than_may_wait_is_refused_at_once() {
    let place = Place::new();
    let body = "ready; hear; ask a 1; ask b 2; ask c 3; answered; ask d 4; answered; say waits; hear; hear; finish; hear";
    let agent = scripted_agent(&place, "agent", body);
    let settings = "[limits]\nopen_requests = 2\n";
    let server = place.server().agent(agent).settings(settings).start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("hello").await;
    says_that_it_waits(&server, &session).await;
    let heard = denials(&place);
    let names: Vec<&Value> = heard.iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["c", "d"]);
    assert!(heard[0].1.contains("2 requests wait"), "{heard:?}");
    let waiting = socket.all_pending(&session, 2).await;
    for request in waiting {
        let denied = server.respond(&session, &request, deny("no")).await;
        denied.done();
    }
    socket.turn(&session).await;
    let events = server.events(&session).await;
    let told = notices(&events);
    let refused = told
        .iter()
        .filter(|text| text.contains("asked to use Bash") && text.contains("refused at once"));
    assert_eq!(refused.count(), 2, "{told:?}");
}

#[tokio::test]
async fn what_asks_for_more_than_fits_is_refused_at_once() {
    let place = Place::new();
    let large = "x".repeat(40_000);
    let body = format!(
        "ready; hear; ask a {large}; ask b {large}; answered; say waits; hear; finish; hear"
    );
    let agent = scripted_agent(&place, "agent", &body);
    let settings = "[limits]\nopen_request_bytes = 65536\n";
    let server = place.server().agent(agent).settings(settings).start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("hello").await;
    says_that_it_waits(&server, &session).await;
    let heard = denials(&place);
    assert_eq!(heard.len(), 1);
    assert!(heard[0].0 == "b" && heard[0].1.contains("65536 bytes"));
    assert_eq!(socket.all_pending(&session, 1).await.len(), 1);
}

#[tokio::test]
async fn a_flood_of_what_cannot_be_read_is_no_flood_of_the_log() {
    let place = Place::new();
    let body = "ready; hear; yes garbage | head -n 5000; finish; while :; do hear; done";
    let agent = scripted_agent(&place, "agent", body);
    let server = place.server().agent(agent).start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("hello").await;
    socket.turn(&session).await;
    let log = server.log();
    let warned = log.lines().filter(|line| line.contains("cannot be read"));
    assert_eq!(warned.count(), 6, "1, 2, 3, 10, 100, 1000: {log}");
    let events = server.events(&session).await;
    assert_eq!(notices(&events).len(), 3);
}
