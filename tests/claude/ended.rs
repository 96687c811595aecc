//! The end of the process while something is asked, and what is left of it afterwards.

use crate::support::{allow, until};
use crate::talk::Talk;

#[tokio::test]
async fn a_session_that_was_killed_while_it_asked_is_resumed_and_its_call_is_interrupted() {
    let prompt = "[[bash echo 1 > one.txt]]";
    let mut talk = Talk::begin(prompt).await;
    let request = talk.pending().await;
    let call = request["tool_use_id"].as_str().expect("a call");
    talk.claude.has_kept(call).await;
    talk.server.kill(&talk.session).await;
    let resolved = talk.socket.resolved(&request).await;
    assert_eq!(resolved["outcome"], "process_ended");
    talk.socket.state(&talk.session, "dead").await;
    let late = talk.server.respond(&talk.session, &request, allow()).await;
    late.is_refused(410, "withdrawn");

    talk.say("[[say I am back]]").await;
    talk.socket.text("I am back").await;
    talk.idle().await;
    assert_eq!(talk.file("one.txt"), None, "nobody allowed it");
    let started = talk.events("process_started").await;
    assert_eq!(started.len(), 2);
    assert_eq!(started[1]["resumed"], true);
    let tools = talk.tools().await;
    assert_eq!(tools.len(), 1);
    assert!(tools[0].interrupted, "shown as it is: {:?}", tools[0]);
    // the model knows its earlier call, and that it came to nothing
    let newest = talk.claude.api.asked().last().expect("a call").to_string();
    assert!(
        newest.contains("one.txt") && newest.contains("Tool call interrupted"),
        "{newest}"
    );
}

#[tokio::test]
async fn nothing_of_it_runs_on_when_it_is_killed_or_the_server_stops() {
    let mut talk = Talk::begin("[[bash touch one.txt]]").await;
    talk.pending().await;
    let place = talk.claude.place.clone();
    let running = || place.running("--permission-prompt-tool");
    assert_eq!(running().len(), 1);
    talk.server.kill(&talk.session).await;
    talk.socket.state(&talk.session, "dead").await;
    until("its end", async || running().is_empty().then_some(())).await;

    talk.say("[[bash touch two.txt]]").await;
    talk.pending().await;
    assert_eq!(running().len(), 1);
    talk.server.signal(rustix::process::Signal::TERM);
    talk.server.ended().await;
    assert_eq!(running(), [0; 0], "the server waited for it");
    assert_eq!((talk.file("one.txt"), talk.file("two.txt")), (None, None));
    assert_eq!(
        talk.claude.api.asked().len(),
        2,
        "no call to the model after the end"
    );
}

#[tokio::test]
async fn what_it_did_while_the_server_was_gone_is_shown() {
    let claude = crate::support::Claude::new().await;
    let dark = claude.place.project().join("dark.txt");
    let prompt = format!(
        "[[read /etc/hostname]][[write {} boo]][[say All done in the dark]]",
        dark.display()
    );
    let more = serde_json::json!({"permission_mode": "acceptEdits"});
    let mut talk = Talk::begin_in(claude, &prompt, more).await;
    talk.pending().await;
    // kept to the end: with it goes all that is left of its agents
    let Talk {
        server: mut gone,
        claude,
        session,
        ..
    } = talk;
    gone.signal(rustix::process::Signal::KILL);
    gone.ended().await;
    let running = || claude.place.running("--permission-prompt-tool");
    until("its end", async || running().is_empty().then_some(())).await;
    assert!(dark.exists(), "it went on");

    let server = claude.server().start().await;
    let events = server.events(&session).await;
    let at = |what: &str| {
        let found = events
            .iter()
            .position(|event| event.to_string().contains(what));
        found.unwrap_or_else(|| panic!("{what} in {events:?}"))
    };
    let called =
        |event: &serde_json::Value| event["kind"] == "tool_called" && event["tool_name"] == "Write";
    let wrote = events.iter().position(called).expect("its call");
    assert!(at("went on without it") < wrote);
    // the prompt has these words, too
    let said = |event: &serde_json::Value| {
        event["kind"] == "text_written" && event.to_string().contains("All done in the dark")
    };
    let said = events.iter().position(said).expect("its words");
    assert!(wrote < said && said < at("Countersign was stopped while this ran"));
}
