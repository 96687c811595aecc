//! Files as the agent writes them, and what is found in them.

use super::*;
use crate::model::Entry;
use crate::server::agent::Heard;
use serde_json::{Value, json};

struct Kept {
    directory: tempfile::TempDir,
    id: Uuid,
}

impl Kept {
    fn new() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        std::fs::create_dir_all(directory.path().join("projects/-code-api")).expect("a folder");
        let id = Uuid::new_v4();
        Self { directory, id }
    }

    fn write(&self, lines: &[Value]) -> &Self {
        let text: Vec<String> = lines.iter().map(Value::to_string).collect();
        let name = format!("projects/-code-api/{}.jsonl", self.id);
        std::fs::write(self.directory.path().join(name), text.join("\n")).expect("written");
        self
    }

    fn entries(&self) -> Vec<Entry> {
        entries(conversation(self.directory.path(), self.id))
    }

    fn said(&self) -> Vec<String> {
        let said = |entry: Entry| match entry {
            Entry::MessageSent { text, .. } | Entry::TextWritten { text, .. } => Some(text),
            _ => None,
        };
        self.entries().into_iter().filter_map(said).collect()
    }

    fn begins(&self) -> Option<String> {
        let found = conversations(self.directory.path(), Path::new("/code/api"));
        found.into_iter().next()?.begins
    }

    fn titles(&self) -> Vec<String> {
        let found = conversations(self.directory.path(), Path::new("/code/api"));
        found.into_iter().map(|one| one.title).collect()
    }
}

fn entries(lines: Vec<Written>) -> Vec<Entry> {
    let heard = lines.into_iter().flat_map(|line| line.heard);
    let entry = |heard| match heard {
        Heard::Happened(entry) => Some(entry),
        _ => None,
    };
    heard.filter_map(entry).collect()
}

/// A line that follows on another.
fn line(id: u8, after: u8, who: &str, kind: &str, content: Value) -> Value {
    let name = |id: u8| match id {
        0 => Value::Null,
        id => json!(Uuid::from_u128(id.into())),
    };
    json!({
        "type": kind, "uuid": name(id), "parentUuid": name(after), "isSidechain": false, "entrypoint": who,
        "cwd": "/code/api", "timestamp": format!("2026-11-15T23:40:{id:02}.250Z"),
        "message": {"role": kind, "content": content},
    })
}

#[test]
fn a_conversation_is_read_as_it_was_held() {
    let kept = Kept::new();
    let mut meta = line(
        3,
        2,
        "cli",
        "user",
        json!("<system-reminder>not theirs</system-reminder>"),
    );
    meta["isMeta"] = json!(true);
    kept.write(&[
        json!({"type": "queue-operation", "operation": "enqueue"}),
        line(1, 0, "cli", "user", json!("List it")),
        line(
            2,
            1,
            "cli",
            "assistant",
            json!([{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}]),
        ),
        meta,
        line(
            4,
            2,
            "cli",
            "user",
            json!([{"type": "tool_result", "tool_use_id": "t1", "content": "a.txt"}]),
        ),
        line(
            5,
            4,
            "cli",
            "assistant",
            json!([{"type": "text", "text": "One file."}]),
        ),
    ]);
    let entries = kept.entries();
    assert!(matches!(&entries[0], Entry::MessageSent { text, .. } if text == "List it"));
    assert!(matches!(&entries[1], Entry::ToolCalled { tool_name, .. } if tool_name == "Bash"));
    assert!(matches!(&entries[2], Entry::ToolFinished { text, .. } if text == "a.txt"));
    assert!(matches!(&entries[3], Entry::TextWritten { text, .. } if text == "One file."));
    assert_eq!(entries.len(), 4);
    let first = conversation(kept.directory.path(), kept.id)[0].at;
    assert_eq!(first, UnixTime(1_794_786_001.25));
}

