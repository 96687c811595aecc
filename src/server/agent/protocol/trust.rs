//! What is said to trust a folder: Claude Code asks for it when it is to go there.

use super::{outgoing, word};
use serde_json::{Value, json};
use std::path::Path;

/// The line that sends it there.
pub fn go(id: &str, folder: &Path) -> String {
    outgoing::control(id, &json!({"subtype": "set_cwd", "path": folder}))
}

/// The line that sends it there with a person's consent, which names what it asked about.
pub fn go_trusting(id: &str, folder: &Path) -> String {
    let request = json!({
        "subtype": "set_cwd", "path": folder, "trust_accepted": true, "trusted_directory": folder,
    });
    outgoing::control(id, &request)
}

#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    IsThere,
    /// It asks about this folder. All of the repository that it is in would be trusted with it.
    NeedsTrust {
        folder: String,
        repository: Option<String>,
    },
    /// In its words.
    Refuses(String),
}

/// None: the line is about something else.
pub fn answer(id: &str, line: &str) -> Option<Answer> {
    let said: Value = serde_json::from_str(line).ok()?;
    let response = &said["response"];
    if word(&said, "type") != "control_response" || word(response, "request_id") != id {
        return None;
    }
    let told = &response["response"];
    Some(match word(told, "status") {
        "ok" => Answer::IsThere,
        "needs_trust" => Answer::NeedsTrust {
            folder: word(told, "directory").to_owned(),
            repository: told["trust_root"].as_str().map(str::to_owned),
        },
        _ => {
            let words = [word(response, "error"), word(told, "message")];
            let words = words.into_iter().find(|words| !words.is_empty());
            Answer::Refuses(
                words
                    .unwrap_or("this version of it cannot be told so")
                    .to_owned(),
            )
        }
    })
}

/// Whether it goes by what the project's settings allow.
pub fn heeds_the_folder(rules: &Value) -> bool {
    let mut rules = rules["state"]["rules"].as_array().into_iter().flatten();
    rules.any(|rule| {
        let source = word(rule, "source");
        word(rule, "behavior") == "allow" && matches!(source, "projectSettings" | "localSettings")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_asks_for_trust_goes_or_says_why_not() {
        let said = |response: Value| {
            let line = json!({"type": "control_response", "response": response}).to_string();
            answer("a", &line)
        };
        let of = |told: Value| said(json!({"request_id": "a", "response": told}));
        assert_eq!(
            of(json!({"status": "ok", "cwd": "/b"})),
            Some(Answer::IsThere)
        );
        let asks = |repository: Option<&str>| Answer::NeedsTrust {
            folder: "/a/b".to_owned(),
            repository: repository.map(str::to_owned),
        };
        let mut told = json!({"status": "needs_trust", "directory": "/a/b"});
        assert_eq!(of(told.clone()), Some(asks(None)));
        told["trust_root"] = json!("/a");
        assert_eq!(of(told), Some(asks(Some("/a"))));
        let error = said(json!({"request_id": "a", "subtype": "error", "error": "no such folder"}));
        assert_eq!(error, Some(Answer::Refuses("no such folder".to_owned())));
        assert!(matches!(of(json!({})), Some(Answer::Refuses(_))));
        assert_eq!(
            said(json!({"request_id": "b", "response": {"status": "ok"}})),
            None
        );
        assert_eq!(answer("a", "no JSON"), None);
    }

    #[test]
    fn it_heeds_a_folder_when_it_goes_by_what_that_allows() {
        let rules = |behavior: &str, source: &str| json!({"state": {"rules": [{"behavior": behavior, "source": source}]}});
        assert!(heeds_the_folder(&rules("allow", "projectSettings")));
        assert!(heeds_the_folder(&rules("allow", "localSettings")));
        assert!(!heeds_the_folder(&rules("deny", "projectSettings")));
        assert!(!heeds_the_folder(&rules("allow", "userSettings")));
        assert!(!heeds_the_folder(&json!({})));
    }
}
