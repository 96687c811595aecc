//! What is kept of a conversation, and of the process while it runs.

use crate::home::Home;
use crate::lines::{assert_has, part, text};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;

#[test]
fn the_transcript_has_the_shape_of_the_clis() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    let uuid = agent.say("run a command");
    let ask = agent.ask();
    let registered = home.config().join("sessions");
    let registered = registered.join(format!("{}.json", agent.id()));
    let entry = fs::read_to_string(&registered).expect("a registration");
    let entry: Value = serde_json::from_str(&entry).expect("JSON");
    let expected = json!({"status": "waiting", "waitingFor": "permission prompt"});
    assert_has(&entry, expected);
    let session = text(&entry["sessionId"]);
    let call = &ask["request"]["tool_use_id"];
    let pending = home.recorded(session);
    assert!(pending.iter().any(|line| part(line)["id"] == *call));
    agent.allow(&ask);
    let done = agent.tool_result(&ask);
    agent.result();
    let rename = json!({"subtype": "rename_session", "title": "My name", "source": "host"});
    assert_eq!(agent.request(rename)["subtype"], "success");
    agent.leave();
    assert!(
        registered.symlink_metadata().is_err(),
        "the registration goes with the process"
    );
    let about = fs::metadata(home.transcript(session)).expect("a file");
    assert_eq!(about.permissions().mode() & 0o777, 0o600);

    let lines = home.recorded(session);
    let is_said = |line: &&Value| line["type"] == "user" || line["type"] == "assistant";
    let conversation: Vec<&Value> = lines.iter().filter(is_said).collect();
    let mut parent = &Value::Null;
    for line in &conversation {
        let before = &line["parentUuid"];
        assert_eq!(before, parent, "each line points at the one before");
        parent = &line["uuid"];
        let expected = json!({"isSidechain": false, "sessionId": session});
        assert_has(line, expected);
        for field in [
            "cwd",
            "version",
            "gitBranch",
            "timestamp",
            "userType",
            "entrypoint",
        ] {
            assert!(line[field].is_string(), "{field}");
        }
        let time = text(&line["timestamp"]);
        assert!(time.len() == 24 && time.ends_with('Z'), "{time}");
    }
    let first = conversation[0];
    assert_eq!(
        first["uuid"],
        json!(uuid),
        "the host's id is the id of its line"
    );
    let said = json!({"role": "user", "content": "run a command"});
    assert_eq!(first["message"], said);
    let of = |what: &str, fits: fn(&Value) -> bool| {
        let found = conversation.iter().find(|line| fits(line));
        found.copied().expect(what)
    };
    let call = of("a call", |line| part(line)["type"] == "tool_use");
    assert_eq!(call["message"]["stop_reason"], "tool_use");
    let result = of("a result", |line| line["toolUseResult"].is_object());
    assert_eq!(
        result["uuid"], done["uuid"],
        "on disk and on stdout under the same id"
    );
    assert_eq!(result["sourceToolAssistantUUID"], call["uuid"]);
    assert_eq!(result["permissionDecision"]["decision"], "accept");

    let kinds = lines.iter().filter_map(|line| line["type"].as_str());
    let kinds: Vec<&str> = kinds.collect();
    for kind in [
        "queue-operation",
        "ai-title",
        "last-prompt",
        "cost-state",
        "custom-title",
    ] {
        assert!(kinds.contains(&kind), "{kind}");
    }
    for never in [
        "system",
        "result",
        "stream_event",
        "control_request",
        "command_lifecycle",
    ] {
        assert!(!kinds.contains(&never), "{never}");
    }
}
