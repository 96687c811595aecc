//! Files: written and edited when allowed, and only inside the project.

use crate::home::Home;
use crate::lines::{assert_says, content, part};
use serde_json::json;
use std::fs;
use std::os::unix::fs::symlink;

#[test]
fn files_are_written_and_edited_when_allowed() {
    let home = Home::new();
    let (mut agent, ask) = home.asked("write notes/a.txt: good news");
    let request = &ask["request"];
    assert_eq!(request["description"], "notes/a.txt");
    assert_eq!(request["permission_suggestions"][0]["mode"], "acceptEdits");
    agent.allow(&ask);
    agent.result();
    assert_eq!(home.file("notes/a.txt").as_deref(), Some("good news"));
    let write = agent.asked("edit a file");
    let tool = &write["request"]["tool_name"];
    assert_eq!(tool, "Write", "there is nothing to edit yet");
    agent.allow(&write);
    let edit = agent.ask();
    assert_eq!(edit["request"]["tool_name"], "Edit");
    agent.allow(&edit);
    let told = agent.tool_result(&edit);
    let lines = told["tool_use_result"]["structuredPatch"][0]["lines"].to_string();
    assert!(
        lines.contains("-Mood: curious") && lines.contains("+Mood: content"),
        "{lines}"
    );
    agent.result();
    assert_says(&json!(home.file("countersign-demo.md")), "Mood: content");
}

#[test]
fn nothing_is_written_outside_the_project() {
    let home = Home::new();
    let outside = home.root().join("outside");
    fs::create_dir(&outside).expect("a folder");
    symlink(&outside, home.project().join("door")).expect("a link");
    let mut agent = home.start(&["--permission-mode", "acceptEdits"]);
    let absolute = outside.join("x.txt").display().to_string();
    for path in ["../outside/x.txt", "door/x.txt", &absolute] {
        agent.say(&format!("write {path}: no"));
        let told = agent.hear_one("a tool result", |line| part(line)["type"] == "tool_result");
        assert_eq!(part(&told)["is_error"], true, "{path}");
        assert_says(content(&told), "only inside the project");
        agent.result();
    }
    agent.set_mode("default");
    let ask = agent.asked("write fine.txt: yes");
    let changed = json!({"file_path": outside.join("y.txt"), "content": "no"});
    agent.allow_with(&ask, changed);
    let told = agent.tool_result(&ask);
    let refused = &part(&told)["is_error"];
    assert_eq!(*refused, true, "not through a changed input either");
    agent.result();
    assert_eq!(fs::read_dir(outside).expect("a folder").count(), 0);
    assert!(home.file("fine.txt").is_none());
}

#[test]
fn reading_is_asked_about_only_outside() {
    let home = Home::new();
    fs::write(home.project().join("inside.txt"), "one\ntwo\n").expect("a file");
    fs::write(home.root().join("outside.txt"), "secret\n").expect("a file");
    let mut agent = home.start(&[]);
    agent.done("read inside.txt");
    agent.never_said(json!({"type": "control_request"}));
    let ask = agent.asked("read ../outside.txt");
    assert_eq!(ask["request"]["decision_reason_type"], "workingDir");
    agent.allow(&ask);
    assert_eq!(content(&agent.tool_result(&ask)), "1\tsecret\n2\t");
}
