//! One session with Claude Code: what a person does in it, and what both sides saw.

use crate::support::messages_api::ToolResult;
use crate::support::{Claude, Server, Socket};
use countersign::model::Event;
use countersign::model::conversation::{Body, Conversation, ToolItem};
use serde_json::{Value, json};

pub struct Talk {
    pub server: Server,
    pub claude: Claude,
    /// Watches the session.
    pub socket: Socket,
    pub session: String,
}

impl Talk {
    pub async fn begin(prompt: &str) -> Self {
        Self::begin_in(Claude::new().await, prompt, json!({})).await
    }

    pub async fn begin_in_mode(mode: &str, prompt: &str) -> Self {
        let more = json!({"permission_mode": mode});
        Self::begin_in(Claude::new().await, prompt, more).await
    }

    /// In a place that was made ready, with more arguments.
    pub async fn begin_in(claude: Claude, prompt: &str, more: Value) -> Self {
        let server = claude.server().start().await;
        Self::begin_on(server, claude, prompt, more).await
    }

    pub async fn begin_on(server: Server, claude: Claude, prompt: &str, more: Value) -> Self {
        let mut socket = server.connect().await;
        let mut arguments = json!({"project": server.project(), "prompt": prompt});
        for (name, value) in more.as_object().into_iter().flatten() {
            arguments[name] = value.clone();
        }
        let started = server.call("start_session", arguments).await.done();
        let session = started["session_id"].as_str().expect("an id").to_owned();
        // only from now on: what it does takes longer than this
        socket
            .send(&json!({"type": "subscribe", "session_id": session}))
            .await;
        Self {
            server,
            claude,
            socket,
            session,
        }
    }

    pub async fn say(&self, text: &str) {
        self.server.send(&self.session, text).await;
    }

    pub async fn pending(&mut self) -> Value {
        self.socket.pending(&self.session).await
    }

    pub async fn all_pending(&mut self, count: usize) -> Vec<Value> {
        self.socket.all_pending(&self.session, count).await
    }

    pub async fn respond(&self, request: &Value, response: Value) {
        let reply = self.server.respond(&self.session, request, response);
        reply.await.done();
    }

    /// Waits for the next request and answers it.
    pub async fn answer(&mut self, response: Value) -> Value {
        let request = self.pending().await;
        self.respond(&request, response).await;
        request
    }

    /// It has ended its turn and waits for a message.
    pub async fn idle(&mut self) -> Value {
        self.socket.state(&self.session, "user_turn").await
    }

    /// The first turn of a session that asks nothing: it is ready once before.
    pub async fn whole_turn(&mut self) -> Value {
        self.socket.turn(&self.session).await
    }

    pub async fn call(&self, name: &str, mut more: Value) -> Value {
        more["session_id"] = json!(self.session);
        self.server.call(name, more).await.done()
    }

    pub fn file(&self, name: &str) -> Option<String> {
        self.claude.place.project_file(name)
    }

    /// What the model was told by its tools since this prompt.
    pub fn told(&self, prompt: &str) -> Vec<ToolResult> {
        self.claude.api.results(prompt)
    }

    /// The one thing the model was told by a tool since this prompt.
    #[track_caller]
    pub fn told_once(&self, prompt: &str) -> ToolResult {
        match <[ToolResult; 1]>::try_from(self.told(prompt)) {
            Ok([result]) => result,
            Err(results) => panic!("one result, not {results:#?}"),
        }
    }

    /// Everything that happened, as one who opens the session now is told.
    pub async fn events(&self, kind: &str) -> Vec<Value> {
        let mut events = self.server.events(&self.session).await;
        events.retain(|event| event["kind"] == kind);
        events
    }

    /// The calls of tools as the page shows them.
    pub async fn tools(&self) -> Vec<ToolItem> {
        let events = self.server.events(&self.session).await;
        let events: Vec<Event> = events
            .into_iter()
            .map(|event| serde_json::from_value(event).expect("an event"))
            .collect();
        let items = Conversation::from_events(&events).items;
        let tool = |body: &Body| match body {
            Body::Tool(tool) => Some(tool.clone()),
            _ => None,
        };
        items.iter().filter_map(|item| tool(&item.body)).collect()
    }

    /// How many messages had to wait, and that each of them was read.
    pub async fn queued_and_read(&self) -> usize {
        let mut queued = self.events("message_sent").await;
        queued.retain(|event| event["queued"] == true);
        let taken = self.events("message_taken").await;
        for message in &queued {
            let is_taken = |event: &Value| event["message_id"] == message["message_id"];
            assert!(taken.iter().any(is_taken), "not read: {message}");
        }
        queued.len()
    }
}
