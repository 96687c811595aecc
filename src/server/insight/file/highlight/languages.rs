//! The table of languages. One line of it is worth more than a grammar: most of what the eye needs is comments, texts
//! and keywords.

use std::collections::HashSet;
use std::path::Path;

pub struct Language {
    pub name: &'static str,
    /// Endings of file names, and whole names, in lower case.
    files: &'static str,
    pub style: Style,
    pub line_comments: &'static [&'static str],
    pub comment: Option<(&'static str, &'static str)>,
    pub texts: &'static [Text],
    /// Signs that make a word stand out.
    pub sigils: &'static str,
    keywords: &'static str,
    features: &'static [Feature],
}

pub enum Style {
    Code,
    Tags,
    Markdown,
}

pub struct Text {
    pub open: &'static str,
    pub close: &'static str,
    pub escapes: bool,
    /// Beyond the end of the line.
    pub goes_on: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    NestedComments,
    RustTexts,
    /// A comment begins only after a blank.
    SpacedComments,
    /// Words with a capital are types.
    Types,
    /// `key: value`
    Keys,
    /// `key = value`
    Assignments,
    AnyCase,
    /// A dash is part of a word.
    Dashes,
}
use Feature::{
    AnyCase, Assignments, Dashes, Keys, NestedComments, RustTexts, SpacedComments, Types,
};

impl Language {
    pub fn has(&self, feature: Feature) -> bool {
        self.features.contains(&feature)
    }

    pub fn keywords(&self) -> HashSet<&'static str> {
        self.keywords.split(' ').collect()
    }
}

pub fn by_path(path: &str) -> Option<&'static Language> {
    let name = Path::new(path).file_name()?.to_str()?.to_lowercase();
    let ending = name.rsplit_once('.').map_or(name.as_str(), |(_, end)| end);
    let is_listed = |language: &&Language| {
        let mut files = language.files.split(' ');
        files.any(|file| file == name || file == ending)
    };
    LANGUAGES.iter().find(is_listed)
}

/// By the name in the table, or by an ending: notebooks name their language themselves.
pub fn by_name(name: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| {
        language.name == name || language.files.split(' ').any(|file| file == name)
    })
}

const fn text(quote: &'static str) -> Text {
    Text {
        open: quote,
        close: quote,
        escapes: true,
        goes_on: false,
    }
}

const fn long(quote: &'static str) -> Text {
    Text {
        open: quote,
        close: quote,
        escapes: true,
        goes_on: true,
    }
}

const fn verbatim(quote: &'static str, goes_on: bool) -> Text {
    Text {
        open: quote,
        close: quote,
        escapes: false,
        goes_on,
    }
}

const C_COMMENT: Option<(&str, &str)> = Some(("/*", "*/"));
const PLAIN: Language = Language {
    name: "",
    files: "",
    style: Style::Code,
    line_comments: &[],
    comment: None,
    texts: &[text("\""), text("'")],
    sigils: "",
    keywords: "",
    features: &[],
};

