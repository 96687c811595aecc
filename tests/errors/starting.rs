//! A server that cannot start says why in one line on stderr and ends with code 2.

use crate::support::{Place, Start, is_a_sentence};

/// It is refused, and what it says has all of these words.
async fn is_refused(start: Start, words: &[&str]) {
    let (code, stdout, stderr) = start.refused().await;
    assert_eq!(code, Some(2), "{stderr}");
    assert_eq!(stdout, "", "stdout is for the ready line");
    let said = stderr
        .strip_prefix("countersign: ")
        .unwrap_or_else(|| panic!("{stderr}"));
    assert_eq!(said.trim_end().lines().count(), 1, "one line: {said}");
    assert!(is_a_sentence(said.trim_end()), "a sentence: {said}");
    for word in words {
        assert!(said.contains(word), "it names {word}: {said}");
    }
}

#[tokio::test]
async fn an_address_must_be_one() {
    for address in [
        "nonsense",
        "127.0.0.1",
        "127.0.0.1:port",
        "127.0.0.1:99999",
        "example.org:80",
        "",
    ] {
        is_refused(
            Place::new().server().address(address),
            &[address, "127.0.0.1:3400"],
        )
        .await;
    }
}

#[tokio::test]
async fn an_address_that_others_can_reach_is_refused() {
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:3400"] {
        let place = Place::new();
        is_refused(
            place.server().address(address),
            &[address.rsplit_once(':').expect("a host").0],
        )
        .await;
        assert!(!place.data().exists(), "before anything is made");
    }
}

#[tokio::test]
async fn a_taken_port_is_named() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    is_refused(
        Place::new().server().address(&address),
        &[&address, "--addr"],
    )
    .await;
}

#[tokio::test]
async fn a_data_directory_that_cannot_be_used_is_named() {
    let place = Place::new();
    std::fs::write(place.data(), "a file in its place").expect("written");
    is_refused(
        place.server(),
        &[
            &place.data().display().to_string(),
            "is a file and not a directory",
            "--data-dir",
        ],
    )
    .await;
}

#[tokio::test]
async fn a_directory_of_other_things_that_others_may_write_into_is_refused_and_left_as_it_is() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    std::fs::create_dir(place.data()).expect("a directory");
    std::fs::write(place.data().join("thesis.tex"), "mine").expect("written");
    let rights = |mode| {
        std::fs::set_permissions(place.data(), std::fs::Permissions::from_mode(mode)).expect("set");
    };
    rights(0o775);
    is_refused(
        place.server(),
        &[
            &place.data().display().to_string(),
            "others may write into it",
            "--data-dir",
        ],
    )
    .await;
    let mode = place.data().metadata().expect("there").permissions().mode();
    assert_eq!(mode & 0o777, 0o775);
    // others may look: nothing of ours is for them
    rights(0o755);
    place.server().start().await;
    let mode = place.data().metadata().expect("there").permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
}

#[tokio::test]
async fn a_database_that_is_none_or_too_new_is_refused_and_left_alone() {
    let place = Place::new();
    std::fs::create_dir(place.data()).expect("a directory");
    let file = place.data().join("countersign.db");
    let letter = "this is not a database, it is a letter, and long enough to be one";
    std::fs::write(&file, letter).expect("written");
    is_refused(place.server(), &["countersign.db"]).await;
    assert_eq!(std::fs::read_to_string(&file).expect("still there"), letter);

    std::fs::remove_file(&file).expect("removed");
    let newer = rusqlite::Connection::open(&file).expect("a database");
    newer
        .pragma_update(None, "user_version", 99)
        .expect("a version");
    drop(newer);
    is_refused(place.server(), &["newer", "99"]).await;
}

#[tokio::test]
async fn settings_that_are_not_valid_are_named() {
    for (text, word) in [
        ("[requests\n", "settings.toml"),
        ("[requests]\ntimeout_seconds = \"soon\"\n", "soon"),
        ("[requests]\ntimeout_seconds = -1\n", "settings.toml"),
        ("[requests]\ntimout_seconds = 1\n", "timout_seconds"),
        ("[requests]\non_timeout = \"allow\"\n", "allow"),
        ("[somewhere]\nelse = 1\n", "somewhere"),
    ] {
        is_refused(
            Place::new().server().settings(text),
            &[word, "settings.toml"],
        )
        .await;
    }
    let place = Place::new();
    let missing = place.root().join("missing.toml").display().to_string();
    is_refused(
        place.server().argument("--config").argument(&missing),
        &[&missing],
    )
    .await;
}

#[tokio::test]
async fn a_token_that_is_too_short_is_refused_and_not_shown() {
    let place = Place::new();
    let (code, stdout, stderr) = place
        .server()
        .variable("COUNTERSIGN_TOKEN", "short-secret")
        .refused()
        .await;
    assert_eq!((code, stdout.as_str()), (Some(2), ""), "{stderr}");
    assert!(
        stderr.contains("COUNTERSIGN_TOKEN") && !stderr.contains("short-secret"),
        "{stderr}"
    );
    is_refused(
        place.server().variable("COUNTERSIGN_TOKEN", "short-secret"),
        &["32"],
    )
    .await;
}

#[tokio::test]
async fn a_project_that_is_no_directory_is_named() {
    let place = Place::new();
    for project in ["/no/such/place", "/etc/passwd"] {
        is_refused(
            place.server().argument("--project").argument(project),
            &[project],
        )
        .await;
    }
}

#[tokio::test]
async fn a_log_filter_that_is_none_is_named() {
    is_refused(
        Place::new().server().argument("--log").argument("a=b=c"),
        &["a=b=c"],
    )
    .await;
}

#[tokio::test]
async fn wrong_use_of_the_command_line_is_code_2_and_says_where_help_is() {
    for argument in ["--no-such-flag", "no-such-command", "--agent="] {
        let (code, stdout, stderr) = Place::new().server().argument(argument).refused().await;
        assert_eq!(
            (code, stdout.as_str()),
            (Some(2), ""),
            "{argument}: {stderr}"
        );
        assert!(!stderr.is_empty());
    }
}

#[tokio::test]
async fn a_link_that_cannot_be_printed_is_said_on_stderr() {
    let place = Place::new();
    let full = std::fs::File::options().write(true).open("/dev/full");
    let mut command = place.server().command();
    command.stdout(full.expect("it is always there"));
    let output = tokio::task::spawn_blocking(move || command.output());
    let output = output.await.expect("no panic").expect("it ran");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().last().unwrap_or_default();
    assert!(
        last.starts_with("countersign: The login link could not be printed"),
        "{said}"
    );
}

#[tokio::test]
async fn a_limit_beyond_all_that_is_possible_is_no_limit() {
    let settings = "[limits]\nsockets = 9223372036854775807\n";
    let server = Place::new().server().settings(settings).start().await;
    server.connect().await.is_open().await;
}
