//! Tools besides commands, files, questions and plans.

use crate::home::Home;
use crate::lines::{assert_has, assert_says};
use serde_json::json;

#[test]
fn the_other_tools() {
    let home = Home::new();
    let mut agent = home.start(&["--max-turns", "9"]);
    let greet = agent.asked("mcp then fetch a page");
    assert_eq!(greet["request"]["tool_name"], "mcp__demo__greet");
    assert_eq!(greet["request"]["mcp_server"]["name"], "demo");
    agent.allow(&greet);
    let fetch = agent.ask();
    let rule = &fetch["request"]["permission_suggestions"][0]["rules"][0];
    assert_eq!(rule["ruleContent"], "domain:example.com");
    agent.allow(&fetch);
    assert_says(&agent.result()["result"], "no network");
    assert_has(
        &agent.done("todo then todo then todo"),
        json!({"subtype": "error_max_turns", "terminal_reason": "max_turns"}),
    );
    let ask = agent.asked("run: rm -rf /");
    assert_has(
        &ask["request"],
        json!({"decision_reason_type": "safetyCheck", "classifier_approvable": false}),
    );
    agent.deny(&ask, "certainly not");
    agent.result();
}
