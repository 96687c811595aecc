//! Commands that are allowed.

use crate::home::Home;
use crate::lines::{assert_has, content, part};
use serde_json::json;

#[test]
fn an_allowed_command_really_runs() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    let uuid = agent.say("run a command");
    let ask = agent.ask();
    let request = &ask["request"];
    assert_has(
        request,
        json!({"tool_name": "Bash", "display_name": "Bash"}),
    );
    assert_eq!(request["description"], request["input"]["description"]);
    let blocked = json!(home.project().join("countersign-demo.txt"));
    assert_eq!(request["blocked_path"], blocked);
    assert_eq!(request["permission_suggestions"][0]["type"], "addRules");
    assert!(request.get("agent_id").is_none() && request.get("session_id").is_none());
    let told = agent.position_of("the assistant line of the call", |line| {
        line["type"] == "assistant" && part(line)["id"] == request["tool_use_id"]
    });
    let asked = agent.heard.len() - 1;
    assert!(told < asked, "the call is told before it is asked about");
    let made = || home.file("countersign-demo.txt");
    assert_eq!(made(), None, "nothing happens before the answer");
    agent.allow(&ask);
    let done = agent.tool_result(&ask);
    assert_eq!(content(&done), "Hello from Countersign");
    assert_eq!(done["tool_use_result"]["stdout"], "Hello from Countersign");
    assert_eq!(
        done["tool_result_meta"][0]["permission_decision"],
        json!({"decision": "accept", "source": "user_temporary"})
    );
    assert_has(
        &agent.result(),
        json!({"subtype": "success", "is_error": false, "terminal_reason": "completed"}),
    );
    assert_eq!(made().as_deref(), Some("Hello from Countersign\n"));
    agent.lifecycle(&uuid, "completed");
    assert_eq!(agent.leave(), Some(0));
    assert_eq!(agent.complaint(), "");
}

#[test]
fn a_changed_input_is_what_runs_and_an_empty_one_changes_nothing() {
    let home = Home::new();
    let (mut agent, first) = home.asked("run: echo original > a.txt then run: echo kept > c.txt");
    let changed = json!({"command": "echo CHANGED > b.txt; cat b.txt"});
    agent.allow_with(&first, changed);
    assert_eq!(content(&agent.tool_result(&first)), "CHANGED");
    let second = agent.ask();
    agent.allow_with(&second, json!({}));
    agent.result();
    assert_eq!(home.file("a.txt"), None);
    assert_eq!(home.file("b.txt").as_deref(), Some("CHANGED\n"));
    assert_eq!(home.file("c.txt").as_deref(), Some("kept\n"));
}

#[test]
fn a_rule_for_the_session_spares_the_next_question() {
    let home = Home::new();
    let (mut agent, ask) =
        home.asked("run: touch one.txt then run: touch two.txt then run: mkdir three");
    agent.answer(
        &ask,
        json!({"behavior": "allow", "updatedPermissions": [{"type": "addRules", "behavior": "allow",
        "destination": "session", "rules": [{"toolName": "Bash", "ruleContent": "touch *"}]}]}),
    );
    let next = agent.ask();
    let command = &next["request"]["input"]["command"];
    assert_eq!(
        command, "mkdir three",
        "the second touch was not asked about"
    );
    assert!(home.file("two.txt").is_some());
    agent.allow(&next);
    agent.result();
    let rules = agent.request(json!({"subtype": "list_permission_rules"}));
    let rule = &rules["response"]["state"]["rules"][0]["rule"];
    assert_eq!(rule, "Bash(touch *)");
}
