//! Does a rule for files hit a path? As in a .gitignore: a name without a slash is meant anywhere, a directory with
//! everything beneath it.

use super::Around;

pub fn hits(rule: &str, root: &str, path: &str, around: Around<'_>) -> bool {
    let path = clean(&absolute(path, around));
    let rule = rule.strip_prefix("./").unwrap_or(rule);
    let whole = match rule {
        _ if rule.starts_with("//") => rule[1..].to_owned(),
        _ if rule.starts_with("~/") => format!("{}{}", around.home, &rule[1..]),
        _ if rule.starts_with('/') => format!("{root}{rule}"),
        _ if rule.trim_end_matches('/').contains('/') => format!("{}/{rule}", around.directory),
        name => format!("**/{name}"),
    };
    let wanted: Vec<&str> = parts(&whole);
    let given: Vec<&str> = parts(&path);
    // a directory is hit with everything in it
    (1..=given.len()).any(|length| fits_parts(&wanted, &given[..length]))
}

fn absolute(path: &str, around: Around<'_>) -> String {
    match path {
        _ if path.starts_with('/') => path.to_owned(),
        _ if path.starts_with("~/") => format!("{}{}", around.home, &path[1..]),
        _ => format!("{}/{path}", around.directory),
    }
}

/// Without `.` and `..`: they are another way to say the same place.
fn clean(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                kept.pop();
            }
            name => kept.push(name),
        }
    }
    format!("/{}", kept.join("/"))
}

fn parts(path: &str) -> Vec<&str> {
    path.split('/').filter(|part| !part.is_empty()).collect()
}

fn fits_parts(wanted: &[&str], given: &[&str]) -> bool {
    match (wanted, given) {
        ([], []) => true,
        (["**"], _) => true,
        (["**", rest @ ..], _) => (0..=given.len()).any(|skip| fits_parts(rest, &given[skip..])),
        ([first, rest @ ..], [name, others @ ..]) => fits(first, name) && fits_parts(rest, others),
        _ => false,
    }
}

/// A star is anything, also nothing; a question mark is one character.
pub fn fits(pattern: &str, text: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    let (mut p, mut t) = (0, 0);
    // where the last star stands, and up to where it reaches
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(wanted) if *wanted == text[t] || *wanted == '?' => {
                p += 1;
                t += 1;
            }
            _ => match star {
                Some((at, reach)) => {
                    star = Some((at, reach + 1));
                    p = at + 1;
                    t = reach + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|left| *left == '*')
}
