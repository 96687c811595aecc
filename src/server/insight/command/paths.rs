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
        if self.is_temporary(&whole) {
            Reach::Temporary(whole)
        } else {
            Reach::Outside(whole)
        }
    }

    /// Only a directory has itself inside; the project is one.
    pub fn is_directory(&self, path: &str) -> bool {
        path == normal(self.project) || (self.exists)(&format!("{path}/."))
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
        is_beneath(path, &normal(self.project))
    }

    /// Not where the project itself is in there: beside it is outside, as anywhere else. Nor is somebody's home ever.
    fn is_temporary(&self, path: &str) -> bool {
        // on a Mac `/tmp` is a link to `/private/tmp`
        let plain = |path: &str| {
            let path = normal(path);
            let rest = path.strip_prefix("/private").unwrap_or_default();
            match is_beneath(rest, "/tmp") {
                true => rest.to_owned(),
                false => path,
            }
        };
        let (path, project) = (plain(path), plain(self.project));
        let home = self.home.map(plain).filter(|home| home != "/");
        let is_home = home.is_some_and(|home| is_beneath(&path, &home) || is_beneath(&home, &path));
        let mut bases = ["/tmp", "/var/tmp", "/dev/shm"].iter();
        let is_made_for_it =
            bases.any(|base| is_beneath(&path, base) && !is_beneath(&project, base));
        is_made_for_it && !is_home
    }
}

fn is_beneath(path: &str, base: &str) -> bool {
    base == "/"
        || path
            .strip_prefix(base)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
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

    #[test]
    fn a_temporary_directory_excuses_nothing_beside_the_project_or_at_home() {
        let reach = |project: &str, home: &str, path: &str| {
            let surroundings = Surroundings {
                project,
                directory: project,
                home: Some(home),
                exists: &|_| false,
            };
            surroundings.reach_of(path, false, Some(project))
        };
        let out = Reach::Outside("/tmp/out".into());
        assert_eq!(reach("/tmp/api", "/home/ada", "../out"), out);
        assert_eq!(reach("/tmp/api", "/home/ada", "/tmp/out"), out);
        assert_eq!(reach("/private/tmp/api", "/home/ada", "/tmp/out"), out);
        assert_eq!(
            reach("/tmp/api", "/home/ada", "/var/tmp/out"),
            Reach::Temporary("/var/tmp/out".into())
        );
        let bashrc = Reach::Outside("/tmp/ada/.bashrc".into());
        assert_eq!(reach("/srv/api", "/tmp/ada", "~/.bashrc"), bashrc);
        let home = Reach::Outside("/tmp/ada".into());
        assert_eq!(reach("/srv/api", "/tmp/ada", "~"), home);
        assert_eq!(
            reach("/srv/api", "/tmp/ada", "/tmp"),
            Reach::Outside("/tmp".into())
        );
        let other = Reach::Temporary("/tmp/other".into());
        assert_eq!(reach("/srv/api", "/tmp/ada", "/tmp/other"), other);
        assert_eq!(reach("/srv/api", "/", "/tmp/other"), other);
    }
}
