//! Patterns of names (`*`, `?`, `[…]`), as far as a rule must know what they may stand for.

/// Nearly everything in a directory, as `*` is: `.*`, `?*`, `*.*`, `[a-z]*`, `!(a)`.
pub fn is_everything(name: &str) -> bool {
    if ["!(", "*(", "+(", "?(", "@("]
        .iter()
        .any(|start| name.starts_with(start))
    {
        return true;
    }
    let is_wild = name.contains(['*', '?', '[']);
    let mut is_inside = false;
    is_wild
        && name.chars().all(|character| {
            is_inside |= character == '[';
            let is_sign = matches!(character, '*' | '?' | '.');
            let fits = is_inside || is_sign;
            is_inside &= character != ']';
            fits
        })
}

/// `.*` is also `..` for many a shell.
pub fn leads_up(name: &str) -> bool {
    name.starts_with(".") && name.contains(['*', '?', '[']) && fits(name, "..")
}

/// The name is one that the pattern stands for. Of brackets any sign is taken to be in them.
pub fn fits(pattern: &str, name: &str) -> bool {
    let (mut pattern, mut name) = (pattern, name);
    // Where the last star stood, and what it was tried with.
    let mut star: Option<(&str, &str)> = None;
    loop {
        if let Some(rest) = pattern.strip_prefix('*') {
            star = Some((rest, name));
            pattern = rest;
        } else if pattern.is_empty() && name.is_empty() {
            return true;
        } else if let Some((rest, after)) = one(pattern, name) {
            (pattern, name) = (rest, after);
        } else {
            let Some((rest, tried)) = star else {
                return false;
            };
            let mut more = tried.chars();
            if more.next().is_none() {
                return false;
            }
            star = Some((rest, more.as_str()));
            (pattern, name) = (rest, more.as_str());
        }
    }
}

/// The last part of the path is a pattern, and it stands for the place among others: `~/.aws/*` for `/.aws/credentials`.
pub fn fits_path(path: &str, place: &str) -> bool {
    let (Some((folder, pattern)), Some((of, name))) =
        (path.rsplit_once('/'), place.rsplit_once('/'))
    else {
        return false;
    };
    pattern.contains(['*', '?', '['])
        && !of.is_empty()
        && !name.is_empty()
        && (folder.ends_with(of) || folder == of.trim_start_matches('/'))
        && fits(pattern, name)
}

/// What is left of both behind one sign that fits.
fn one<'t>(pattern: &'t str, name: &'t str) -> Option<(&'t str, &'t str)> {
    let (mut signs, mut letters) = (pattern.chars(), name.chars());
    let (sign, letter) = (signs.next()?, letters.next()?);
    let rest = match sign {
        '?' => signs.as_str(),
        '[' => match signs.as_str().split_once(']') {
            Some((_, rest)) => rest,
            None => signs.as_str(),
        },
        _ if sign == letter => signs.as_str(),
        _ => return None,
    };
    Some((rest, letters.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_for_nearly_everything_is_known() {
        for name in [
            "*", ".*", "?*", "*.*", "[a-z]*", ".[!.]*", ".??*", "!(a)", "**",
        ] {
            assert!(is_everything(name), "{name}");
        }
        for name in ["", ".", "..", "a*", "*.log", "*~", "a", "...", "*a"] {
            assert!(!is_everything(name), "{name}");
        }
    }

    #[test]
    fn a_pattern_fits_the_names_it_stands_for() {
        for (pattern, name) in [
            ("*", ""),
            ("*", "a"),
            (".g*", ".git"),
            (".gi?", ".git"),
            (".[g]it", ".git"),
            ("*t", ".git"),
            ("id_*", "id_rsa"),
            ("a*b*c", "axbxc"),
            ("*?*?*?*?x", "aaaax"),
        ] {
            assert!(fits(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [
            ("", "a"),
            ("?", ""),
            (".h*", ".git"),
            ("*.log", "log"),
            ("a", "ab"),
        ] {
            assert!(!fits(pattern, name), "{pattern} {name}");
        }
        assert!(fits_path("~/.aws/*", "/.aws/credentials"));
        assert!(fits_path(".kube/c*", "/.kube/config"));
        assert!(!fits_path("~/.aws/x*", "/.aws/credentials"));
        assert!(!fits_path("src/*", "/.aws/credentials"));
        assert!(!fits_path("src/*", "/.gnupg"));
        assert!(leads_up(".*") && leads_up(".?"));
        assert!(!leads_up("..") && !leads_up("*") && !leads_up(".a*"));
    }
}
