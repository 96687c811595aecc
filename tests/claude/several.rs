//! Several requests at once: of one message, of two subagents, of one that goes on after the turn has ended.

use crate::support::{allow, deny, until};
use crate::talk::Talk;
use serde_json::{Value, json};

fn input<'a>(request: &'a Value, field: &str) -> &'a str {
    request["tool_input"][field].as_str().unwrap_or_default()
}

#[tokio::test]
async fn three_reads_at_once_are_answered_in_any_order() {
    let prompt = "[[read /etc/hostname]]+[[read /etc/hosts]]+[[read /etc/passwd]]";
    let mut talk = Talk::begin(prompt).await;
    let requests = talk.all_pending(3).await;
    let paths: Vec<&str> = requests
        .iter()
        .map(|request| input(request, "file_path"))
        .collect();
    assert_eq!(paths, ["/etc/hostname", "/etc/hosts", "/etc/passwd"]);
    talk.respond(&requests[2], deny("Not the last")).await;
    assert_eq!(talk.all_pending(2).await, requests[..2]);
    talk.respond(&requests[0], allow()).await;
    assert_eq!(talk.all_pending(1).await, requests[1..2]);
    talk.respond(&requests[1], deny("Not the middle")).await;
    talk.idle().await;
    let told = talk.told(prompt);
    let of = |request: &Value| {
        let id = request["tool_use_id"].as_str();
        told.iter()
            .find(|result| Some(result.tool_use_id.as_str()) == id)
            .expect("a result")
    };
    assert!(!of(&requests[0]).is_error);
    assert_eq!(of(&requests[1]).text, "Not the middle");
    assert_eq!(of(&requests[2]).text, "Not the last");
}

#[tokio::test]
async fn two_subagents_ask_at_once_and_each_gets_its_answer() {
    let prompt = "[[agent First one: <<bash echo 1 > one.txt>>]]+[[agent Second one: <<bash echo 2 > two.txt>>]]";
    let mut talk = Talk::begin(prompt).await;
    let requests = talk.all_pending(2).await;
    let of = |label: &str| {
        let found = requests
            .iter()
            .find(|request| request["agent"]["label"] == label);
        found.unwrap_or_else(|| panic!("none of \"{label}\": {requests:#?}"))
    };
    let (first, second) = (of("First one"), of("Second one"));
    assert_eq!(input(first, "command"), "echo 1 > one.txt");
    assert_eq!(input(second, "command"), "echo 2 > two.txt");
    talk.respond(second, allow()).await;
    talk.respond(first, deny("Only the second")).await;
    talk.idle().await;
    assert_eq!(talk.file("one.txt"), None);
    assert_eq!(talk.file("two.txt").as_deref(), Some("2\n"));
    let told = talk.told("echo 1 > one.txt]]");
    assert_eq!(
        told.last().map(|result| result.text.as_str()),
        Some("Only the second")
    );
}

#[tokio::test]
async fn a_subagent_in_the_background_asks_after_the_turn_has_ended() {
    let prompt = "[[background Slow one: <<hold later>>+<<bash echo late > late.txt>>]]";
    let mut talk = Talk::begin(prompt).await;
    talk.socket
        .event("the end of the first turn", |event| {
            event["kind"] == "turn_finished"
        })
        .await;
    assert_eq!(talk.file("late.txt"), None);
    talk.claude.api.release("later");
    let request = talk.pending().await;
    assert_eq!(request["agent"]["label"], "Slow one");
    talk.respond(&request, allow()).await;
    until("the command ran", async || talk.file("late.txt")).await;
    talk.idle().await;
    let ends = talk.events("turn_finished").await;
    assert!(
        ends.len() >= 2,
        "its end makes a turn that nobody asked for: {ends:?}"
    );
    let process = talk.server.process(&talk.session).await.expect("a process");
    assert_eq!(process["state"], "user_turn");
}

#[tokio::test]
async fn commands_that_write_are_asked_one_after_the_other() {
    let mut talk = Talk::begin("[[bash echo 1 > a.txt]]+[[bash cat a.txt > b.txt]]").await;
    let first = talk.pending().await;
    assert_eq!(input(&first, "command"), "echo 1 > a.txt");
    talk.respond(&first, allow()).await;
    let second = talk
        .socket
        .process(&talk.session, "the second", |process| {
            input(&process["pending_request"], "command") == "cat a.txt > b.txt"
        })
        .await["pending_request"]
        .clone();
    assert_eq!(
        talk.file("a.txt").as_deref(),
        Some("1\n"),
        "the first ran before the second was asked"
    );
    talk.respond(&second, allow()).await;
    talk.idle().await;
    assert_eq!(talk.file("b.txt").as_deref(), Some("1\n"));
}

#[tokio::test]
async fn the_end_of_a_turn_spares_what_works_in_the_background_and_it_is_stopped_by_itself() {
    let prompt = "[[background Slow one: <<hold later>>+<<bash echo late > late.txt>>]][[bash echo 1 > one.txt]]";
    let mut talk = Talk::begin(prompt).await;
    talk.pending().await;
    talk.call("interrupt", json!({})).await;
    talk.socket
        .event("the end of the turn", |event| {
            event["kind"] == "turn_finished" && event["interrupted"] == true
        })
        .await;
    let process = talk.server.process(&talk.session).await.expect("a process");
    let running = process["background_calls"].as_array().cloned();
    let running = running.unwrap_or_default();
    assert_eq!(running.len(), 1, "it goes on: {process}");
    talk.call("stop_task", json!({"tool_use_id": running[0]}))
        .await;
    talk.socket
        .process(&talk.session, "nothing in the background", |process| {
            process["background_calls"].is_null()
        })
        .await;
    assert_eq!(talk.file("late.txt"), None);
    talk.idle().await;
    let unknown = json!({"session_id": talk.session, "tool_use_id": "toolu_none"});
    let refused = talk.server.call("stop_task", unknown).await;
    refused.is_refused(400, "invalid_request");
}

