//! A WebSocket client that is not ours.

use super::{PATIENCE, TOKEN};
use futures::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

pub struct Socket {
    stream: WebSocketStream<TcpStream>,
    /// The first frame of the connection.
    pub first: Value,
    /// Every frame since, in order: what a failing test shows.
    seen: Vec<Value>,
}

impl Socket {
    pub async fn open(host: &str) -> Self {
        let stream = TcpStream::connect(host).await.expect("a connection");
        Self::over(stream, host).await
    }

    /// One that says who it is.
    pub async fn open_as(host: &str, client: &str) -> Self {
        let stream = TcpStream::connect(host).await.expect("a connection");
        let mut socket = Self::over(stream, host).await;
        socket
            .send(&json!({"type": "hello", "client": client}))
            .await;
        socket
    }

    /// One that has room for little: it is soon full when nobody reads.
    pub async fn open_with_little_room(host: &str) -> Self {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_recv_buffer_size(4096).expect("a small buffer");
        let address = host.parse().expect("an address");
        let stream = socket.connect(address).await.expect("a connection");
        Self::over(stream, host).await
    }

    async fn over(stream: TcpStream, host: &str) -> Self {
        let mut request = format!("ws://{host}/ws")
            .into_client_request()
            .expect("a request");
        let bearer = HeaderValue::from_str(&format!("Bearer {TOKEN}")).expect("a header");
        request.headers_mut().insert("authorization", bearer);
        let (stream, _) = client_async(request, stream).await.expect("a socket");
        let mut socket = Self {
            stream,
            first: Value::Null,
            seen: Vec::new(),
        };
        socket.first = socket.next().await.expect("a first frame");
        socket
    }

    /// Reads to the end of the socket; the code that the server closed it with.
    pub async fn closed_with(&mut self) -> Option<u16> {
        let end = async {
            loop {
                match self.stream.next().await? {
                    Ok(Message::Close(frame)) => return frame.map(|frame| frame.code.into()),
                    Ok(_) => {}
                    Err(_) => return None,
                }
            }
        };
        let ended = tokio::time::timeout(PATIENCE, end).await;
        ended.expect("the socket is still open")
    }

    /// Says goodbye itself; the code that it is answered with.
    pub async fn leave(mut self) -> Option<u16> {
        self.stream.send(Message::Close(None)).await.ok()?;
        let end = async {
            let mut last = None;
            while let Some(Ok(message)) = self.stream.next().await {
                last = Some(message);
            }
            last
        };
        match tokio::time::timeout(PATIENCE, end).await {
            Ok(Some(Message::Close(frame))) => Some(frame.map_or(1005, |frame| frame.code.into())),
            _ => None,
        }
    }

    /// Bytes as they are, past the WebSocket.
    pub async fn send_raw(&mut self, bytes: &[u8]) {
        use tokio::io::AsyncWriteExt;
        let stream = self.stream.get_mut();
        stream.write_all(bytes).await.expect("an open socket");
    }