static LANGUAGES: &[Language] = &[
    Language {
        name: "rust",
        files: "rs",
        line_comments: &["//"],
        comment: C_COMMENT,
        texts: &[long("\"")],
        sigils: "#",
        keywords: "as async await break const continue crate dyn else enum extern false fn for gen if impl in let loop match mod move mut pub ref return self Self static struct super trait true type union unsafe use where while bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize",
        features: &[NestedComments, RustTexts, Types],
        ..PLAIN
    },
    Language {
        name: "javascript",
        files: "js jsx mjs cjs ts tsx mts cts typescript",
        line_comments: &["//"],
        comment: C_COMMENT,
        texts: &[text("\""), text("'"), long("`")],
        sigils: "@",
        keywords: "abstract any as async await boolean break case catch class const continue debugger declare default delete do else enum export extends false finally for from function get if implements import in infer instanceof interface keyof let namespace never new null number of private protected public readonly return satisfies set static string super switch this throw true try type typeof undefined unknown var void while with yield",
        features: &[Types],
        ..PLAIN
    },
    Language {
        name: "python",
        files: "py pyi pyw python3 ipython bzl bazel build",
        line_comments: &["#"],
        texts: &[long("\"\"\""), long("'''"), text("\""), text("'")],
        sigils: "@",
        keywords: "False None True and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield",
        features: &[Types],
        ..PLAIN
    },
    Language {
        name: "go",
        files: "go",
        line_comments: &["//"],
        comment: C_COMMENT,
        texts: &[text("\""), text("'"), verbatim("`", true)],
        keywords: "any bool break byte case chan const continue default defer else error fallthrough false float32 float64 for func go goto if import int int16 int32 int64 int8 interface iota len make map new nil package range return rune select string struct switch true type uint uint16 uint32 uint64 uint8 var",
        features: &[Types],
        ..PLAIN
    },
    Language {
        name: "c",
        files: "c h cc cpp cxx hpp hh cs java kt kts swift scala dart proto m mm groovy gradle glsl wgsl zig php",
        line_comments: &["//"],
        comment: C_COMMENT,
        texts: &[long("\"\"\""), text("\""), text("'")],
        sigils: "@#$",
        keywords: "abstract actor as async auto await bool boolean break byte case catch char class companion const constexpr continue data default defer delete do double echo else enum explicit export extends extension extern false final finally float fn for foreach fun func function goto guard if implements import in inline instanceof int interface internal is lateinit let long message mutable namespace new nil null nullptr object open operator optional override package private protected protocol public readonly record repeated required return sealed self short signed sizeof static string struct super suspend switch synchronized template this throw throws trait true try typealias typedef typename union unsigned use using val var virtual void volatile when where while yield",
        features: &[Types],
        ..PLAIN
    },
    Language {
        name: "shell",
        files: "sh bash zsh fish ksh .bashrc .zshrc .profile .env env bats",
        line_comments: &["#"],
        texts: &[long("\""), verbatim("'", true)],
        sigils: "$",
        keywords: "case cd do done echo elif else esac eval exec exit export fi for function if in local read readonly return select set shift source then trap unset until while",
        features: &[SpacedComments, Dashes],
        ..PLAIN
    },
    Language {
        name: "json",
        files: "json jsonc json5 webmanifest ipynb",
        line_comments: &["//"],
        comment: C_COMMENT,
        texts: &[text("\"")],
        keywords: "true false null",
        features: &[Keys],
        ..PLAIN
    },
    Language {
        name: "yaml",
        files: "yaml yml",
        line_comments: &["#"],
        texts: &[text("\""), verbatim("'", false)],
        sigils: "&*!",
        keywords: "true false null yes no on off",
        features: &[SpacedComments, Keys, Dashes],
        ..PLAIN
    },
    Language {
        name: "toml",
        files: "toml ini cfg conf properties editorconfig .editorconfig .gitconfig service desktop cargo.lock poetry.lock",
        line_comments: &["#", ";"],
        texts: &[
            long("\"\"\""),
            verbatim("'''", true),
            text("\""),
            verbatim("'", false),
        ],
        keywords: "true false",
        features: &[SpacedComments, Keys, Assignments, Dashes],
        ..PLAIN
    },
    Language {
        name: "css",
        files: "css scss sass less",
        line_comments: &["//"],
        comment: C_COMMENT,
        sigils: "@$#.",
        keywords: "important from to and not only",
        features: &[Keys, Dashes],
        ..PLAIN
    },
    Language {
        name: "sql",
        files: "sql",
        line_comments: &["--"],
        comment: C_COMMENT,
        texts: &[verbatim("'", true), verbatim("\"", false)],
        keywords: "add all alter and as asc begin between by cascade case check column commit constraint create cross database default delete desc distinct drop else end exists foreign from full grant group having if in index inner insert into is join key left like limit not null offset on or order outer primary references returning revoke right rollback select set table then transaction trigger truncate union unique update using values view when where with",
        features: &[AnyCase],
        ..PLAIN
    },
    Language {
        name: "ruby",
        files: "rb rake gemfile rakefile ex exs cr r pl pm jl nix tf hcl",
        line_comments: &["#"],
        texts: &[long("\""), long("'")],
        sigils: "@$:",
        keywords: "alias and begin break case class data def defmodule do else elsif end ensure false fn for function if in inherit let locals module my next nil not null or our output provider raise redo require rescue resource retry return self sub super then true undef unless until use variable when where while with yield",
        features: &[SpacedComments, Types],
        ..PLAIN
    },
    Language {
        name: "lua",
        files: "lua hs elm",
        line_comments: &["--"],
        texts: &[text("\""), text("'")],
        keywords: "and as break case class data deriving do else elseif end exposing false for function goto if import in infixl instance let local module newtype nil not of or qualified repeat return then true type until where while",
        features: &[Types],
        ..PLAIN
    },
    Language {
        name: "make",
        files: "makefile mk gnumakefile dockerfile containerfile justfile cmake cmakelists.txt .gitignore .dockerignore",
        line_comments: &["#"],
        sigils: "$",
        keywords: "add arg cmd copy else endif entrypoint env export expose from healthcheck ifdef ifeq ifndef ifneq include label run shell user volume workdir",
        features: &[SpacedComments, Keys, AnyCase, Dashes],
        ..PLAIN
    },
    Language {
        name: "markup",
        files: "html htm xml svg vue svelte xhtml plist csproj xsd astro",
        style: Style::Tags,
        ..PLAIN
    },
    Language {
        name: "markdown",
        files: "md mdx markdown",
        style: Style::Markdown,
        ..PLAIN
    },
];
