//! What an agent tells of itself, and the conversation as a file.

use crate::support::{Place, Server, TOKEN, allow};
use serde_json::{Value, json};

async fn about(server: &Server, session: &str) -> Value {
    let told = server.call("about_session", json!({"session_id": session}));
    told.await.done()
}

fn part<'a>(told: &'a Value, name: &str) -> &'a Value {
    let mut parts = told.as_array().expect("parts").iter();
    parts.find(|part| part["name"] == name).expect("the part")
}

#[tokio::test]
async fn each_part_is_told_and_without_a_process_each_says_what_starts_it() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("help").await;
    socket.turn(&session).await;
    let told = about(&server, &session).await;
    let names: Vec<&Value> = told
        .as_array()
        .expect("parts")
        .iter()
        .map(|part| &part["name"])
        .collect();
    assert_eq!(
        names,
        [
            "status",
            "context",
            "permissions",
            "mcp",
            "hooks",
            "memory",
            "help"
        ]
    );
    let project = std::fs::canonicalize(server.project()).expect("a path");
    let rows = part(&told, "status")["rows"].to_string();
    assert!(rows.contains(&project.display().to_string()), "{rows}");
    assert_eq!(part(&told, "mcp")["rows"][0]["value"], "Connected · 1 tool");
    assert_eq!(part(&told, "hooks")["note"], "No hooks are set up.");

    server.kill(&session).await;
    socket.state(&session, "dead").await;
    let told = about(&server, &session).await;
    for part in told.as_array().expect("parts") {
        let note = part["note"].as_str().expect("words");
        match part["name"].as_str() {
            Some("help") => assert!(part["rows"][0]["value"].is_string()),
            _ => assert!(note.ends_with("A message starts it."), "{part}"),
        }
    }
    let nobody = json!({"session_id": uuid::Uuid::nil()});
    let refused = server.call("about_session", nobody).await;
    refused.is_refused(404, "unknown_session");
}

#[tokio::test]
async fn a_server_is_switched_and_one_that_is_not_there_is_refused_in_words() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("help").await;
    socket.turn(&session).await;
    let act = async |name: &str, action: &str| {
        let arguments = json!({"session_id": session, "server": name, "action": action});
        server.call("act_on_server", arguments).await
    };
    act("demo", "switch_off").await.done();
    let told = about(&server, &session).await;
    assert_eq!(part(&told, "mcp")["rows"][0]["value"], "Off");
    act("demo", "switch_on").await.done();
    let told = about(&server, &session).await;
    assert_eq!(part(&told, "mcp")["rows"][0]["value"], "Connected · 1 tool");
    act("nobody", "reconnect")
        .await
        .is_refused(400, "invalid_request");
}

#[tokio::test]
async fn a_conversation_is_given_as_a_file_also_after_its_end_and_to_nobody_else() {
    let place = Place::new();
    let server = place.server().start().await;
    let mut socket = server.connect().await;
    let session = server.start_session("run: echo one > one.txt").await;
    let request = socket.pending(&session).await;
    server.respond(&session, &request, allow()).await.done();
    socket.state(&session, "user_turn").await;
    server.kill(&session).await;
    socket.state(&session, "dead").await;
    let path = format!("/export/{session}.md");
    let given = async |server: &Server| {
        let asked = server.request(reqwest::Method::GET, &path);
        let answer = asked.bearer_auth(TOKEN).send().await;
        let answer = answer.expect("an answer");
        assert_eq!(answer.status(), 200);
        let header = answer.headers()["content-disposition"].to_str();
        let header = header.expect("text").to_lowercase();
        let name = "attachment; filename*=utf-8''run-echo-one-one-txt.md";
        assert_eq!(header, name);
        answer.text().await.expect("text")
    };
    let text = given(&server).await;
    assert!(text.contains("```\necho one > one.txt\n```"), "{text}");
    assert!(text.contains("Allowed once · by you"), "{text}");

    server.cut_off().await;
    let server = place.server().start().await;
    assert_eq!(given(&server).await, text, "as it was before the restart");
    for unknown in [
        "/export/x.md",
        "/export/00000000-0000-0000-0000-000000000000.md",
    ] {
        let asked = server.request(reqwest::Method::GET, unknown);
        let answer = asked.bearer_auth(TOKEN).send().await;
        assert_eq!(answer.expect("an answer").status(), 404);
    }
    let stranger = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .expect("a client");
    let url = format!("http://{}{path}", server.host());
    let answer = stranger.get(url).send().await.expect("an answer");
    assert!(!answer.status().is_success(), "{}", answer.status());
    let words = answer.text().await.unwrap_or_default();
    assert!(!words.contains("one.txt"), "{words}");
}
