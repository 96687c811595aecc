//! A permission rule as it stands in a settings file: `Tool`, or `Tool(content)` with the brackets and backslashes of its
//! content escaped, as the agent's program writes and reads it.

pub fn written(tool: &str, content: Option<&str>) -> String {
    match content.filter(|content| !content.is_empty()) {
        Some(content) => format!("{tool}({})", escaped(content)),
        None => tool.to_owned(),
    }
}

fn escaped(content: &str) -> String {
    content
        .replace('\\', r"\\")
        .replace('(', r"\(")
        .replace(')', r"\)")
}

/// What a rule from a file is about. One that was written by hand, without escapes, is taken as it is.
pub fn unescaped(content: &str) -> String {
    content
        .replace(r"\(", "(")
        .replace(r"\)", ")")
        .replace(r"\\", r"\")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_are_escaped_in_the_file_and_read_back() {
        for (content, file) in [
            ("npm test *", "Bash(npm test *)"),
            ("zzz )) nothing", r"Bash(zzz \)\) nothing)"),
            (r#"grep "a\.b" (x)"#, r#"Bash(grep "a\\.b" \(x\))"#),
        ] {
            assert_eq!(written("Bash", Some(content)), file);
            let inside = file
                .strip_prefix("Bash(")
                .and_then(|rest| rest.strip_suffix(')'));
            assert_eq!(inside.map(unescaped).as_deref(), Some(content));
        }
        assert_eq!(written("Read", None), "Read");
        assert_eq!(written("Read", Some("")), "Read");
    }
}
