//! A settings file with one permission rule more or less. The text is changed where the rule stands and nowhere else:
//! other keys, their order and the way it is laid out are the person's. Pure.

use serde_json::{Value, json};
use std::ops::Range;

/// Adds a rule to a list of `permissions`; what it needs around it is made.
pub fn with_rule(text: &str, list: &str, rule: &str) -> Result<String, String> {
    let mut wanted = read(text)?;
    let mut changed = match text.trim() {
        "" | "{}" => "{}\n".to_owned(),
        _ => text.to_owned(),
    };
    if wanted.get(PERMISSIONS).is_none() {
        let root = start(&changed);
        changed = inserted(&changed, root, r#""permissions": {}"#);
        wanted[PERMISSIONS] = json!({});
    }
    check_shape(&wanted[PERMISSIONS], list)?;
    if wanted[PERMISSIONS].get(list).is_none() {
        let permissions = found(&changed, start(&changed), PERMISSIONS)?;
        changed = inserted(&changed, permissions, &format!("{}: []", quoted(list)));
        wanted[PERMISSIONS][list] = json!([]);
    }
    let at = found(
        &changed,
        found(&changed, start(&changed), PERMISSIONS)?,
        list,
    )?;
    changed = inserted(&changed, at, &quoted(rule));
    if let Some(rules) = wanted[PERMISSIONS][list].as_array_mut() {
        rules.push(json!(rule));
    }
    checked(changed, &wanted)
}

/// Takes all such rules out of a list of `permissions`. None: there is no such rule.
pub fn without_rule(
    text: &str,
    list: &str,
    is_it: impl Fn(&str) -> bool,
) -> Result<Option<String>, String> {
    let mut wanted = read(text)?;
    if wanted.get(PERMISSIONS).is_none() {
        return Ok(None);
    }
    check_shape(&wanted[PERMISSIONS], list)?;
    let is_it = |rule: &Value| rule.as_str().is_some_and(&is_it);
    let mut changed = text.to_owned();
    let mut is_changed = false;
    while let Some(rules) = wanted[PERMISSIONS][list].as_array_mut() {
        let Some(at) = rules.iter().position(is_it) else {
            break;
        };
        rules.remove(at);
        let list_start = found(
            &changed,
            found(&changed, start(&changed), PERMISSIONS)?,
            list,
        )?;
        changed = removed(&changed, list_start, at);
        is_changed = true;
    }
    match is_changed {
        true => checked(changed, &wanted).map(Some),
        false => Ok(None),
    }
}

/// The rules of a list, for those who only want to know.
pub fn rules<'a>(settings: &'a Value, list: &str) -> impl Iterator<Item = &'a str> {
    let rules = settings[PERMISSIONS][list].as_array();
    rules.into_iter().flatten().filter_map(Value::as_str)
}

pub fn read(text: &str) -> Result<Value, String> {
    if text.trim().is_empty() {
        return Ok(json!({}));
    }
    match serde_json::from_str::<Value>(text) {
        Ok(settings) if settings.is_object() => Ok(settings),
        Ok(_) => Err("it holds no settings".to_owned()),
        Err(error) => Err(format!("it is not valid JSON ({error})")),
    }
}

const PERMISSIONS: &str = "permissions";

fn check_shape(permissions: &Value, list: &str) -> Result<(), String> {
    if !permissions.is_object() {
        return Err("its “permissions” are not as the agent writes them".to_owned());
    }
    match permissions.get(list) {
        Some(rules) if !rules.is_array() => Err(format!(
            "its “{list}” rules are not as the agent writes them"
        )),
        _ => Ok(()),
    }
}

