//! Permission rules and memory files that a person changes while an agent runs.

use crate::support::{Place, Reply, Server};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

/// A server with an agent that waits for its next message.
struct Talk {
    server: Server,
    session: String,
    project: PathBuf,
}

impl Talk {
    async fn begin(place: &Place) -> Self {
        let server = place.server().start().await;
        let mut socket = server.connect().await;
        let session = server.start_session("help").await;
        socket.turn(&session).await;
        let project = fs::canonicalize(server.project()).expect("a path");
        Self {
            server,
            session,
            project,
        }
    }

    async fn rows(&self, part: &str) -> Vec<Value> {
        let asked = json!({"session_id": self.session});
        let told = self.server.call("about_session", asked).await.done();
        let mut parts = told.as_array().expect("parts").iter();
        let part = parts.find(|one| one["name"] == part).expect("the part");
        part["rows"].as_array().expect("rows").clone()
    }

    async fn change(&self, place: &str, rule: &str, keep: bool) -> Reply {
        let rule = json!({"behavior": "deny", "place": place, "rule": rule});
        let arguments = json!({"session_id": self.session, "rule": rule, "keep": keep});
        self.server.call("change_rule", arguments).await
    }

    async fn read(&self, path: &str) -> Reply {
        let arguments = json!({"session_id": self.session, "path": path});
        self.server.call("read_memory", arguments).await
    }

    async fn save(&self, path: &str, text: &str, digest: &Value) -> Reply {
        let arguments =
            json!({"session_id": self.session, "path": path, "text": text, "digest": digest});
        self.server.call("save_memory", arguments).await
    }

    fn path(&self, name: &str) -> String {
        self.project.join(name).display().to_string()
    }
}

#[tokio::test]
async fn a_rule_is_added_and_removed_in_its_file_and_the_agent_goes_by_it() {
    let place = Place::new();
    let talk = Talk::begin(&place).await;
    let file = talk.project.join(".claude/settings.local.json");
    fs::create_dir_all(talk.project.join(".claude")).expect("a folder");
    let before = "{\n  \"zeta\": 1,\n  \"alpha\": 2\n}\n";
    fs::write(&file, before).expect("written");
    let said = talk
        .change("local", " Bash(npm test:*) ", true)
        .await
        .done();
    let named = |done: &str, to: &str| format!("{done} Bash(npm test:*) {to} {}.", file.display());
    assert_eq!(said, named("Added", "to"));
    let text = fs::read_to_string(&file).expect("text");
    assert!(
        text.starts_with("{\n  \"zeta\": 1,\n  \"alpha\": 2,\n"),
        "{text}"
    );
    let again = talk.change("local", "Bash(npm test:*)", true).await.done();
    assert_eq!(again, "Bash(npm test:*) was there already.");

    let rows = talk.rows("permissions").await;
    let mut found = rows.iter().filter(|row| row["value"] == "Bash(npm test:*)");
    let row = found.next().expect("listed");
    assert_eq!(row["rule"]["place"], "local");
    let folder = rows.iter().find(|row| row["label"] == "Works in");
    assert!(folder.expect("a folder")["rule"].is_null());

    let said = talk.change("local", "Bash(npm test:*)", false).await.done();
    assert_eq!(said, named("Removed", "from"));
    let rows = talk.rows("permissions").await;
    assert!(!rows.iter().any(|row| row["value"] == "Bash(npm test:*)"));
    let gone = talk.change("local", "Bash(npm test:*)", false).await;
    gone.is_refused(404, "not_found");
    for place in ["project", "user"] {
        let said = talk.change(place, "Read(./secret)", true).await.done();
        let said = said.as_str().expect("a sentence");
        let written = said
            .split(" to ")
            .nth(1)
            .and_then(|rest| rest.split(". ").next());
        let written = std::path::Path::new(written.expect("a file").trim_end_matches('.'));
        let is_of_the_project = written.starts_with(&talk.project);
        assert_eq!(is_of_the_project, place == "project", "{said}");
        let text = fs::read_to_string(written).expect("text");
        assert!(text.contains("Read(./secret)"), "{place}: {text}");
    }
}

#[tokio::test]
async fn a_rule_with_a_slip_and_a_file_that_cannot_be_read_are_refused_and_nothing_is_written() {
    let place = Place::new();
    let talk = Talk::begin(&place).await;
    let file = talk.project.join(".claude/settings.local.json");
    for rule in ["", "Bash(npm", "npm test", "Bash()"] {
        let refused = talk.change("local", rule, true).await;
        refused.is_refused(400, "invalid_request");
    }
    assert!(!file.exists());
    fs::create_dir_all(talk.project.join(".claude")).expect("a folder");
    fs::write(&file, "{ // mine\n}").expect("written");
    for keep in [true, false] {
        let refused = talk.change("local", "Read", keep).await;
        refused.is_refused(400, "invalid_request");
    }
    assert_eq!(fs::read_to_string(&file).expect("text"), "{ // mine\n}");
    let elsewhere = talk.change("policy", "Read", true).await;
    elsewhere.is_refused(400, "invalid_request");
}

