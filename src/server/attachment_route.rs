//! `GET /attachment/{id}`: one kept file, for whoever may see the page. Whatever it holds, a browser runs none of it: it
//! says exactly what it is, and comes in a sandbox.

use super::attached::Attached;
use super::auth;
use super::router::Shared;
use crate::model::{AttachmentId, Code, MediaType, Refusal};
use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

const POLICY: &str =
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

pub async fn show(State(shared): State<Shared>, Path(id): Path<String>) -> Response {
    let found = match id.parse::<AttachmentId>() {
        // a file of some megabytes is read from disk
        Ok(id) => tokio::task::spawn_blocking(move || shared.hub.attachment(id))
            .await
            .ok()
            .flatten(),
        Err(_) => None,
    };
    match found {
        Some(file) => response(&file),
        None => auth::refused(&Refusal::new(
            Code::NotFound,
            "There is no such file. Its session may have been removed.",
        )),
    }
}

fn response(file: &Attached) -> Response {
    let kind = file.about.media_type;
    let media_type = match kind {
        MediaType::Text => "text/plain; charset=utf-8",
        other => other.word(),
    };
    let mut response = file.content.to_vec().into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(POLICY),
    );
    if let Ok(value) = HeaderValue::from_str(&disposition(kind, &file.about.name)) {
        headers.insert(header::CONTENT_DISPOSITION, value);
    }
    response
}

/// A sandbox has no PDF viewer: those are downloaded.
fn disposition(kind: MediaType, name: &str) -> String {
    let how = match kind {
        MediaType::Pdf => "attachment",
        _ => "inline",
    };
    format!("{how}; filename*=UTF-8''{}", encoded(name))
}

/// As RFC 8187 wants it.
pub(super) fn encoded(name: &str) -> String {
    name.bytes()
        .map(|byte| match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b'_' => {
                char::from(byte).to_string()
            }
            other => format!("%{other:02X}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_break_out_of_its_header() {
        assert_eq!(
            disposition(MediaType::Png, "a \"ö\";\r\n.png"),
            "inline; filename*=UTF-8''a%20%22%C3%B6%22%3B%0D%0A.png"
        );
        assert!(disposition(MediaType::Pdf, "a.pdf").starts_with("attachment"));
    }
}
