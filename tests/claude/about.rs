//! What Claude Code tells of itself when it is asked, and what it goes on with after it was compacted.

use crate::support::{Claude, until};
use crate::talk::Talk;
use serde_json::{Value, json};

fn rows<'a>(told: &'a Value, name: &str) -> &'a Vec<Value> {
    let mut parts = told.as_array().expect("parts").iter();
    let part = parts.find(|part| part["name"] == name).expect("the part");
    part["rows"].as_array().expect("rows")
}

#[tokio::test]
async fn it_tells_its_state_its_rules_its_servers_its_hooks_and_its_memory() {
    let claude = Claude::new().await;
    let project = claude.place.project();
    std::fs::create_dir_all(project.join(".claude")).expect("a folder");
    let settings = json!({
        "permissions": {"deny": ["Read(./secret.txt)"]},
        "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]},
    });
    let servers = json!({"mcpServers": {"clock": {"command": "/no/such/program"}}});
    let files = [
        (".claude/settings.json", settings.to_string()),
        (".mcp.json", servers.to_string()),
        ("CLAUDE.md", "Use tabs.".to_owned()),
    ];
    for (name, content) in files {
        std::fs::write(project.join(name), content).expect("a file");
    }
    let mut talk = Talk::begin_in(claude, "[[say Hello]]", json!({})).await;
    talk.whole_turn().await;
    let asked = talk.claude.api.asked().len();
    let told = talk.call("about_session", json!({})).await;
    let has = |name: &str, field: &str, words: &str| {
        let found = rows(&told, name).iter().any(|row| {
            let text = row[field].as_str().unwrap_or_default();
            text.contains(words)
        });
        assert!(found, "{name} has no {words}: {told}");
    };
    has("status", "label", "Version");
    has("context", "label", "Free space");
    has("permissions", "group", ".claude/settings.json");
    has("permissions", "value", "Read(./secret.txt)");
    has("hooks", "value", "true");
    has("memory", "value", "CLAUDE.md");
    has("help", "label", "/compact");
    has("help", "label", "/cost");
    let server = &rows(&told, "mcp")[0];
    assert_eq!(
        (&server["label"], &server["value"]),
        (&json!("clock"), &json!("Failed"))
    );
    let off = json!({"server": "clock", "action": "switch_off"});
    talk.call("act_on_server", off).await;
    let told = talk.call("about_session", json!({})).await;
    assert_eq!(rows(&told, "mcp")[0]["value"], "Off");
    assert_eq!(talk.claude.api.asked().len(), asked, "no model was asked");
}

#[tokio::test]
async fn what_it_goes_on_with_after_it_was_compacted_is_told() {
    let mut talk = Talk::begin("[[say Of apples]]").await;
    talk.whole_turn().await;
    talk.say("/compact").await;
    talk.whole_turn().await;
    let told = talk.events("summarised").await;
    assert_eq!(told.len(), 1, "{told:?}");
    let text = told[0]["text"].as_str().expect("a text");
    assert!(
        text.contains("continued from a previous conversation"),
        "{text}"
    );
}

#[tokio::test]
async fn what_it_ignores_in_a_project_that_is_not_trusted_is_said() {
    let claude = Claude::new().await;
    let project = claude.place.project();
    std::fs::create_dir_all(project.join(".claude")).expect("a folder");
    let settings = json!({"permissions": {"allow": ["Bash(touch one.txt)"]}});
    let file = project.join(".claude/settings.json");
    std::fs::write(file, settings.to_string()).expect("a file");
    std::fs::write(project.join(".claude/settings.local.json"), "not JSON").expect("a file");
    let mut talk = Talk::begin_in(claude, "first [[say one]]", json!({})).await;
    talk.idle().await;
    let says = |event: &Value| {
        let text = event["text"].as_str().unwrap_or_default();
        text.contains("has not been trusted") && event["level"] == "warning"
    };
    until("it is said", async || {
        let told = talk.events("noticed").await;
        told.iter().any(says).then_some(())
    })
    .await;
    let told = talk.call("about_session", json!({})).await;
    let ignored = &rows(&told, "permissions")[0];
    let file = ignored["value"].as_str().expect("a file");
    assert!(file.ends_with("settings.local.json"), "{ignored}");
}
