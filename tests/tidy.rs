//! The house rules of `ARCHITECTURE.md` that can be checked by reading the source.

use std::fs;
use std::path::{Path, PathBuf};

/// A file of the source: its path from the root of the project, with `/`, and its text.
struct Source {
    path: String,
    text: String,
}

fn files(folder: &str) -> Vec<Source> {
    // Tests run in the package's folder; a path of the time of building would be that of another clone when the two share a
    // target directory.
    let root = Path::new(".");
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = vec![root.join(folder)];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path
                    .strip_prefix(root)
                    .expect("inside")
                    .to_string_lossy()
                    .into_owned();
                let text = fs::read_to_string(&path).expect("text");
                found.push(Source { path: name, text });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// The module of this path: its file and everything in its folder.
fn module(path: &str) -> Vec<Source> {
    let (file, folder) = (format!("{path}.rs"), format!("{path}/"));
    let found: Vec<Source> = files("src")
        .into_iter()
        .filter(|source| source.path == file || source.path.starts_with(&folder))
        .collect();
    assert!(!found.is_empty(), "there is no {path}");
    found
}

impl Source {
    fn is_test(&self) -> bool {
        let ends = |name| self.path.ends_with(name);
        ends("tests.rs") || ends("explore.rs") || self.path.contains("/tests/")
    }

    /// Without comments, texts and tests: what is left says what the code uses.
    fn code(&self) -> String {
        let mut code = code_of(&self.text);
        if let Some(start) = code.find("#[cfg(test)]\nmod tests {") {
            let end = code[start..]
                .find("\n}")
                .map_or(code.len(), |end| start + end);
            code.replace_range(start..end, "");
        }
        code
    }
}

/// Blanks out comments and texts.
fn code_of(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(inner) = rest.strip_prefix("r#\"") {
            inner.find("\"#").map_or(rest.len(), |end| end + 5)
        } else if rest.starts_with("'\"'") {
            3
        } else if let Some(inner) = rest.strip_prefix('"') {
            1 + end_of_text(inner)
        } else {
            code.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        rest = &rest[length..];
    }
    code
}

/// Where a text ends, with its quotation mark.
fn end_of_text(inside: &str) -> usize {
    let mut escaped = false;
    for (at, character) in inside.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    inside.len()
}

/// The name stands there as a whole word.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let (first, last) = (word.chars().next(), word.chars().next_back());
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        let goes_on = is_part(before) && is_part(first) || is_part(after) && is_part(last);
        !goes_on
    })
}

/// Every place in these files where one of the words stands.
fn places(sources: &[Source], words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources {
        let code = source.code();
        let used = words.iter().filter(|word| has_word(&code, word));
        found.extend(used.map(|word| format!("{}: {word}", source.path)));
    }
    found
}

const NOTHING: [String; 0] = [];

#[test]
fn the_words_know_nothing_of_those_who_use_them() {
    let sources = module("src/model");
    let others = ["crate::desk", "crate::server", "crate::app", "crate::api"];
    assert_eq!(places(&sources, &others), NOTHING);
    let programs = [
        "leptos",
        "tokio",
        "axum",
        "rusqlite",
        "web_sys",
        "gloo_net",
        "std::fs",
        "std::net",
        "SystemTime",
        "Instant",
    ];
    assert_eq!(places(&sources, &programs), NOTHING);
}

#[test]
fn the_rules_know_only_the_words() {
    let sources = module("src/desk");
    let others = ["crate::server", "crate::app", "crate::api"];
    assert_eq!(places(&sources, &others), NOTHING);
    let programs = [
        "leptos",
        "tokio",
        "axum",
        "rusqlite",
        "tracing",
        "web_sys",
        "std::fs",
        "std::net",
        "SystemTime",
        "Instant",
        "async",
    ];
    assert_eq!(places(&sources, &programs), NOTHING);
}

#[test]
fn what_the_browser_shows_knows_neither_the_server_nor_raw_json() {
    let sources = module("src/app");
    let banned = [
        "crate::server",
        "serde_json",
        "tokio",
        "axum",
        "rusqlite",
        "inner_html",
        "set_inner_html",
    ];
    assert_eq!(places(&sources, &banned), NOTHING);
}

#[test]
fn views_have_no_styles_of_their_own() {
    let styled: Vec<String> = module("src/app")
        .into_iter()
        .filter(|source| has_word(&source.text, "style=") || source.text.contains(" style:"))
        .map(|source| source.path)
        .collect();
    assert_eq!(styled, NOTHING, "the policy of the page forbids them");
}

#[test]
fn the_hub_knows_nothing_of_http() {
    let banned = [
        "axum",
        "leptos",
        "leptos_axum",
        "crate::app",
        "crate::api",
        "rusqlite",
    ];
    assert_eq!(places(&module("src/server/hub"), &banned), NOTHING);
    assert_eq!(
        places(
            &module("src/server/store"),
            &["axum", "leptos", "crate::app", "crate::api"]
        ),
        NOTHING
    );
    assert_eq!(
        places(
            &module("src/server/agent"),
            &["axum", "leptos", "rusqlite", "crate::app", "crate::api"]
        ),
        NOTHING
    );
}

