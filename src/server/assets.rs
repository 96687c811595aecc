//! The front end, embedded in the binary (a debug build reads it from the disk).
//!
//! The build lays `x.br` and `x.gz` beside `x`; the client gets the one it likes best. Files under
//! `/pkg/<version>/` never change and may be kept for ever, all others are asked about again.

use axum::{
    body::Body,
    extract::Path,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use rust_embed::{EmbeddedFile, RustEmbed};
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

#[derive(RustEmbed)]
#[folder = "target/site"]
#[allow_missing = true]
struct Site;

/// The style sheets as they are written. Our own build joins them into one; cargo-leptos does not, and then the browser asks
/// for each.
#[derive(RustEmbed)]
#[folder = "style"]
struct Sheets;

const PACKAGE: &str = "pkg/";
const KEEP_FOR_EVER: &str = "public, max-age=31536000, immutable";
const ASK_AGAIN: &str = "no-cache";

/// An encoding a client may accept, and the ending of the file that has it.
struct Encoding {
    name: &'static str,
    ending: &'static str,
}

/// The better one first.
const ENCODINGS: [Encoding; 2] = [
    Encoding {
        name: "br",
        ending: ".br",
    },
    Encoding {
        name: "gzip",
        ending: ".gz",
    },
];

/// Changes whenever a file of the front end does, so that all their addresses change together.
pub fn version() -> &'static str {
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        let mut names: Vec<_> = Site::iter()
            .filter(|name| name.starts_with(PACKAGE))
            .collect();
        names.sort();
        let mut digest = Sha256::new();
        for name in names {
            if let Some(file) = Site::get(&name) {
                digest.update(name.as_bytes());
                digest.update(file.metadata.sha256_hash());
            }
        }
        short_hex(&digest.finalize())
    });
    &VERSION
}

/// Whether the package has a file of this name.
pub fn has(name: &str) -> bool {
    Site::get(&format!("{PACKAGE}{name}")).is_some()
}

/// `/pkg/<version>/<file>`, for ever; or `/pkg/<file>`, asked about again.
pub async fn package_file(Path(path): Path<String>, headers: HeaderMap) -> Response {
    let (name, cache) = match path.split_once('/') {
        Some((prefix, name)) if prefix == version() => (name, versioned_cache()),
        _ => (path.as_str(), ASK_AGAIN),
    };
    respond(&format!("{PACKAGE}{name}"), &headers, cache)
        .unwrap_or_else(|| StatusCode::NOT_FOUND.into_response())
}

/// A file of `public/` at the root of the site, such as `/favicon.svg`.
pub fn public_file(uri_path: &str, headers: &HeaderMap) -> Option<Response> {
    let name = uri_path.strip_prefix('/')?;
    if name.starts_with(PACKAGE) {
        return None;
    }
    respond(name, headers, ASK_AGAIN)
}

/// Whether it is such a file: these are served before anyone has logged in.
pub fn is_public(uri_path: &str) -> bool {
    uri_path.strip_prefix('/').is_some_and(|name| {
        !name.starts_with(PACKAGE) && may_be_asked_for(name) && Site::get(name).is_some()
    })
}

/// While developing, files change under the running server.
fn versioned_cache() -> &'static str {
    if cfg!(debug_assertions) {
        ASK_AGAIN
    } else {
        KEEP_FOR_EVER
    }
}

fn respond(name: &str, headers: &HeaderMap, cache: &'static str) -> Option<Response> {
    if !may_be_asked_for(name) {
        return None;
    }
    let plain = Site::get(name).or_else(|| Sheets::get(name.strip_prefix(PACKAGE)?))?;
    let mime = HeaderValue::from_str(&mime_with_charset(&plain)).ok()?;
    let content = short_hex(&plain.metadata.sha256_hash());
    let (file, encoding) =
        best_variant(name, headers).map_or((plain, None), |(file, name)| (file, Some(name)));
    let tag = format!("\"{content}-{}\"", encoding.unwrap_or("plain"));

    let mut response = if already_has(headers, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let mut full = Response::new(Body::from(file.data));
        full.headers_mut().insert(header::CONTENT_TYPE, mime);
        if let Some(encoding) = encoding {
            full.headers_mut()
                .insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        full
    };
    let common = [
        (header::ETAG, HeaderValue::from_str(&tag).ok()?),
        (header::CACHE_CONTROL, HeaderValue::from_static(cache)),
        (header::VARY, HeaderValue::from_static("accept-encoding")),
    ];
    response.headers_mut().extend(common);
    Some(response)
}

/// A plain name below the site: no way out of it, no hidden file, no file that is only an encoding of another.
fn may_be_asked_for(name: &str) -> bool {
    let plain_part = |part: &str| {
        !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', '\0', ':'])
    };
    name.split('/').all(plain_part)
        && !ENCODINGS
            .iter()
            .any(|encoding| name.ends_with(encoding.ending))
}

fn best_variant(name: &str, headers: &HeaderMap) -> Option<(EmbeddedFile, &'static str)> {
    let mut liked: Vec<_> = ENCODINGS
        .iter()
        .map(|encoding| (quality(headers, encoding.name), encoding))
        .collect();
    liked.retain(|(quality, _)| *quality > 0.0);
    liked.sort_by(|(left, _), (right, _)| right.total_cmp(left)); // stable: br stays before gzip when liked the same
    liked.iter().find_map(|(_, encoding)| {
        Some((
            Site::get(&format!("{name}{}", encoding.ending))?,
            encoding.name,
        ))
    })
}

/// How much the client likes an encoding: 0 (not at all) to 1. Its own entry counts before `*`.
fn quality(headers: &HeaderMap, encoding: &str) -> f32 {
    let stated = |wanted: &str| {
        entries(headers, &header::ACCEPT_ENCODING).find_map(|entry| weight(entry, wanted))
    };
    stated(encoding).or_else(|| stated("*")).unwrap_or(0.0)
}

fn weight(entry: &str, wanted: &str) -> Option<f32> {
    let (name, parameters) = entry.split_once(';').unwrap_or((entry, ""));
    if !name.trim().eq_ignore_ascii_case(wanted) {
        return None;
    }
    let q = parameters
        .trim()
        .strip_prefix(['q', 'Q'])
        .and_then(|rest| rest.trim_start().strip_prefix('='));
    Some(q.map_or(1.0, |value| value.trim().parse().unwrap_or(0.0)))
}

fn already_has(headers: &HeaderMap, tag: &str) -> bool {
    entries(headers, &header::IF_NONE_MATCH)
        .any(|entry| entry == "*" || entry.trim_start_matches("W/") == tag)
}

/// The comma-separated parts of a header, over all its lines.
fn entries<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
    let lines = headers
        .get_all(name)
        .into_iter()
        .filter_map(|value| value.to_str().ok());
    lines.flat_map(|line| line.split(',').map(str::trim))
}

fn mime_with_charset(file: &EmbeddedFile) -> String {
    let mime = file.metadata.mimetype();
    let charset = if mime.starts_with("text/") {
        "; charset=utf-8"
    } else {
        ""
    };
    format!("{mime}{charset}")
}

fn short_hex(digest: &[u8]) -> String {
    digest
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests;
