//! Its end: by what it reads, by the end of its input, and by signals.

use crate::home::Home;
use crate::lines::{assert_says, content, part};
use serde_json::json;
use std::fs;

#[test]
fn a_line_that_is_not_json_ends_the_process() {
    for bad in [
        "this is not JSON",
        "null",
        r#"{"type":"user"}"#,
        r#"{"type":"control_request","request_id":"1"}"#,
    ] {
        let home = Home::new();
        let mut agent = home.start(&[]);
        for harmless in [
            "",
            "   ",
            "{}",
            "[]",
            r#"{"type":"banana"}"#,
            r#"{"type":"keep_alive"}"#,
        ] {
            agent.write(harmless);
        }
        agent.initialize();
        agent.write(bad);
        assert_eq!(agent.exit(), Some(1), "{bad}");
        let complaint = agent.complaint();
        let is_it = complaint.starts_with("Error parsing streaming input line");
        assert!(is_it, "{bad}");
        assert_eq!(agent.heard.len(), 1, "nothing more on stdout after {bad}");
    }
}

#[test]
fn end_of_input_with_an_open_question_finishes_the_turn_without_it() {
    let home = Home::new();
    let mut agent = home.start(&[]);
    let uuid = agent.say("run: touch made.txt then run: touch other.txt");
    let ask = agent.ask();
    agent.close();
    assert_eq!(
        content(&agent.tool_result(&ask)),
        "Tool permission request failed: AbortError: Tool permission stream closed before response received"
    );
    assert_eq!(agent.result()["is_error"], false);
    agent.lifecycle(&uuid, "completed");
    assert_eq!(agent.exit(), Some(0));
    let asked = agent.count(json!({"type": "control_request"}));
    assert_eq!(asked, 1, "later questions fail without being asked");
    agent.never_said(json!({"type": "control_cancel_request"}));
    assert_eq!(home.file("made.txt"), None);
    assert_eq!(home.file("other.txt"), None);
}

#[test]
fn signals_and_end_session() {
    let home = Home::new();
    for (signal, code) in [("-TERM", 143), ("-HUP", 129)] {
        let (mut agent, _) = home.asked("run: touch made.txt");
        let heard = agent.heard.len();
        agent.signal(signal);
        assert_eq!(agent.exit(), Some(code));
        assert_eq!(agent.heard.len(), heard, "nothing is said after {signal}");
    }
    let (mut agent, ask) = home.asked("run: touch made.txt");
    agent.signal("-INT");
    assert_eq!(agent.exit(), Some(0));
    agent.position(json!({"type": "control_cancel_request"}));
    agent.position_of("the rejection", |line| {
        part(line)["tool_use_id"] == ask["request"]["tool_use_id"] && line["type"] == "user"
    });
    agent.never_said(json!({"type": "result"}));
    let mut agent = home.start(&[]);
    let reply = agent.request(json!({"subtype": "end_session"}));
    assert_eq!(reply["subtype"], "success");
    assert_eq!(agent.exit(), Some(0));
    let sessions = fs::read_dir(home.config().join("sessions"));
    let left = sessions.expect("a folder").count();
    assert_eq!(left, 0, "all have signed off");
}

#[test]
fn one_that_ignores_the_end_has_to_be_killed() {
    let home = Home::new();
    let mut agent = home.start_with(&[], &[("COUNTERSIGN_DEMO_IGNORE_TERM", "1")]);
    agent.initialize();
    let ask = agent.asked("run: touch made.txt");
    agent.signal("-TERM");
    // several, because the first may overtake the signal
    for _ in 0..5 {
        let reply = agent.request(json!({"subtype": "get_session_cost"}));
        assert_eq!(reply["subtype"], "success", "still there after SIGTERM");
    }
    agent.deny(&ask, "no");
    agent.result();
    agent.asked("withdraw");
    agent.close();
    // the end of input did not close the question
    assert_says(&agent.result()["result"], "took the request back");
    agent.signal("-HUP");
    assert_eq!(agent.exit(), Some(129), "nor did it end the process");
}
