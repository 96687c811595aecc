//! `POST /login` and `POST /logout`. Both stand behind [`crate::server::guard`], which has checked where they come from.

use super::{Auth, CookieValue, LoginError};
use crate::model::{Code, Refusal};
use axum::{
    Form, Json, Router,
    body::{Body, Bytes, to_bytes},
    extract::{FromRequest, Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
    routing::post,
};
use serde::Deserialize;
use std::sync::Arc;

const MOST_BYTES: usize = 4096;

#[derive(Deserialize)]
struct Attempt {
    code: String,
}

/// The two routes, ready to be merged into a router of any state.
pub fn routes<S: Clone + Send + Sync + 'static>(auth: Arc<Auth>) -> Router<S> {
    Router::new()
        .route("/login", post(login))
        .route("/logout", post(logout))
        .with_state(auth)
}

/// A form is answered with a page to go to, JSON with JSON.
pub async fn login(State(auth): State<Arc<Auth>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, MOST_BYTES).await else {
        let message = "A login is at most 4 kB long; send only the code.";
        return refused(&Refusal::new(Code::TooLarge, message));
    };
    match media_type(&parts.headers).as_str() {
        "application/json" => match serde_json::from_slice::<Attempt>(&body) {
            Ok(attempt) => match redeem(&auth, &attempt, &parts.headers) {
                Ok(value) => {
                    with_cookie(&auth, &value, &parts.headers, Json(serde_json::json!({})))
                }
                Err(error) => refused(&error.refusal()),
            },
            Err(_) => {
                let message = "A login in JSON is an object with the text `code`.";
                refused(&Refusal::new(Code::InvalidRequest, message))
            }
        },
        "application/x-www-form-urlencoded" => {
            let attempt = read_form(Request::from_parts(parts.clone(), Body::from(body))).await;
            match attempt.and_then(|attempt| redeem(&auth, &attempt, &parts.headers)) {
                Ok(value) => with_cookie(&auth, &value, &parts.headers, Redirect::to("/")),
                Err(error) => Redirect::to(&format!("/login?error={}", error.failure().word()))
                    .into_response(),
            }
        }
        _ => {
            let message = "Send the login code as a form or as JSON.";
            refused(&Refusal::new(Code::InvalidRequest, message))
        }
    }
}

pub async fn logout(State(auth): State<Arc<Auth>>, headers: HeaderMap) -> Response {
    auth.log_out(&headers);
    cookie_line(auth.clear_cookie(), Redirect::to("/login"))
}

/// `{"code", "message"}` with the status that fits. Nobody may keep it.
pub fn refused(refusal: &Refusal) -> Response {
    let status =
        StatusCode::from_u16(refusal.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = (status, Json(refusal)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if status == StatusCode::UNAUTHORIZED {
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}

/// A new login replaces the one this browser had.
fn redeem(auth: &Auth, attempt: &Attempt, headers: &HeaderMap) -> Result<CookieValue, LoginError> {
    let value = auth.redeem(code_in(&attempt.code))?;
    auth.log_out(headers);
    Ok(value)
}

/// People paste the whole link as well as the code in it.
fn code_in(pasted: &str) -> &str {
    let code = pasted
        .rsplit_once("#code=")
        .map_or(pasted, |(_, code)| code);
    code.trim()
}

async fn read_form(request: Request) -> Result<Attempt, LoginError> {
    match Form::<Attempt>::from_request(request, &()).await {
        Ok(Form(attempt)) => Ok(attempt),
        Err(_) => Err(LoginError::Wrong),
    }
}

fn media_type(headers: &HeaderMap) -> String {
    let value = headers.get(header::CONTENT_TYPE);
    let text = value.and_then(|value| value.to_str().ok()).unwrap_or("");
    let (essence, _) = text.split_once(';').unwrap_or((text, ""));
    essence.trim().to_ascii_lowercase()
}

/// The guard let only our own Origins through, so one with `https` means that a proxy keeps the way secret.
fn with_cookie(
    auth: &Auth,
    value: &CookieValue,
    headers: &HeaderMap,
    answer: impl IntoResponse,
) -> Response {
    let origin = headers.get(header::ORIGIN).map(HeaderValue::as_bytes);
    let secure = origin.is_some_and(|origin| origin.starts_with(b"https://"));
    cookie_line(auth.set_cookie(value, secure), answer)
}

fn cookie_line(line: String, answer: impl IntoResponse) -> Response {
    let mut response = answer.into_response();
    match HeaderValue::from_maybe_shared(Bytes::from(line)) {
        Ok(mut line) => {
            line.set_sensitive(true);
            response.headers_mut().insert(header::SET_COOKIE, line);
            response
        }
        Err(_) => refused(&Refusal::new(
            Code::Internal,
            "The login cookie could not be written.",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pasted_link_is_as_good_as_its_code() {
        assert_eq!(code_in("abc"), "abc");
        assert_eq!(code_in(" abc\n"), "abc");
        assert_eq!(code_in("http://127.0.0.1:3400/#code=abc "), "abc");
        assert_eq!(code_in(""), "");
    }

    #[test]
    fn a_media_type_is_read_without_its_parameters() {
        let mut headers = HeaderMap::new();
        assert_eq!(media_type(&headers), "");
        let value = HeaderValue::from_static("Application/JSON; charset=utf-8");
        headers.insert(header::CONTENT_TYPE, value);
        assert_eq!(media_type(&headers), "application/json");
    }
}
