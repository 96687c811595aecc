//! Every request and its end is kept, found again and exported; the history says what the transcript says.
#![cfg(feature = "ssr")]

#[path = "support/mod.rs"]
mod support;

use serde_json::{Value, json};
use support::{Place, Server, Socket, TOKEN, allow, deny};

async fn ask(server: &Server, socket: &mut Socket, prompt: &str) -> (String, Value) {
    let session = server.start_session(prompt).await;
    let request = socket.pending(&session).await;
    (session, request)
}

/// An allowed, a denied, an edited and an answered one, and one that is open: oldest first.
async fn five_requests(server: &Server) -> Vec<(String, Value)> {
    let mut socket = server.connect().await;
    let mut asked = Vec::new();
    for (prompt, response) in [
        ("run: echo \"first\" thing", Some(allow())),
        ("run: echo second", Some(deny("Not on a Monday"))),
        (
            "run: echo third",
            Some(json!({"request_type": "tool_approval", "decision": "allow",
                "updated_input": {"command": "echo THIRD edited", "description": "d"}})),
        ),
        (
            "ask a question",
            Some(json!({"request_type": "ask_user_question", "answers": {}})),
        ),
        ("run: echo open", None),
    ] {
        let (session, request) = ask(server, &mut socket, prompt).await;
        if let Some(mut response) = response {
            if let Some(question) = request["tool_input"]["questions"][0]["question"].as_str() {
                response["answers"][question] = json!("Zigzag, of course");
            }
            server.respond(&session, &request, response).await.done();
            socket.resolved(&request).await;
        }
        asked.push((session, request));
    }
    asked
}

async fn history(server: &Server, filter: Value) -> Vec<Value> {
    let page = server.call("history", json!({"filter": filter})).await;
    let page = page.done();
    page["entries"].as_array().expect("a list").clone()
}

fn ids(entries: &[Value]) -> Vec<&Value> {
    entries
        .iter()
        .map(|entry| &entry["request"]["request_id"])
        .collect()
}

#[tokio::test]
async fn every_request_is_there_newest_first_with_its_end() {
    let server = Server::start().await;
    let asked = five_requests(&server).await;
    let entries = history(&server, json!({})).await;
    let newest_first: Vec<&Value> = asked
        .iter()
        .rev()
        .map(|(_, request)| &request["request_id"])
        .collect();
    assert_eq!(ids(&entries), newest_first);
    let [open, answered, edited, denied, allowed] = entries.as_slice() else {
        panic!("five: {entries:?}");
    };
    assert_eq!(open.get("outcome"), None, "still open");
    assert_eq!(answered["outcome"], "answered");
    assert_eq!(
        edited["response"]["updated_input"]["command"],
        "echo THIRD edited"
    );
    assert_eq!(
        edited["request"]["tool_input"]["command"], "echo third",
        "as shown"
    );
    assert_eq!(denied["outcome"], "denied");
    assert_eq!(denied["response"]["message"], "Not on a Monday");
    assert_eq!(allowed["outcome"], "allowed");
    assert_eq!(allowed["by"], "user");
    assert!(allowed["at"].as_f64() >= allowed["request"]["created_at"].as_f64());

    // the transcript agrees
    let events = server.events(&asked[1].0).await;
    let resolved = events
        .iter()
        .find(|event| event["kind"] == "resolved")
        .expect("an end");
    for field in ["outcome", "by", "response"] {
        assert_eq!(resolved[field], denied[field], "{field}");
    }
}

#[tokio::test]
async fn filters_and_words_find_what_they_say() {
    let server = Server::start().await;
    let asked = five_requests(&server).await;
    for (filter, expected) in [
        (json!({"outcome": "denied"}), vec![1]),
        (json!({"request_type": "ask_user_question"}), vec![3]),
        (json!({"text": "ECHO \"first\""}), vec![0]),
        (json!({"text": "not on a monday"}), vec![1]),
        (json!({"text": "of course"}), vec![3]),
        (json!({"text": "THIRD edited", "outcome": "denied"}), vec![]),
        (json!({"session_id": asked[2].0}), vec![2]),
        (json!({"project": server.project()}), vec![4, 3, 2, 1, 0]),
        (json!({"project": "/elsewhere"}), vec![]),
        (json!({"before": asked[2].1["request_id"]}), vec![1, 0]),
        (json!({"edited": true}), vec![2]),
        (json!({"edited": true, "outcome": "denied"}), vec![]),
        (json!({"from": "2020-02-29"}), vec![4, 3, 2, 1, 0]),
        (json!({"to": "2020-02-29"}), vec![]),
        (json!({"from": "2020-02-29", "to": "2020-02-29"}), vec![]),
    ] {
        let entries = history(&server, filter.clone()).await;
        let expected: Vec<&Value> = expected
            .into_iter()
            .map(|index: usize| &asked[index].1["request_id"])
            .collect();
        assert_eq!(ids(&entries), expected, "{filter}");
    }
}

