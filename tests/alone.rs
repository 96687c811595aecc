//! The binary is all there is: it runs alone in an empty directory, and has every file of the page inside.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

const TOKEN: &str = "a-token-of-at-least-thirty-two-characters";

#[tokio::test]
async fn the_binary_runs_alone_in_an_empty_directory() {
    let place = tempfile::tempdir().expect("a directory");
    let empty = place.path().join("empty");
    std::fs::create_dir(&empty).expect("a directory");
    let binary = empty.join("countersign");
    std::fs::copy(env!("CARGO_BIN_EXE_countersign"), &binary).expect("a copy");
    let mut child = Command::new(&binary)
        .args(["--addr", "127.0.0.1:0"])
        .current_dir(&empty)
        .env_clear()
        .env("HOME", place.path().join("home"))
        .env("COUNTERSIGN_TOKEN", TOKEN)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut ready = String::new();
    let mut stdout = BufReader::new(child.stdout.take().expect("stdout"));
    stdout.read_line(&mut ready).expect("a line");
    let origin = ready
        .trim()
        .strip_prefix("Countersign is ready at ")
        .and_then(|link| link.split("/#").next())
        .unwrap_or_else(|| panic!("not a ready line: {ready}"))
        .to_owned();

    let client = reqwest::Client::builder()
        .no_proxy()
        .build()
        .expect("a client");
    let get = async |path: &str| {
        let url = format!("{origin}{path}");
        let answer = client.get(url).bearer_auth(TOKEN).send().await;
        let answer = answer.expect("an answer");
        assert_eq!(answer.status(), 200, "{path}");
        answer.bytes().await.expect("a body")
    };
    let page = String::from_utf8(get("/").await.to_vec()).expect("text");
    assert!(page.contains("Demo agent"), "nothing else is installed");
    let files: Vec<&str> = page
        .split(['"', '\''])
        .filter(|word| word.starts_with('/') && word.contains("countersign."))
        .collect();
    for ending in [".css", ".js", ".wasm"] {
        let file = files.iter().find(|file| file.ends_with(ending));
        let file = file.unwrap_or_else(|| panic!("the page names no {ending}: {files:?}"));
        assert!(!get(file).await.is_empty(), "{file}");
    }
    let left: Vec<_> = std::fs::read_dir(&empty)
        .expect("the directory")
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    assert_eq!(left, ["countersign"], "it leaves nothing where it runs");
    let _ = child.kill();
    let _ = child.wait();
}
