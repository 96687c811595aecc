//! Where a path leads, judged by its text alone: links are not followed, the disk is not asked.

use super::script::Word;
use std::borrow::Cow;

/// The surroundings a command would run in.
#[derive(Clone, Copy)]
pub struct Surroundings<'s> {
    /// The directory of the project, absolute.
    pub project: &'s str,
    /// Where the command starts, absolute.
    pub directory: &'s str,
    /// The user's home, absolute; `~` and `$HOME` lead there.
    pub home: Option<&'s str>,
    /// Asked only for paths inside the project, and with `/.` behind one to know whether it is a directory.
    pub exists: &'s dyn Fn(&str) -> bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Inside the project, as an absolute path.
    Inside(String),
    Outside(String),
    /// `/tmp` and its like: outside, but made for it.
    Temporary(String),
    /// `/dev/null`, `/dev/stderr`: nothing is kept.
    Nowhere,
    /// It depends on something that is known only when it runs.
    Unknown,
}

/// What stands behind `$PWD`, which is where the command runs.
pub fn after_working_directory(path: &str) -> Option<&str> {
    path.strip_prefix("$PWD")
        .or_else(|| path.strip_prefix("${PWD}"))
        .filter(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Joins by text. `None` when the start is not known.
pub fn join(directory: Option<&str>, path: &str) -> Option<String> {
    if path.starts_with(['/', '~']) || path.starts_with("$HOME") {
        return Some(path.to_owned());
    }
    Some(format!("{}/{path}", directory?))
}

impl Surroundings<'_> {
    pub fn reach(&self, word: &Word, directory: Option<&str>) -> Reach {
        self.reach_of(&word.value, word.dynamic, directory)
    }

    pub fn reach_of(&self, path: &str, dynamic: bool, directory: Option<&str>) -> Reach {
        let from_here = after_working_directory(path).filter(|_| dynamic);
        let dynamic = dynamic && from_here.is_none_or(|rest| rest.contains(['$', '`']));
        let path = match from_here {
            Some(rest) => Cow::Owned(format!(".{rest}")),
            None if path.contains("${HOME}") => Cow::Owned(path.replace("${HOME}", "$HOME")),
            None => Cow::Borrowed(path),
        };
        let from_home = path
            .strip_prefix("$HOME")
            .filter(|rest| rest.is_empty() || rest.starts_with('/'));
        let dynamic = dynamic && from_home.is_none_or(|rest| rest.contains('$'));
        if dynamic && !path.starts_with(['/', '~']) {
            return Reach::Unknown;
        }
        let Some(joined) = join(directory, &path) else {
            return Reach::Unknown;
        };
        let joined = self.expand_home(&joined);
        let whole = normal(&joined);
        if self.is_inside(&whole) {
            return Reach::Inside(whole);
        }
        if matches!(
            whole.as_str(),
            "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/tty" | "/dev/zero"
        ) || whole.starts_with("/dev/fd/")
        {
            return Reach::Nowhere;
        }
        let temporary = ["/tmp", "/var/tmp", "/private/tmp", "/dev/shm"]
            .iter()
            .any(|base| whole == *base || whole.starts_with(&format!("{base}/")));
        if temporary {
            Reach::Temporary(whole)
        } else {
            Reach::Outside(whole)
        }
    }

    /// Only a directory has itself inside.
    pub fn is_directory(&self, path: &str) -> bool {
        (self.exists)(&format!("{path}/."))
    }

    fn expand_home(&self, path: &str) -> String {
        let rest = path
            .strip_prefix("$HOME")
            .or_else(|| path.strip_prefix('~'))
            .filter(|rest| rest.is_empty() || rest.starts_with('/'));
        match (rest, self.home) {
            (Some(rest), Some(home)) => format!("{home}{rest}"),
            (Some(rest), None) => format!("/~{rest}"),
            // `~name` is somebody's home.
            (None, _) if path.starts_with('~') => format!("/{path}"),
            (None, _) => path.to_owned(),
        }
    }

    fn is_inside(&self, path: &str) -> bool {
        let project = normal(self.project);
        path == project
            || project == "/"
            || path
                .strip_prefix(&project)
                .is_some_and(|rest| rest.starts_with('/'))
    }
}

/// Without `.`, `..` and doubled slashes.
pub fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reach(path: &str) -> Reach {
        let surroundings = Surroundings {
            project: "/home/ada/api",
            directory: "/home/ada/api/src",
            home: Some("/home/ada"),
            exists: &|_| false,
        };
        surroundings.reach_of(path, path.contains('$'), Some(surroundings.directory))
    }

    #[test]
    fn a_path_leads_where_its_parts_lead() {
        assert_eq!(reach("../out"), Reach::Inside("/home/ada/api/out".into()));
        assert_eq!(
            reach("../../other"),
            Reach::Outside("/home/ada/other".into())
        );
        assert_eq!(
            reach("/home/ada/apiary"),
            Reach::Outside("/home/ada/apiary".into())
        );
        assert_eq!(reach("~/api/x"), Reach::Inside("/home/ada/api/x".into()));
        assert_eq!(
            reach("$HOME/.bashrc"),
            Reach::Outside("/home/ada/.bashrc".into())
        );
        assert_eq!(reach("${HOME}/api"), Reach::Inside("/home/ada/api".into()));
        assert_eq!(reach("~root/x"), Reach::Outside("/~root/x".into()));
        assert_eq!(
            reach("/tmp/../etc/passwd"),
            Reach::Outside("/etc/passwd".into())
        );
        assert_eq!(reach("/tmp/x"), Reach::Temporary("/tmp/x".into()));
        assert_eq!(reach("/dev/null"), Reach::Nowhere);
        assert_eq!(reach("$OUT/x"), Reach::Unknown);
        assert_eq!(reach("$PWD/x"), Reach::Inside("/home/ada/api/src/x".into()));
        assert_eq!(
            reach("${PWD}/../../x"),
            Reach::Outside("/home/ada/x".into())
        );
        assert_eq!(reach("$PWD/$X"), Reach::Unknown);
        assert_eq!(reach("$PWDX/x"), Reach::Unknown);
        assert_eq!(reach("/etc/$X"), Reach::Outside("/etc/$X".into()));
    }
}
