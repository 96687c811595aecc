//! Requests over HTTP that cannot be served.

use crate::support::{Reply, Server, TOKEN, read};
use reqwest::Method;
use serde_json::json;

/// Bytes of a body, unless the settings say otherwise.
const LIMIT: usize = 2 * 1024 * 1024;
const JSON: (&str, &str) = ("content-type", "application/json");
const PAGE: (&str, &str) = ("accept", "text/html");

async fn ask(
    server: &Server,
    method: Method,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Reply {
    let mut request = server.request(method, path).body(body.to_owned());
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    read(request.send().await.expect("an answer")).await
}

#[tokio::test]
async fn anyone_may_ask_whether_it_is_well() {
    let server = Server::start().await;
    let reply = ask(&server, Method::GET, "/healthz", &[], "").await;
    assert_eq!((reply.status, reply.body), (200, json!("ok")));
}

#[tokio::test]
async fn a_stranger_is_told_in_json_and_led_to_the_login_in_a_browser() {
    let server = Server::start().await;
    for name in [
        "start_session",
        "send_message",
        "respond",
        "interrupt",
        "kill",
        "set_permission_mode",
        "list_sessions",
        "list_processes",
        "nothing",
    ] {
        let path = format!("/api/{name}");
        ask(&server, Method::POST, &path, &[JSON], "{}")
            .await
            .is_refused(401, "unauthorized");
        ask(&server, Method::POST, &path, &[JSON, PAGE], "{}")
            .await
            .is_refused(401, "unauthorized");
    }
    for path in [
        "/",
        "/session/00000000-0000-4000-8000-000000000000",
        "/history",
        "/nothing",
    ] {
        ask(&server, Method::GET, path, &[], "")
            .await
            .is_refused(401, "unauthorized");
        let page = server
            .request(Method::GET, path)
            .header(PAGE.0, PAGE.1)
            .send()
            .await
            .expect("an answer");
        assert_eq!(page.status(), 303, "{path}");
        assert_eq!(page.headers()["location"], "/login");
    }
    assert_eq!(
        ask(&server, Method::GET, "/login", &[PAGE], "")
            .await
            .status,
        200
    );
    let wrong = format!("Bearer {TOKEN}x");
    ask(
        &server,
        Method::POST,
        "/api/list_sessions",
        &[JSON, ("authorization", &wrong)],
        "{}",
    )
    .await
    .is_refused(401, "unauthorized");
}

#[tokio::test]
async fn another_site_is_refused_in_json() {
    let server = Server::start().await;
    let bearer = format!("Bearer {TOKEN}");
    let bearer = ("authorization", bearer.as_str());
    ask(
        &server,
        Method::POST,
        "/api/list_sessions",
        &[JSON, bearer, ("origin", "http://evil.example")],
        "{}",
    )
    .await
    .is_refused(403, "forbidden");
    ask(
        &server,
        Method::POST,
        "/api/list_sessions",
        &[JSON, bearer, ("host", "evil.example")],
        "{}",
    )
    .await
    .is_refused(403, "forbidden");
}

#[tokio::test]
async fn arguments_that_cannot_be_read_are_refused_in_words() {
    let server = Server::start().await;
    let bearer = format!("Bearer {TOKEN}");
    let headers = [JSON, ("authorization", bearer.as_str())];
    for (name, body) in [
        ("send_message", ""),
        ("send_message", "not JSON"),
        ("send_message", "{"),
        ("send_message", "[]"),
        ("send_message", "{}"),
        ("send_message", r#"{"session_id":"not-an-id","text":"x"}"#),
        (
            "send_message",
            r#"{"session_id":"00000000-0000-4000-8000-000000000000"}"#,
        ),
        (
            "send_message",
            r#"{"session_id":"00000000-0000-4000-8000-000000000000","text":7}"#,
        ),
        ("start_session", r#"{"prompt":"hello"}"#),
        (
            "respond",
            r#"{"session_id":"00000000-0000-4000-8000-000000000000","request_id":"x","response":{}}"#,
        ),
        ("kill", "null"),
        (
            "set_permission_mode",
            r#"{"session_id":"00000000-0000-4000-8000-000000000000","mode":7}"#,
        ),
    ] {
        let reply = ask(
            &server,
            Method::POST,
            &format!("/api/{name}"),
            &headers,
            body,
        )
        .await;
        reply.is_refused(400, "invalid_request");
    }
    assert_eq!(
        server.call("list_sessions", json!({})).await.done(),
        json!([])
    );
}

#[tokio::test]
async fn functions_that_are_not_there_and_bodies_without_end_are_refused_in_json() {
    let server = Server::start().await;
    let bearer = format!("Bearer {TOKEN}");
    let headers = [JSON, ("authorization", bearer.as_str())];
    ask(
        &server,
        Method::POST,
        "/api/no_such_function",
        &headers,
        "{}",
    )
    .await
    .is_refused(404, "not_found");
    ask(&server, Method::GET, "/api/list_sessions", &headers, "")
        .await
        .is_refused(404, "not_found");
    for (function, bytes) in [("kill", 3 * 1024 * 1024), ("send_message", 9 * 1024 * 1024)] {
        let announced = format!("Content-Length: {bytes}\r\nConnection: close\r\n\r\n");
        let answer = raw_call(&server, function, &announced, "too_large").await;
        assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
        assert!(answer.contains("\"code\":\"too_large\""), "{answer}");
    }
}

#[tokio::test]
async fn a_body_in_pieces_is_read_as_far_as_the_limit() {
    let server = Server::start().await;
    let small = in_pieces(&server, &["{", "}"], "\r\n\r\n[]").await;
    assert!(small.starts_with("HTTP/1.1 200 "), "{small}");
    // the last piece is one byte too much, and the end is never sent: all that was sent is read
    let much = " ".repeat(LIMIT);
    let refused = in_pieces(&server, &[&much, " "], "too_large").await;
    assert!(refused.starts_with("HTTP/1.1 413 "), "{refused}");
}

/// Calls a function with a body that does not tell its length. It ends when the answer has these words.
async fn in_pieces(server: &Server, pieces: &[&str], until: &str) -> String {
    let mut body = String::from("Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n");
    for piece in pieces {
        body += &format!("{:x}\r\n{piece}\r\n", piece.len());
    }
    if pieces.iter().map(|piece| piece.len()).sum::<usize>() <= LIMIT {
        body += "0\r\n\r\n";
    }
    raw_call(server, "list_sessions", &body, until).await
}

/// The rest of a request as it goes over the wire. One that is sent while it is being refused may break the pipe.
async fn raw_call(server: &Server, function: &str, rest: &str, until: &str) -> String {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let host = server.origin.trim_start_matches("http://");
    let mut stream = tokio::net::TcpStream::connect(host)
        .await
        .expect("connected");
    let head = format!(
        "POST /api/{function} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {TOKEN}\r\n\
         Content-Type: application/json\r\n{rest}"
    );
    stream.write_all(head.as_bytes()).await.expect("sent");
    let mut answer = String::new();
    while !answer.contains(until) {
        let mut piece = [0; 4096];
        match stream.read(&mut piece).await {
            Ok(0) | Err(_) => break,
            Ok(count) => answer += &String::from_utf8_lossy(&piece[..count]),
        }
    }
    answer
}

#[tokio::test]
async fn a_session_that_is_not_there_has_a_page_that_says_so() {
    let server = Server::start().await;
    let bearer = format!("Bearer {TOKEN}");
    for path in [
        "/session/00000000-0000-4000-8000-000000000000",
        "/session/nonsense",
        "/nothing",
    ] {
        let reply = ask(
            &server,
            Method::GET,
            path,
            &[PAGE, ("authorization", &bearer)],
            "",
        )
        .await;
        assert_eq!(reply.status, 404, "{path}");
        assert!(
            reply
                .body
                .as_str()
                .is_some_and(|page| page.contains("</html>")),
            "{path}"
        );
    }
}

#[tokio::test]
async fn an_address_without_a_path_is_refused() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let server = Server::start().await;
    let host = server.origin.trim_start_matches("http://");
    for line in [format!("CONNECT {host}"), format!("GET {host}")] {
        let stream = tokio::net::TcpStream::connect(host).await;
        let mut stream = stream.expect("connected");
        let head = format!(
            "{line} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {TOKEN}\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await.expect("sent");
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer).await;
        assert!(answer.starts_with("HTTP/1.1 400"), "{line}: {answer}");
    }
}
