//! The door: every request passes here before anything else sees it, assets and `/healthz` included.
//!
//! In this order: is it meant for us (Host), who is it, may they see this, and does what they want to change come
//! from our own page (Origin). It never reads forwarded headers, and never answers with a CORS header: no other
//! site has any business here. [`protect`] is the only way to put it around a router.

mod door;
mod headers;

pub use door::{Door, may_listen_on};
pub use headers::{PLAIN_PAGE_POLICY, STATIC_POLICY, content_security_policy, set_headers};

use super::auth::{self, Auth, Proof, Viewer};
use crate::model::{Code, Refusal};
use axum::{
    Json, Router,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header},
    middleware::{Next, from_fn, from_fn_with_state},
    response::{IntoResponse, Redirect, Response},
};
use std::sync::Arc;

const SEC_FETCH_SITE: &str = "sec-fetch-site";

/// What the guard needs to know.
#[derive(Clone)]
pub struct Gate {
    pub door: Arc<Door>,
    pub auth: Arc<Auth>,
    /// Further files that anyone may read, by path, besides `/pkg/` and `/favicon.svg`.
    pub public_file: fn(&str) -> bool,
}

/// Why a request goes no further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turned {
    Away(Refusal),
    /// A page, for someone who is not logged in. The browser keeps the `#code=…` of the address on its way.
    ToLogin,
    /// `OPTIONS`: other sites ask it before they come, and are not told anything.
    UnknownMethod,
}

impl From<Refusal> for Turned {
    fn from(refusal: Refusal) -> Self {
        Turned::Away(refusal)
    }
}

/// Adds login and logout, the checks around everything, and the response headers around the checks.
pub fn protect(routes: Router, gate: Gate) -> Router {
    routes
        .merge(auth::routes(gate.auth.clone()))
        .layer(from_fn_with_state(gate, admit))
        .layer(from_fn(set_headers))
}

/// The middleware that asks [`Gate::judge`].
pub async fn admit(State(gate): State<Gate>, mut request: Request, next: Next) -> Response {
    match gate.judge(request.method(), request.uri(), request.headers()) {
        Ok(viewer) => {
            if let Some(viewer) = viewer {
                request.extensions_mut().insert(viewer);
            }
            next.run(request).await
        }
        Err(Turned::Away(refusal)) => {
            let (method, path) = (request.method(), request.uri().path());
            tracing::debug!(%method, ?path, code = ?refusal.code, "turned away");
            auth::refused(&refusal)
        }
        Err(Turned::ToLogin) => Redirect::to("/login").into_response(),
        Err(Turned::UnknownMethod) => {
            let message = "OPTIONS is not answered: no other site may use this server.";
            let refusal = Refusal::new(Code::InvalidRequest, message);
            (StatusCode::METHOD_NOT_ALLOWED, Json(refusal)).into_response()
        }
    }
}

impl Gate {
    /// All the rules, from the head of the request alone.
    pub fn judge(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Result<Option<Viewer>, Turned> {
        let path = uri.path();
        // `CONNECT host:port`: this is no proxy, and nothing behind here knows an address without a path
        if !path.starts_with('/') {
            let message = "The address of a request begins with \"/\".";
            return Err(Refusal::new(Code::InvalidRequest, message).into());
        }
        let is_socket = path == "/ws" || asks_for_a_socket(headers);
        self.door.host_allowed(headers, uri)?;
        if method == Method::OPTIONS {
            return Err(Turned::UnknownMethod);
        }
        let viewer = self.auth.who(headers)?;
        if viewer.is_none() && !self.is_public(method, path) {
            let is_page = is_reading(method) && !is_socket && wants_a_page(path, headers);
            return Err(if is_page {
                Turned::ToLogin
            } else {
                Auth::not_logged_in().into()
            });
        }
        if is_socket || !is_reading(method) {
            let by_bearer = viewer.is_some_and(|viewer| viewer.by == Proof::Bearer);
            self.check_origin(headers, by_bearer, is_socket)?;
        }
        Ok(viewer)
    }

    /// Browsers send a cookie along whoever asks, but say truly who asks. A bearer is only sent by someone who has it,
    /// and programs have no Origin; one that has a foreign Origin is a browser after all.
    fn check_origin(
        &self,
        headers: &HeaderMap,
        by_bearer: bool,
        is_socket: bool,
    ) -> Result<(), Refusal> {
        let without_origin = !headers.contains_key(header::ORIGIN);
        if without_origin && (by_bearer || !is_socket && is_same_origin(headers)) {
            return Ok(());
        }
        self.door.origin_allowed(headers)
    }

    /// What someone who is not logged in may ask for.
    fn is_public(&self, method: &Method, path: &str) -> bool {
        match path {
            "/login" => is_reading(method) || method == Method::POST,
            "/healthz" | "/favicon.svg" => is_reading(method),
            _ => {
                let is_file = path.starts_with("/pkg/") || (self.public_file)(path);
                is_reading(method) && is_plain(path) && is_file
            }
        }
    }
}

/// `OPTIONS` never comes this far, and no route changes anything on these two.
fn is_reading(method: &Method) -> bool {
    method == Method::GET || method == Method::HEAD
}

/// No way to name one thing and get another.
fn is_plain(path: &str) -> bool {
    !path.contains("..") && !path.contains("//") && !path.contains(['%', '\\'])
}

fn wants_a_page(path: &str, headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).into_iter();
    let mut accepted = accepted.filter_map(|value| value.to_str().ok());
    !path.starts_with("/api/") && accepted.any(|value| value.contains("text/html"))
}

/// On any path, so that a second socket cannot be added without this rule.
fn asks_for_a_socket(headers: &HeaderMap) -> bool {
    let upgrades = headers.get_all(header::UPGRADE).into_iter();
    let mut protocols = upgrades
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    protocols.any(|protocol| protocol.trim().eq_ignore_ascii_case("websocket"))
}

/// A web page cannot write this header.
fn is_same_origin(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(SEC_FETCH_SITE).into_iter();
    values.next().map(HeaderValue::as_bytes) == Some(b"same-origin") && values.next().is_none()
}

#[cfg(test)]
mod tests;
