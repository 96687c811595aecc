//! Which files are taken, and how they are named.

use crate::model::attachment::{AttachmentLimits, MediaType, plain_name, size};

#[test]
fn the_content_says_what_a_file_is() {
    let kinds: [(&[u8], MediaType); 8] = [
        (b"\x89PNG\r\n\x1a\n\0\0", MediaType::Png),
        (b"\xff\xd8\xff\xe0", MediaType::Jpeg),
        (b"GIF89a\0", MediaType::Gif),
        (b"GIF87a\0", MediaType::Gif),
        (b"RIFF\x10\0\0\0WEBPVP8 ", MediaType::Webp),
        (b"%PDF-1.7\n\xff", MediaType::Pdf),
        (b"fn main() {}\n", MediaType::Text),
        ("größer \u{1b}[1m".as_bytes(), MediaType::Text),
    ];
    for (content, kind) in kinds {
        assert_eq!(MediaType::of(content), Some(kind), "{content:?}");
        assert_eq!(MediaType::from_word(kind.word()), Some(kind));
        let json = serde_json::to_string(&kind).expect("json");
        assert_eq!(json, format!("\"{}\"", kind.word()));
    }
}

#[test]
fn what_no_agent_can_look_at_is_of_no_kind() {
    let others: [&[u8]; 6] = [
        b"",
        b"PK\x03\x04",
        b"RIFF\x10\0\0\0WAVEfmt ",
        b"\x7fELF",
        b"latin \xe4",
        b"nul \0 byte",
    ];
    for content in others {
        assert_eq!(MediaType::of(content), None, "{content:?}");
    }
}

#[test]
fn a_page_or_a_drawing_is_never_more_than_text() {
    for content in [
        "<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>",
        "<!doctype html><script>",
    ] {
        assert_eq!(MediaType::of(content.as_bytes()), Some(MediaType::Text));
    }
    assert_eq!(MediaType::from_word("image/svg+xml"), None);
    assert_eq!(MediaType::from_word("text/html"), None);
}

#[test]
fn a_limit_names_the_file_that_broke_it() {
    let limits = AttachmentLimits {
        count: 2,
        bytes: 100,
        bytes_in_all: 150,
    };
    let check = |files: &[(&str, usize)]| limits.check(files.iter().copied());
    assert_eq!(check(&[("a", 100), ("b", 50)]), Ok(()));
    for (files, words) in [
        (vec![("a", 0)], "\"a\" is empty"),
        (
            vec![("a", 101)],
            "\"a\" has 101 bytes; one file may have at most 100 bytes",
        ),
        (
            vec![("a", 1), ("b", 1), ("c", 1)],
            "\"c\" is one file too many",
        ),
        (
            vec![("a", 100), ("b", 51)],
            "With \"b\" the files have 151 bytes",
        ),
    ] {
        let error = check(&files).expect_err(words);
        assert!(error.starts_with(words), "{error}");
    }
}

#[test]
fn sizes_are_told_in_words() {
    assert_eq!(size(1), "1 byte");
    assert_eq!(size(999), "999 bytes");
    assert_eq!(size(1_001), "2 kB");
    assert_eq!(size(3_932_160), "3.9 MB");
}

#[test]
fn a_name_is_only_a_name() {
    assert_eq!(plain_name("cat.png"), "cat.png");
    assert_eq!(plain_name("../../etc/passwd"), "passwd");
    assert_eq!(plain_name("C:\\photos\\cat.png"), "cat.png");
    assert_eq!(plain_name("a\r\nb\".png"), "ab\".png");
    for empty in ["", "  ", "..", "/"] {
        assert_eq!(plain_name(empty), "file", "{empty}");
    }
    assert_eq!(plain_name(&"ä".repeat(500)).chars().count(), 120);
}

#[test]
fn a_picture_that_was_cut_off_is_not_whole() {
    let png = b"\x89PNG\r\n\x1a\n....IHDR....IDAT....IEND\xae\x42\x60\x82";
    assert!(MediaType::Png.is_whole(png) && !MediaType::Png.is_whole(&png[..20]));
    let jpeg = [0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 0xff, 0xd9];
    assert!(MediaType::Jpeg.is_whole(&jpeg) && !MediaType::Jpeg.is_whole(&jpeg[..7]));
    assert!(MediaType::Gif.is_whole(b"GIF89a..;") && !MediaType::Gif.is_whole(b"GIF89a.."));
    let webp = b"RIFF\x08\0\0\0WEBPVP8 ";
    assert!(MediaType::Webp.is_whole(webp) && !MediaType::Webp.is_whole(&webp[..12]));
    assert!(MediaType::Text.is_whole(b"any") && MediaType::Pdf.is_whole(b"%PDF-1.7"));
}
