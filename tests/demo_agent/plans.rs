//! Plans: approved, or sent back.

use crate::home::Home;
use crate::lines::{assert_begins, assert_says, content, length, text};
use serde_json::json;
use std::fs;

#[test]
fn an_approved_plan_ends_plan_mode() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    agent.say("make a plan");
    agent.hear(json!({"subtype": "status", "permissionMode": "plan"}));
    let ask = agent.ask();
    assert_eq!(ask["request"]["tool_name"], "ExitPlanMode");
    let input = &ask["request"]["input"];
    let plans = home.config().join("plans").display().to_string();
    assert_begins(&input["planFilePath"], &plans);
    let written = || fs::read_to_string(text(&input["planFilePath"])).ok();
    assert_eq!(written().as_deref(), input["plan"].as_str());
    agent.answer(&ask, json!({"behavior": "allow", "updatedInput": {"plan": "# Mine\n"},
        "updatedPermissions": [{"type": "setMode", "mode": "acceptEdits", "destination": "session"}]}));
    let status = agent.hear_one("the new mode", |line| {
        line["subtype"] == "status" && line["permissionMode"].is_string()
    });
    assert_eq!(status["permissionMode"], "acceptEdits");
    let told = agent.tool_result(&ask);
    assert_says(content(&told), "## Approved Plan (edited by user):\n# Mine");
    assert_eq!(told["tool_use_result"]["planWasEdited"], true);
    assert_eq!(written().as_deref(), Some("# Mine\n"));
    assert_says(&agent.result()["result"], "your version");
}

#[test]
fn a_plan_sent_back_is_revised_once_and_plan_mode_stays() {
    let home = Home::new();
    let mut agent = home.start(&["--permission-mode", "plan"]);
    let first = agent.asked("plan");
    agent.deny(&first, "Mention the tests.");
    let second = agent.ask();
    let revised = &second["request"]["input"]["plan"];
    assert_says(revised, "Mention the tests.");
    agent.deny(&second, "Still not.");
    let result = agent.result();
    assert_eq!(length(&result["permission_denials"]), Some(2));
    assert_says(&result["result"], "Still not.");
    // the mode has not changed
    agent.never_said(json!({"subtype": "status"}));
    let third = agent.asked("plan");
    agent.allow_with(&third, json!({}));
    let status = agent.hear(json!({"subtype": "status"}));
    assert_eq!(status["permissionMode"], "default", "the mode before");
    let told = agent.tool_result(&third);
    assert_begins(content(&told), "User has approved your plan");
}
