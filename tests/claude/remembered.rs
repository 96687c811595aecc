//! What is to be remembered: kept where it says, and in effect.

use crate::support::{Claude, allow};
use crate::talk::Talk;
use serde_json::{Value, json};

/// The offered suggestion that fits.
fn offered(request: &Value, fits: impl Fn(&Value) -> bool) -> Value {
    let all = request["suggestions"].as_array().expect("suggestions");
    let found = all.iter().find(|one| fits(one));
    found
        .unwrap_or_else(|| panic!("not offered: {all:#?}"))
        .clone()
}

fn remembering(suggestion: Value) -> Value {
    let mut response = allow();
    response["remember"] = json!([suggestion]);
    response
}

#[tokio::test]
async fn a_rule_for_the_project_is_written_to_its_local_settings_and_holds() {
    let mut talk = Talk::begin("[[bash touch one.txt]][[bash touch one.txt]]").await;
    let request = talk.pending().await;
    let rule = offered(&request, |one| one["type"] == "addRules");
    assert_eq!(rule["destination"], "localSettings");
    talk.respond(&request, remembering(rule.clone())).await;
    talk.idle().await;
    assert_eq!(
        talk.events("asked").await.len(),
        1,
        "the second time it was not asked"
    );
    let kept = talk
        .file(".claude/settings.local.json")
        .expect("a settings file");
    let content = rule["rules"][0]["ruleContent"].as_str().expect("a rule");
    assert!(kept.contains(&format!("Bash({content})")), "{kept}");
    // for the next session of this project, too
    let again = json!({"project": talk.server.project(), "prompt": "[[bash touch one.txt]]"});
    let started = talk.server.call("start_session", again).await.done();
    let other = started["session_id"].as_str().expect("an id");
    talk.socket.turn(other).await;
    let events = talk.server.events(other).await;
    assert!(
        !events.iter().any(|event| event["kind"] == "asked"),
        "{events:?}"
    );
}

#[tokio::test]
async fn a_rule_that_the_person_reworded_is_written_and_covers_what_it_says() {
    let prompt = "[[bash touch one.txt]][[bash touch two.txt]]";
    let mut talk = Talk::begin(prompt).await;
    let request = talk.pending().await;
    let mut rule = offered(&request, |one| one["type"] == "addRules");
    rule["rules"][0]["ruleContent"] = json!("touch *");
    let other = json!({"project": talk.server.project(), "prompt": "[[bash touch three.txt]]"});
    let other = talk.server.call("start_session", other).await.done();
    let other = other["session_id"].as_str().expect("an id").to_owned();
    let waits = talk.socket.pending(&other).await;
    let covered = talk
        .call(
            "covered",
            json!({"request_id": request["request_id"], "remember": [rule]}),
        )
        .await;
    let covered = covered.as_array().expect("a list");
    assert_eq!(covered.len(), 2);
    for own_or_other in [&request, &waits] {
        assert!(covered.contains(&own_or_other["request_id"]));
    }
    let mut missing = rule.clone();
    missing["rules"][0]["ruleContent"] = json!("zzz )) nothing");
    let covered = talk
        .call(
            "covered",
            json!({"request_id": request["request_id"], "remember": [missing]}),
        )
        .await;
    assert_eq!(covered, json!([]));
    talk.respond(&request, remembering(rule)).await;
    talk.idle().await;
    assert_eq!(
        talk.events("asked").await.len(),
        1,
        "the second was covered"
    );
    let kept = talk.file(".claude/settings.local.json");
    let kept = kept.expect("a settings file");
    assert!(kept.contains("Bash(touch *)"), "{kept}");
}

