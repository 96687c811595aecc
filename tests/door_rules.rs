//! The door as a stranger meets it: bytes over a real socket to a real server with every kind of route behind it.
#![cfg(feature = "ssr")]

use axum::{
    Extension, Router,
    extract::ws::{WebSocket, WebSocketUpgrade},
    response::Html,
    routing::{get, post},
};
use countersign::{
    model::Refusal,
    server::{
        auth::{Auth, LoginStore, Viewer},
        clock::Clock,
        guard::{Door, Gate, protect},
    },
};
use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::timeout,
};

const TOKEN: &str = "a-fixed-token-for-scripts-0123456789";
const FORM: &str = "content-type: application/x-www-form-urlencoded";
const JSON: &str = "content-type: application/json";

#[derive(Default)]
struct Memory(Mutex<HashMap<[u8; 32], f64>>);

impl LoginStore for Memory {
    fn save(&self, hash: [u8; 32], at: f64) -> Result<(), Refusal> {
        self.0.lock().unwrap().insert(hash, at);
        Ok(())
    }
    fn saved_at(&self, hash: [u8; 32]) -> Option<f64> {
        self.0.lock().unwrap().get(&hash).copied()
    }
    fn forget(&self, hash: [u8; 32]) {
        self.0.lock().unwrap().remove(&hash);
    }
}

struct House {
    address: SocketAddr,
    auth: Arc<Auth>,
}

/// What a stranger sees: the status, the head in lower case, the body.
struct Seen {
    status: u16,
    head: String,
    body: String,
}

impl House {
    async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let store = Arc::new(Memory::default());
        let auth = Auth::new(address.port(), Some(TOKEN), store, Clock::real()).unwrap();
        let auth = Arc::new(auth);
        let gate = Gate {
            door: Arc::new(Door::new(address, &[]).unwrap()),
            auth: auth.clone(),
            public_file: |_| false,
        };
        let cors = [("access-control-allow-origin", "*")];
        let kept = [("cache-control", "no-cache")];
        let for_socket = auth.clone();
        let socket = |upgrade: WebSocketUpgrade, Extension(viewer): Extension<Viewer>| async move {
            upgrade.on_upgrade(move |socket| stay(socket, for_socket, viewer))
        };
        let routes = Router::new()
            .route("/", get(|| async { Html("inbox") }))
            .route("/login", get(|| async { Html("login") }))
            .route("/healthz", get(|| async { "ok" }))
            .route("/pkg/{file}", get(move || async move { (kept, "asset") }))
            .route("/api/x", post(move || async move { (cors, "done") }))
            .route("/ws", get(socket));
        let server = axum::serve(listener, protect(routes, gate)).into_future();
        tokio::spawn(server);
        Self { address, auth }
    }

    fn host(&self) -> String {
        format!("host: {}", self.address)
    }
    fn origin(&self) -> String {
        format!("origin: http://{}", self.address)
    }
    fn cookie_name(&self) -> String {
        format!("countersign_{}", self.address.port())
    }

    /// The header that a browser sends after a login.
    fn cookie(&self) -> String {
        let value = self.auth.redeem(&self.auth.new_code().unwrap()).unwrap();
        format!("cookie: {}={}", self.cookie_name(), value.as_str())
    }

    async fn ask(&self, line: &str, headers: &[&str], body: &str) -> Seen {
        let host = self.host();
        let headers: Vec<&str> = [host.as_str()].iter().chain(headers).copied().collect();
        self.ask_raw(line, &headers, body).await
    }

    async fn ask_raw(&self, line: &str, headers: &[&str], body: &str) -> Seen {
        let mut stream = self.send(line, headers, body, "connection: close").await;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        Seen::read(&String::from_utf8(answer).unwrap())
    }

    async fn send(&self, line: &str, headers: &[&str], body: &str, last: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let length = body.len();
        let headers = headers.join("\r\n");
        let request = format!(
            "{line} HTTP/1.1\r\n{headers}\r\n{last}\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        stream
    }

    /// Only the head of the answer: an open socket has no end.
    async fn knock(&self, headers: &[&str]) -> (Seen, TcpStream) {
        let socket = [
            "upgrade: websocket",
            "sec-websocket-version: 13",
            "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
        ];
        let headers: Vec<&str> = headers.iter().chain(&socket).copied().collect();
        let last = "connection: upgrade";
        let mut stream = self.send("GET /ws", &headers, "", last).await;
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await.unwrap());
        }
        (Seen::read(&String::from_utf8(head).unwrap()), stream)
    }
}