#[tokio::test]
async fn a_command_in_the_background_is_stopped_by_itself() {
    let prompt = r#"[[call Bash {"command":"while :; do echo on >> ticks.txt; sleep 0.1; done","run_in_background":true,"description":"Tick"}]]"#;
    let mut talk = Talk::begin(prompt).await;
    talk.answer(allow()).await;
    until("it runs", async || talk.file("ticks.txt")).await;
    let process = talk
        .socket
        .process(&talk.session, "it in the background", |process| {
            !process["background_calls"].is_null() && process["state"] == "user_turn"
        })
        .await;
    let call = process["background_calls"][0].clone();
    talk.call("stop_task", json!({"tool_use_id": call})).await;
    talk.socket
        .process(&talk.session, "nothing in the background", |process| {
            process["background_calls"].is_null()
        })
        .await;
    let ended = until("how it ended", async || {
        let result = talk.tools().await.first()?.result.clone()?;
        result.stopped.then_some(result)
    });
    assert!(!ended.await.text.contains("running in background"));
}

#[tokio::test]
async fn a_command_in_the_background_tells_how_it_ended_and_what_it_wrote() {
    let prompt = r#"[[call Bash {"command":"until [ -e go.txt ]; do sleep 0.1; done; echo boom; exit 3","run_in_background":true,"description":"Wait"}]]"#;
    let mut talk = Talk::begin(prompt).await;
    talk.answer(allow()).await;
    talk.socket
        .process(&talk.session, "it in the background", |process| {
            !process["background_calls"].is_null()
        })
        .await;
    std::fs::write(talk.claude.place.project().join("go.txt"), "").expect("written");
    let ended = until("how it ended", async || {
        let result = talk.tools().await.first()?.result.clone()?;
        result.is_error.then_some(result)
    });
    let ended = ended.await;
    assert!(ended.text.contains("exit code 3"), "{}", ended.text);
    assert!(ended.text.contains("boom"), "{}", ended.text);
}

#[tokio::test]
async fn a_command_that_takes_long_goes_on_in_the_background() {
    let prompt = "[[bash until [ -e go.txt ]; do sleep 0.1; done; echo went > went.txt]]";
    let mut talk = Talk::begin(prompt).await;
    let request = talk.answer(allow()).await;
    let call = json!({"session_id": talk.session, "tool_use_id": request["tool_use_id"]});
    // the agent takes it for a task some seconds after it began
    until("it in the background", async || {
        let moved = talk.server.call("move_to_background", call.clone()).await;
        moved.done();
        let process = talk.server.process(&talk.session).await?;
        (!process["background_calls"].is_null()).then_some(())
    })
    .await;
    talk.idle().await;
    assert_eq!(talk.file("went.txt"), None, "the turn ended before it did");
    std::fs::write(talk.claude.place.project().join("go.txt"), "").expect("written");
    until("its end", async || talk.file("went.txt")).await;
}

#[tokio::test]
async fn what_runs_in_the_background_ends_with_its_process_and_says_so() {
    let prompt = r#"[[call Bash {"command":"tail -f /dev/null","run_in_background":true,"description":"Tail"}]]"#;
    let mut talk = Talk::begin(prompt).await;
    talk.answer(allow()).await;
    talk.socket
        .process(&talk.session, "it in the background", |process| {
            !process["background_calls"].is_null() && process["state"] == "user_turn"
        })
        .await;
    talk.server.kill(&talk.session).await;
    talk.socket.state(&talk.session, "dead").await;
    // the agent says so itself, if it has the time
    let result = until("how it ended", async || {
        let result = talk.tools().await.first()?.result.clone()?;
        result.stopped.then_some(result)
    });
    let words = result.await.text;
    let is_told = |begin: &&str| words.starts_with(begin);
    assert!(
        ["Stopped: Tail", "Ended with the process."]
            .iter()
            .any(is_told),
        "{words}"
    );
}

#[tokio::test]
async fn to_stop_when_only_the_background_is_at_work_stops_that() {
    let prompt = "[[background Slow one: <<hold later>>+<<bash echo late > late.txt>>]]";
    let mut talk = Talk::begin(prompt).await;
    talk.socket
        .event("the end of the first turn", |event| {
            event["kind"] == "turn_finished"
        })
        .await;
    let process = talk.server.process(&talk.session).await.expect("a process");
    assert_eq!(
        process["background_calls"].as_array().map(Vec::len),
        Some(1)
    );
    talk.call("interrupt", json!({})).await;
    let process = talk
        .socket
        .process(&talk.session, "nothing in the background", |process| {
            process["background_calls"].is_null() && process["state"] == "user_turn"
        })
        .await;
    assert!(process["pending_request"].is_null());
    assert_eq!(talk.file("late.txt"), None);
}