#[tokio::test]
async fn a_mode_for_the_session_holds_at_once_and_is_not_written_down() {
    let claude = Claude::new().await;
    let file = |name: &str| claude.place.project().join(name).display().to_string();
    let prompt = format!(
        "[[write {} 1]][[write {} 2]]",
        file("one.txt"),
        file("two.txt")
    );
    let mut talk = Talk::begin_in(claude, &prompt, json!({})).await;
    let request = talk.pending().await;
    let mode = offered(&request, |one| one["type"] == "setMode");
    assert_eq!(mode["destination"], "session");
    talk.respond(&request, remembering(mode)).await;
    let process = talk.idle().await;
    assert_eq!(process["permission_mode"], "acceptEdits");
    assert_eq!(talk.events("asked").await.len(), 1);
    assert_eq!(talk.file("two.txt").as_deref(), Some("2"));
    assert_eq!(talk.file(".claude/settings.local.json"), None);
}

#[tokio::test]
async fn of_several_suggestions_only_the_chosen_one_is_granted() {
    let claude = Claude::new().await;
    let outside = claude.place.root().join("outside");
    std::fs::create_dir(&outside).expect("a folder");
    let prompt = format!(
        "[[bash touch {0}/one.txt]][[bash touch {0}/two.txt]]",
        outside.display()
    );
    let mut talk = Talk::begin_in(claude, &prompt, json!({})).await;
    let request = talk.pending().await;
    let all = request["suggestions"]
        .as_array()
        .expect("suggestions")
        .clone();
    assert!(all.len() > 1, "a mixed offer: {all:#?}");
    let directory = offered(&request, |one| one["type"] == "addDirectories");
    talk.respond(&request, remembering(directory)).await;
    let second = talk
        .socket
        .process(&talk.session, "the second command", |process| {
            process["pending_request"]["tool_input"]["command"]
                .as_str()
                .is_some_and(|command| command.contains("two.txt"))
        })
        .await;
    assert_eq!(second["permission_mode"], "default", "no mode came along");
    assert_eq!(
        talk.file(".claude/settings.local.json"),
        None,
        "no rule came along"
    );
}

/// The same command twice; the rule for it is kept in `place`. What was asked, and the talk.
async fn kept_in(claude: Claude, place: &str) -> (Talk, usize) {
    let prompt = "[[bash touch one.txt]][[bash touch one.txt]]";
    let mut talk = Talk::begin_in(claude, prompt, json!({})).await;
    let request = talk.pending().await;
    let mut rule = offered(&request, |one| one["type"] == "addRules");
    rule["destination"] = json!(place);
    talk.respond(&request, remembering(rule)).await;
    talk.socket
        .process(&talk.session, "the end, or a second question", |process| {
            let asked = &process["pending_request"]["request_id"];
            process["state"] == "user_turn"
                || (asked.is_string() && *asked != request["request_id"])
        })
        .await;
    let count = talk.events("asked").await.len();
    (talk, count)
}

fn text_of(file: std::path::PathBuf) -> String {
    std::fs::read_to_string(file).unwrap_or_default()
}

const RULE: &str = "Bash(touch one.txt)";

#[tokio::test]
async fn a_rule_for_the_session_holds_and_is_written_nowhere() {
    let (talk, asked) = kept_in(Claude::new().await, "session").await;
    assert_eq!(asked, 1);
    assert_eq!(talk.file(".claude/settings.local.json"), None);
    assert_eq!(talk.file(".claude/settings.json"), None);
    let own = text_of(talk.claude.settings().join("settings.json"));
    assert!(!own.contains(RULE), "{own}");
}

#[tokio::test]
async fn a_rule_for_all_projects_is_written_to_the_settings_of_the_person_and_holds() {
    let (talk, asked) = kept_in(Claude::new().await, "userSettings").await;
    assert_eq!(asked, 1);
    let own = text_of(talk.claude.settings().join("settings.json"));
    assert!(own.contains(RULE), "{own}");
    assert_eq!(talk.file(".claude/settings.local.json"), None);
}

