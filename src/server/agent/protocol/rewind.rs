//! What the agent answers to one who goes back.

use super::{list, word};
use crate::model::RewindPreview;
use serde_json::Value;

pub fn preview(answer: &Value) -> RewindPreview {
    let files = list(&answer["filesChanged"]).iter();
    let number = |field: &str| answer[field].as_u64().unwrap_or(0);
    RewindPreview {
        files: files
            .filter_map(|file| file.as_str().map(str::to_owned))
            .collect(),
        added: number("insertions"),
        removed: number("deletions"),
        why_not: (answer["canRewind"] != true).then(|| match word(answer, "error") {
            "" => "no file can be put back".to_owned(),
            // it keeps the files of each message it was told; of one it has forgotten none
            "No file checkpoint found for this message." => {
                "the files as they were then are not kept".to_owned()
            }
            error => error.to_owned(),
        }),
    }
}

/// Whether it went back, or why not.
pub fn forgotten(answer: &Value) -> Result<(), String> {
    if answer["rewound"] == true {
        return Ok(());
    }
    Err(match word(answer, "reason") {
        "turn_running" => "it is at work; stop it first".to_owned(),
        "target_not_found" => "it does not know this message any more".to_owned(),
        "stale_target" | "unseen_later_turn" => {
            "the conversation went on elsewhere; load the page again to see it".to_owned()
        }
        _ => match word(answer, "error") {
            "" => "it does not say why".to_owned(),
            error => error.to_owned(),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn files_are_told_or_why_there_are_none() {
        let changed =
            json!({"canRewind": true, "filesChanged": ["/w/a"], "insertions": 1, "deletions": 2});
        let told = preview(&changed);
        assert_eq!(
            (told.files, told.added, told.removed),
            (vec!["/w/a".to_owned()], 1, 2)
        );
        assert_eq!(told.why_not, None);
        let not_kept =
            json!({"canRewind": false, "error": "No file checkpoint found for this message."});
        let why_not = preview(&not_kept).why_not.expect("a reason");
        assert!(why_not.contains("not kept"), "{why_not}");
        assert!(preview(&json!(null)).why_not.is_some());
    }

    #[test]
    fn it_went_back_only_if_it_says_so() {
        assert_eq!(forgotten(&json!({"rewound": true})), Ok(()));
        for (answer, words) in [
            (
                json!({"rewound": false, "reason": "turn_running"}),
                "at work",
            ),
            (
                json!({"rewound": false, "reason": "target_not_found"}),
                "any more",
            ),
            (
                json!({"rewound": false, "error": "a new reason"}),
                "a new reason",
            ),
            (json!(null), "does not say why"),
        ] {
            let error = forgotten(&answer).expect_err("not gone back");
            assert!(error.contains(words), "{error}");
        }
    }
}
