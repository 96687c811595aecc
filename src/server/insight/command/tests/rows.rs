//! Where rows begin: each command in one of its own, also inside loops and groups, and each mark on the row that earned it.

use super::assert_sound;
use crate::model::insight::command::{CommandInsight, Span};

fn spans(command: &str, insight: &CommandInsight) -> Vec<Span> {
    let starts = insight.breaks.iter().map(|row| row.lead.start);
    let starts: Vec<usize> = [0].into_iter().chain(starts).collect();
    let ends = starts.iter().skip(1).copied().chain([command.len()]);
    let rows = starts.iter().zip(ends);
    rows.map(|(start, end)| Span::new(*start, end)).collect()
}

/// Each row as it is written, with the marks on it behind an arrow.
fn rows(command: &str) -> Vec<String> {
    let insight = assert_sound(command);
    let mut told = Vec::new();
    for row in spans(command, &insight) {
        let marks = insight.marks.iter().filter(|mark| {
            let at = mark.words.first().unwrap_or(&mark.segment).start;
            (row.start..row.end).contains(&at)
        });
        let marks: Vec<&str> = marks.map(|mark| mark.sentence.as_str()).collect();
        let text = row.of(command);
        told.push(match marks.as_slice() {
            [] => text.to_owned(),
            marks => format!("{text} → {}", marks.join(" + ")),
        });
    }
    told
}

#[test]
fn loops_conditions_and_groups_fall_into_rows_and_each_mark_is_on_its_own() {
    for (command, expected) in [
        (
            "echo start && for f in *; do rm -rf \"$f\"; done",
            vec![
                "echo start",
                " && for f in *; do rm -rf \"$f\"; done → Deletes recursively: $f",
            ],
        ),
        (
            "ls | while read f; do rm -rf \"$f\"; done",
            vec![
                "ls",
                " | while read f",
                "; do rm -rf \"$f\"; done → Deletes recursively: $f",
            ],
        ),
        (
            "(cd src && git push --force) || { chmod 777 a.txt; }",
            vec![
                "(cd src",
                " && git push --force) → Overwrites history on the remote + Forces the push: --force",
                " || { chmod 777 a.txt; } → Lets everybody write: a.txt",
            ],
        ),
        (
            "if true; then sudo ls; else rm -rf x; fi",
            vec![
                "if true",
                "; then sudo ls → Runs as root: ls",
                "; else rm -rf x; fi → Deletes recursively: x",
            ],
        ),
        (
            "for f in a b; do\n curl http://x/$f | sh\n sudo rm $f\ndone",
            vec![
                "for f in a b; do\n curl http://x/$f",
                " | sh → Runs a download without anybody reading it",
                "\n sudo rm $f\ndone → Runs as root: rm",
            ],
        ),
        (
            "case $1 in a) ls ;; (b|c) sudo id;; d) ;; *) rm -rf x; esac; ls",
            vec![
                "case $1 in a) ls",
                " ;; (b|c) sudo id;; d) → Runs as root: id",
                " ;; *) rm -rf x; esac → Deletes recursively: x",
                "; ls",
            ],
        ),
        (
            "until ping -c1 x\ndo # wait\n sleep 1; done; f() { sudo ls; rm -rf x; }; function g { ls; }",
            vec![
                "until ping -c1 x",
                "\ndo # wait\n sleep 1; done",
                "; f() { sudo ls → Runs as root: ls",
                "; rm -rf x; } → Deletes recursively: x",
                "; function g { ls; }",
            ],
        ),
    ] {
        assert_eq!(rows(command), expected, "{command}");
    }
}

#[test]
fn operators_inside_something_else_begin_no_row() {
    for (command, expected) in [
        (
            "find . -exec ls {} \\; ; ls",
            vec!["find . -exec ls {} \\;", " ; ls"],
        ),
        (
            "echo $(a | b; c) `d; e` <(f; g) && h",
            vec!["echo $(a | b; c) `d; e` <(f; g)", " && h"],
        ),
        (
            "for f in $(for g in a; do x; y; done); do ls; done",
            vec!["for f in $(for g in a; do x; y; done); do ls; done"],
        ),
        (
            "[[ a || b ]] && ! (( i && j )) || ls",
            vec!["[[ a || b ]]", " && ! (( i && j ))", " || ls"],
        ),
        ("bash -c 'a; b' ; ls", vec!["bash -c 'a; b'", " ; ls"]),
        (
            "cat <<E | sort\na; b\nE\nls",
            vec!["cat <<E", " | sort\na; b\nE", "\nls"],
        ),
        ("a=(x\ny); b", vec!["a=(x\ny)", "; b"]),
        ("a ; # why; not\nb", vec!["a ; # why; not", "\nb"]),
        (
            "a && \\\n  time -p b \\\n | c & > x d",
            vec!["a", " && \\\n  time -p b", " \\\n | c", " & > x d"],
        ),
        ("echo a\\ ;ls", vec!["echo a\\ ", ";ls"]),
        ("echo do; ls", vec!["echo do", "; ls"]),
        (
            "if { a; } then b; elif c; then d; fi > log",
            vec!["if { a; }", " then b", "; elif c", "; then d; fi > log"],
        ),
        ("echo größe |& wc ä", vec!["echo größe", " |& wc ä"]),
        ("ls", vec!["ls"]),
        ("if then ( echo", vec!["if then ( echo"]),
    ] {
        assert_eq!(rows(command), expected, "{command}");
    }
}

#[test]
fn a_row_says_how_deep_inside_it_begins() {
    let command = "a; while b; do { c; d | e; }; f; done; g";
    let breaks = assert_sound(command).breaks;
    let depths: Vec<usize> = breaks.iter().map(|row| row.depth).collect();
    // a | while b | do { c | d | e | f | g
    assert_eq!(depths, [0, 1, 2, 2, 1, 0]);
}
