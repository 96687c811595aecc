//! Markdown becomes a fixed set of elements, whatever it says.

use super::*;

fn text(words: &str) -> Inline {
    Inline::Text(words.to_owned())
}

fn depth(blocks: &[Block]) -> usize {
    fn of_inlines(list: &[Inline]) -> usize {
        list.iter()
            .map(|inline| match inline {
                Inline::Emphasis(inner)
                | Inline::Strong(inner)
                | Inline::Struck(inner)
                | Inline::Link { text: inner, .. } => 1 + of_inlines(inner),
                _ => 1,
            })
            .max()
            .unwrap_or(0)
    }
    blocks
        .iter()
        .map(|block| match block {
            Block::Quote(inner) => 1 + depth(inner),
            Block::List { items, .. } => {
                1 + items.iter().map(|item| depth(item)).max().unwrap_or(0)
            }
            Block::Paragraph(list) | Block::Heading { text: list, .. } => 1 + of_inlines(list),
            _ => 1,
        })
        .max()
        .unwrap_or(0)
}

fn all_text(blocks: &[Block]) -> String {
    blocks
        .iter()
        .map(|block| match block {
            Block::Paragraph(list) | Block::Heading { text: list, .. } => plain_text(list),
            Block::Code { text, .. } => text.clone(),
            Block::Quote(inner) => all_text(inner),
            Block::List { items, .. } => items.iter().map(|item| all_text(item)).collect(),
            Block::Table { head, rows } => head
                .iter()
                .chain(rows.iter().flatten())
                .map(|cell| plain_text(cell))
                .collect(),
            Block::Rule => String::new(),
        })
        .collect()
}

#[test]
fn the_ordinary_elements_are_told_apart() {
    let blocks = parse(
        "# Title\n\nSome *soft* and **loud** `code` ~~gone~~.\n\n- one\n- two\n\n3. three\n\n> said\n\n---\n",
    );
    assert_eq!(
        blocks,
        [
            Block::Heading {
                level: 1,
                text: vec![text("Title")]
            },
            Block::Paragraph(vec![
                text("Some "),
                Inline::Emphasis(vec![text("soft")]),
                text(" and "),
                Inline::Strong(vec![text("loud")]),
                text(" "),
                Inline::Code("code".to_owned()),
                text(" "),
                Inline::Struck(vec![text("gone")]),
                text("."),
            ]),
            Block::List {
                start: None,
                items: vec![
                    vec![Block::Paragraph(vec![text("one")])],
                    vec![Block::Paragraph(vec![text("two")])],
                ],
            },
            Block::List {
                start: Some(3),
                items: vec![vec![Block::Paragraph(vec![text("three")])]],
            },
            Block::Quote(vec![Block::Paragraph(vec![text("said")])]),
            Block::Rule,
        ]
    );
}

#[test]
fn a_table_keeps_its_cells() {
    let blocks = parse("| a | b |\n|---|---|\n| 1 | **2** |\n");
    assert_eq!(
        blocks,
        [Block::Table {
            head: vec![vec![text("a")], vec![text("b")]],
            rows: vec![vec![vec![text("1")], vec![Inline::Strong(vec![text("2")])]]],
        }]
    );
}

#[test]
fn a_list_in_a_list_stays_inside_its_item() {
    let blocks = parse("- outer\n  - inner\n- [x] done\n");
    assert_eq!(
        blocks,
        [Block::List {
            start: None,
            items: vec![
                vec![
                    Block::Paragraph(vec![text("outer")]),
                    Block::List {
                        start: None,
                        items: vec![vec![Block::Paragraph(vec![text("inner")])]],
                    },
                ],
                vec![Block::Paragraph(vec![text("☑ done")])],
            ],
        }]
    );
}

#[test]
fn raw_html_is_text() {
    for hostile in [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "a <b onclick=\"x()\">b</b> c",
        "<iframe src=\"https://evil.example\"></iframe>\n\nafter",
    ] {
        let shown = all_text(&parse(hostile));
        for line in hostile.lines().filter(|line| !line.is_empty()) {
            assert!(shown.contains(line), "{hostile:?} was shown as {shown:?}");
        }
    }
}

