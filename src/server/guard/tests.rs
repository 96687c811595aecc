//! The rules of the door, one head of a request at a time.

use super::*;
use crate::server::{
    auth::tests::{Memory, TOKEN},
    clock::Clock,
};
use axum::http::HeaderName;

const OURS: &str = "http://127.0.0.1:3400";
const FOREIGN: &str = "http://evil.example";

struct Scene {
    gate: Gate,
    cookie: String,
    bearer: String,
}

/// What came of a request, in a word.
#[derive(Debug, PartialEq, Eq)]
enum Came {
    In(Option<Proof>),
    Away(Code),
    ToLogin,
    UnknownMethod,
}
use Came::{Away, In, ToLogin, UnknownMethod};

const FORBIDDEN: Came = Away(Code::Forbidden);
const UNAUTHORIZED: Came = Away(Code::Unauthorized);
const BY_COOKIE: Came = In(Some(Proof::Cookie));
const BY_BEARER: Came = In(Some(Proof::Bearer));

impl Scene {
    fn new() -> Self {
        let store = Arc::new(Memory::default());
        let auth = Auth::new(3400, Some(TOKEN), store, Clock::real()).unwrap();
        let value = auth.redeem(&auth.new_code().unwrap()).unwrap();
        let door = Door::new("127.0.0.1:3400".parse().unwrap(), &[]).unwrap();
        Self {
            gate: Gate {
                door: Arc::new(door),
                auth: Arc::new(auth),
                public_file: |path| path == "/manifest.json",
            },
            cookie: format!("countersign_3400={}", value.as_str()),
            bearer: format!("Bearer {TOKEN}"),
        }
    }

