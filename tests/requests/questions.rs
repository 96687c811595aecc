//! Questions with options.

use crate::support::{Server, Socket};
use serde_json::{Value, json};

async fn asked(server: &Server, socket: &mut Socket, prompt: &str) -> (String, Value) {
    let session = server.start_session(prompt).await;
    let request = socket.pending(&session).await;
    assert_eq!(request["request_type"], "ask_user_question");
    socket.subscribe(&session, None).await;
    (session, request)
}

fn texts(request: &Value) -> Vec<String> {
    let questions = request["tool_input"]["questions"]
        .as_array()
        .expect("questions");
    let text = |question: &Value| question["question"].as_str().expect("a text").to_owned();
    questions.iter().map(text).collect()
}

#[tokio::test]
async fn the_chosen_option_reaches_the_agent() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let (session, request) = asked(&server, &mut socket, "ask a question").await;
    let [question] = texts(&request).try_into().expect("one question");
    let response =
        json!({"request_type": "ask_user_question", "answers": {question.as_str(): "Curved"}});
    server.respond(&session, &request, response).await.done();
    socket.text(&format!("{question} **Curved**")).await;
    let resolved = socket.state(&session, "user_turn").await;
    assert!(resolved.get("pending_request").is_none());
}

#[tokio::test]
async fn four_questions_take_labels_several_labels_and_own_words() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let (session, request) = asked(&server, &mut socket, "four questions").await;
    let questions = texts(&request);
    assert_eq!(questions.len(), 4);
    assert_eq!(request["tool_input"]["questions"][1]["multiSelect"], true);
    let given = [
        "SQLite",
        "Lints, Tests, and a spell check",
        "Framed",
        "Something with more feathers",
    ];
    let answers: Value = questions
        .iter()
        .cloned()
        .zip(given.map(Value::from))
        .collect::<serde_json::Map<_, _>>()
        .into();
    let response = json!({"request_type": "ask_user_question", "answers": answers});
    socket.respond(&session, &request, response).await;
    let text = socket.text("This is what I understood").await;
    for (question, answer) in questions.iter().zip(given) {
        assert!(text.contains(&format!("{question} **{answer}**")), "{text}");
    }
    let events = server.events(&session).await;
    let resolved = events
        .iter()
        .find(|event| event["kind"] == "resolved")
        .expect("it is kept");
    assert_eq!(resolved["outcome"], "answered");
    assert_eq!(
        resolved["response"]["answers"], answers,
        "what was answered stays in the transcript"
    );
}

#[tokio::test]
async fn a_cancelled_question_stops_the_turn() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let (session, request) = asked(&server, &mut socket, "ask a question then run: echo on").await;
    let response = json!({"request_type": "ask_user_question", "cancelled": true});
    server.respond(&session, &request, response).await.done();
    assert_eq!(socket.resolved(&request).await["outcome"], "cancelled");
    let process = socket.state(&session, "user_turn").await;
    assert!(process.get("pending_request").is_none());
}

#[tokio::test]
async fn answers_that_do_not_fit_are_refused_and_the_question_stays() {
    let server = Server::start().await;
    let mut socket = server.connect().await;
    let (session, request) = asked(&server, &mut socket, "ask a question").await;
    let question = texts(&request).remove(0);
    for answers in [
        json!({}),
        json!({"Which way?": "Curved"}),
        json!({question.as_str(): "Curved", "And another?": "Yes"}),
        json!({question.as_str(): "   "}),
    ] {
        let response = json!({"request_type": "ask_user_question", "answers": answers});
        server
            .respond(&session, &request, response.clone())
            .await
            .is_refused(400, "invalid_answers");
        socket.respond(&session, &request, response).await;
        let error = socket.error().await;
        assert_eq!(error["code"], "invalid_answers");
        assert_eq!(error["request_id"], request["request_id"]);
    }
    let process = server.process(&session).await.expect("a process");
    assert_eq!(process["pending_request"], request);
    let response =
        json!({"request_type": "ask_user_question", "answers": {question.as_str(): "Straight"}});
    server.respond(&session, &request, response).await.done();
}
