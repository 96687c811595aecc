//! A conversation that was held in a terminal goes on here, and one of ours that went on there is shown.

use crate::support::Claude;
use crate::talk::Talk;
use serde_json::{Value, json};

/// As a person would in a terminal; it ends when it has answered.
async fn in_a_terminal(claude: &Claude, more: &[&str]) {
    let ended = tokio::process::Command::new(claude.place.root().join("bin/claude"))
        .args(more)
        .env_clear()
        .env("HOME", claude.place.home())
        .envs(claude.variables())
        .current_dir(claude.place.project())
        .output()
        .await
        .expect("claude");
    let words = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(ended.status.success(), "{words}");
}

#[tokio::test]
async fn a_conversation_from_a_terminal_is_listed_taken_up_and_gone_on_with() {
    let claude = Claude::new().await;
    in_a_terminal(&claude, &["-p", "[[say The gate is green.]]"]).await;
    claude.has_kept("The gate is green.").await;
    let server = claude.server().start().await;
    let project = json!({"project": server.project()});
    let listed = server
        .call("list_conversations", project.clone())
        .await
        .done();
    let listed = listed.as_array().cloned().unwrap_or_default();
    assert_eq!(listed.len(), 1, "{listed:?}");
    let mut wanted = project.clone();
    wanted["conversation_id"] = listed[0]["conversation_id"].clone();
    wanted["permission_mode"] = json!("acceptEdits");
    wanted["model"] = json!("haiku");
    let taken_up = server.call("take_up", wanted.clone()).await.done();
    let session = taken_up["session_id"].as_str().expect("an id").to_owned();
    server
        .call("take_up", wanted)
        .await
        .is_refused(400, "invalid_request");
    let again = server.call("list_conversations", project).await.done();
    assert_eq!(again, json!([]), "it is a session now");

    let mut socket = server.connect().await;
    socket
        .send(&json!({"type": "subscribe", "session_id": session}))
        .await;
    let mut talk = Talk {
        server,
        claude,
        socket,
        session,
    };
    let texts = talk.events("text_written").await;
    assert_eq!(texts[0]["text"], "The gate is green.");
    talk.say("[[bash echo on > on.txt]]").await;
    // in the mode that was chosen nobody is asked
    talk.whole_turn().await;
    assert_eq!(talk.file("on.txt").as_deref(), Some("on\n"));
    let asked = talk.claude.api.asked().last().expect("a call").clone();
    let model = asked["model"].as_str().unwrap_or_default();
    assert!(
        model.contains("haiku"),
        "the model that was chosen: {model}"
    );
    let asked = asked.to_string();
    assert!(
        asked.contains("The gate is green."),
        "the model knows it: {asked}"
    );
}

#[tokio::test]
async fn a_conversation_that_was_compacted_in_a_terminal_is_shown_whole_with_its_summary() {
    let claude = Claude::new().await;
    in_a_terminal(&claude, &["-p", "[[say Of apples.]]"]).await;
    claude.has_kept("Of apples.").await;
    in_a_terminal(&claude, &["-p", "--continue", "/compact"]).await;
    claude.has_kept("isCompactSummary").await;
    in_a_terminal(&claude, &["-p", "--continue", "[[say Of pears.]]"]).await;
    claude.has_kept("Of pears.").await;
    let server = claude.server().start().await;
    let mut wanted = json!({"project": server.project()});
    let listed = server
        .call("list_conversations", wanted.clone())
        .await
        .done();
    wanted["conversation_id"] = listed[0]["conversation_id"].clone();
    let taken_up = server.call("take_up", wanted).await.done();
    let session = taken_up["session_id"].as_str().expect("an id").to_owned();
    let events = server.events(&session).await;
    let told: Vec<&str> = events
        .iter()
        .filter(|event| event["kind"] == "text_written" || event["kind"] == "summarised")
        .filter_map(|event| event["text"].as_str())
        .collect();
    assert_eq!(told.len(), 3, "{events:?}");
    assert_eq!((told[0], told[2]), ("Of apples.", "Of pears."));
    assert!(
        told[1].contains("continued from a previous conversation"),
        "{told:?}"
    );
}

#[tokio::test]
async fn what_is_said_in_a_terminal_meanwhile_is_shown_when_the_session_goes_on() {
    let mut talk = Talk::begin("[[say One.]]").await;
    talk.whole_turn().await;
    talk.claude.has_kept("One.").await;
    talk.server.kill(&talk.session).await;
    talk.socket.state(&talk.session, "dead").await;
    let resume = format!("--resume={}", talk.session);
    in_a_terminal(
        &talk.claude,
        &["-p", &resume, "[[say Two, from the terminal.]]"],
    )
    .await;
    talk.claude.has_kept("Two, from the terminal.").await;
    talk.say("[[say Three.]]").await;
    talk.whole_turn().await;
    let texts: Vec<Value> = talk.events("text_written").await;
    let texts: Vec<&str> = texts
        .iter()
        .filter_map(|event| event["text"].as_str())
        .collect();
    assert_eq!(texts, ["One.", "Two, from the terminal.", "Three."]);
    let notices = talk.events("noticed").await;
    let meanwhile = |notice: &&Value| {
        notice["text"]
            .as_str()
            .is_some_and(|text| text.starts_with("Meanwhile a message"))
    };
    assert_eq!(notices.iter().filter(meanwhile).count(), 1, "{notices:?}");
}

#[tokio::test]
async fn what_is_said_in_a_terminal_is_not_lost_when_the_process_here_is_alive() {
    let mut talk = Talk::begin("[[say One.]]").await;
    talk.whole_turn().await;
    talk.claude.has_kept("One.").await;
    let resume = format!("--resume={}", talk.session);
    in_a_terminal(
        &talk.claude,
        &["-p", &resume, "[[say Two, from the terminal.]]"],
    )
    .await;
    talk.claude.has_kept("Two, from the terminal.").await;
    talk.say("[[say Three.]]").await;
    talk.whole_turn().await;
    let texts: Vec<Value> = talk.events("text_written").await;
    let texts: Vec<&str> = texts
        .iter()
        .filter_map(|event| event["text"].as_str())
        .collect();
    assert_eq!(texts, ["One.", "Two, from the terminal.", "Three."]);
    let asked = talk.claude.api.asked().last().expect("a call").to_string();
    assert!(
        asked.contains("Two, from the terminal."),
        "the model knows it: {asked}"
    );
}