#[tokio::test]
async fn a_rule_can_be_written_while_no_process_runs_and_says_when_it_counts() {
    let place = Place::new();
    let talk = Talk::begin(&place).await;
    let mut socket = talk.server.connect().await;
    talk.server.kill(&talk.session).await;
    socket.state(&talk.session, "dead").await;
    let said = talk.change("local", "Read", true).await.done();
    let said = said.as_str().expect("words");
    assert!(
        said.ends_with("It counts from the next start of the process."),
        "{said}"
    );
    let path = talk.path("CLAUDE.md");
    // nobody lists it
    talk.read(&path).await.is_refused(503, "agent_unavailable");
    let unknown = json!({"session_id": "00000000-0000-4000-8000-000000000000", "path": path});
    let refused = talk.server.call("read_memory", unknown.clone()).await;
    refused.is_refused(404, "unknown_session");
    let mut large = unknown;
    large["text"] = json!("a".repeat(1024 * 1024 + 1));
    let refused = talk.server.call("save_memory", large).await;
    refused.is_refused(413, "too_large");
}

#[tokio::test]
async fn a_memory_file_is_created_read_and_written_and_a_change_meanwhile_is_noticed() {
    let place = Place::new();
    let talk = Talk::begin(&place).await;
    let path = talk.path("CLAUDE.md");
    let rows = talk.rows("memory").await;
    let row = rows.iter().find(|row| row["value"] == path.as_str());
    assert_eq!(row.expect("listed")["file"], "create");
    let empty = talk.read(&path).await.done();
    assert_eq!(empty["text"], "");
    assert!(empty["digest"].is_null());
    talk.save(&path, "Use tabs.\n", &Value::Null).await.done();
    assert_eq!(fs::read_to_string(&path).expect("text"), "Use tabs.\n");
    let rows = talk.rows("memory").await;
    let row = rows.iter().find(|row| row["value"] == path.as_str());
    assert_eq!(row.expect("listed")["file"], "edit");

    // who believes that it is not there does not write over it
    let late = talk.save(&path, "Mine.", &Value::Null).await;
    late.is_refused(409, "content_changed");
    let read = talk.read(&path).await.done();
    fs::write(&path, "Use spaces.\n").expect("written");
    let late = talk.save(&path, "Mine.", &read["digest"]).await;
    late.is_refused(409, "content_changed");
    assert_eq!(fs::read_to_string(&path).expect("text"), "Use spaces.\n");
    let read = talk.read(&path).await.done();
    talk.save(&path, "Both.\n", &read["digest"]).await.done();
    assert_eq!(fs::read_to_string(&path).expect("text"), "Both.\n");
}

#[tokio::test]
async fn only_what_the_agent_lists_is_opened_and_only_text() {
    let place = Place::new();
    let talk = Talk::begin(&place).await;
    fs::write(talk.project.join("secret.txt"), "secret").expect("written");
    let strange = [
        talk.path("secret.txt"),
        talk.path("../CLAUDE.md"),
        talk.path("./CLAUDE.md"),
        "/etc/passwd".to_owned(),
        "CLAUDE.md".to_owned(),
        String::new(),
    ];
    for path in &strange {
        let refused = talk.read(path).await;
        refused.is_refused(403, "forbidden");
        let refused = talk.save(path, "Mine.", &Value::Null).await;
        refused.is_refused(403, "forbidden");
    }
    let secret = fs::read_to_string(talk.project.join("secret.txt"));
    assert_eq!(secret.expect("text"), "secret");

    let path = talk.path("CLAUDE.md");
    fs::write(&path, b"gr\xfc\xdfe").expect("written");
    talk.read(&path).await.is_refused(400, "invalid_request");
    fs::write(&path, "a".repeat(1024 * 1024 + 1)).expect("written");
    talk.read(&path).await.is_refused(400, "invalid_request");

    // a link is said to be one, and stays one
    fs::remove_file(&path).expect("removed");
    fs::write(talk.project.join("AGENTS.md"), "Shared.\n").expect("written");
    symlink("AGENTS.md", &path).expect("a link");
    let read = talk.read(&path).await.done();
    assert_eq!(read["target"], talk.path("AGENTS.md"));
    talk.save(&path, "Ours.\n", &read["digest"]).await.done();
    let shared = fs::read_to_string(talk.project.join("AGENTS.md"));
    assert_eq!(shared.expect("text"), "Ours.\n");
}