#[test]
fn who_looks_into_a_request_knows_only_the_words() {
    let banned = [
        "crate::desk",
        "crate::server::hub",
        "crate::server::store",
        "crate::server::agent",
        "crate::app",
        "crate::api",
        "axum",
        "leptos",
        "tokio",
        "tracing",
        "rusqlite",
        "std::process",
        "std::net",
    ];
    let mut sources = module("src/server/insight");
    sources.retain(|source| !source.is_test());
    assert_eq!(places(&sources, &banned), NOTHING);
}

#[test]
fn only_the_protocol_and_the_demo_agent_know_the_names_of_the_cli() {
    for name in [
        "can_use_tool",
        "control_request",
        "control_response",
        "control_cancel_request",
        "updatedInput",
    ] {
        let knowing: Vec<String> = files("src")
            .into_iter()
            .filter(|source| source.text.contains(name))
            .map(|source| source.path)
            .filter(|path| {
                !path.starts_with("src/server/agent/protocol")
                    && !path.starts_with("src/server/agent/demo")
            })
            .collect();
        assert_eq!(knowing, NOTHING, "{name}");
    }
}

#[test]
fn sql_lives_in_the_store() {
    for word in ["SELECT ", "INSERT ", "UPDATE ", "DELETE FROM ", "PRAGMA "] {
        let knowing: Vec<String> = files("src")
            .into_iter()
            .filter(|source| {
                // samples of languages that are coloured
                let is_sample = source.path == "src/server/insight/file/tests/colours.rs";
                let is_store = source.path.starts_with("src/server/store");
                source.text.contains(word) && !is_store && !is_sample
            })
            .map(|source| source.path)
            .collect();
        assert_eq!(knowing, NOTHING, "{word}");
    }
    let sources: Vec<Source> = files("src")
        .into_iter()
        .filter(|source| !source.path.starts_with("src/server/store"))
        .collect();
    assert_eq!(places(&sources, &["rusqlite"]), NOTHING);
}

#[test]
fn the_server_does_not_give_up_in_the_middle() {
    let mut found = Vec::new();
    for source in module("src/server")
        .into_iter()
        .chain(module("src/desk"))
        .filter(|source| !source.is_test())
    {
        let code = source.code();
        for call in [
            ".unwrap()",
            ".expect(",
            "panic!(",
            "unreachable!(",
            "todo!(",
        ] {
            if code.contains(call) {
                found.push(format!("{}: {call}", source.path));
            }
        }
    }
    assert_eq!(found, NOTHING);
}

#[test]
fn time_comes_from_one_clock() {
    let sources: Vec<Source> = files("src")
        .into_iter()
        .filter(|source| {
            source.path != "src/server/clock.rs"
                && !source.path.starts_with("src/server/agent/demo")
        })
        .collect();
    assert_eq!(places(&sources, &["SystemTime"]), NOTHING);
    assert_eq!(places(&module("src/server/hub"), &["Instant"]), NOTHING);
}

#[test]
fn the_two_builds_differ_in_few_places() {
    let mut counted = Vec::new();
    for source in files("src") {
        let count = source.code().matches("feature = ").count();
        if count > 0 {
            counted.push((source.path, count));
        }
    }
    let expected = [
        ("src/api/first_picture.rs".to_owned(), 12),
        ("src/app/on_demand/second_piece.rs".to_owned(), 2),
        ("src/lib.rs".to_owned(), 2),
    ];
    assert_eq!(
        counted, expected,
        "put what is for the server only into src/server"
    );
}

#[test]
fn every_file_says_what_it_is() {
    for folder in ["src", "tests", "benches", "examples", "xtask/src"] {
        let silent: Vec<String> = files(folder)
            .into_iter()
            .filter(|source| !source.text.starts_with("//! "))
            .map(|source| source.path)
            .collect();
        assert_eq!(silent, NOTHING);
    }
}

#[test]
fn files_are_short() {
    let long: Vec<String> = files("src")
        .into_iter()
        .map(|source| (source.text.lines().count(), source.path))
        .filter(|(lines, _)| *lines > 500)
        .map(|(lines, path)| format!("{path}: {lines} lines"))
        .collect();
    assert_eq!(long, NOTHING, "one idea per file");
}

#[test]
fn tests_are_neither_skipped_nor_slept_through() {
    // put together here, so that this file does not hold them
    let banned = [
        concat!("#[", "ignore"),
        concat!("time::", "sleep("),
        concat!("thread::", "sleep("),
    ];
    for source in files("tests") {
        for words in banned {
            assert!(!source.text.contains(words), "{}: {words}", source.path);
        }
    }
}

#[test]
fn comments_and_texts_are_no_code() {
    let code = code_of(
        "let a = \"axum \\\" axum\"; // axum\nlet b = '\"'; r#\"axum \" axum\"#; tokio::spawn()",
    );
    assert!(!has_word(&code, "axum"), "{code}");
    assert!(has_word(&code, "tokio"));
    assert!(!has_word("my_tokio tokio_util", "tokio"));
    assert!(has_word("use crate::server::hub;", "crate::server"));
    assert!(!has_word("use crate::server_list;", "crate::server"));
    assert!(has_word("<p style=move || x>", "style="));
}
