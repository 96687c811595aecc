//! `{a,b}`: one word as it is written is several when it runs. The shell does this first, before quotes and variables.

use super::brackets::{after_backquote, after_double_quote, after_parenthesis};

/// More words than these are not made of one.
const MOST: usize = 128;
/// To find out that a brace is never closed takes a look at all that follows.
const MOST_BRACES: usize = 1_000;

/// What the word stands for, or nothing when it is only itself. An error when these are too many.
pub fn expand(text: &str) -> Result<Option<Vec<String>>, ()> {
    if text.matches('{').count() > MOST_BRACES {
        return Err(());
    }
    let Some(group) = first_group(text, 0) else {
        return Ok(None);
    };
    let mut done = Vec::new();
    let mut open = alternatives(text, &group)?;
    // the first one is at the end
    open.reverse();
    while let Some((word, from)) = open.pop() {
        match first_group(&word, from) {
            None => done.push(word),
            Some(group) => {
                let mut more = alternatives(&word, &group)?;
                more.reverse();
                open.extend(more);
            }
        }
        if done.len() + open.len() > MOST {
            return Err(());
        }
    }
    Ok(Some(done))
}

/// A pair of braces, in bytes, and the commas directly inside.
struct Group {
    open: usize,
    close: usize,
    commas: Vec<usize>,
}

/// Each with the byte before which nothing is left to be expanded.
fn alternatives(text: &str, group: &Group) -> Result<Vec<(String, usize)>, ()> {
    let (before, after) = (&text[..group.open], &text[group.close + 1..]);
    let parts: Vec<String> = if group.commas.is_empty() {
        let inside = &text[group.open + 1..group.close];
        match letters(inside) {
            Some(letters) => letters,
            // of a row of numbers the ends say enough: no name of a place is made of them
            None => inside.split("..").take(2).map(str::to_owned).collect(),
        }
    } else {
        let starts = [group.open].into_iter().chain(group.commas.iter().copied());
        let ends = group.commas.iter().copied().chain([group.close]);
        starts
            .zip(ends)
            .map(|(start, end)| text[start + 1..end].to_owned())
            .collect()
    };
    if parts.len() > MOST {
        return Err(());
    }
    let whole = |part: &String| (format!("{before}{part}{after}"), before.len());
    Ok(parts.iter().map(whole).collect())
}

/// `{r..t}`: every letter between the ends, whatever the step.
fn letters(row: &str) -> Option<Vec<String>> {
    let mut ends = row.split("..");
    let one = |end: Option<&str>| match end?.as_bytes() {
        [letter] if letter.is_ascii_alphabetic() => Some(*letter),
        _ => None,
    };
    let (first, last) = (one(ends.next())?, one(ends.next())?);
    let row = first.min(last)..=first.max(last);
    Some(row.map(|letter| char::from(letter).to_string()).collect())
}

fn first_group(text: &str, from: usize) -> Option<Group> {
    let mut at = from;
    while at < text.len() {
        if text.as_bytes()[at] == b'{'
            && let Some(group) = group(text, at)
        {
            return Some(group);
        }
        at = after(text, at)?;
    }
    None
}

/// The braces that open here, if they hold a comma or a row.
fn group(text: &str, open: usize) -> Option<Group> {
    let mut commas = Vec::new();
    let mut depth = 0_usize;
    let mut at = open + 1;
    while at < text.len() {
        match text.as_bytes()[at] {
            b'{' => depth += 1,
            b'}' if depth > 0 => depth -= 1,
            b'}' => {
                let is_group = !commas.is_empty() || is_row(&text[open + 1..at]);
                return is_group.then_some(Group {
                    open,
                    close: at,
                    commas,
                });
            }
            b',' if depth == 0 => commas.push(at),
            _ => {}
        }
        at = after(text, at)?;
    }
    None
}

/// `1..9`, `a..f`, `1..9..2`
fn is_row(inside: &str) -> bool {
    let parts: Vec<&str> = inside.split("..").collect();
    let is_number = |part: &&str| {
        let digits = part.trim_start_matches(['-', '+']);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_letter = |part: &&str| part.len() == 1 && part.as_bytes()[0].is_ascii_alphabetic();
    matches!(parts.len(), 2 | 3)
        && (parts[..2].iter().all(is_number) || parts[..2].iter().all(is_letter))
}

/// Past what stands here: a sign, or quotes, a substitution, `${…}` as a whole.
fn after(text: &str, at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let next = bytes.get(at + 1);
    let length = text[at..].chars().next().map_or(1, char::len_utf8);
    match bytes[at] {
        b'\\' => {
            let escaped = text[at + 1..].chars().next();
            Some(at + 1 + escaped.map_or(0, char::len_utf8))
        }
        b'$' if next == Some(&b'\'') => {
            let (_, length, _) = super::escapes::ansi_quoted(&text[at + 2..])?;
            Some(at + 2 + length)
        }
        b'\'' => text[at + 1..].find('\'').map(|length| at + length + 2),
        b'"' => after_double_quote(text, at + 1),
        b'`' => after_backquote(bytes, at + 1),
        b'$' if next == Some(&b'{') => super::brackets::after_brace(text, at + 2),
        b'$' | b'<' | b'>' if next == Some(&b'(') => after_parenthesis(text, at + 2),
        _ => Some(at + length),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(text: &str) -> Vec<String> {
        expand(text).unwrap_or_default().unwrap_or_default()
    }

    #[test]
    fn braces_stand_for_several_words_in_their_order() {
        for (text, words) in [
            ("{a,b}", vec!["a", "b"]),
            ("x{a,/b}y", vec!["xay", "x/by"]),
            ("{a,{b,c}d}", vec!["a", "bd", "cd"]),
            ("{a,b}{c,d}", vec!["ac", "ad", "bc", "bd"]),
            ("./{*,.*}", vec!["./*", "./.*"]),
            ("{,/etc}", vec!["", "/etc"]),
            ("{1..9}", vec!["1", "9"]),
            ("{a..d}x", vec!["ax", "bx", "cx", "dx"]),
            ("{x}{a,b}", vec!["{x}a", "{x}b"]),
            ("{{a,b}", vec!["{a", "{b"]),
            ("{a,b}}", vec!["a}", "b}"]),
            ("{'a,b',c}", vec!["'a,b'", "c"]),
            ("${x,y}{a,b}", vec!["${x,y}a", "${x,y}b"]),
            ("$'\\''{a,b}", vec!["$'\\''a", "$'\\''b"]),
            ("ä{ö,ü}", vec!["äö", "äü"]),
        ] {
            assert_eq!(expanded(text), words, "{text}");
        }
    }

    #[test]
    fn other_braces_stand_for_themselves() {
        for text in [
            "",
            "{}",
            "{a}",
            "{a,b",
            "a,b}",
            "'{a,b}'",
            "\"{a,b}\"",
            "\\{a,b}",
            "${a,b}",
            "{..}",
            "{a..bc}",
            "$({a,b})",
            "HEAD@{1}",
        ] {
            assert_eq!(expand(text), Ok(None), "{text}");
        }
    }

    #[test]
    fn too_many_are_told() {
        assert!(expand(&"{a,b}".repeat(7)).is_ok());
        assert_eq!(expand(&"{a,b}".repeat(8)), Err(()));
        assert_eq!(expand(&"{a,b}".repeat(5_000)), Err(()));
        assert_eq!(expand(&format!("{{{}}}", "a,".repeat(500))), Err(()));
    }
}
