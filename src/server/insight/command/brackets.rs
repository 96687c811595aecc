//! Finds where a substitution ends: the bracket that closes it, past strings, comments and here-documents.

/// The byte after the `)` that closes what was opened right before `from`.
pub fn after_parenthesis(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 1_usize;
    let mut at = from;
    let mut documents: Vec<(String, bool)> = Vec::new();
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'\'' => at = after_single_quote(bytes, at)?,
            b'"' => {
                at = after_double_quote(text, at + 1)?;
                continue;
            }
            b'`' => {
                at = after_backquote(bytes, at + 1)?;
                continue;
            }
            b'#' if at == from
                || matches!(
                    bytes[at - 1],
                    b' ' | b'\t' | b'\n' | b';' | b'(' | b'&' | b'|'
                ) =>
            {
                while at + 1 < bytes.len() && bytes[at + 1] != b'\n' {
                    at += 1;
                }
            }
            b'$' if bytes.get(at + 1) == Some(&b'{') => {
                at = after_brace(text, at + 2)?;
                continue;
            }
            b'<' if text[at..].starts_with("<<<") => at += 2,
            b'<' if text[at..].starts_with("<<") => {
                let (delimiter, strips_tabs, after) = here_delimiter(text, at + 2);
                if !delimiter.is_empty()
                    && !delimiter.starts_with(|first: char| first.is_ascii_digit())
                {
                    documents.push((delimiter, strips_tabs));
                    at = after;
                    continue;
                }
                at += 1;
            }
            b'\n' if !documents.is_empty() => {
                at = after_documents(text, at + 1, &std::mem::take(&mut documents))?;
                continue;
            }
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The byte after the `}` that closes `${`.
pub fn after_brace(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'\'' => at = after_single_quote(bytes, at)?,
            b'"' => {
                at = after_double_quote(text, at + 1)?;
                continue;
            }
            b'`' => {
                at = after_backquote(bytes, at + 1)?;
                continue;
            }
            b'$' if matches!(bytes.get(at + 1), Some(b'(' | b'{')) => {
                at = after_dollar(text, at)?;
                continue;
            }
            b'}' => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
    None
}

/// The byte after the quote that closes a double-quoted string whose inside starts at `from`.
pub fn after_double_quote(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'"' => return Some(at + 1),
            b'`' => {
                at = after_backquote(bytes, at + 1)?;
                continue;
            }
            b'$' if matches!(bytes.get(at + 1), Some(b'(' | b'{')) => {
                at = after_dollar(text, at)?;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

pub fn after_backquote(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'`' => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
    None
}

fn after_dollar(text: &str, dollar: usize) -> Option<usize> {
    if text.as_bytes().get(dollar + 1) == Some(&b'{') {
        after_brace(text, dollar + 2)
    } else {
        after_parenthesis(text, dollar + 2)
    }
}

/// The byte of the closing quote. In `$'…'` a backslash hides it, elsewhere not.
fn after_single_quote(bytes: &[u8], quote: usize) -> Option<usize> {
    let escapes = quote > 0 && bytes[quote - 1] == b'$';
    let mut at = quote + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if escapes => at += 1,
            b'\'' => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

/// The word after `<<`, without its quotes, and the byte after it.
fn here_delimiter(text: &str, from: usize) -> (String, bool, usize) {
    let bytes = text.as_bytes();
    let mut at = from;
    let strips_tabs = bytes.get(at) == Some(&b'-');
    if strips_tabs {
        at += 1;
    }
    while matches!(bytes.get(at), Some(b' ' | b'\t')) {
        at += 1;
    }
    let start = at;
    while at < bytes.len()
        && !matches!(
            bytes[at],
            b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b')' | b'(' | b'<' | b'>'
        )
    {
        at += 1;
    }
    let delimiter = text[start..at]
        .chars()
        .filter(|character| !matches!(character, '\'' | '"' | '\\'))
        .collect();
    (delimiter, strips_tabs, at)
}

fn after_documents(text: &str, from: usize, documents: &[(String, bool)]) -> Option<usize> {
    let mut at = from;
    for (delimiter, strips_tabs) in documents {
        loop {
            let rest = text.get(at..)?;
            if rest.is_empty() {
                return None;
            }
            let line = rest.split('\n').next().unwrap_or_default();
            let compared = if *strips_tabs {
                line.trim_start_matches('\t')
            } else {
                line
            };
            // A here-document may also end at the bracket that closes the substitution.
            if let Some(after) = compared
                .strip_prefix(delimiter.as_str())
                .filter(|after| after.starts_with(')'))
            {
                return Some(at + line.len() - after.len());
            }
            at += line.len() + 1;
            if compared == delimiter {
                break;
            }
        }
    }
    // The line end itself may matter to what follows.
    Some(at.saturating_sub(1).min(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rest(text: &str) -> Option<&str> {
        after_parenthesis(text, 0).and_then(|end| text.get(end..))
    }

    #[test]
    fn strings_comments_and_nested_brackets_do_not_close_it() {
        assert_eq!(rest("a ')' \")\" \\) (b) `)` # )\n)rest"), Some("rest"));
        assert_eq!(rest("echo \"$(x \")\")\" )!"), Some("!"));
        assert_eq!(rest("${a:-)} )!"), Some("!"));
    }

    #[test]
    fn an_apostrophe_in_a_here_document_opens_no_string() {
        assert_eq!(rest("cat <<'EOF'\nDon't (stop\nEOF\n)\" x"), Some("\" x"));
        assert_eq!(rest("cat <<-E <<F\n\t)\n\tE\n)\nF\n)!"), Some("!"));
    }

    #[test]
    fn what_is_never_closed_has_no_end() {
        assert_eq!(rest("a (b)"), None);
        assert_eq!(rest("cat <<E\n)"), None);
    }
}