#[tokio::test]
async fn a_rule_for_everyone_in_a_project_holds_where_the_project_is_trusted() {
    let claude = Claude::new().await;
    let trusted = json!({"projects": {claude.place.project().display().to_string(): {"hasTrustDialogAccepted": true}}});
    std::fs::write(claude.settings().join(".claude.json"), trusted.to_string()).expect("written");
    let (talk, asked) = kept_in(claude, "projectSettings").await;
    assert_eq!(asked, 1);
    let kept = talk.file(".claude/settings.json").expect("a settings file");
    assert!(kept.contains(RULE), "{kept}");
}

#[tokio::test]
async fn in_a_project_that_is_not_trusted_it_is_written_and_still_asked() {
    let (talk, asked) = kept_in(Claude::new().await, "projectSettings").await;
    assert_eq!(asked, 2, "the rule is no promise there");
    let kept = talk.file(".claude/settings.json").expect("a settings file");
    assert!(kept.contains(RULE), "{kept}");
}

#[tokio::test]
async fn a_rule_for_the_session_is_taken_back_and_counts_no_more() {
    let (mut talk, _) = kept_in(Claude::new().await, "session").await;
    let said = talk.call("take_back", json!({"grant": RULE})).await;
    let said = said.as_str().expect("a sentence");
    assert!(said.contains("so it was stopped"), "{said}");
    talk.socket.state(&talk.session, "dead").await;
    talk.say("[[bash touch one.txt]]").await;
    let again = talk.pending().await;
    assert_eq!(again["tool_input"]["command"], "touch one.txt");
}

#[tokio::test]
async fn while_the_agent_works_by_it_a_rule_stays_and_that_is_said() {
    let (mut talk, _) = kept_in(Claude::new().await, "session").await;
    talk.say("[[bash touch two.txt]]").await;
    let waits = talk.pending().await;
    let arguments = json!({"session_id": talk.session, "grant": RULE});
    let refused = talk.server.call("take_back", arguments).await;
    assert_eq!(refused.status, 400, "{}", refused.body);
    assert!(
        refused.body.to_string().contains("is still allowed"),
        "{}",
        refused.body
    );
    let told = talk.call("about_session", json!({})).await;
    let mut listed = crate::about::rows(&told, "permissions").iter();
    assert!(
        listed.any(|row| row["value"] == RULE && row["is_granted"] == true),
        "{told}"
    );
    talk.respond(&waits, allow()).await;
    talk.idle().await;
}

/// As if the machine had run out of memory.
pub async fn lose_the_process(talk: &mut Talk) {
    let register = talk.claude.settings().join("sessions");
    let listed = std::fs::read_dir(register).expect("the register of Claude Code");
    let names = listed.flatten().map(|entry| entry.path());
    let running = names.filter(|name| name.extension().is_some_and(|kind| kind == "json"));
    let pids: Vec<String> = running
        .filter_map(|name| Some(name.file_stem()?.to_str()?.to_owned()))
        // one that was lost before is still registered
        .filter(|pid| std::path::Path::new("/proc").join(pid).exists())
        .collect();
    assert_eq!(pids.len(), 1, "one process: {pids:?}");
    let killed = std::process::Command::new("kill")
        .args(["-9", &pids[0]])
        .status();
    assert!(killed.expect("kill").success());
    talk.socket.state(&talk.session, "dead").await;
}

#[tokio::test]
async fn a_rule_for_the_session_outlives_a_lost_process_and_ends_with_one_that_a_person_ends() {
    let (mut talk, asked) = kept_in(Claude::new().await, "session").await;
    assert_eq!(asked, 1);
    lose_the_process(&mut talk).await;
    talk.say("[[bash touch one.txt]]").await;
    talk.whole_turn().await;
    assert_eq!(talk.events("asked").await.len(), 1, "it was granted");
    assert_eq!(talk.file(".claude/settings.local.json"), None);
    talk.server.kill(&talk.session).await;
    talk.socket.state(&talk.session, "dead").await;
    talk.say("[[bash touch one.txt]]").await;
    let again = talk.pending().await;
    assert_eq!(again["tool_input"]["command"], "touch one.txt");
}
