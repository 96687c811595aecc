//! Owns the little that is known about a shell command before it runs: its parts, what it writes, how bad it is.
//!
//! Good enough to word a request and to match a rule carefully; when in doubt it says "not covered".

use std::path::{Path, PathBuf};

use super::paths;

/// The single commands of a line. `None` if it holds something that cannot be judged by its text.
pub fn segments(command: &str) -> Option<Vec<String>> {
    if command.contains("$(") || command.contains('`') || command.contains("<(") {
        return None;
    }
    let (mut parts, mut part, mut quote) = (Vec::new(), String::new(), None);
    for character in command.chars() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '\'' | '"') => quote = Some(character),
            (None, ';' | '|' | '&' | '\n') => {
                parts.push(std::mem::take(&mut part));
                continue;
            }
            _ => {}
        }
        part.push(character);
    }
    parts.push(part);
    let parts: Vec<String> = parts
        .into_iter()
        .map(|part| part.trim().to_owned())
        .filter(|part| !part.is_empty())
        .collect();
    (quote.is_none() && !parts.is_empty()).then_some(parts)
}

/// Prints and lists only, and only in the project: such a part may ride along with one that a rule allows.
pub fn only_looks(segment: &str) -> bool {
    let mut words = segment.split_whitespace();
    let harmless = matches!(
        words.next(),
        Some("ls" | "cat" | "echo" | "pwd" | "head" | "tail" | "wc" | "true")
    );
    harmless
        && !segment.contains(['>', '<', '$', '~'])
        && words.all(|word| !word.starts_with('/') && !word.contains(".."))
}

/// The rule the CLI would offer for "always allow".
pub fn suggested_rule(command: &str) -> Option<String> {
    let parts = segments(command)?;
    let first = parts
        .iter()
        .find(|part| !only_looks(part))
        .or(parts.first())?;
    let words: Vec<&str> = first.split_whitespace().collect();
    // a beginning that ends within quotes or before a file name would be no rule a person can read
    let readable = words
        .get(1)
        .is_some_and(|word| !word.contains(['"', '\'', '>', '<']));
    Some(if words.len() > 2 && readable {
        format!("{} {} *", words[0], words[1])
    } else {
        first.clone()
    })
}

/// The file a command is about to write, where its text shows one.
pub fn written_path(project: &Path, command: &str) -> Option<PathBuf> {
    for part in segments(command)? {
        let words: Vec<&str> = part.split_whitespace().collect();
        let redirected = words
            .iter()
            .position(|word| word.starts_with('>'))
            .and_then(|at| {
                let attached = words[at].trim_start_matches('>');
                if attached.is_empty() {
                    words.get(at + 1).copied()
                } else {
                    Some(attached)
                }
            });
        let named = matches!(
            words.first(),
            Some(&("touch" | "mkdir" | "rm" | "cp" | "mv" | "tee"))
        )
        .then(|| {
            words
                .iter()
                .skip(1)
                .rfind(|word| !word.starts_with('-'))
                .copied()
        })
        .flatten();
        if let Some(path) = redirected.or(named) {
            return Some(paths::absolute(project, path.trim_matches(['"', '\''])));
        }
    }
    None
}

/// Removing a system folder or a whole home: asked with a warning, and never run by a demonstration.
pub fn removes_something_critical(command: &str) -> bool {
    let words: Vec<&str> = command
        .split(|c: char| c.is_whitespace() || ";|&()".contains(c))
        .collect();
    words.contains(&"rm")
        && words.iter().any(|word| {
            let target = word.trim_matches(['"', '\'']).trim_end_matches(['*', '/']);
            let rooted = word.trim_matches(['"', '\'']).starts_with('/');
            matches!(target, "~" | "$HOME" | "${HOME}" | "..")
                || (rooted && target.matches('/').count() <= 1 && target != "/tmp")
        })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{only_looks, removes_something_critical, segments, suggested_rule, written_path};

    #[test]
    fn a_line_is_split_outside_quotes() {
        assert_eq!(
            segments("echo 'a; b' > x && cat x"),
            Some(vec!["echo 'a; b' > x".into(), "cat x".into()])
        );
        assert_eq!(segments("echo $(rm x)"), None);
        assert_eq!(segments("echo 'open"), None);
    }

    #[test]
    fn suggestions_look_like_those_of_the_cli() {
        assert_eq!(
            suggested_rule("echo hi > out.txt && cat out.txt").as_deref(),
            Some("echo hi *")
        );
        for exact in ["date > time.txt", "echo 'a b' > x"] {
            assert_eq!(suggested_rule(exact).as_deref(), Some(exact));
        }
        assert_eq!(
            suggested_rule("touch a.txt").as_deref(),
            Some("touch a.txt")
        );
        let path =
            |command| written_path(Path::new("/w"), command).map(|path| path.display().to_string());
        assert_eq!(
            path("echo hi > out.txt && cat out.txt").as_deref(),
            Some("/w/out.txt")
        );
        assert_eq!(path("mkdir -p d/e").as_deref(), Some("/w/d/e"));
        assert_eq!(path("ls -la"), None);
    }

    #[test]
    fn looking_around_is_told_from_writing() {
        assert!(only_looks("cat out.txt") && only_looks("ls -la"));
        assert!(
            !only_looks("cat /etc/shadow") && !only_looks("echo hi > x") && !only_looks("cat ../x")
        );
    }

    #[test]
    fn critical_removals_are_seen() {
        for command in [
            "rm -rf /",
            "rm -rf ~",
            "sudo rm -rf /*",
            "cd x && rm -r /etc",
            "rm -rf \"$HOME\"",
        ] {
            assert!(removes_something_critical(command), "{command}");
        }
        for command in ["rm -rf target", "rm /tmp/x", "echo rm", "rm -rf ./build"] {
            assert!(!removes_something_critical(command), "{command}");
        }
    }
}
