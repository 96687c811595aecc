//! Which form of a file is sent, and for how long it may be kept.

use super::*;

fn asking(pairs: &[(HeaderName, &'static str)]) -> HeaderMap {
    let pair = |(name, value): &(HeaderName, &'static str)| {
        (name.clone(), HeaderValue::from_static(value))
    };
    pairs.iter().map(pair).collect()
}

fn liking(accept: &'static str, encoding: &str) -> f32 {
    quality(&asking(&[(header::ACCEPT_ENCODING, accept)]), encoding)
}

#[test]
fn an_encoding_is_weighed_as_the_client_says() {
    assert_eq!(liking("gzip, deflate, br, zstd", "br"), 1.0);
    assert_eq!(liking("gzip;q=0.5,BR ; Q = 0.8", "br"), 0.8);
    assert_eq!(liking("br;q=0, *", "br"), 0.0);
    assert_eq!(liking("br;q=0, *", "gzip"), 1.0);
    assert_eq!(liking("*;q=0", "gzip"), 0.0);
    assert_eq!(liking("br;q=much", "br"), 0.0);
    assert_eq!(liking("brotli, identity", "br"), 0.0);
    assert_eq!(quality(&HeaderMap::new(), "br"), 0.0);
}

#[test]
fn a_known_tag_is_found_in_any_list() {
    let has = |value| already_has(&asking(&[(header::IF_NONE_MATCH, value)]), "\"a-br\"");
    assert!(has("\"a-br\""));
    assert!(has("\"b-br\", W/\"a-br\""));
    assert!(has("*"));
    assert!(!has("\"a-gzip\""));
    assert!(!already_has(&HeaderMap::new(), "\"a-br\""));
}

#[test]
fn only_plain_names_below_the_site_may_be_asked_for() {
    for name in ["favicon.svg", "pkg/countersign.js", "fonts/a.woff2"] {
        assert!(may_be_asked_for(name), "{name}");
    }
    for name in [
        "",
        "/",
        "a//b",
        "..",
        "../Cargo.toml",
        "pkg/../../../Cargo.toml",
        "./a",
        "a/",
        ".env",
        "a/.git/config",
        "..\\Cargo.toml",
        "C:/x",
        "a\0b",
        "favicon.svg.br",
        "pkg/countersign.wasm.gz",
    ] {
        assert!(!may_be_asked_for(name), "{name:?}");
    }
}

#[test]
fn the_package_is_not_a_public_file() {
    let nothing = HeaderMap::new();
    for path in [
        "/pkg/countersign.js",
        "/pkg/",
        "/pkg",
        "/",
        "",
        "favicon.svg",
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
    ] {
        assert!(public_file(path, &nothing).is_none(), "{path}");
    }
}

#[tokio::test]
async fn an_unknown_package_file_is_not_found() {
    for path in [
        "nothing.js",
        "0000000000000000/countersign.js",
        "../site/favicon.svg",
        "",
    ] {
        let response = package_file(Path(path.to_owned()), HeaderMap::new()).await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
    }
}

#[test]
fn the_version_is_one_short_word() {
    assert_eq!(version().len(), 16);
    assert!(version().bytes().all(|byte| byte.is_ascii_hexdigit()));
}

/// Of the whole site, as far as it has been built: `cargo test` alone has none, `make test` has all.
#[tokio::test]
async fn every_package_file_is_served_whole_and_then_not_again() {
    for name in Site::iter().filter(|name| name.starts_with(PACKAGE) && may_be_asked_for(name)) {
        let path = name.replacen(PACKAGE, &format!("{}/", version()), 1);
        let accept = (header::ACCEPT_ENCODING, "gzip, br");
        let first = package_file(Path(path.clone()), asking(&[accept])).await;
        assert_eq!(first.status(), StatusCode::OK, "{path}");
        assert_eq!(first.headers()[header::CACHE_CONTROL], versioned_cache());
        assert_eq!(first.headers()[header::VARY], "accept-encoding");
        if Site::get(&format!("{name}.br")).is_some() {
            assert_eq!(first.headers()[header::CONTENT_ENCODING], "br", "{path}");
        }
        if name.ends_with(".wasm") {
            assert_eq!(first.headers()[header::CONTENT_TYPE], "application/wasm");
        }
        if name.ends_with(".js") {
            assert_eq!(
                first.headers()[header::CONTENT_TYPE],
                "text/javascript; charset=utf-8"
            );
        }

        let mut again = HeaderMap::new();
        again.insert(
            header::ACCEPT_ENCODING,
            HeaderValue::from_static("gzip, br"),
        );
        again.insert(header::IF_NONE_MATCH, first.headers()[header::ETAG].clone());
        let second = package_file(Path(path.clone()), again).await;
        assert_eq!(second.status(), StatusCode::NOT_MODIFIED, "{path}");
        assert_eq!(
            second.headers()[header::ETAG],
            first.headers()[header::ETAG]
        );
    }
}
