//! A Messages API whose model does what the prompt says, so that the real CLI can be tested without an account. It
//! listens on the loopback, streams as the real one does, and keeps what it was asked: a test can see what the model saw.
//! How a prompt tells it what to do is written in [`script`] and, without a script, in [`words`].
// the test programs and the example each use a part
#![allow(dead_code, unused_imports)]

mod conversation;
mod questions;
mod script;
mod stream;
mod words;

pub use questions::{FOUR, MULTI, ONE};

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response, Sse};
use axum::routing::{any, post};
use axum::{Json, Router};
use conversation::Conversation;
use script::Step;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tokio::sync::watch;

#[derive(Clone)]
pub struct MessagesApi {
    pub address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    /// Bodies of the calls to the model, oldest first.
    asked: Mutex<Vec<Value>>,
    /// Whatever else was asked for: a test can see that it was expected.
    unexpected: Mutex<Vec<String>>,
    /// How often each point of a script was reached: an error may be for the first time only.
    reached: Mutex<HashMap<String, usize>>,
    released: watch::Sender<Vec<String>>,
}

impl MessagesApi {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let (api, serving) = Self::on(listener);
        tokio::spawn(serving);
        api
    }

    /// The API, and what serves it.
    pub fn on(listener: TcpListener) -> (Self, impl Future<Output = ()>) {
        let shared = Arc::new(Shared {
            asked: Mutex::default(),
            unexpected: Mutex::default(),
            reached: Mutex::default(),
            released: watch::channel(Vec::new()).0,
        });
        let api = Self {
            address: listener.local_addr().expect("an address"),
            shared,
        };
        let router = Router::new()
            .route("/v1/messages", post(message))
            .route("/v1/messages/count_tokens", post(count_tokens))
            .route("/release/{name}", post(release))
            .route("/asked", any(asked))
            .fallback(anything_else)
            .layer(axum::extract::DefaultBodyLimit::max(64 * 1024 * 1024))
            .with_state(api.clone());
        let serving = async { axum::serve(listener, router).await.expect("it serves") };
        (api, serving)
    }

    /// What `ANTHROPIC_BASE_URL` is to be.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Lets a `[[hold NAME]]` go on, now or when it is reached.
    pub fn release(&self, name: &str) {
        let name = name.to_owned();
        self.shared.released.send_modify(|names| names.push(name));
    }

    /// Every call to a model that had tools, oldest first.
    pub fn asked(&self) -> Vec<Value> {
        self.shared.asked.lock().expect("requests").clone()
    }

    pub fn unexpected(&self) -> Vec<String> {
        self.shared.unexpected.lock().expect("paths").clone()
    }

    /// What the model was told by its tools since the last prompt, in the newest call that holds this prompt.
    pub fn results(&self, of_prompt: &str) -> Vec<ToolResult> {
        let asked = self.asked();
        let newest = asked.iter().rev().find_map(|body| {
            let conversation = Conversation::read(body);
            (conversation.prompt.contains(of_prompt)).then_some(conversation)
        });
        newest.map(|newest| newest.results).unwrap_or_default()
    }

    /// Texts that people or the CLI put into the newest call, joined.
    pub fn newest_texts(&self) -> String {
        self.asked()
            .last()
            .map(|body| conversation::user_texts(body).join("\n"))
            .unwrap_or_default()
    }

    /// Counts this visit; the first one is 0.
    fn visit(&self, point: String) -> usize {
        let mut reached = self.shared.reached.lock().expect("visits");
        let count = reached.entry(point).or_default();
        *count += 1;
        *count - 1
    }

    async fn wait_for(&self, name: &str) {
        let mut released = self.shared.released.subscribe();
        let is_released = |names: &Vec<String>| names.iter().any(|released| released == name);
        // an error means that the API has gone, and with it the one who could release
        let _ = released.wait_for(is_released).await;
    }
}

/// What a tool call came to, as the model sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolResult {
    pub tool_use_id: String,
    pub text: String,
    pub is_error: bool,
}

async fn message(State(api): State<MessagesApi>, Json(body): Json<Value>) -> Response {
    let has_tools = body["tools"].as_array().is_some_and(|all| !all.is_empty());
    if !has_tools {
        // a side call: a title, a summary, a check whether a model exists
        return reply(&api, &body, vec![Step::Say("Scripted.".to_owned())]);
    }
    let conversation = Conversation::read(&body);
    let point = format!("{}\0{}", conversation.prompt, conversation.round);
    api.shared
        .asked
        .lock()
        .expect("requests")
        .push(body.clone());
    let visit = api.visit(point);
    let steps = match conversation.is_scripted() {
        true => script::steps(&conversation),
        false => words::steps(&conversation),
    };
    let failure = steps.iter().find_map(|step| match step {
        Step::Fail(failure) if visit < failure.times => Some(failure.clone()),
        _ => None,
    });
    match failure {
        Some(failure) => failure.into_response(),
        None => reply(&api, &body, script::or_the_end(steps, &conversation)),
    }
}

fn reply(api: &MessagesApi, body: &Value, steps: Vec<Step>) -> Response {
    let model = body["model"].as_str().unwrap_or("scripted").to_owned();
    match body["stream"].as_bool() {
        Some(true) => Sse::new(stream::events(api.clone(), model, steps)).into_response(),
        _ => Json(stream::whole(&model, &steps)).into_response(),
    }
}

impl IntoResponse for script::Failure {
    fn into_response(self) -> Response {
        let kind = match self.status {
            401 => "authentication_error",
            429 => "rate_limit_error",
            529 => "overloaded_error",
            400 => "invalid_request_error",
            _ => "api_error",
        };
        let body = json!({"type": "error", "error": {"type": kind, "message": "The script wants this to fail."}});
        let status = StatusCode::from_u16(self.status).expect("a status");
        let mut response = (status, Json(body)).into_response();
        if let Some(seconds) = self.retry_after {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

async fn count_tokens() -> Json<Value> {
    Json(json!({"input_tokens": 100}))
}

async fn release(State(api): State<MessagesApi>, Path(name): Path<String>) {
    api.release(&name);
}

async fn asked(State(api): State<MessagesApi>) -> Json<Vec<Value>> {
    Json(api.asked())
}

/// The CLI looks whether the address answers at all.
async fn anything_else(
    State(api): State<MessagesApi>,
    method: Method,
    uri: Uri,
    _: HeaderMap,
    _: Bytes,
) -> Response {
    if uri.path() == "/" {
        return StatusCode::OK.into_response();
    }
    let asked = format!("{method} {}", uri.path());
    api.shared.unexpected.lock().expect("paths").push(asked);
    let body = json!({"type": "error", "error": {"type": "not_found_error", "message": "The script has no such thing."}});
    (StatusCode::NOT_FOUND, Json(body)).into_response()
}
