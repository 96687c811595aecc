//! Bytes of a file as the tools of Claude Code read them: UTF-8, or UTF-16LE behind its mark; all else is not text.

use crate::model::insight::file::LineEnds;

/// A NUL this early means that it is not text.
const LOOK_FOR_NUL: usize = 8 * 1024;
/// How far the tools look to tell which line ends a file has.
const LOOK_FOR_LINE_ENDS: usize = 4096;
const BYTE_ORDER_MARK: &str = "\u{feff}";

pub struct Decoded {
    /// Without the mark.
    pub text: String,
    pub has_mark: bool,
    pub is_utf16: bool,
}

pub fn decode(bytes: Vec<u8>) -> Option<Decoded> {
    if let Some(rest) = bytes.strip_prefix(b"\xff\xfe") {
        let (pairs, odd) = rest.as_chunks::<2>();
        let units = pairs.iter().map(|pair| u16::from_le_bytes(*pair));
        let text = char::decode_utf16(units)
            .collect::<Result<String, _>>()
            .ok()?;
        return odd.is_empty().then_some(Decoded {
            text,
            has_mark: true,
            is_utf16: true,
        });
    }
    if bytes[..bytes.len().min(LOOK_FOR_NUL)].contains(&0) {
        return None;
    }
    let text = String::from_utf8(bytes).ok()?;
    Some(match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => Decoded {
            text: rest.to_owned(),
            has_mark: true,
            is_utf16: false,
        },
        None => Decoded {
            text,
            has_mark: false,
            is_utf16: false,
        },
    })
}

/// Every line with its end. The last one may have none.
pub fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// `None` if the text has no line break at all.
pub fn line_ends(text: &str) -> Option<LineEnds> {
    match counted(text) {
        (0, 0) => None,
        (_, 0) => Some(LineEnds::CrLf),
        (0, _) => Some(LineEnds::Lf),
        _ => Some(LineEnds::Mixed),
    }
}

/// An edit makes all line ends of the file the ones that its beginning has most of.
pub fn edits_keep_crlf(text: &str) -> bool {
    let mut end = text.len().min(LOOK_FOR_LINE_ENDS);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let (crlf, lf) = counted(&text[..end]);
    crlf > lf
}

fn counted(text: &str) -> (usize, usize) {
    let crlf = text.matches("\r\n").count();
    let all = text.bytes().filter(|byte| *byte == b'\n').count();
    (crlf, all - crlf)
}
