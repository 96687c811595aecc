//! Requests in lines that cannot be read: each is refused at once, and nobody waits for ever.

use super::*;

fn asked_with(input: &str) -> Vec<u8> {
    format!(
        r#"{{"type":"control_request","request_id":"q","request":{{"subtype":"can_use_tool","tool_name":"Bash","input":{input}}}}}"#
    )
    .into_bytes()
}

/// The only answer, and what the person is told.
fn refused(told: &[Told]) -> (Value, &str) {
    let [
        Told::Answer(answer),
        Told::Heard(Heard::Happened(Entry::Noticed {
            level: Level::Warning,
            text,
        })),
    ] = told
    else {
        panic!("not one refusal: {told:?}");
    };
    let answer: Value = serde_json::from_str(answer).expect("JSON");
    (answer["response"].clone(), text)
}

#[test]
fn what_cannot_be_read_is_refused_under_its_name_and_told() {
    let deep = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    let mut not_utf8 = asked_with(r#"{"command":"echo ?"}"#);
    let at = not_utf8.iter().position(|byte| *byte == b'?').expect("?");
    not_utf8[at] = 0xff;
    let twice = [asked_with("{}"), b"{}".to_vec()].concat();
    let marked = ["\u{feff}".as_bytes(), &asked_with("{}")].concat();
    for (line, why) in [
        (asked_with(r#"{"command":"echo \ud800"}"#), "not valid JSON"),
        (asked_with(&deep(63)), "nested too deeply"),
        (asked_with(&deep(121)), "nested too deeply"),
        (asked_with(&deep(200)), "nested too deeply"),
        (asked_with(&deep(100_000)), "nested too deeply"),
        (asked_with("{\"a\":\"\0\"}"), "control character"),
        (asked_with(r#"{"a":1e999}"#), "number out of range"),
        (asked_with(r#"{"a":NaN}"#), "not valid JSON"),
        (not_utf8, "not valid UTF-8"),
        (twice, "trailing characters"),
        (marked, "not valid JSON"),
    ] {
        let mut protocol = protocol();
        greeted(&mut protocol, json!({}));
        let told = protocol.read(&line);
        let (answer, notice) = refused(&told);
        let shown = String::from_utf8_lossy(&line[..line.len().min(200)]).into_owned();
        assert_eq!(answer["request_id"], "q", "{shown}");
        assert_eq!(answer["subtype"], "success", "{shown}");
        assert_eq!(answer["response"]["behavior"], "deny", "{shown}");
        let message = answer["response"]["message"].as_str().expect("words");
        assert!(
            message.contains(why) && message.contains("refused"),
            "{message}"
        );
        assert!(notice.contains("Bash") && notice.contains(why), "{notice}");
    }
}

#[test]
fn what_is_deep_and_not_too_deep_is_asked() {
    let schema = "{\"properties\":".repeat(55) + "{}" + &"}".repeat(55);
    let told = protocol().read(&asked_with(&schema));
    only_request(told);
}

#[test]
fn a_request_that_is_too_long_is_refused_by_its_head() {
    let mut protocol = protocol();
    let line = asked_with(&format!(r#"{{"content":"{}"}}"#, "x".repeat(9000)));
    let told = protocol.read_head(&line[..4096]);
    let (answer, notice) = refused(&told);
    assert_eq!(answer["request_id"], "q");
    assert!(
        notice.contains("Bash") && notice.contains("too long"),
        "{notice}"
    );
    let told = protocol.read_head(b"zzzz");
    assert!(
        matches!(&told[..], [Told::Heard(Heard::Happened(Entry::Noticed { text, .. }))]
        if text.contains("too long to be read")),
        "{told:?}"
    );
}

#[test]
fn other_requests_that_cannot_be_read_have_an_error_for_an_answer() {
    let line =
        br#"{"type":"control_request","request_id":7,"request":{"subtype":"hook","x":"\ud800"}}"#;
    let told = protocol().read(line);
    let (answer, notice) = refused(&told);
    assert_eq!(answer["request_id"], 7, "a number stays one");
    assert_eq!(answer["subtype"], "error");
    assert!(
        notice.contains("something that could not be read"),
        "{notice}"
    );
}

#[test]
fn what_waits_already_is_not_refused_by_a_broken_copy() {
    let mut protocol = protocol();
    only_request(protocol.read(&asked_with("{}")));
    let told = protocol.read(&asked_with(r#""\ud800""#));
    assert!(
        !told.iter().any(|told| matches!(told, Told::Answer(_))),
        "{told:?}"
    );
}

#[test]
fn each_request_of_a_list_is_read_by_itself() {
    let mut protocol = protocol();
    greeted(&mut protocol, json!({}));
    only_request(read(&mut protocol, ask("known", "Bash", json!({}))));
    let asked = protocol.read(b"garbage");
    assert!(
        matches!(asked[0], Told::Answer(_)),
        "it is asked what it waits for"
    );
    let [known, hidden] = ["known", "hidden"].map(|name| ask(name, "Write", json!({})).to_string());
    let bad = String::from_utf8(asked_with(r#"{"command":"\ud800"}"#)).expect("text");
    let line = format!(
        r#"{{"type":"control_response","response":{{"subtype":"success","request_id":"{}","response":{{}},"pending_permission_requests":[{known},{bad},{hidden}]}}}}"#,
        outgoing::INITIALIZE
    );
    let told = protocol.read(line.as_bytes());
    assert!(matches!(told[0], Told::Heard(Heard::Ready)), "{told:?}");
    let (answer, _) = refused(&told[1..3]);
    assert_eq!(answer["request_id"], "q");
    assert!(
        matches!(&told[3..], [Told::Asks { cli_id, .. }] if *cli_id == id("hidden")),
        "{told:?}"
    );
    // the greeting was answered: it is asked again the next time
    assert!(matches!(protocol.read(b"garbage")[0], Told::Answer(_)));
}

#[test]
fn a_number_as_a_name_comes_back_as_it_was_and_withdraws() {
    let mut protocol = protocol();
    let line = |id: Value| json!({"type": "control_request", "request_id": id, "request": {"subtype": "can_use_tool"}});
    let (seven, _) = only_request(read(&mut protocol, line(json!(7))));
    let (eight, _) = only_request(read(&mut protocol, line(json!(8))));
    assert_ne!(seven, eight);
    let answer = verdict(
        &seven,
        &ToolInput::default(),
        Verdict::nobody_answered(false),
    );
    let answer: Value = serde_json::from_str(&answer.expect("a line")).expect("JSON");
    assert_eq!(answer["response"]["request_id"], 7);
    let cancel = json!({"type": "control_cancel_request", "request_id": 8});
    assert!(matches!(
        read(&mut protocol, cancel)[..],
        [Told::Heard(Heard::Withdrew(_))]
    ));
}

#[test]
fn a_request_without_a_name_is_told_and_not_shown() {
    for nameless in [json!(null), json!({}), json!(true)] {
        let line = json!({"type": "control_request", "request_id": nameless, "request": {"subtype": "can_use_tool"}});
        let told = read(&mut protocol(), line);
        assert!(
            matches!(&told[..], [Told::Heard(Heard::Happened(Entry::Noticed { text, .. }))]
            if text.contains("without giving it a name")),
            "{told:?}"
        );
    }
}

#[test]
fn half_a_character_in_a_result_does_not_hide_that_it_came() {
    let line = br#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"cut \ud83d"}]}}"#;
    let told = protocol().read(line);
    assert!(
        matches!(&told[..], [Told::Heard(Heard::Happened(Entry::ToolFinished { text, .. }))] if text == "cut \u{fffd}"),
        "{told:?}"
    );
}

#[test]
fn a_broken_character_in_what_is_only_shown_hides_nothing() {
    let line = b"{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"a\xffb\"}]}}";
    let told = protocol().read(line);
    assert!(
        matches!(&told[..], [Told::Heard(Heard::Happened(Entry::TextWritten { text, .. }))]
        if text == "a\u{fffd}b"),
        "{told:?}"
    );
}
