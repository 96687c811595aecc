//! Agents of the agent, also those in the background.

use crate::home::Home;
use crate::lines::text;
use serde_json::{Value, json};
use std::fs;

#[test]
fn subagents_ask_for_themselves_also_after_the_result() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    agent.say("subagents");
    let asks = [agent.ask(), agent.ask()];
    let question_of = |is_backgrounded: bool| {
        let task =
            agent.position(json!({"subtype": "task_started", "is_backgrounded": is_backgrounded}));
        let task = &agent.heard[task]["task_id"];
        let asked = |ask: &&Value| ask["request"]["agent_id"] == *task;
        asks.iter().find(asked).expect("its question")
    };
    let (in_front, behind) = (question_of(false), question_of(true));
    agent.allow(in_front);
    agent.hear(json!({"subtype": "task_notification", "status": "completed"}));
    let first = agent.result();
    assert!(first["user_message_uuid"].is_string());
    agent.allow(behind);
    let told = agent.tool_result(behind);
    let id = &behind["request"]["agent_id"];
    assert_eq!(told["agent_id"], *id);
    assert!(told["parent_tool_use_id"].is_string());
    agent.hear(json!({"subtype": "task_notification", "task_id": id}));
    agent.hear(json!({"subtype": "background_tasks_changed", "tasks": []}));
    let second = agent.result();
    assert_eq!(second["origin"]["kind"], "task-notification");
    assert!(
        second.get("user_message_uuid").is_none(),
        "nobody asked for this turn"
    );
    assert!(home.file("countersign-demo-time.txt").is_some());
    assert!(home.file("countersign-demo-count.txt").is_some());

    let transcript = home.transcript(text(&first["session_id"]));
    let folder = transcript.with_extension("").join("subagents");
    let own = folder.join(format!("agent-{}.jsonl", text(id)));
    let own = fs::read_to_string(own).expect("its transcript");
    let mut lines = own.lines();
    assert!(lines.all(|line| line.contains("\"isSidechain\":true")));
    let about = folder.join(format!("agent-{}.meta.json", text(id)));
    assert!(about.symlink_metadata().is_ok());
}

#[test]
fn a_background_subagent_asks_between_turns_and_an_interrupt_stops_it() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    agent.done("send one into the background");
    agent.never_said(json!({"type": "control_request"}));
    let ask = agent.ask();
    assert!(ask["request"]["agent_id"].is_string());
    agent.interrupt();
    // before the reply
    agent.position(json!({"type": "control_cancel_request", "request_id": ask["request_id"]}));
    agent.hear(json!({"subtype": "task_notification", "status": "stopped"}));
    let next = agent.done("stream markdown");
    assert!(
        next["user_message_uuid"].is_string(),
        "no turn of its own follows"
    );
    assert!(home.file("countersign-demo-time.txt").is_none());
}

#[test]
fn a_subagent_can_be_denied_and_stopped_without_the_turn() {
    let home = Home::new();
    let (mut agent, one) = home.asked("subagents");
    let other = agent.ask();
    agent.deny_and_stop(&one, "no");
    let id = &one["request"]["agent_id"];
    agent.hear(json!({"subtype": "task_notification", "task_id": id, "status": "stopped"}));
    // the other question stays
    agent.never_said(json!({"type": "control_cancel_request"}));
    agent.allow(&other);
    assert_eq!(agent.result()["is_error"], false);
}
