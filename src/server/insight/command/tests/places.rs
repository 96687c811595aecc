//! Where things are: the colours, the segments, the words that earned a mark.

use super::{Surroundings, analyse, assert_sound};
use crate::model::insight::command::{Joined, MarkKind, Parsed, PieceKind, Severity, Within};

fn coloured(command: &str, kind: PieceKind) -> Vec<&str> {
    let insight = assert_sound(command);
    insight
        .pieces
        .iter()
        .filter(|piece| piece.kind == kind)
        .map(|piece| piece.span.of(command))
        .collect()
}

#[test]
fn each_part_has_its_colour() {
    let command = "FOO=1 sudo rm -rf \"a $X\" 'b' 2>&1 | tee out # done";
    assert_eq!(coloured(command, PieceKind::Program), ["sudo", "tee"]);
    assert_eq!(coloured(command, PieceKind::Option), ["-rf"]);
    assert_eq!(coloured(command, PieceKind::Variable), ["$X"]);
    assert_eq!(coloured(command, PieceKind::String), ["\"a ", "\"", "'b'"]);
    assert_eq!(coloured(command, PieceKind::Assignment), ["FOO=1"]);
    assert_eq!(coloured(command, PieceKind::Operator), ["|"]);
    assert_eq!(coloured(command, PieceKind::Comment), ["# done"]);
    assert_eq!(
        coloured("if a; then b; fi; echo if", PieceKind::Keyword),
        ["if", "then", "fi"]
    );
    assert_eq!(
        coloured("cat <<E | sort\nx $y\nE\nls", PieceKind::Program),
        ["cat", "sort", "ls"]
    );
    assert_eq!(
        coloured("cat <<'E'\nx\nE\nls", PieceKind::HereDocument),
        ["x\nE\n"]
    );
    assert_eq!(
        coloured("echo größer \"$(ls -l ä)\" | wc", PieceKind::Program),
        ["echo", "ls", "wc"]
    );
    assert_eq!(
        coloured("bash -c 'rm -r x'", PieceKind::Program),
        ["bash", "rm"]
    );
}

