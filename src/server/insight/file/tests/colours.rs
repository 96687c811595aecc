//! Colours of languages, by a few lines each.

use super::World;
use crate::model::insight::file::Class;

/// `k:let` for every coloured piece.
fn coloured(name: &str, content: &str) -> Vec<Vec<String>> {
    let insight = World::new().write(name, content);
    let rows = insight.change.rows.iter();
    rows.map(|row| {
        row.pieces
            .iter()
            .filter_map(|piece| Some(format!("{}:{}", letter(piece.class?), piece.text)))
            .collect()
    })
    .collect()
}

fn letter(class: Class) -> char {
    class
        .name()
        .trim_start_matches("tok-")
        .chars()
        .next()
        .expect("a name")
}

#[test]
fn rust_knows_lifetimes_raw_texts_and_nested_comments() {
    assert_eq!(
        coloured("a.rs", "pub fn a<'x>(c: &'x str) -> char { 'c' } // why\n"),
        [["k:pub", "k:fn", "k:str", "k:char", "t:'c'", "c:// why"]]
    );
    let rows = coloured(
        "a.rs",
        "let t = r#\"a \" b\n c\"#; x!(1)\n/* a /* b */\n c */ Type\n",
    );
    assert_eq!(rows[0], ["k:let", "t:r#\"a \" b"]);
    assert_eq!(rows[1], ["t: c\"#", "f:x", "n:1"]);
    assert_eq!(rows[2], ["c:/* a /* b */"]);
    assert_eq!(rows[3], ["c: c */", "t:Type"]);
}

#[test]
fn common_languages_have_their_colours() {
    for (name, line, expected) in [
        (
            "a.tsx",
            "export const x: Foo = `a${b}` // c",
            vec!["k:export", "k:const", "t:Foo", "t:`a${b}`", "c:// c"],
        ),
        (
            "a.py",
            "@cache\ndef f(x): return 'a#b' # c",
            vec!["m:@cache"],
        ),
        (
            "a.sh",
            "echo \"$x\" a#b # c",
            vec!["k:echo", "t:\"$x\"", "c:# c"],
        ),
        (
            "a.json",
            "{\"key\": \"value\", \"n\": 1.5, \"b\": true}",
            vec![
                "m:\"key\"",
                "t:\"value\"",
                "m:\"n\"",
                "n:1.5",
                "m:\"b\"",
                "k:true",
            ],
        ),
        ("a.yml", "key-name: value # c", vec!["m:key-name", "c:# c"]),
        (
            "Cargo.toml",
            "serde = { version = \"1\" } # c",
            vec!["m:serde", "t:\"1\"", "c:# c"],
        ),
        (
            "a.sql",
            "SELECT a FROM b WHERE c = 'x' -- d",
            vec!["k:SELECT", "k:FROM", "k:WHERE", "t:'x'", "c:-- d"],
        ),
        (
            "a.html",
            "<a href=\"x\">text</a><!-- c -->",
            vec![
                "k:<a", "m:href", "t:\"x\"", "k:>", "k:</a", "k:>", "c:<!--", "c: c -->",
            ],
        ),
        ("a.md", "# Title `x`", vec!["m:# Title `x`"]),
        ("a.md", "some `code` here", vec!["t:`code`"]),
        (
            "Dockerfile",
            "FROM rust:1 # c",
            vec!["k:FROM", "m:rust", "n:1", "c:# c"],
        ),
        ("a.unknown", "let x = 1; // c", vec![]),
    ] {
        assert_eq!(coloured(name, line)[0], expected, "{name}");
    }
}

#[test]
fn a_comment_goes_on_in_a_hunk_that_begins_inside_it() {
    let world = World::new();
    world.file("a.c", format!("/*\n{}old\n*/\n", "text\n".repeat(20)));
    let insight = world.edit("a.c", "old", "new");
    let coloured = insight.change.rows.iter().filter(|row| row.gap.is_none());
    for row in coloured {
        assert!(
            row.pieces
                .iter()
                .all(|piece| piece.class == Some(Class::Comment))
        );
    }
}