#[test]
fn what_was_taken_back_is_not_shown_but_calls_made_at_once_are() {
    let kept = Kept::new();
    let call = |id: &str| json!([{"type": "tool_use", "id": id, "name": "Read", "input": {}}]);
    let result = |id: &str| json!([{"type": "tool_result", "tool_use_id": id, "content": id}]);
    let mut beside = line(5, 4, "cli", "assistant", call("two"));
    let mut first = line(4, 1, "cli", "assistant", call("one"));
    first["message"]["id"] = json!("msg_1");
    beside["message"]["id"] = json!("msg_1");
    kept.write(&[
        line(1, 0, "cli", "user", json!("Begin")),
        line(
            2,
            1,
            "cli",
            "assistant",
            json!([{"type": "text", "text": "A wrong way."}]),
        ),
        line(3, 2, "cli", "user", json!("No")),
        first,
        beside,
        line(6, 4, "cli", "user", result("one")),
        line(7, 5, "cli", "user", result("two")),
        line(
            8,
            7,
            "cli",
            "assistant",
            json!([{"type": "text", "text": "Both are read."}]),
        ),
    ]);
    assert_eq!(kept.said(), ["Begin", "Both are read."]);
    let finished = |entry: &Entry| matches!(entry, Entry::ToolFinished { .. });
    assert_eq!(
        kept.entries()
            .iter()
            .filter(|entry| finished(entry))
            .count(),
        2
    );
}

#[test]
fn who_went_back_and_has_said_nothing_since_is_where_they_went() {
    let kept = Kept::new();
    let answer = |text: &str| json!([{"type": "text", "text": text}]);
    let talk = [
        line(1, 0, "cli", "user", json!("Begin")),
        line(2, 1, "cli", "assistant", answer("Begun.")),
        line(3, 2, "cli", "user", json!("Go on")),
        line(4, 3, "cli", "assistant", answer("Gone on.")),
    ];
    let back_to = |leaf: &Value| json!({"type": "last-prompt", "rewound": true, "leafUuid": leaf});
    let [_, begun, ..] = &talk;
    kept.write(&[talk.as_slice(), &[back_to(&begun["uuid"])]].concat());
    assert_eq!(kept.said(), ["Begin", "Begun."]);
    let other = line(5, 2, "cli", "user", json!("Go elsewhere"));
    kept.write(&[talk.as_slice(), &[back_to(&begun["uuid"]), other]].concat());
    assert_eq!(kept.said(), ["Begin", "Begun.", "Go elsewhere"]);
    // to before the first message
    kept.write(&[talk.as_slice(), &[back_to(&Value::Null)]].concat());
    assert!(kept.said().is_empty());
}

#[test]
fn a_summary_is_shown_and_what_was_said_before_it_too() {
    let kept = Kept::new();
    let mut boundary = line(3, 0, "cli", "system", Value::Null);
    boundary["logicalParentUuid"] = json!(Uuid::from_u128(2));
    let mut summary = line(
        4,
        3,
        "cli",
        "user",
        json!("In short.<system-reminder>not for people</system-reminder>"),
    );
    summary["isCompactSummary"] = json!(true);
    let mut meta = line(5, 4, "cli", "user", json!("Caveat: a command"));
    meta["isMeta"] = json!(true);
    let text = |text: &str| json!([{"type": "text", "text": text}]);
    kept.write(&[
        line(1, 0, "cli", "user", json!("Of apples")),
        line(2, 1, "cli", "assistant", text("Apples.")),
        boundary,
        summary,
        meta,
        line(6, 5, "cli", "user", json!("Of pears")),
    ]);
    let entries = kept.entries();
    assert_eq!(kept.said(), ["Of apples", "Apples.", "Of pears"]);
    assert!(matches!(&entries[2], Entry::Summarised { text } if text == "In short."));
    assert_eq!(entries.len(), 4);
    assert_eq!(kept.titles(), ["Of apples"], "it is not what it is called");
}

