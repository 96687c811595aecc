//! A folder that is not trusted: what its own settings allow is left out, until a person trusts it.

use crate::support::{Claude, until};
use crate::talk::Talk;
use serde_json::{Value, json};

/// By its own settings, which everyone who works in it has.
pub async fn in_a_folder_that_allows(rule: &str) -> Claude {
    let claude = Claude::new().await;
    let settings = claude.place.project().join(".claude");
    std::fs::create_dir_all(&settings).expect("a folder");
    let allowed = json!({"permissions": {"allow": [rule]}});
    std::fs::write(settings.join("settings.json"), allowed.to_string()).expect("a file");
    claude
}

#[tokio::test]
async fn what_a_folder_allows_counts_as_soon_as_a_person_trusts_it_and_ever_after() {
    let claude = in_a_folder_that_allows("Bash(touch one.txt)").await;
    let mut talk = Talk::begin_in(claude, "first [[bash touch one.txt]]", json!({})).await;
    talk.answer(crate::support::deny("Not yet")).await;
    talk.idle().await;
    until("it is said", async || {
        let told = talk.events("noticed").await;
        let says = |event: &Value| event["text"].as_str().is_some_and(is_about_trust);
        told.iter().any(says).then_some(())
    })
    .await;

    let told = talk.call("folder_allows", json!({})).await;
    assert_eq!(told["root"], Value::Null, "{told}");
    assert_eq!(told["allows"][0]["rules"], json!(["Bash(touch one.txt)"]));
    talk.call("trust_folder", json!({})).await;
    assert_eq!(talk.events("folder_trusted").await.len(), 1);
    talk.say("again [[bash touch one.txt]]").await;
    talk.whole_turn().await;
    assert!(talk.file("one.txt").is_some(), "it ran without a question");

    // it is Claude Code itself that keeps it, and no conversation of its own is left behind
    let kept = std::fs::read_to_string(talk.claude.settings().join(".claude.json"));
    let kept: Value = serde_json::from_str(&kept.expect("its file")).expect("JSON");
    let project = talk.server.project();
    assert_eq!(kept["projects"][&project]["hasTrustDialogAccepted"], true);
    let folders = std::fs::read_dir(talk.claude.settings().join("projects")).expect("a folder");
    assert_eq!(folders.count(), 1);
    // once more is no harm
    talk.call("trust_folder", json!({})).await;
}

#[tokio::test]
async fn whoever_trusts_a_folder_in_a_repository_is_told_that_all_of_it_is_trusted() {
    let claude = in_a_folder_that_allows("Bash(touch one.txt)").await;
    let project = claude.place.project();
    let repository = project.parent().expect("a folder above");
    let made = std::process::Command::new("git")
        .args(["init", "--quiet"])
        .current_dir(repository)
        .status();
    assert!(made.expect("git").success());
    let talk = Talk::begin_in(claude, "[[say Hello]]", json!({})).await;
    let root = repository.canonicalize().expect("a path");
    let told = talk.call("folder_allows", json!({})).await;
    assert_eq!(told["root"], json!(root), "{told}");

    // consent to something else is none
    let mut wrong = json!({"session_id": talk.session});
    let refused = talk.server.call("trust_folder", wrong.clone()).await;
    refused.is_refused(503, "agent_unavailable");
    wrong["root"] = json!("/elsewhere");
    let refused = talk.server.call("trust_folder", wrong).await;
    refused.is_refused(503, "agent_unavailable");
    assert_eq!(talk.events("folder_trusted").await.len(), 0);

    talk.call("trust_folder", json!({"root": root})).await;
    assert_eq!(talk.events("folder_trusted").await.len(), 1);
}

fn is_about_trust(text: &str) -> bool {
    text.contains("has not been trusted")
}
