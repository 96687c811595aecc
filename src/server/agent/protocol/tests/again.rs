//! What is said twice, out of order, or of something that has ended.

use super::*;

#[test]
fn a_request_whose_call_has_ended_is_withdrawn() {
    let mut protocol = protocol();
    let (_, request) = only_request(read(&mut protocol, ask("r1", "Bash", json!({}))));
    let finished = json!({"type": "user", "message": {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "toolu_1", "content": "the hook said no", "is_error": true}]}});
    let told = read(&mut protocol, finished);
    assert!(
        matches!(told[..], [Told::Heard(Heard::Happened(_)), Told::Heard(Heard::Withdrew(id))] if id == request.request_id),
        "{told:?}"
    );
}

#[test]
fn what_is_replayed_after_a_compaction_is_not_told_again() {
    let mut protocol = protocol();
    let said = json!({"type": "assistant", "uuid": "u1", "message": {"content": [{"type": "text", "text": "Once."}]}});
    assert_eq!(read(&mut protocol, said.clone()).len(), 1);
    let boundary = json!({"type": "system", "subtype": "compact_boundary",
        "compact_metadata": {"preserved_messages": {"uuids": ["u1"]}}});
    assert_eq!(read(&mut protocol, boundary).len(), 1);
    assert!(read(&mut protocol, said).is_empty());
    let new = json!({"type": "assistant", "uuid": "u2", "message": {"content": [{"type": "text", "text": "New."}]}});
    assert_eq!(read(&mut protocol, new).len(), 1);
}

#[test]
fn after_a_compaction_the_summary_is_told_and_nothing_else_in_the_persons_place() {
    let mut protocol = protocol();
    let line = |text: &str| {
        json!({"type": "user", "isSynthetic": true, "isReplay": false,
            "message": {"role": "user", "content": text}})
    };
    assert!(read(&mut protocol, line("You are a reviewer.")).is_empty());
    let boundary = json!({"type": "system", "subtype": "compact_boundary"});
    read(&mut protocol, boundary);
    let told = read(&mut protocol, line(" All about gates. "));
    let [Told::Heard(Heard::Happened(Entry::Summarised { text }))] = told.as_slice() else {
        panic!("not a summary alone");
    };
    assert_eq!(text, "All about gates.");
    assert!(read(&mut protocol, line("You are a reviewer.")).is_empty());
}

#[test]
fn an_ask_before_its_call_and_before_its_subagent_is_shown() {
    let mut protocol = protocol();
    let mut line = ask("r1", "Bash", json!({"command": "ls"}));
    line["request"]["agent_id"] = json!("a1");
    let (_, request) = only_request(read(&mut protocol, line));
    assert_eq!(request.agent.map(|agent| agent.id).as_deref(), Some("a1"));
}

#[test]
fn only_what_a_command_wrote_is_read_as_a_terminal_would() {
    let result = |detail: serde_json::Value| {
        json!({"type": "user", "tool_use_result": detail, "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "t1", "content": "hidden\rseen"}]}})
    };
    let text = |detail| match read(&mut protocol(), result(detail)).as_slice() {
        [Told::Heard(Heard::Happened(Entry::ToolFinished { text, .. }))] => text.clone(),
        told => panic!("not one result: {told:?}"),
    };
    assert_eq!(text(json!({"stdout": "hidden\rseen"})), "seen");
    assert_eq!(text(json!({"type": "text"})), "hidden\rseen");
}
