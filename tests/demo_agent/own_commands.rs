//! Its own commands, its models, and requests of the host.

use crate::home::Home;
use crate::lines::{assert_has, assert_says};
use serde_json::json;

#[test]
fn slash_commands_models_and_unknown_requests() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    let session = agent.done("stream markdown")["session_id"].clone();
    agent.say("/compact");
    agent.hear(json!({"subtype": "status", "status": "compacting"}));
    agent.hear(json!({"subtype": "compact_boundary"}));
    agent.hear(json!({"isSynthetic": true}));
    assert_eq!(agent.result()["local_command"], "compact");
    let uuid = agent.say("/clear");
    agent.hear(json!({"type": "conversation_reset", "user_message_uuid": uuid}));
    let cleared = agent.result();
    assert_eq!(cleared["local_command"], "clear");
    assert_ne!(cleared["session_id"], session);
    assert_says(&agent.done("/help")["result"], "run a command");
    let mut set_model =
        |model: &str| agent.request(json!({"subtype": "set_model", "model": model}));
    let set = set_model("quick");
    assert_eq!(set["response"]["model"], "countersign-demo-quick");
    assert_eq!(set_model("")["error_code"], "catalog_unknown");
    let unknown = agent.request(json!({"subtype": "no_such_thing"}));
    assert_has(
        &unknown,
        json!({"subtype": "error", "error_code": "unsupported_request"}),
    );
    let usage = agent.request(json!({"subtype": "get_context_usage"}));
    assert!(usage["response"]["totalTokens"].is_u64());
    agent.say("todo");
    let init = agent.hear(json!({"subtype": "init"}));
    assert_eq!(init["model"], "countersign-demo-quick");
}