    fn ask(&self, line: &str, headers: &[(&'static str, &str)]) -> Came {
        self.ask_of("127.0.0.1:3400", line, headers)
    }

    fn ask_of(&self, host: &str, line: &str, headers: &[(&'static str, &str)]) -> Came {
        let (method, path) = line.split_once(' ').unwrap();
        let method: Method = method.parse().unwrap();
        let mut all = HeaderMap::new();
        for (name, value) in [("host", host)].iter().chain(headers) {
            let value = HeaderValue::from_str(value).unwrap();
            all.append(HeaderName::from_static(name), value);
        }
        match self.gate.judge(&method, &path.parse().unwrap(), &all) {
            Ok(viewer) => In(viewer.map(|viewer| viewer.by)),
            Err(Turned::Away(refusal)) => Away(refusal.code),
            Err(Turned::ToLogin) => ToLogin,
            Err(Turned::UnknownMethod) => UnknownMethod,
        }
    }
}

#[test]
fn a_foreign_host_sees_nothing_whatever_else_it_has() {
    let scene = Scene::new();
    for line in [
        "GET /",
        "GET /healthz",
        "GET /login",
        "POST /login",
        "GET /pkg/countersign.js",
        "GET /favicon.svg",
        "POST /api/respond",
        "OPTIONS /api/respond",
        "GET /ws",
        "GET /nothing",
    ] {
        let origin = ("origin", "http://evil.example:3400");
        for proof in [("cookie", &*scene.cookie), ("authorization", &scene.bearer)] {
            let came = scene.ask_of("evil.example:3400", line, &[proof, origin]);
            assert_eq!(came, FORBIDDEN, "{line}");
        }
    }
}

#[test]
fn a_stranger_sees_only_what_is_public() {
    let scene = Scene::new();
    for line in [
        "GET /healthz",
        "HEAD /healthz",
        "GET /login",
        "GET /login?error=used",
        "GET /pkg/abc/countersign.wasm",
        "GET /favicon.svg",
        "GET /manifest.json",
    ] {
        assert_eq!(scene.ask(line, &[]), In(None), "{line}");
    }
    for line in [
        "GET /",
        "GET /ws",
        "GET /pkg",
        "GET /pkg/../api/x",
        "GET /pkg//api",
        "GET /pkg/%2e%2e/api",
        "GET /healthz/",
        "GET /login/",
        "GET /LOGIN",
        "GET /favicon.svg/x",
        "GET /api/list_sessions",
        "POST /api/respond",
        "POST /healthz",
        "POST /logout",
        "PUT /login",
        "DELETE /pkg/countersign.js",
        "POST /manifest.json",
    ] {
        assert_eq!(scene.ask(line, &[("origin", OURS)]), UNAUTHORIZED, "{line}");
    }
}

#[test]
fn a_stranger_who_wants_a_page_is_sent_to_the_login() {
    let scene = Scene::new();
    let page = ("accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8");
    assert_eq!(scene.ask("GET /", &[page]), ToLogin);
    assert_eq!(scene.ask("GET /session/x", &[page]), ToLogin);
    for line in ["POST /", "GET /api/x", "GET /ws"] {
        assert_eq!(scene.ask(line, &[page]), UNAUTHORIZED, "{line}");
    }
    assert_eq!(scene.ask("GET /", &[("accept", "*/*")]), UNAUTHORIZED);
    let socket = ("upgrade", "websocket");
    assert_eq!(scene.ask("GET /", &[page, socket]), UNAUTHORIZED);
    let wrong = ("authorization", "Bearer wrong");
    assert_eq!(scene.ask("GET /", &[page, wrong]), UNAUTHORIZED);
}

#[test]
fn reading_needs_a_proof_and_no_origin() {
    let scene = Scene::new();
    let cookie = ("cookie", &*scene.cookie);
    let bearer = ("authorization", &*scene.bearer);
    for line in ["GET /", "HEAD /history", "GET /login", "GET /pkg/x.js"] {
        assert_eq!(scene.ask(line, &[cookie]), BY_COOKIE, "{line}");
        assert_eq!(scene.ask(line, &[bearer]), BY_BEARER, "{line}");
        assert_eq!(scene.ask(line, &[bearer, cookie]), BY_BEARER, "{line}");
        let wrong = ("authorization", "Bearer wrong");
        assert_eq!(scene.ask(line, &[wrong, cookie]), UNAUTHORIZED, "{line}");
    }
}

#[test]
fn with_a_cookie_only_our_own_page_changes_anything() {
    let scene = Scene::new();
    let cookie = ("cookie", &*scene.cookie);
    for method in ["POST", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "BREW"] {
        let ask = |headers: &[(&'static str, &str)]| {
            let headers: Vec<_> = [cookie].iter().chain(headers).copied().collect();
            scene.ask(&format!("{method} /api/respond"), &headers)
        };
        let site = |value| ("sec-fetch-site", value);
        assert_eq!(ask(&[("origin", OURS)]), BY_COOKIE);
        assert_eq!(ask(&[site("same-origin")]), BY_COOKIE);
        assert_eq!(ask(&[]), FORBIDDEN);
        for value in ["same-site", "cross-site", "none", "", "Same-Origin"] {
            assert_eq!(ask(&[site(value)]), FORBIDDEN, "{value}");
        }
        let twice = [site("same-origin"), site("cross-site")];
        assert_eq!(ask(&twice), FORBIDDEN);
        // an Origin that is present decides, whatever the other header says
        for origin in [FOREIGN, "null", "https://127.0.0.1:3400", ""] {
            assert_eq!(ask(&[("origin", origin)]), FORBIDDEN, "{origin}");
            let both = [("origin", origin), site("same-origin")];
            assert_eq!(ask(&both), FORBIDDEN, "{origin}");
        }
    }
}

#[test]
fn a_login_comes_from_our_own_page_too() {
    let scene = Scene::new();
    assert_eq!(scene.ask("POST /login", &[("origin", OURS)]), In(None));
    let same = ("sec-fetch-site", "same-origin");
    assert_eq!(scene.ask("POST /login", &[same]), In(None));
    assert_eq!(scene.ask("POST /login", &[]), FORBIDDEN);
    assert_eq!(scene.ask("POST /login", &[("origin", "null")]), FORBIDDEN);
    assert_eq!(scene.ask("POST /login", &[("origin", FOREIGN)]), FORBIDDEN);
}

#[test]
fn a_bearer_needs_no_origin_but_none_may_be_foreign() {
    let scene = Scene::new();
    let bearer = ("authorization", &*scene.bearer);
    for line in ["POST /api/respond", "GET /ws", "POST /logout"] {
        assert_eq!(scene.ask(line, &[bearer]), BY_BEARER, "{line}");
        let with = |origin| scene.ask(line, &[bearer, ("origin", origin)]);
        assert_eq!(with(OURS), BY_BEARER, "{line}");
        assert_eq!(with(FOREIGN), FORBIDDEN, "{line}");
        assert_eq!(with("null"), FORBIDDEN, "{line}");
    }
}

#[test]
fn a_socket_with_a_cookie_needs_our_exact_origin_on_any_path() {
    let scene = Scene::new();
    let cookie = ("cookie", &*scene.cookie);
    let upgrade = ("upgrade", "h2c, WebSocket");
    for (line, extra) in [("GET /ws", None), ("GET /other", Some(upgrade))] {
        let ask = |header: Option<(&'static str, &str)>| {
            let headers: Vec<_> = [Some(cookie), extra, header]
                .into_iter()
                .flatten()
                .collect();
            scene.ask(line, &headers)
        };
        assert_eq!(ask(Some(("origin", OURS))), BY_COOKIE);
        assert_eq!(ask(None), FORBIDDEN);
        assert_eq!(ask(Some(("sec-fetch-site", "same-origin"))), FORBIDDEN);
        for origin in ["null", FOREIGN, "http://127.0.0.1:3401", "http://127.0.0.1"] {
            assert_eq!(ask(Some(("origin", origin))), FORBIDDEN, "{origin}");
        }
    }
    let origin = ("origin", OURS);
    assert_eq!(scene.ask("GET /ws", &[origin]), UNAUTHORIZED);
    assert_eq!(scene.ask("GET /healthz", &[upgrade]), FORBIDDEN);
}

#[test]
fn options_is_answered_to_nobody() {
    let scene = Scene::new();
    let bearer = ("authorization", &*scene.bearer);
    assert_eq!(scene.ask("OPTIONS /api/respond", &[]), UnknownMethod);
    assert_eq!(scene.ask("OPTIONS /", &[bearer]), UnknownMethod);
}
