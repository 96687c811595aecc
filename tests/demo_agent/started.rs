//! Its start: how it introduces itself, and how it fails.

use crate::home::Home;
use crate::lines::{assert_has, assert_says, length};
use serde_json::json;
use std::process::Command;

#[test]
fn initialize_introduces_the_agent_and_a_first_word_gets_the_tour() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    let reply = agent.request(json!({"subtype": "initialize", "hooks": null}));
    assert_eq!(reply["pending_permission_requests"], json!([]));
    let hello = &reply["response"];
    assert_eq!(hello["pid"], agent.id());
    let expected = json!({"current_permission_mode": "default", "session_state": "idle"});
    assert_has(hello, expected);
    for list in ["commands", "models", "agents", "capabilities"] {
        assert!(length(&hello[list]) > Some(0), "{list}");
    }
    let uuid = agent.say("good morning");
    agent.lifecycle(&uuid, "queued");
    agent.lifecycle(&uuid, "started");
    let init = agent.hear(json!({"subtype": "init"}));
    assert_eq!(init["cwd"], json!(home.project()));
    let result = agent.result();
    assert_eq!(result["user_message_uuids"], json!([uuid]));
    assert_says(&result["result"], "run a command");
    agent.lifecycle(&uuid, "completed");
    let again = agent.say("hm");
    // it comes in every turn
    agent.hear(json!({"subtype": "init"}));
    assert_eq!(agent.result()["user_message_uuid"], json!(again));
}

#[test]
fn version_flags_and_a_start_that_fails() {
    let home = Home::new();
    let version = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(["demo-agent", "--version"])
        .output();
    let version = String::from_utf8(version.expect("it runs").stdout).expect("text");
    assert_eq!(
        version,
        format!("{} (Countersign demo agent)\n", env!("CARGO_PKG_VERSION"))
    );
    let mut agent = home.start(&["--no-such-flag"]);
    assert_eq!(agent.exit(), Some(1));
    assert_eq!(agent.complaint(), "error: unknown option '--no-such-flag'");
    let mut agent = home.start_with(&[], &[("COUNTERSIGN_DEMO_FAIL_START", "1")]);
    assert_eq!(agent.exit(), Some(1));
    assert!(agent.heard.is_empty() && !agent.complaint().is_empty());
}
