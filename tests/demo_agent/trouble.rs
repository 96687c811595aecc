//! Errors, second attempts and crashes.

use crate::home::Home;
use crate::lines::assert_has;
use serde_json::json;

#[test]
fn errors_retries_and_crashes() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    let uuid = agent.say("fail");
    let said = agent.hear(json!({"type": "assistant"}));
    let expected = json!({"message": {"model": "<synthetic>"}, "error": "server_error"});
    assert_has(&said, expected);
    assert_has(
        &agent.result(),
        json!({"subtype": "success", "is_error": true, "terminal_reason": "api_error", "api_error_status": 500}),
    );
    agent.lifecycle(&uuid, "cancelled");
    agent.say("retry");
    let retry = agent.hear(json!({"subtype": "api_retry"}));
    assert_has(&retry, json!({"attempt": 1, "error": "overloaded"}));
    assert_eq!(agent.result()["is_error"], false);
    agent.say("crash");
    assert_eq!(agent.exit(), Some(3));
    assert!(agent.complaint().contains("crashed"));
    let (mut agent, _) = home.asked("crash while asking");
    assert_eq!(agent.exit(), Some(3));
    agent.never_said(json!({"type": "result"}));
    agent.never_said(json!({"type": "control_cancel_request"}));
}