/// Our own work is read once more before it is believed.
fn checked(changed: String, wanted: &Value) -> Result<String, String> {
    match serde_json::from_str::<Value>(&changed) {
        Ok(settings) if settings == *wanted => Ok(changed),
        _ => Err("it is laid out in a way that cannot be changed safely".to_owned()),
    }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// What an object or a list holds: for each its key, if it has one, and where its value is.
struct Inside {
    parts: Vec<(Option<String>, Range<usize>)>,
    /// Where the first of them begins, with its key.
    first: usize,
    /// The closing bracket.
    close: usize,
}

/// `open`: the opening bracket in a text that is known to be JSON.
fn inside(text: &str, open: usize) -> Inside {
    let is_object = text[open..].starts_with('{');
    let mut parts = Vec::new();
    let mut at = after_space(text, open + 1);
    let first = at;
    while at < text.len() && !text[at..].starts_with(['}', ']']) {
        let key = is_object.then(|| {
            let end = end_of_value(text, at);
            let key = serde_json::from_str(&text[at..end]).unwrap_or_default();
            // over the colon
            at = after_space(text, after_space(text, end) + 1);
            key
        });
        let end = end_of_value(text, at);
        parts.push((key, at..end));
        at = after_space(text, end);
        if text[at..].starts_with(',') {
            at = after_space(text, at + 1);
        }
    }
    Inside {
        parts,
        first,
        close: at,
    }
}

fn start(text: &str) -> usize {
    after_space(text, 0)
}

fn after_space(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let space = rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
    at.min(text.len()) + space
}

fn end_of_value(text: &str, at: usize) -> usize {
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for (offset, byte) in text.bytes().enumerate().skip(at) {
        let is_over = match byte {
            _ if escaped => {
                escaped = false;
                false
            }
            b'\\' if in_text => {
                escaped = true;
                false
            }
            b'"' => {
                in_text = !in_text;
                !in_text && depth == 0
            }
            _ if in_text => false,
            b'{' | b'[' => {
                depth += 1;
                false
            }
            b'}' | b']' if depth == 0 => return offset,
            b'}' | b']' => {
                depth -= 1;
                depth == 0
            }
            // the end of a number or a word
            b',' | b':' | b' ' | b'\t' | b'\n' | b'\r' if depth == 0 => return offset,
            _ => false,
        };
        if is_over {
            return offset + 1;
        }
    }
    text.len()
}

/// Where the value of a key begins; of two with the same name the last one counts.
fn found(text: &str, object: usize, key: &str) -> Result<usize, String> {
    let parts = inside(text, object).parts;
    let mut named = parts.iter().rev();
    let named = named.find(|(name, _)| name.as_deref() == Some(key));
    let at = named.map(|(_, value)| value.start);
    at.ok_or_else(|| format!("its “{key}” cannot be found"))
}

/// One part more, laid out as those before it.
fn inserted(text: &str, open: usize, part: &str) -> String {
    let inside = inside(text, open);
    if let Some((_, last)) = inside.parts.last() {
        let before = &text[open + 1..inside.first];
        let before = if before.contains('\n') { before } else { " " };
        return spliced(text, last.end..last.end, &format!(",{before}{part}"));
    }
    let line = text[..open].rfind('\n').map_or(0, |end| end + 1);
    let indent: String = indent_of(&text[line..]).to_owned();
    let step = text
        .lines()
        .map(indent_of)
        .find(|indent| !indent.is_empty());
    let step = step.unwrap_or("  ");
    let part = match (text.contains('\n'), text.contains("\r\n")) {
        (false, _) => part.to_owned(),
        (true, false) => format!("\n{indent}{step}{part}\n{indent}"),
        (true, true) => format!("\r\n{indent}{step}{part}\r\n{indent}"),
    };
    spliced(text, open + 1..inside.close, &part)
}

fn indent_of(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

fn removed(text: &str, open: usize, which: usize) -> String {
    let inside = inside(text, open);
    let value = |at: usize| inside.parts.get(at).map(|(_, value)| value.clone());
    let before = which.checked_sub(1).and_then(value);
    let gone = match (before, value(which), value(which + 1)) {
        (Some(before), Some(it), _) => before.end..it.end,
        (None, Some(it), Some(after)) => it.start..after.start,
        (None, ..) | (_, None, _) => open + 1..inside.close,
    };
    spliced(text, gone, "")
}

fn spliced(text: &str, range: Range<usize>, new: &str) -> String {
    let mut changed = text.to_owned();
    changed.replace_range(range, new);
    changed
}

#[cfg(test)]
mod tests;