#[tokio::test]
async fn the_page_is_whole_without_a_script_and_hostile_words_stay_words() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let hostile = "run: echo '</script><script>alert(1)</script>'";
    let (session, request) = ask(&server, &mut socket, hostile).await;
    server.respond(&session, &request, allow()).await.done();
    five_requests(&server).await;
    let page = server.page("/history").await;
    for words in [
        "Allowed once",
        "Not on a Monday",
        "Still open",
        "Export CSV",
        "As it was asked",
        "; answered at 20",
    ] {
        assert!(page.contains(words), "{words}");
    }
    assert!(
        !page.contains("<script>alert"),
        "an agent wrote into the page"
    );
    let page = server.page("/history?outcome=denied&text=second").await;
    assert!(page.contains("Not on a Monday"));
    assert!(!page.contains("Still open"));
    let page = server.page("/history?edited=yes&outcome=").await;
    assert!(page.contains("THIRD edited"));
    assert!(!page.contains("Not on a Monday"));
    let page = server.page("/history?text=no+such+thing").await;
    assert!(page.contains("Nothing found"));
}

#[tokio::test]
async fn it_is_exported_whole_page_after_page() {
    let place = Place::new();
    let server = place.server().start().await;
    let asked = five_requests(&server).await;
    // more than a page, as if they had been asked long ago
    let database = place.database();
    let (session, request): (String, String) = database
        .query_row(
            "SELECT session_id, request FROM requests ORDER BY asked_at LIMIT 1",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .expect("a request");
    for number in 0..120 {
        let mut request: Value = serde_json::from_str(&request).expect("JSON");
        let id = format!("00000000-0000-4000-8000-{number:012}");
        request["request_id"] = json!(id);
        request["tool_input"]["command"] = json!(format!("=cmd|' /C calc'!A{number}"));
        database
            .execute(
                "INSERT INTO requests (request_id, session_id, asked_at, request, outcome, resolved_by, resolved_at)
                 VALUES (?1, ?2, ?3, ?4, 'withdrawn', 'agent', ?3)",
                rusqlite::params![id, session, f64::from(number), request.to_string()],
            )
            .expect("written");
    }
    let export = async |query: &str| {
        let request = server.request(reqwest::Method::GET, &format!("/history/export?{query}"));
        let answer = request.bearer_auth(TOKEN).send().await.expect("an answer");
        assert_eq!(answer.status(), 200);
        let saved_as = answer.headers()["content-disposition"].clone();
        assert!(saved_as.to_str().expect("text").starts_with("attachment"));
        answer.text().await.expect("text")
    };
    let lines = export("format=jsonl").await;
    let entries: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(entries.len(), 125);
    assert_eq!(
        entries[0]["request"]["request_id"],
        asked[4].1["request_id"]
    );
    let table = export("format=csv&outcome=withdrawn").await;
    assert_eq!(table.lines().count(), 121, "and a line of names");
    assert!(table.starts_with("asked_at,resolved_at,"));
    assert!(table.contains("Z,1970-01-01T00:01:59.000Z,"), "{table}");
    let first_day = export("format=csv&from=1970-01-01&to=1970-01-01").await;
    assert_eq!(first_day, table);
    let since = export("format=jsonl&from=1970-01-02").await;
    assert_eq!(since.lines().count(), 5);
    for wrong in ["format=xml", "format=csv&outcome=zzz", "from=garbage"] {
        let request = server.request(reqwest::Method::GET, &format!("/history/export?{wrong}"));
        let answer = request.bearer_auth(TOKEN).send().await.expect("an answer");
        assert_eq!(answer.status(), 400, "{wrong}");
    }
    let edited = export("format=csv&edited=yes").await;
    assert_eq!(edited.lines().count(), 2);
    let denied = export("format=csv&text=monday").await;
    assert_eq!(denied.lines().count(), 2);
    assert!(
        denied.contains("denied,user,false,tool_approval,Bash"),
        "{denied}"
    );
    let edited = export("format=csv&text=THIRD").await;
    assert!(edited.contains("allowed,user,true,"), "{edited}");
    let stranger = server.request(reqwest::Method::GET, "/history/export");
    let stranger = stranger.send().await.expect("an answer");
    assert_eq!(stranger.status(), 401, "not without a login");
    let wrong = server.request(reqwest::Method::GET, "/history/export?format=xml");
    let wrong = wrong.bearer_auth(TOKEN).send().await.expect("an answer");
    assert_eq!(wrong.status(), 400);
}