#[test]
fn only_links_to_the_web_and_to_mail_can_be_followed() {
    for good in [
        "http://a.example",
        "HTTPS://a.example",
        "mailto:ada@a.example",
    ] {
        assert!(may_be_followed(good), "{good}");
    }
    for bad in [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        " https://a.example",
        "java\nscript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "vbscript:x",
        "file:///etc/passwd",
        "//evil.example",
        "/api/kill",
        "httpx://a",
        "blob:https://a",
        "",
    ] {
        assert!(!may_be_followed(bad), "{bad}");
    }
}

#[test]
fn a_link_whose_words_are_another_address_does_not_say_where_it_leads() {
    let blocks =
        parse("[https://bank.example](https://evil.example) <https://a.example> <ada@a.example>");
    let Some(Block::Paragraph(list)) = blocks.first() else {
        panic!("no paragraph: {blocks:?}");
    };
    let said: Vec<(String, bool)> = list
        .iter()
        .filter_map(|inline| match inline {
            Inline::Link { url, text } => {
                Some((url.clone(), says_where_it_leads(&plain_text(text), url)))
            }
            _ => None,
        })
        .collect();
    assert_eq!(
        said,
        [
            ("https://evil.example".to_owned(), false),
            ("https://a.example".to_owned(), true),
            ("mailto:ada@a.example".to_owned(), true),
        ]
    );
}

#[test]
fn an_image_is_a_link_and_is_named_as_one() {
    assert_eq!(
        parse("![](https://a.example/p.png)"),
        [Block::Paragraph(vec![Inline::Link {
            url: "https://a.example/p.png".to_owned(),
            text: vec![text("image: https://a.example/p.png")],
        }])]
    );
    assert!(says_where_it_leads(
        "image: https://a.example/p.png",
        "https://a.example/p.png"
    ));
    assert_eq!(
        parse("![a *cat*](https://a.example/p.png)"),
        [Block::Paragraph(vec![Inline::Link {
            url: "https://a.example/p.png".to_owned(),
            text: vec![text("image: a cat")],
        }])]
    );
}

#[test]
fn an_unclosed_fence_is_code_to_the_end() {
    assert_eq!(
        parse("before\n\n```rust\nfn main() {\n<script>"),
        [
            Block::Paragraph(vec![text("before")]),
            Block::Code {
                language: "rust".to_owned(),
                text: "fn main() {\n<script>".to_owned(),
            },
        ]
    );
}

#[test]
fn ten_thousand_levels_stay_shallow_and_keep_their_text() {
    let levels = 10_000;
    let lists: String = (0..300)
        .map(|level| format!("{}- x\n", "  ".repeat(level)))
        .collect();
    for hostile in [
        format!("{}deep", "> ".repeat(levels)),
        format!("{}deep", ">".repeat(levels)),
        format!("{}deep{}", "*a ".repeat(levels), " b*".repeat(levels)),
        format!("{}deep{}", "**_".repeat(levels), "_**".repeat(levels)),
        format!("{}deep{}", "[".repeat(levels), "](x)".repeat(levels)),
        format!("{}deep{}", "![".repeat(levels), "](x)".repeat(levels)),
        format!("{}deep", "- ".repeat(levels)),
        format!("{lists}deep"),
    ] {
        let blocks = parse(&hostile);
        assert!(
            depth(&blocks) <= 2 * DEEPEST + 4,
            "too deep: {}",
            depth(&blocks)
        );
        assert!(all_text(&blocks).contains("deep"));
    }
}

#[test]
fn a_huge_text_is_read_whole() {
    let huge = "word *soft* `code`\n\n".repeat(50_000);
    assert_eq!(parse(&huge).len(), 50_000);
    let line = "a".repeat(2_000_000);
    assert_eq!(all_text(&parse(&line)), line);
}

#[test]
fn what_no_page_can_hold_has_something_that_stands_for_it() {
    assert_eq!(
        parse("a\0b\n\n    \0"),
        [
            Block::Paragraph(vec![text("a\u{fffd}b")]),
            Block::Code {
                language: String::new(),
                text: "\u{fffd}".to_owned(),
            },
        ]
    );
}
