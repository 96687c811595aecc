//! Requests in lines that are broken in many ways.

use super::*;
use serde_json::json;

fn id(id: impl Into<Value>) -> Option<CliId> {
    CliId::of(&id.into())
}

fn ask(input: &str) -> String {
    format!(
        r#"{{"type":"control_request","request_id":"q","request":{{"subtype":"can_use_tool","tool_name":"Bash","input":{input}}}}}"#
    )
}

fn is_found(line: &[u8]) {
    let found = requests(line);
    let expected = Found {
        id: id("q"),
        subtype: Some("can_use_tool".to_owned()),
        tool: Some("Bash".to_owned()),
    };
    assert_eq!(found, [expected], "{}", String::from_utf8_lossy(line));
}

#[test]
fn a_request_is_found_whatever_is_broken_in_what_it_asks() {
    is_found(ask(r#"{"command":"echo \ud800"}"#).as_bytes());
    is_found(ask(r#"{"a":1e999,"b":NaN,"c":-Infinity}"#).as_bytes());
    is_found(ask("{\"a\":\"\0\t\"}").as_bytes());
    is_found(ask(&("[".repeat(100_000) + &"]".repeat(100_000))).as_bytes());
    is_found(ask(r#"{"a":"\"}{\\"}"#).as_bytes());
    is_found(ask("undefined").as_bytes());
    let bytes = ask("{\"command\":\"echo ?\"}").replace('?', "\u{1}");
    is_found(
        &bytes
            .bytes()
            .map(|byte| if byte == 1 { 0xff } else { byte })
            .collect::<Vec<_>>(),
    );
}

#[test]
fn a_request_is_found_with_something_before_it_in_its_line() {
    for before in [
        "\u{feff}",
        "debug output",
        r#"{"type":"assis"#,
        "}{",
        r#"{"type":"system"}"#,
    ] {
        is_found(format!("{before}{}", ask("{}")).as_bytes());
    }
}

#[test]
fn a_request_is_found_in_the_head_of_its_line() {
    let line = ask(&format!(r#"{{"content":"{}"}}"#, "x".repeat(9000)));
    is_found(&line.as_bytes()[..4096]);
    let begun = r#"{"type":"control_request","request_id":7,"requ"#;
    assert_eq!(requests(begun.as_bytes())[0].id, id(7));
    let cut = r#"{"type":"control_request","request_id":"cu"#;
    assert_eq!(requests(cut.as_bytes())[0].id, None, "half a name is none");
}

#[test]
fn each_of_several_in_one_line_is_found() {
    let line = format!("{0}{0}", ask("{}"));
    assert_eq!(requests(line.as_bytes()).len(), 2);
    assert_eq!(requests(line.repeat(1000).as_bytes()).len(), MOST);
}

#[test]
fn what_only_speaks_of_a_request_is_none() {
    let quoted = json!({"type": "assistant", "text": ask("{}")}).to_string();
    let inside = format!(
        r#"{{"type":"assistant","message":{},"x":NaN}}"#,
        json!({"type": "control"})
    );
    for line in [
        quoted.as_str(),
        &inside,
        "",
        "{",
        "{{{{",
        "\"",
        "{\"",
        "{\"a",
        "[{]}",
        "{\"a\":",
    ] {
        assert_eq!(requests(line.as_bytes()), [], "{line}");
        assert_eq!(without_list(line.as_bytes()), None, "{line}");
    }
}

#[test]
fn a_list_of_requests_is_taken_out_of_its_answer() {
    let (good, bad) = (ask("{}"), ask(r#"{"a":"\ud800]}"}"#));
    let line = format!(
        r#"{{"type":"control_response","response":{{"request_id":"g","response":{{"a":1}},"pending_permission_requests":[{good}, {bad}],"z":2}}}}"#
    );
    let (rest, listed) = without_list(line.as_bytes()).expect("a list");
    let rest: Value = serde_json::from_slice(&rest).expect("JSON");
    assert_eq!(
        rest,
        json!({"type": "control_response", "response": {
            "request_id": "g", "response": {"a": 1}, "pending_permission_requests": [], "z": 2}})
    );
    assert_eq!(listed, [good.as_bytes(), bad.as_bytes()]);
}