impl Seen {
    fn read(answer: &str) -> Self {
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        Self {
            status: head[9..12].parse().unwrap(),
            head: head.to_lowercase(),
            body: body.to_owned(),
        }
    }
    fn has(&self, header: &str) -> bool {
        self.head.lines().any(|line| line == header)
    }
}

async fn stay(mut socket: WebSocket, auth: Arc<Auth>, viewer: Viewer) {
    tokio::select! {
        () = auth.until_ended(viewer) => {}
        _ = socket.recv() => {}
    }
}

#[tokio::test]
async fn a_foreign_host_is_refused_everywhere_even_with_everything_else_right() {
    let house = House::open().await;
    let (cookie, port) = (house.cookie(), house.address.port());
    let bearer = format!("authorization: Bearer {TOKEN}");
    let host = format!("host: evil.example:{port}");
    let origin = format!("origin: http://evil.example:{port}");
    let lines = "GET /,GET /healthz,GET /login,POST /login,GET /pkg/a.js,POST /api/x,OPTIONS /api/x,GET /nothing";
    for line in lines.split(',') {
        for proof in [&cookie, &bearer] {
            let seen = house.ask_raw(line, &[&host, &origin, proof], "").await;
            assert_eq!(seen.status, 403, "{line}");
            assert!(
                seen.body
                    .starts_with(r#"{"code":"forbidden","message":"This"#)
            );
        }
    }
    let (seen, _stream) = house.knock(&[&host, &origin, &cookie]).await;
    assert_eq!(seen.status, 403);
    let two = house.ask("GET /healthz", &[&host], "").await;
    assert_eq!(two.status, 403);
    let absolute = format!("GET http://evil.example:{port}/healthz");
    assert_eq!(house.ask(&absolute, &[], "").await.status, 403);
    assert_eq!(house.ask_raw("GET /healthz", &[], "").await.status, 403);
}

#[tokio::test]
async fn a_socket_opens_only_for_our_exact_origin() {
    let house = House::open().await;
    let (host, cookie, port) = (house.host(), house.cookie(), house.address.port());
    for right in [
        house.origin(),
        format!("origin: http://localhost:{port}"),
        format!("origin: http://[::1]:{port}"),
    ] {
        let (seen, _stream) = house.knock(&[&host, &cookie, &right]).await;
        assert_eq!(seen.status, 101, "{right}");
        let (seen, _stream) = house.knock(&[&host, &right]).await;
        assert_eq!(seen.status, 401, "{right} without a login");
    }
    let (seen, _stream) = house.knock(&[&host, &cookie]).await;
    assert_eq!(seen.status, 403, "no Origin");
    let wrong = "null http://evil.example:PORT http://127.0.0.1 http://127.0.0.1:1 http://127.0.0.1:PORT0 \
        https://127.0.0.1:PORT ws://127.0.0.1:PORT http://127.0.0.1:PORT.evil.example http://LOCALHOST:PORT \
        http://localhost.evil.example:PORT http://localhost.:PORT http://localhost:PORT/";
    let wrong = wrong.replace("PORT", &port.to_string());
    for wrong in wrong.split_whitespace() {
        let origin = format!("origin: {wrong}");
        let (seen, _stream) = house.knock(&[&host, &cookie, &origin]).await;
        assert_eq!(seen.status, 403, "{wrong}");
    }
}

#[tokio::test]
async fn a_program_opens_a_socket_with_its_token_alone() {
    let house = House::open().await;
    let (host, bearer) = (house.host(), format!("authorization: Bearer {TOKEN}"));
    let (seen, _stream) = house.knock(&[&host, &bearer]).await;
    assert_eq!(seen.status, 101);
    let foreign = "origin: http://evil.example";
    let (seen, _stream) = house.knock(&[&host, &bearer, foreign]).await;
    assert_eq!(seen.status, 403);
    let wrong = format!("{bearer}x");
    let (seen, _stream) = house.knock(&[&host, &wrong, &house.cookie()]).await;
    assert_eq!(seen.status, 401);
}

#[tokio::test]
async fn logout_closes_the_open_socket_within_a_second() {
    let house = House::open().await;
    let (host, cookie, origin) = (house.host(), house.cookie(), house.origin());
    let (seen, mut stream) = house.knock(&[&host, &cookie, &origin]).await;
    assert_eq!(seen.status, 101);
    assert_eq!(house.ask("POST /logout", &[&cookie], "").await.status, 403);

    let seen = house.ask("POST /logout", &[&cookie, &origin], "").await;
    assert_eq!(seen.status, 303);
    assert!(seen.has("location: /login"));
    assert!(seen.head.contains("max-age=0"));
    let mut rest = Vec::new();
    let end = stream.read_to_end(&mut rest);
    assert!(timeout(Duration::from_secs(1), end).await.is_ok());
    assert_eq!(house.ask("GET /", &[&cookie], "").await.status, 401);
}

#[tokio::test]
async fn a_form_login_sets_the_cookie_once_and_says_nothing_else() {
    let house = House::open().await;
    let (origin, code) = (house.origin(), house.auth.new_code().unwrap());
    let body = format!("code={code}");
    let forged = house.ask("POST /login", &[FORM], &body).await;
    assert_eq!(forged.status, 403, "and the code is not used up");

    let seen = house.ask("POST /login", &[FORM, &origin], &body).await;
    assert_eq!(seen.status, 303);
    assert!(seen.has("location: /") && !seen.head.contains(&code) && seen.body.is_empty());
    let set = format!("set-cookie: {}=", house.cookie_name());
    let line = seen.head.lines().find(|line| line.starts_with(&set));
    let (value, attributes) = line.unwrap()[set.len()..].split_once("; ").unwrap();
    assert_eq!(value.len(), 64);
    let expected = "path=/; httponly; samesite=strict; max-age=2592000";
    assert_eq!(attributes, expected);

    let cookie = format!("cookie: {}={value}", house.cookie_name());
    assert_eq!(house.ask("GET /", &[&cookie], "").await.body, "inbox");
    let next = format!("code={}", house.auth.new_code().unwrap());
    let headers = [FORM, &origin, &cookie];
    assert!(
        house
            .ask("POST /login", &headers, &next)
            .await
            .has("location: /")
    );
    let replaced = house.ask("GET /", &[&cookie], "").await;
    assert_eq!(replaced.status, 401, "a new login ends the one before");
    let again = house.ask("POST /login", &[FORM, &origin], &body).await;
    assert!(again.has("location: /login?error=used") && !again.head.contains("set-cookie"));
    let empty = house.ask("POST /login", &[FORM, &origin], "").await;
    assert!(empty.has("location: /login?error=wrong"));
}

#[tokio::test]
async fn a_json_login_is_answered_in_json() {
    let house = House::open().await;
    let origin = house.origin();
    let ask = async |body: &str| house.ask("POST /login", &[JSON, &origin], body).await;
    let body = format!(r#"{{"code":"{}"}}"#, house.auth.new_code().unwrap());
    let seen = ask(&body).await;
    assert_eq!((seen.status, seen.body.as_str()), (200, "{}"));
    assert!(seen.head.contains("set-cookie: "));
    let again = ask(&body).await;
    assert_eq!(again.status, 401);
    assert!(again.body.starts_with(r#"{"code":"unauthorized""#));
    assert_eq!(ask("{}").await.status, 400);
    assert_eq!(ask(&"x".repeat(4097)).await.status, 413);
    let untyped = house.ask("POST /login", &[&origin], &body).await;
    assert_eq!(untyped.status, 400);
    for _ in 0..10 {
        assert_eq!(ask(r#"{"code":"guess"}"#).await.status, 401);
    }
    assert_eq!(ask(r#"{"code":"guess"}"#).await.status, 429);
}

#[tokio::test]
async fn every_answer_carries_the_headers_and_none_lets_another_site_in() {
    let house = House::open().await;
    let (cookie, origin) = (house.cookie(), house.origin());
    let accept = "accept: text/html";
    for (line, headers, status) in [
        ("GET /", vec![cookie.as_str()], 200),
        ("GET /", vec![accept], 303),
        ("GET /", vec![], 401),
        ("GET /healthz", vec![], 200),
        ("GET /login", vec![], 200),
        ("GET /pkg/a.js", vec![], 200),
        ("POST /api/x", vec![&cookie, &origin], 200),
        ("POST /api/x", vec![&cookie], 403),
        ("OPTIONS /api/x", vec![&cookie, &origin], 405),
        ("GET /nothing", vec![&cookie], 404),
    ] {
        let seen = house.ask(line, &headers, "").await;
        assert_eq!(seen.status, status, "{line}");
        assert!(!seen.head.contains("access-control"), "{line}");
        let is_asset = line.contains("/pkg/"); // it says itself how long it may be kept
        let cache = if is_asset { "no-cache" } else { "no-store" };
        for header in [
            "x-content-type-options: nosniff",
            "referrer-policy: same-origin",
            "x-frame-options: deny",
            "cross-origin-opener-policy: same-origin",
            "cross-origin-resource-policy: same-origin",
            &format!("cache-control: {cache}"),
        ] {
            assert!(seen.has(header), "{line} {header}");
        }
        assert!(seen.head.contains("content-security-policy: default-src"));
        assert!(status != 303 || seen.has("location: /login"));
    }
}
