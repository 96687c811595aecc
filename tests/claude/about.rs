//! What Claude Code tells of itself when it is asked, and what it goes on with after it was compacted.

use crate::support::{Claude, allow, until};
use crate::talk::Talk;
use crate::trusted::in_a_folder_that_allows;
use serde_json::{Value, json};

pub fn rows<'a>(told: &'a Value, name: &str) -> &'a Vec<Value> {
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
    let claude = in_a_folder_that_allows("Bash(touch one.txt)").await;
    let project = claude.place.project();
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

#[tokio::test]
async fn a_rule_that_a_person_adds_counts_at_once_and_one_that_is_removed_no_longer() {
    let mut talk = Talk::begin("[[say Hello]]").await;
    talk.whole_turn().await;
    let change = |rule: &str, keep: bool| json!({"rule": {"behavior": "deny", "place": "local", "rule": rule}, "keep": keep});
    let file = format!("{}/.claude/settings.local.json", talk.server.project());
    // it lists this one in another spelling
    for rule in ["Bash(touch one.txt)", "Bash(echo (a))"] {
        let said = talk.call("change_rule", change(rule, true)).await;
        assert_eq!(said, format!("Added {rule} to {file}."));
    }
    let told = talk.call("about_session", json!({})).await;
    let kept: Vec<&Value> = rows(&told, "permissions")
        .iter()
        .filter(|row| row["rule"]["place"] == "local")
        .map(|row| &row["rule"]["rule"])
        .collect();
    assert_eq!(kept.len(), 2, "{kept:?}");
    talk.say("[[bash touch one.txt]]").await;
    talk.whole_turn().await;
    assert_eq!(talk.file("one.txt"), None, "it is denied");
    for rule in kept {
        let rule = rule.as_str().expect("a rule");
        let said = talk.call("change_rule", change(rule, false)).await;
        assert_eq!(said, format!("Removed {rule} from {file}."));
    }
    talk.say("[[bash touch one.txt]]").await;
    talk.answer(allow()).await;
    talk.idle().await;
    assert_eq!(talk.file("one.txt").as_deref(), Some(""));
}

#[tokio::test]
async fn what_a_project_allows_that_is_not_trusted_is_written_and_said_not_to_count() {
    let mut talk = Talk::begin("[[say Hello]]").await;
    talk.whole_turn().await;
    let rule = json!({"behavior": "allow", "place": "project", "rule": "Bash(touch *)"});
    let said = talk
        .call("change_rule", json!({"rule": rule, "keep": true}))
        .await;
    let said = said.as_str().expect("words");
    assert!(said.contains("once you trust its folder"), "{said}");
    let kept = talk.file(".claude/settings.json").expect("a settings file");
    assert!(kept.contains("Bash(touch *)"), "{kept}");
}

#[tokio::test]
async fn a_memory_file_that_a_person_writes_is_read_when_the_conversation_is_compacted() {
    let mut talk = Talk::begin("[[say Hello]]").await;
    talk.whole_turn().await;
    let told = talk.call("about_session", json!({})).await;
    let missing: Vec<&Value> = rows(&told, "memory")
        .iter()
        .filter(|row| row["file"] == "create")
        .map(|row| &row["value"])
        .collect();
    assert_eq!(missing.len(), 2, "one's own and the project's: {told}");
    for path in missing {
        let text = format!("Written into {}\n", path.as_str().expect("a path"));
        let file = json!({"path": path, "text": text, "digest": null});
        let said = talk.call("save_memory", file).await;
        let said = said.as_str().expect("words");
        assert!(said.ends_with("after /clear or /compact."), "{said}");
    }
    let told = talk.call("about_session", json!({})).await;
    let files = rows(&told, "memory");
    assert!(files.iter().all(|row| row["file"] == "edit"), "{files:?}");
    for (message, count) in [("[[say Again]]", 0), ("/compact", 0), ("[[say Now]]", 2)] {
        talk.say(message).await;
        talk.whole_turn().await;
        let asked = talk.claude.api.asked();
        let last = asked.last().expect("a call").to_string();
        assert_eq!(
            last.matches("Written into").count(),
            count,
            "{message}: {last}"
        );
    }
}
