//! What is asked in which mode.

use crate::home::Home;
use serde_json::json;

#[test]
fn modes_change_what_is_asked() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    assert_eq!(agent.set_mode("nonsense")["error_code"], "invalid_mode");
    let refused = agent.set_mode("bypassPermissions");
    assert_eq!(refused["error_code"], "bypass_not_launched");
    let taken = agent.set_mode("acceptEdits");
    assert_eq!(taken["response"]["mode"], "acceptEdits");
    agent.hear(json!({"subtype": "status", "permissionMode": "acceptEdits"}));
    agent.done("write a.txt: x");
    assert_eq!(home.file("a.txt").as_deref(), Some("x"));
    agent.set_mode("dontAsk");
    agent.say("run: touch b.txt");
    agent.hear(json!({"subtype": "permission_denied", "decision_reason_type": "mode"}));
    agent.result();
    assert!(home.file("b.txt").is_none());
    agent.never_said(json!({"type": "control_request"}));
    let mut bold = home.start(&["--permission-mode", "bypassPermissions"]);
    let ask = bold.asked("run: touch c.txt then ask a question");
    assert_eq!(
        ask["request"]["tool_name"], "AskUserQuestion",
        "questions are asked in every mode but dontAsk"
    );
    assert!(home.file("c.txt").is_some());
}
