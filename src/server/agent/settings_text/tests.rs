//! The text around a rule stays as it is, to the letter.

use super::*;

fn removing(text: &str, rule: &str) -> Option<String> {
    without_rule(text, "deny", |one| one == rule).expect("readable")
}

#[test]
fn a_new_file_is_laid_out_as_the_agent_lays_it_out() {
    let new =
        "{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(npm test:*)\"\n    ]\n  }\n}\n";
    for empty in ["", " \n", "{}", "{}\n"] {
        let text = with_rule(empty, "allow", "Bash(npm test:*)").expect("readable");
        assert_eq!(text, new);
    }
}

#[test]
fn unknown_keys_their_order_and_the_layout_stay() {
    let text = "{\n\t\"zeta\": 1.50,\n\t\"permissions\": {\n\t\t\"deny\": [\"Read(./a)\"],\n\t\t\"x\": {\"b\": 1, \"a\": [ ]}\n\t},\n\t\"alpha\": \"}\\\"]\"\n}";
    let added = with_rule(text, "deny", r#"Bash(echo "a\b")"#).expect("readable");
    assert_eq!(
        added,
        text.replace(
            r#"["Read(./a)"]"#,
            r#"["Read(./a)", "Bash(echo \"a\\b\")"]"#
        )
    );
    assert_eq!(
        removing(&added, r#"Bash(echo "a\b")"#).as_deref(),
        Some(text)
    );
    let asked = with_rule(text, "ask", "Read").expect("readable");
    assert_eq!(
        asked,
        text.replace(
            "[ ]}\n\t}",
            "[ ]},\n\t\t\"ask\": [\n\t\t\t\"Read\"\n\t\t]\n\t}"
        )
    );
    assert_eq!(
        with_rule(r#"{"b":2,"a":1}"#, "ask", "Read").as_deref(),
        Ok(r#"{"b":2,"a":1, "permissions": {"ask": ["Read"]}}"#)
    );
}

#[test]
fn lines_end_as_they_did() {
    let text = "{\r\n  \"a\": 1\r\n}\r\n";
    let added = with_rule(text, "deny", "Read").expect("readable");
    assert!(!added.replace("\r\n", "").contains('\n'), "{added:?}");
    assert!(added.contains("\r\n      \"Read\"\r\n    ]"), "{added:?}");
}

#[test]
fn a_rule_is_removed_wherever_it_stands_and_as_often_as_it_stands_there() {
    let text = |rules: &str| format!("{{\"permissions\": {{\"deny\": [{rules}]}}}}");
    for (before, after) in [
        (r#""A""#, ""),
        (r#" "A" "#, ""),
        (r#""A", "B""#, r#""B""#),
        (r#""B", "A""#, r#""B""#),
        (r#""B", "A", "C""#, r#""B", "C""#),
        (r#""A","B","A","A""#, r#""B""#),
        (r#""A", 7, {"A": "A"}"#, r#"7, {"A": "A"}"#),
    ] {
        assert_eq!(removing(&text(before), "A"), Some(text(after)), "{before}");
    }
    for other in ["", r#""B""#, r#"["A"]"#] {
        assert_eq!(removing(&text(other), "A"), None, "{other}");
    }
    assert_eq!(removing("{}", "A"), None);
    assert_eq!(removing("", "A"), None);
    assert_eq!(removing(r#"{"permissions": {}}"#, "A"), None);
}

#[test]
fn of_two_keys_with_one_name_the_one_that_counts_is_changed() {
    let text = r#"{"permissions": {"deny": ["A"]}, "permissions": {"deny": ["B"]}}"#;
    let added = with_rule(text, "deny", "C").expect("readable");
    assert_eq!(added, text.replace(r#"["B"]"#, r#"["B", "C"]"#));
    assert_eq!(removing(text, "A"), None, "it is not in force");
}

#[test]
fn what_cannot_be_read_is_refused_in_words() {
    for (text, words) in [
        ("{ broken", "not valid JSON"),
        ("// a comment\n{}", "not valid JSON"),
        ("[]", "no settings"),
        (r#"{"permissions": 3}"#, "“permissions”"),
        (r#"{"permissions": null}"#, "“permissions”"),
        (r#"{"permissions": {"deny": "Read"}}"#, "“deny”"),
    ] {
        let said = with_rule(text, "deny", "Read").expect_err(text);
        assert!(said.contains(words), "{said}");
        let said = without_rule(text, "deny", |_| true).expect_err(text);
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn what_was_added_is_found_and_removed_again_in_every_layout() {
    let settings = json!({"z": [1, {"y": "\\\"]"}], "permissions": {"allow": ["Edit"], "deny": []}, "a": null});
    let layouts = [
        settings.to_string(),
        serde_json::to_string_pretty(&settings).expect("text"),
        "{ \"permissions\" : { \"deny\" : [ ] , \"allow\" : [ \"Edit\" ] } }".to_owned(),
        "{\n\n}\n".to_owned(),
        " {\"permissions\":{}}".to_owned(),
    ];
    for text in layouts {
        for rule in ["Read", r"Bash(a \(b\))", "Bash(grüße \"]}\\)"] {
            let added = with_rule(&text, "deny", rule).expect("readable");
            let value = read(&added).expect("readable");
            assert_eq!(rules(&value, "deny").collect::<Vec<_>>(), [rule]);
            let again = removing(&added, rule).expect("was there");
            let value = read(&again).expect("readable");
            assert_eq!(rules(&value, "deny").count(), 0);
            assert_eq!(
                rules(&value, "allow").count(),
                rules(&read(&text).expect("readable"), "allow").count()
            );
        }
    }
}
