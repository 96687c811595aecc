//! What every response says about itself: what a browser may do with it, and that nobody keeps it.

use axum::{
    extract::Request,
    http::{HeaderName, HeaderValue, header},
    middleware::Next,
    response::Response,
};

/// For everything that is not a page: whatever it is taken for, it runs nothing.
pub const STATIC_POLICY: &str =
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// For a page without a script: styles, pictures, and forms that are sent to us.
pub const PLAIN_PAGE_POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// The same on every response.
///
/// The referrer policy is not `no-referrer`: under that one, browsers send `Origin: null` with the forms of our own
/// pages (Fetch, "append a request `Origin` header"), and they would be refused. To other sites nothing is said.
const ALWAYS: [(HeaderName, &str); 6] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "same-origin"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), serial=(), usb=()",
    ),
];

/// Only unless the response says it itself: a page has its own policy, a file its own time to be kept.
const OTHERWISE: [(HeaderName, &str); 2] = [
    (header::CACHE_CONTROL, "no-store"),
    (header::CONTENT_SECURITY_POLICY, STATIC_POLICY),
];

/// Whoever would set one of these opens the door to another site.
const NEVER: [HeaderName; 2] = [
    header::ACCESS_CONTROL_ALLOW_ORIGIN,
    header::ACCESS_CONTROL_ALLOW_CREDENTIALS,
];

/// The policy of one page, whose own scripts carry the nonce. The page must send it as a header.
pub fn content_security_policy(nonce: &str) -> String {
    let reloads_from = reloads_from();
    format!(
        "default-src 'none'; script-src 'self' 'nonce-{nonce}' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'{reloads_from}; img-src 'self' data: blob:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
}

/// `cargo leptos watch` has a socket of its own that tells the page to load itself again: only of a debug build that it started.
fn reloads_from() -> String {
    let port = std::env::var("LEPTOS_RELOAD_PORT").ok();
    let port = port.and_then(|port| port.parse::<u16>().ok());
    match port {
        Some(port) if cfg!(debug_assertions) && std::env::var_os("LEPTOS_WATCH").is_some() => {
            format!(" ws://127.0.0.1:{port}")
        }
        _ => String::new(),
    }
}

/// The outermost layer: refusals carry these headers too.
pub async fn set_headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for name in &NEVER {
        headers.remove(name);
    }
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    for (name, value) in OTHERWISE {
        let value = HeaderValue::from_static(value);
        headers.entry(name).or_insert(value);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_runs_only_what_is_ours() {
        assert_eq!(
            content_security_policy("q83v"),
            "default-src 'none'; script-src 'self' 'nonce-q83v' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
        );
    }
}
