//! A tolerant look into a line that cannot be read: which requests are in it, by the marks that structure JSON and by
//! nothing else. Whatever stands between them may be broken, and the end may be missing. Pure; it goes over the line a
//! few times at most and never into itself, however deep the line is.

use super::CliId;
use serde_json::Value;
use std::ops::Range;

/// A request that is in there, as far as it can be made out.
#[derive(Debug, Default, PartialEq)]
pub struct Found {
    pub id: Option<CliId>,
    pub subtype: Option<String>,
    pub tool: Option<String>,
}

/// More in one line are none that a program means.
const MOST: usize = 100;
/// As the CLI begins one: something else may stand before it in the same line.
const BEGINS: &[u8] = b"{\"type\":\"control_request\"";

/// Every request of the line, one after the other.
pub fn requests(line: &[u8]) -> Vec<Found> {
    let found = requests_from(line, 0);
    if !found.is_empty() {
        return found;
    }
    // what stands before it may be half an object
    let begins = line.windows(BEGINS.len()).position(|part| part == BEGINS);
    begins.map_or_else(Vec::new, |at| requests_from(line, at))
}

fn requests_from(line: &[u8], mut at: usize) -> Vec<Found> {
    let mut found = Vec::new();
    while let Some(begin) = position(line, at, b'{')
        && found.len() < MOST
    {
        let (mut kind, mut id, mut request) = (0..0, 0..0, 0..0);
        at = each_field(line, begin, |name, value| match name {
            b"type" => kind = value,
            b"request_id" => id = value,
            b"request" => request = value,
            _ => {}
        });
        if text(&line[kind]).as_deref() == Some("control_request") {
            found.push(one(line, id, request));
        }
    }
    found
}

fn one(line: &[u8], id: Range<usize>, request: Range<usize>) -> Found {
    let id = serde_json::from_slice::<Value>(&line[id]);
    let mut found = Found {
        id: id.ok().as_ref().and_then(CliId::of),
        ..Found::default()
    };
    if line.get(request.start) == Some(&b'{') {
        each_field(
            &line[..request.end],
            request.start,
            |name, value| match name {
                b"subtype" => found.subtype = text(&line[value]),
                b"tool_name" => found.tool = text(&line[value]),
                _ => {}
            },
        );
    }
    found
}

/// The answer to a greeting, without the requests that it lists: each of these is to be read by itself.
pub fn without_list(line: &[u8]) -> Option<(Vec<u8>, Vec<&[u8]>)> {
    let begin = position(line, 0, b'{')?;
    let (mut kind, mut response, mut list) = (0..0, 0..0, 0..0);
    each_field(line, begin, |name, value| match name {
        b"type" => kind = value,
        b"response" => response = value,
        _ => {}
    });
    let is_answer = text(&line[kind]).as_deref() == Some("control_response");
    if !is_answer || line.get(response.start) != Some(&b'{') {
        return None;
    }
    each_field(&line[..response.end], response.start, |name, value| {
        if name == b"pending_permission_requests" {
            list = value;
        }
    });
    if line.get(list.start) != Some(&b'[') {
        return None;
    }
    let mut listed = Vec::new();
    let mut at = list.start + 1;
    while let Some(begin) = position(&line[..list.end], at, b'{') {
        at = value_end(&line[..list.end], begin);
        listed.push(&line[begin..at]);
    }
    let rest = [&line[..list.start], b"[]", &line[list.end..]].concat();
    Some((rest, listed))
}

/// Tells the fields of the object that begins here. Where it ends, or where it is broken.
fn each_field(line: &[u8], begin: usize, mut field: impl FnMut(&[u8], Range<usize>)) -> usize {
    let mut at = begin + 1;
    loop {
        at = skip(line, at, |byte| byte == b',' || byte.is_ascii_whitespace());
        match line.get(at) {
            Some(b'"') => {}
            Some(b'}') => return at + 1,
            _ => return at,
        }
        let name_end = value_end(line, at);
        let name = line.get(at + 1..name_end.saturating_sub(1));
        let value = skip(line, name_end, |byte| {
            byte == b':' || byte.is_ascii_whitespace()
        });
        at = value_end(line, value);
        field(name.unwrap_or_default(), value..at);
    }
}

/// Where the value that begins here ends: a text at its mark, a list or an object at the one that closes it.
fn value_end(line: &[u8], begin: usize) -> usize {
    let (mut at, mut depth) = (begin, 0_usize);
    while let Some(byte) = line.get(at) {
        match byte {
            b'"' => at = text_end(line, at),
            b'{' | b'[' => {
                depth += 1;
                at += 1;
            }
            b'}' | b']' | b',' if depth == 0 => return at,
            b'}' | b']' => {
                depth -= 1;
                at += 1;
            }
            _ => {
                at += 1;
                // a number or a word ends where something else begins
                if depth == 0 && !matches!(line.get(at), Some(next) if is_plain(*next)) {
                    return at;
                }
                continue;
            }
        }
        if depth == 0 {
            return at;
        }
    }
    line.len()
}

fn is_plain(byte: u8) -> bool {
    !matches!(byte, b'"' | b'{' | b'}' | b'[' | b']' | b',') && !byte.is_ascii_whitespace()
}

fn text_end(line: &[u8], begin: usize) -> usize {
    let mut at = begin + 1;
    while let Some(byte) = line.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    line.len()
}

fn position(line: &[u8], from: usize, byte: u8) -> Option<usize> {
    let rest = line.get(from..)?;
    Some(from + rest.iter().position(|other| *other == byte)?)
}

fn skip(line: &[u8], from: usize, is_skipped: impl Fn(u8) -> bool) -> usize {
    let rest = line.get(from..).unwrap_or_default();
    let skipped = rest.iter().take_while(|byte| is_skipped(**byte));
    from + skipped.count()
}

fn text(value: &[u8]) -> Option<String> {
    serde_json::from_slice::<String>(value).ok()
}

#[cfg(test)]
mod tests;
