//! What Claude Code 2.1.325 made of these files when it was really run (by a scripted model, in November 2026).

use super::super::edit::{Edit, apply};
use super::{World, both_texts};
use crate::model::insight::file::{Note, Problem};

fn made(before: &str, old: &str, new: &str, everywhere: bool) -> Result<String, Problem> {
    let edit = Edit {
        old: old.to_owned(),
        new: new.to_owned(),
        everywhere,
    };
    apply(Some(before), &[edit]).map(|edited| edited.text)
}

#[test]
fn an_edit_makes_what_claude_code_makes() {
    let head = "x".repeat(5_000);
    let late_crlf = format!("a\na\n{head}\n{}tail\r\n", "z\r\n".repeat(9));
    let late_lf = format!("a\r\na\r\n{head}\n{}tail\n", "z\n".repeat(9));
    let to_lf = late_crlf.replace("\r\n", "\n").replace("tail", "TAIL");
    let to_crlf = late_lf
        .replace("\r\n", "\n")
        .replace('\n', "\r\n")
        .replace("tail", "TAIL");
    for (before, old, new, after) in [
        (
            "a\r\nb\r\nc\r\n",
            "a\nb\n",
            "x\ny\nz\n",
            "x\r\ny\r\nz\r\nc\r\n",
        ),
        ("a\r\nb\r\nc\r\n", "b", "x\r\ny", "a\r\nx\r\ny\r\nc\r\n"),
        ("a\r\nb\r\nc\r\n", "b", "", "a\r\nc\r\n"),
        ("a\nb\nc\n", "b", "x\r\ny", "a\nx\r\ny\nc\n"),
        ("a\r\nb\nc\r\nd\n", "b\n", "x\ny\n", "a\nx\ny\nc\nd\n"),
        ("a\nb\nc\r\nd\n", "b\n", "x\ny\n", "a\nx\ny\nc\nd\n"),
        (
            "a\r\nb\nc\r\nd\r\n",
            "b\n",
            "x\ny\n",
            "a\r\nx\r\ny\r\nc\r\nd\r\n",
        ),
        (&late_crlf, "tail", "TAIL", &to_lf),
        (&late_lf, "tail", "TAIL", &to_crlf),
        ("a\rb\rc\r", "b", "x", "a\rx\rc\r"),
        ("a\nb\nc\n", "b", "", "a\nc\n"),
        ("a\nb\nc\n", "b\n", "", "a\nc\n"),
        ("a\nfoo b\nc\n", "foo ", "", "a\nb\nc\n"),
        ("a\nb", "b", "", "a\n"),
        ("", "", "hello\n", "hello\n"),
        ("  \n", "", "hello\n", "hello\n"),
        ("a\n", "a", "$& $1 $$", "$& $1 $$\n"),
        ("aaa\n", "aa", "b", "ba\n"),
        (
            "say “hello” now\n",
            "say \"hello\" now",
            "say \"bye\" now",
            "say “bye” now\n",
        ),
        (
            "it’s ‘ok’ “yes”\n",
            "it's 'ok' \"yes\"",
            "it's don't 'fine' (\"no\") x\"y\"",
            "it’s don’t ‘fine’ (“no”) x”y”\n",
        ),
        ("“yes”\n", "\"yes\"", "it's \"no\"", "it's “no”\n"),
        ("x\n“a”\ny\n", "\"a\"", "", "x\ny\n"),
    ] {
        assert_eq!(
            made(before, old, new, false).as_deref(),
            Ok(after),
            "{before:?} {old:?}"
        );
    }
}

#[test]
fn an_edit_everywhere_makes_what_claude_code_makes() {
    for (before, old, new, after) in [
        ("b\nb c\nb\n", "b", "", "b c\n"),
        ("a\na\n", "a", "$& $1 $$", "$& $1 $$\n$& $1 $$\n"),
        ("aaa\n", "aa", "b", "ba\n"),
        ("“a” \"a\" “a”\n", "\"a\"", "\"b\"", "“a” \"b\" “a”\n"),
        ("“a” ”a“ “a”\n", "\"a\"", "\"b\"", "“b” ”a“ “b”\n"),
    ] {
        assert_eq!(
            made(before, old, new, true).as_deref(),
            Ok(after),
            "{before:?} {old:?}"
        );
    }
}

#[test]
fn what_claude_code_refuses_is_a_problem() {
    let not_found = Problem::NotFound { edit: 1 };
    for (before, old, new, problem) in [
        ("a\r\nb\r\n", "a\r\nb", "x", not_found.clone()),
        ("a\n", "zz", "b", not_found.clone()),
        ("a  \nb\n", "a\nb", "x", not_found.clone()),
        ("\ta\n", "    a", "b", not_found.clone()),
        ("a\u{a0}b\n", "a b", "c", not_found.clone()),
        ("cafe\u{301}\n", "caf\u{e9}", "c", not_found),
        ("a\n", "a", "a", Problem::NothingChanges { edit: 1 }),
        ("full\n", "", "x", Problem::AlreadyExists),
    ] {
        assert_eq!(
            made(before, old, new, false),
            Err(problem),
            "{before:?} {old:?}"
        );
    }
    let several = made("“a” “a”\n", "\"a\"", "\"b\"", false);
    assert!(matches!(several, Err(Problem::Several { count: 2, .. })));
    let missing = apply(
        None,
        &[Edit {
            old: "a".into(),
            new: "b".into(),
            everywhere: false,
        }],
    );
    assert_eq!(missing, Err(Problem::FileMissing));
}

#[test]
fn a_person_is_told_what_the_tool_does_beyond_the_request() {
    let world = World::new();
    world.file("a.txt", "x\n“a”\ny\n");
    let insight = world.edit("a.txt", "\"a\"", "");
    assert_eq!(insight.notes, [Note::QuotesAdapted, Note::LineBreakGoesToo]);
    assert_eq!(both_texts(&insight.change.rows).1, "x\ny\n");
    let insight = world.edit("new.txt", "", "made by an edit\n");
    assert_eq!(insight.problem, None);
    assert_eq!(both_texts(&insight.change.rows).1, "made by an edit\n");
}