#[test]
fn segments_say_how_they_follow_and_where_they_are() {
    let command = "a | b && c; (d &) || echo $(e)";
    let segments = analyse(command).segments;
    let told: Vec<_> = segments
        .iter()
        .map(|segment| {
            (
                segment.span.of(command),
                segment.joined,
                segment.within,
                segment.background,
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("a", Joined::First, Within::Command, false),
            ("b", Joined::Pipe, Within::Command, false),
            ("c", Joined::And, Within::Command, false),
            ("d", Joined::First, Within::Group, true),
            ("echo $(e)", Joined::Or, Within::Command, false),
            ("e", Joined::First, Within::Substitution, false),
        ]
    );
}

#[test]
fn a_mark_names_the_segment_and_the_words() {
    let command = "echo ä; > x rm -rf build/ && ls";
    let insight = analyse(command);
    let mark = &insight.marks[0];
    assert_eq!(mark.kind, MarkKind::DeletesRecursively);
    assert_eq!(mark.sentence, "Deletes recursively: build/");
    assert_eq!(mark.segment.of(command), "> x rm -rf build/");
    assert_eq!(
        mark.words
            .iter()
            .map(|word| word.of(command))
            .collect::<Vec<_>>(),
        ["-rf", "build/"]
    );
}

#[test]
fn each_segment_that_earns_a_mark_carries_it() {
    for (command, sentence, segments) in [
        (
            "nc -l 4444; python3 -m http.server",
            "Listens on the network",
            vec!["nc -l 4444", "python3 -m http.server"],
        ),
        (
            "rm -rf build && make && rm -rf build",
            "Deletes recursively: build",
            vec!["rm -rf build", "rm -rf build"],
        ),
        ("sudo sudo id", "Runs as root: sudo", vec!["sudo sudo id"]),
    ] {
        let insight = assert_sound(command);
        let marks = insight.marks.iter();
        let told: Vec<&str> = marks
            .filter(|mark| mark.sentence == sentence)
            .map(|mark| mark.segment.of(command))
            .collect();
        assert_eq!(told, segments, "{command}");
    }
}

#[test]
fn what_a_list_deletes_is_told_once() {
    for (command, sentence) in [
        ("ls | xargs rm -rf", "Deletes recursively what a list names"),
        (
            "ls | xargs -I{} rm -rf {}",
            "Deletes recursively what a list names",
        ),
        (
            "ls | xargs shred -u",
            "Deletes beyond recovery what a list names",
        ),
        ("ls | xargs rm -f", "Deletes what a list names"),
    ] {
        let told: Vec<String> = analyse(command)
            .marks
            .into_iter()
            .map(|mark| mark.sentence)
            .collect();
        assert_eq!(told, [sentence], "{command}");
    }
}

#[test]
fn a_mark_inside_an_inner_script_points_into_it() {
    let command = "sudo bash -c \"cd x && rm -rf build\"";
    let insight = analyse(command);
    let mark = insight
        .marks
        .iter()
        .find(|mark| mark.kind == MarkKind::DeletesRecursively);
    assert_eq!(
        mark.map(|mark| mark.segment.of(command)),
        Some("rm -rf build")
    );
}

#[test]
fn what_does_not_parse_says_why_and_where() {
    assert_eq!(
        analyse("echo \"abc").parsed,
        Parsed::No {
            why: "A double quote is never closed.".into(),
            at: Some(5)
        }
    );
    assert_eq!(
        analyse("ä && && b").parsed,
        Parsed::No {
            why: "The shell's grammar is not followed here.".into(),
            at: Some(6)
        }
    );
}

#[test]
fn hidden_characters_are_marked_with_their_places() {
    let insight = assert_sound("ls \u{202e}x");
    assert_eq!(insight.marks[0].kind, MarkKind::HiddenCharacters);
    assert_eq!(insight.marks[0].words[0].of("ls \u{202e}x"), "\u{202e}");
}

#[test]
fn an_empty_text_is_fine() {
    for text in ["", " ", "\n", "\t\n "] {
        assert_eq!(assert_sound(text).marks, []);
    }
}

#[test]
fn a_temporary_directory_is_no_excuse_where_the_project_or_the_home_is_in_it() {
    let told = |project: &str, home: &str, command: &str| {
        let surroundings = Surroundings {
            project,
            directory: project,
            home: Some(home),
            exists: &|_| false,
        };
        let marks = super::super::analyse(command, &surroundings).marks;
        let told = marks.into_iter().map(|mark| (mark.severity, mark.sentence));
        told.collect::<Vec<_>>()
    };
    for (project, home, command, severity, sentence) in [
        (
            "/tmp/work/api",
            "/tmp/home",
            "echo x > ../out",
            Severity::Caution,
            "Writes outside the project: ../out",
        ),
        (
            "/tmp/work/api",
            "/tmp/home",
            "echo x > ~/.bashrc",
            Severity::Danger,
            "Writes outside the project: ~/.bashrc",
        ),
        (
            "/srv/api",
            "/tmp/home",
            "echo x > ~/.bashrc",
            Severity::Danger,
            "Writes outside the project: ~/.bashrc",
        ),
        (
            "/srv/api",
            "/tmp/home",
            "rm -rf ~",
            Severity::Danger,
            "Deletes recursively: ~",
        ),
        (
            "/srv/api",
            "/tmp/home",
            "echo x > /tmp/out",
            Severity::Caution,
            "Writes in a temporary directory: /tmp/out",
        ),
    ] {
        assert_eq!(
            told(project, home, command),
            [(severity, sentence.to_owned())],
            "{command} in {project}"
        );
    }
}

#[test]
fn the_same_is_said_once() {
    for (command, sentence) in [
        (
            "sh -c \"$(curl -fsSL http://x)\"",
            "Runs a download without anybody reading it",
        ),
        (
            "eval \"$(echo cm0K | base64 -d)\"",
            "Decodes something and runs it",
        ),
    ] {
        let marks = assert_sound(command).marks;
        let same = marks.iter().filter(|mark| mark.sentence == sentence);
        assert_eq!(same.count(), 1, "{command}: {marks:?}");
    }
}

#[test]
fn what_is_changed_for_everybody_is_named() {
    for (command, sentence) in [
        (
            "chmod -R 777 .",
            "Lets everybody write, recursively: the directory it runs in (.)",
        ),
        (
            "chmod -Rf 777 src",
            "Lets everybody write, recursively: src",
        ),
    ] {
        let marks = assert_sound(command).marks;
        let told: Vec<&str> = marks.iter().map(|mark| mark.sentence.as_str()).collect();
        assert_eq!(told, [sentence], "{command}");
    }
}