#[test]
fn commands_are_shown_as_they_were_typed_and_what_the_program_adds_is_not() {
    let kept = Kept::new();
    kept.write(&[
        line(1, 0, "cli", "user", json!("<command-name>/model</command-name>\n<command-message>model</command-message>\n<command-args>opus</command-args>")),
        line(2, 1, "cli", "user", json!("Caveat: The messages below were generated by the user")),
        line(3, 2, "cli", "user", json!("Go on")),
        line(4, 3, "cli", "user", json!("[Request interrupted by user]")),
    ]);
    assert_eq!(kept.said(), ["/model opus", "Go on"]);
    let last = kept.entries().pop();
    assert!(matches!(
        last,
        Some(Entry::TurnFinished {
            interrupted: true,
            ..
        })
    ));
}

#[test]
fn the_conversations_of_a_project_are_listed_with_what_they_are_called() {
    let kept = Kept::new();
    assert!(kept.titles().is_empty());
    kept.write(&[line(1, 0, "cli", "user", json!("Mend the gate"))]);
    assert_eq!(kept.titles(), ["Mend the gate"]);
    kept.write(&[
        line(1, 0, "cli", "user", json!("Mend the gate")),
        json!({"type": "custom-title", "customTitle": "The gate"}),
    ]);
    assert_eq!(kept.titles(), ["The gate"]);
    assert_eq!(kept.begins().as_deref(), Some("Mend the gate"));
    kept.write(&[
        line(
            1,
            0,
            "cli",
            "user",
            json!("<command-name>/clear</command-name>"),
        ),
        line(2, 1, "cli", "user", json!("Paint it\ngreen")),
        json!({"type": "custom-title", "customTitle": "The gate"}),
    ]);
    assert_eq!(kept.begins().as_deref(), Some("Paint it"), "the other part");
    let mut elsewhere = line(
        1,
        0,
        "cli",
        "user",
        json!("Of a folder with a similar name"),
    );
    elsewhere["cwd"] = json!("/code-api");
    kept.write(&[elsewhere]);
    assert!(kept.titles().is_empty());
    let mut subagent = line(1, 0, "cli", "user", json!("A task"));
    subagent["isSidechain"] = json!(true);
    kept.write(&[subagent]);
    assert!(kept.titles().is_empty());
    kept.write(&[json!({"type": "summary"})]);
    assert!(kept.titles().is_empty(), "nothing was said in it");
}

#[test]
fn only_what_others_said_after_us_is_news() {
    let kept = Kept::new();
    let said = |lines: &[Value]| {
        let news = since_ours(kept.write(lines).directory.path(), kept.id);
        news.iter().filter(|line| line.said().is_some()).count()
    };
    let ours = line(1, 0, ENTRYPOINT, "user", json!("hello"));
    let theirs = |id, after| line(id, after, "cli", "user", json!("hi"));
    assert_eq!(said(std::slice::from_ref(&ours)), 0);
    assert_eq!(said(&[ours.clone(), theirs(2, 1), theirs(3, 2)]), 2);
    let again = line(3, 2, ENTRYPOINT, "user", json!("long known"));
    assert_eq!(said(&[ours.clone(), theirs(2, 1), again]), 0);
    let picture = line(
        2,
        1,
        "cli",
        "user",
        json!([{"type": "image"}, {"type": "text", "text": "see"}]),
    );
    let result = line(
        3,
        2,
        "cli",
        "user",
        json!([{"type": "tool_result", "tool_use_id": "t"}]),
    );
    assert_eq!(said(&[ours, picture, result]), 1);
    assert!(
        since_ours(kept.directory.path(), Uuid::new_v4()).is_empty(),
        "there is none"
    );
}

#[test]
fn the_folder_of_a_project_is_named_as_the_agent_names_it() {
    assert_eq!(
        folder_of(Path::new("/home/dev/work/bash_allow")),
        "-home-dev-work-bash-allow"
    );
    assert_eq!(folder_of(Path::new("/ü/🎨")), "-----");
}
