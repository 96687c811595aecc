//! `GET /export/{session}.md`: a whole conversation as a text that people read, also of a session that has ended.

mod markdown;

use super::attachment_route::encoded;
use super::auth;
use super::router::Shared;
use crate::model::{Code, Refusal, SessionId};
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};

pub async fn download(State(shared): State<Shared>, Path(file): Path<String>) -> Response {
    let session_id = file.strip_suffix(".md").and_then(|id| id.parse().ok());
    match written(&shared, session_id).await {
        Ok((name, text)) => {
            let headers = [
                (
                    header::CONTENT_TYPE,
                    "text/markdown; charset=utf-8".to_owned(),
                ),
                (
                    header::CONTENT_DISPOSITION,
                    format!("attachment; filename*=UTF-8''{}", encoded(&name)),
                ),
            ];
            (headers, text).into_response()
        }
        Err(refusal) => auth::refused(&refusal),
    }
}

async fn written(
    shared: &Shared,
    session_id: Option<SessionId>,
) -> Result<(String, String), Refusal> {
    let nowhere = || Refusal::new(Code::NotFound, "There is no such conversation.");
    let session_id = session_id.ok_or_else(nowhere)?;
    let hub = shared.hub.clone();
    // all of it is read from disk
    let written = move || {
        let (about, events) = hub.whole_conversation(session_id)?;
        Some((file_name(&about.title), markdown::markdown(&about, &events)))
    };
    let written = tokio::task::spawn_blocking(written).await;
    written.ok().flatten().ok_or_else(nowhere)
}

/// A name that every system takes.
fn file_name(title: &str) -> String {
    const LONGEST: usize = 60;
    let words: Vec<&str> = title
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let name: String = words.join("-").chars().take(LONGEST).collect();
    match name.trim_matches('-') {
        "" => "conversation.md".to_owned(),
        name => format!("{name}.md"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_by_the_title_and_by_nothing_else_in_it() {
        assert_eq!(file_name("Fix the gate"), "Fix-the-gate.md");
        assert_eq!(file_name("../../etc/passwd\r\n\"x\""), "etc-passwd-x.md");
        assert_eq!(file_name("Größe · 名前"), "Größe-名前.md");
        assert_eq!(file_name(" … "), "conversation.md");
        assert_eq!(file_name(&"word ".repeat(50)).chars().count(), 60 + 2);
    }
}
