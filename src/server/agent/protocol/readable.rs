//! What a line must be to be read: one JSON object in UTF-8, and not too deep. Pure.

use serde_json::Value;

/// How deep one line may be. What it says is wrapped in frames and in stored events, and a browser reads no JSON that is
/// deeper than 128; what a person reads through is never as deep as this.
const DEEPEST: usize = 64;

/// Why a line cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    TooDeep,
    TooLong,
    NotUtf8,
    /// In the words of the reader.
    NotJson(String),
}

impl Unreadable {
    /// In brackets behind what could not be read.
    pub fn why(&self) -> String {
        match self {
            Unreadable::TooDeep => "nested too deeply".to_owned(),
            Unreadable::TooLong => "too long".to_owned(),
            Unreadable::NotUtf8 => "not valid UTF-8".to_owned(),
            Unreadable::NotJson(error) => format!("not valid JSON: {error}"),
        }
    }
}

pub fn read(line: &[u8]) -> Result<Value, Unreadable> {
    let text = std::str::from_utf8(line).map_err(|_| Unreadable::NotUtf8)?;
    match serde_json::from_str::<Value>(text) {
        Ok(value) if is_deeper(&value, DEEPEST) => Err(Unreadable::TooDeep),
        Ok(value) if value.is_object() => Ok(value),
        Ok(_) => Err(Unreadable::NotJson("no object".to_owned())),
        Err(error) => Err(in_words(&error)),
    }
}

/// What is only shown may have broken characters in it, which are shown as such: a program that cuts a long text may cut
/// one in two.
pub fn read_mended(line: &[u8]) -> Result<Value, Unreadable> {
    let text = String::from_utf8_lossy(line);
    read(without_halves(&text).as_bytes())
}

/// Half a pair of escapes is none that a text can have.
fn without_halves(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        whole += before;
        let is_first = |half| (0xD800..0xDC00).contains(&half);
        let is_second = |half| (0xDC00..0xE000).contains(&half);
        let (kept, length) = match (unit(escape), escape.get(6..).and_then(unit)) {
            (Some(first), Some(second)) if is_first(first) && is_second(second) => (None, 12),
            (Some(half), _) if is_first(half) || is_second(half) => (Some("\\ufffd"), 6),
            _ => (None, 2),
        };
        let length = escape.len().min(length);
        let length = escape.ceil_char_boundary(length);
        whole += kept.unwrap_or(&escape[..length]);
        rest = &escape[length..];
    }
    whole + rest
}

/// The number of an escape by number, if the text begins with one.
fn unit(text: &str) -> Option<u32> {
    u32::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

fn in_words(error: &serde_json::Error) -> Unreadable {
    let words = error.to_string();
    // the place in the line helps nobody
    let words = words.split(" at line ").next().unwrap_or_default();
    match words {
        "recursion limit exceeded" => Unreadable::TooDeep,
        words => Unreadable::NotJson(words.to_owned()),
    }
}

fn is_deeper(value: &Value, than: usize) -> bool {
    let Some(left) = than.checked_sub(1) else {
        return value.is_object() || value.is_array();
    };
    match value {
        Value::Array(values) => values.iter().any(|value| is_deeper(value, left)),
        Value::Object(fields) => fields.values().any(|value| is_deeper(value, left)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Entry, Event, ServerMessage, SessionId, ToolInput, ToolUseId, UnixTime};

    fn nested(depth: usize) -> String {
        format!("{}{}", "{\"a\":".repeat(depth - 1) + "{", "}".repeat(depth))
    }

    #[test]
    fn what_is_deeper_than_the_limit_is_not_read() {
        assert!(read(nested(DEEPEST).as_bytes()).is_ok());
        for depth in [DEEPEST + 1, 121, 127, 128, 129, 100_000] {
            assert_eq!(
                read(nested(depth).as_bytes()),
                Err(Unreadable::TooDeep),
                "{depth}"
            );
        }
        let lists = format!("{{\"a\":{}{}}}", "[".repeat(DEEPEST), "]".repeat(DEEPEST));
        assert_eq!(read(lists.as_bytes()), Err(Unreadable::TooDeep));
    }

    #[test]
    fn what_is_read_can_be_read_in_every_frame_and_from_the_store() {
        let line = read(nested(DEEPEST).as_bytes()).expect("just deep enough");
        let entry = Entry::ToolCalled {
            tool_use_id: ToolUseId("t".to_owned()),
            tool_name: "Deep".to_owned(),
            tool_input: ToolInput::from_value(line),
            agent: None,
        };
        let event = Event {
            seq: 1,
            at: UnixTime::default(),
            entry,
        };
        let stored = serde_json::to_string(&event).expect("JSON");
        assert!(serde_json::from_str::<Event>(&stored).is_ok());
        let frame = ServerMessage::SessionEvents {
            session_id: SessionId::random(),
            events: vec![event],
            reset: false,
        };
        assert_eq!(ServerMessage::read(&frame.to_json()), Some(frame));
    }

    #[test]
    fn a_wide_and_long_line_is_read() {
        let wide = format!("{{\"a\":[{}0]}}", "{\"b\":[1,{}]},".repeat(100_000));
        assert!(read(wide.as_bytes()).is_ok());
    }

    #[test]
    fn why_a_line_cannot_be_read_is_said_in_words() {
        for (line, why) in [
            (&b"[1]"[..], "not valid JSON: no object"),
            (b"{\"a\":\"\xff\"}", "not valid UTF-8"),
            (b"{\"a\":1e999}", "not valid JSON: number out of range"),
            (b"{} {}", "not valid JSON: trailing characters"),
        ] {
            let unreadable = read(line).expect_err("unreadable");
            assert_eq!(unreadable.why(), why);
        }
        assert!(read_mended(b"{\"a\":\"\xff\"}").is_ok());
    }

    #[test]
    fn half_a_character_is_shown_as_a_broken_one_and_whole_ones_stay() {
        for (written, shown) in [
            (r"cut \ud83d", "cut \u{fffd}"),
            (
                r"\ude00\ud83d\ud83d\ude00\ud83d",
                "\u{fffd}\u{fffd}\u{1f600}\u{fffd}",
            ),
            (r"\u00e4 \\ud83d \n ä", "ä \\ud83d \n ä"),
        ] {
            let line = format!("{{\"a\":\"{written}\"}}");
            let read = read_mended(line.as_bytes()).expect("mended");
            assert_eq!(read["a"], shown, "{written}");
        }
        for broken in ["\\", "\\u", "\\uä", "\\ud83d\\", "\\ä"] {
            assert!(read_mended(broken.as_bytes()).is_err());
        }
    }
}