    /// The next frame; `None` when the server has closed the socket.
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            let message = tokio::time::timeout(PATIENCE, self.stream.next()).await;
            let Ok(message) = message else {
                panic!("no frame came; the last were {:#?}", self.last());
            };
            match message? {
                Ok(Message::Text(text)) => {
                    let frame: Value = serde_json::from_str(&text).expect("a frame of JSON");
                    self.seen.push(frame.clone());
                    return Some(frame);
                }
                Ok(Message::Ping(_) | Message::Pong(_)) => {}
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(other) => panic!("not a text frame: {other:?}"),
            }
        }
    }

    /// The next frame that fits.
    pub async fn until(&mut self, what: &str, mut fits: impl FnMut(&Value) -> bool) -> Value {
        let search = async {
            loop {
                match self.next().await {
                    Some(frame) if fits(&frame) => return Some(frame),
                    Some(_) => {}
                    None => return None,
                }
            }
        };
        match tokio::time::timeout(PATIENCE, search).await {
            Ok(Some(frame)) => frame,
            Ok(None) => panic!("{what}: the socket was closed"),
            Err(_) => panic!("{what} did not come; the last were {:#?}", self.last()),
        }
    }

    /// The process of a session when it looks like this.
    pub async fn process(
        &mut self,
        session: &str,
        what: &str,
        mut fits: impl FnMut(&Value) -> bool,
    ) -> Value {
        self.until(what, |frame| {
            frame["type"] == "process_state" && frame["session_id"] == session && fits(frame)
        })
        .await
    }

    /// The process of a session in this state.
    pub async fn state(&mut self, session: &str, state: &str) -> Value {
        let what = format!("the state {state}");
        self.process(session, &what, |process| process["state"] == state)
            .await
    }

    /// A whole turn: it begins and ends.
    pub async fn turn(&mut self, session: &str) -> Value {
        self.state(session, "assistant_turn").await;
        self.state(session, "user_turn").await
    }

    /// The oldest request that waits in a session.
    pub async fn pending(&mut self, session: &str) -> Value {
        let process = self
            .process(session, "a pending request", |process| {
                process.get("pending_request").is_some()
            })
            .await;
        process["pending_request"].clone()
    }

    /// So many requests that wait at the same time, oldest first.
    pub async fn all_pending(&mut self, session: &str, count: usize) -> Vec<Value> {
        let count_of = |process: &Value| process["pending_requests"].as_array().map_or(0, Vec::len);
        let process = self
            .process(session, &format!("{count} pending requests"), |process| {
                count_of(process) == count
            })
            .await;
        process["pending_requests"]
            .as_array()
            .expect("a list")
            .clone()
    }

    pub async fn resolved(&mut self, request: &Value) -> Value {
        self.until("the end of a request", |frame| {
            frame["type"] == "request_resolved" && frame["request_id"] == request["request_id"]
        })
        .await
    }

    pub async fn error(&mut self) -> Value {
        self.until("an error", |frame| frame["type"] == "error")
            .await
    }

    /// Watches a session from here on; returns what the first frame of events had.
    pub async fn subscribe(&mut self, session: &str, after: Option<u64>) -> Vec<Value> {
        let mut message = json!({"type": "subscribe", "session_id": session});
        if let Some(after) = after {
            message["after"] = json!(after);
        }
        self.send(&message).await;
        let frame = self.next_events(session).await;
        frame["events"].as_array().expect("a list").clone()
    }

    pub async fn next_events(&mut self, session: &str) -> Value {
        self.until("events", |frame| {
            frame["type"] == "session_events" && frame["session_id"] == session
        })
        .await
    }

    /// The next event of a watched session that fits.
    pub async fn event(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let list = |frame: &Value| frame["events"].as_array().cloned().unwrap_or_default();
        let frame = self
            .until(what, |frame| {
                frame["type"] == "session_events" && list(frame).iter().any(&fits)
            })
            .await;
        list(&frame)
            .into_iter()
            .find(|event| fits(event))
            .expect("just seen")
    }

    /// Text of the agent, in a watched session, that has these words.
    pub async fn text(&mut self, words: &str) -> String {
        let event = self
            .event(&format!("the text \"{words}\""), |event| {
                event["kind"] == "text_written"
                    && event["text"]
                        .as_str()
                        .is_some_and(|text| text.contains(words))
            })
            .await;
        event["text"].as_str().unwrap_or_default().to_owned()
    }

    pub async fn send(&mut self, message: &Value) {
        self.send_text(&message.to_string()).await;
    }

    pub async fn send_text(&mut self, text: &str) {
        self.send_message(Message::text(text)).await;
    }

    pub async fn send_bytes(&mut self, bytes: &[u8]) {
        self.send_message(Message::binary(bytes.to_vec())).await;
    }

    /// The server may close the socket in the middle of it.
    pub async fn try_send_text(&mut self, text: &str) -> Result<(), Error> {
        self.stream.send(Message::text(text)).await
    }

    /// Waits until the server has closed the socket.
    pub async fn is_closed(&mut self) {
        let end = async { while self.next().await.is_some() {} };
        let ended = tokio::time::timeout(PATIENCE, end).await;
        assert!(ended.is_ok(), "the socket is still open");
    }

    async fn send_message(&mut self, message: Message) {
        self.stream.send(message).await.expect("an open socket");
    }

    /// Answers a request; what comes of it is seen in the frames that follow.
    pub async fn respond(&mut self, session: &str, request: &Value, response: Value) {
        let mut message = response;
        message["type"] = json!("pending_request_response");
        message["session_id"] = json!(session);
        message["request_id"] = request["request_id"].clone();
        self.send(&message).await;
    }

    /// The server answers, so the socket is open and everything sent before was read.
    pub async fn is_open(&mut self) {
        self.send(&json!({"type": "ping"})).await;
        self.until("a pong", |frame| frame["type"] == "pong").await;
    }

    /// Forgets the frames kept for a failing test: where there are very many.
    pub fn forget(&mut self) {
        self.seen.clear();
    }

    fn last(&self) -> &[Value] {
        &self.seen[self.seen.len().saturating_sub(5)..]
    }
}
