//! What is known of a shell at one point of a script: what its variables hold, and where it stands. Every change is noted
//! down, so that it can be taken back where it ends (a subshell) and be doubted where nobody knows whether it was made.

use super::word::{Known, Variables};
use std::collections::HashSet;
use std::sync::Arc;

/// The shell sets these itself, whatever a script puts into them.
const SET_BY_THE_SHELL: &[&str] = &[
    "_",
    "BASHPID",
    "BASH_REMATCH",
    "COPROC",
    "DIRSTACK",
    "EUID",
    "FUNCNAME",
    "GROUPS",
    "LINENO",
    "MAPFILE",
    "OLDPWD",
    "OPTARG",
    "OPTIND",
    "PIPESTATUS",
    "PPID",
    "PWD",
    "RANDOM",
    "REPLY",
    "SECONDS",
    "SRANDOM",
    "UID",
];

/// What they hold changes what other words mean, so not to know it is more than that it is not set.
const STEERING: &[&str] = &["IFS", "CDPATH", "HOME"];

/// Where a command runs, as far as `cd` in front of it can be followed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Directory {
    At(Arc<str>),
    /// It is named only when it runs: `cd "$X"`.
    #[default]
    Unknown,
    /// It was left, or was not: `test -d x && cd x`.
    InDoubt,
}

impl Directory {
    pub fn as_deref(&self) -> Option<&str> {
        match self {
            Directory::At(path) => Some(path),
            Directory::Unknown | Directory::InDoubt => None,
        }
    }
}

#[derive(Debug, Default)]
pub struct State {
    variables: Variables,
    directory: Directory,
    changes: Vec<Change>,
    /// What is put into these may not stay in them, or not be put there at all: `readonly X`.
    unreliable: HashSet<String>,
    /// One name may stand for another, so that none can be believed: `declare -n`.
    distrusted: bool,
}

/// What was before it.
#[derive(Debug)]
enum Change {
    Variable(String, Option<Known>),
    All(Variables),
    Directory(Directory),
}

/// What a part of a script changed.
#[derive(Debug, Default)]
pub struct Touched {
    names: Vec<String>,
    all: bool,
    directory: bool,
}

impl Touched {
    pub fn add(&mut self, other: Touched) {
        self.names.extend(other.names);
        self.all |= other.all;
        self.directory |= other.directory;
    }

    pub fn sets_variables(&self) -> bool {
        self.all || !self.names.is_empty()
    }
}

impl State {
    pub fn at(directory: Directory) -> Self {
        State {
            directory,
            ..State::default()
        }
    }

    pub fn variables(&self) -> &Variables {
        &self.variables
    }

    pub fn directory(&self) -> &Directory {
        &self.directory
    }

    pub fn set(&mut self, name: &str, known: Known) {
        let is_reliable = !SET_BY_THE_SHELL.contains(&name) && !self.unreliable.contains(name);
        if self.distrusted || !is_reliable {
            return self.forget(name);
        }
        let old = self.variables.insert(name.to_owned(), known);
        self.changes.push(Change::Variable(name.to_owned(), old));
    }

    pub fn forget(&mut self, name: &str) {
        match name {
            // `$PWD` is where the shell stands only as long as nobody puts something else into it
            "PWD" if self.directory != Directory::InDoubt => self.go(Directory::InDoubt),
            name if STEERING.contains(&name) => self.distrust(name),
            _ => {}
        }
        if let Some((name, old)) = self.variables.remove_entry(name) {
            self.changes.push(Change::Variable(name, Some(old)));
        }
    }

    pub fn forget_all(&mut self) {
        if !self.variables.is_empty() {
            let old = std::mem::take(&mut self.variables);
            self.changes.push(Change::All(old));
        }
    }

    /// It holds something, and nobody knows what.
    pub fn is_distrusted(&self, name: &str) -> bool {
        self.distrusted || self.unreliable.contains(name)
    }

    /// From here on nothing that is put into this name is believed.
    pub fn distrust(&mut self, name: &str) {
        self.unreliable.insert(name.to_owned());
    }

    /// From here on no variable is believed.
    pub fn distrust_all(&mut self) {
        self.forget_all();
        self.distrusted = true;
    }

    pub fn go(&mut self, directory: Directory) {
        let old = std::mem::replace(&mut self.directory, directory);
        self.changes.push(Change::Directory(old));
    }

    pub fn moment(&self) -> usize {
        self.changes.len()
    }

    /// What was changed since then, which stays as it is.
    pub fn touched(&self, since: usize) -> Touched {
        let mut touched = Touched::default();
        for change in self.changes.iter().skip(since) {
            match change {
                Change::Variable(name, _) => touched.names.push(name.clone()),
                Change::All(_) => touched.all = true,
                Change::Directory(_) => touched.directory = true,
            }
        }
        touched
    }

    pub fn take_back(&mut self, since: usize) -> Touched {
        let directory = self.directory.clone();
        let mut touched = Touched::default();
        for change in self.changes.drain(since.min(self.changes.len())..).rev() {
            match change {
                Change::Variable(name, old) => {
                    match old {
                        Some(old) => self.variables.insert(name.clone(), old),
                        None => self.variables.remove(&name),
                    };
                    touched.names.push(name);
                }
                Change::All(old) => {
                    self.variables = old;
                    touched.all = true;
                }
                Change::Directory(old) => self.directory = old,
            }
        }
        // it may have come back to where it was
        touched.directory = directory != self.directory;
        touched
    }

    pub fn knows_variables(&self) -> bool {
        !self.variables.is_empty()
    }

    /// What is known now would be known no more if these changes were made.
    pub fn is_changed_by(&self, touched: &Touched) -> bool {
        let is_known = |name: &String| self.variables.contains_key(name);
        touched.directory
            || (touched.all && !self.variables.is_empty())
            || touched.names.iter().any(is_known)
    }

    /// Nobody knows whether these changes were made.
    pub fn doubt(&mut self, touched: &Touched) {
        if touched.all {
            self.forget_all();
        }
        for name in &touched.names {
            self.forget(name);
        }
        if touched.directory && self.directory != Directory::InDoubt {
            self.go(Directory::InDoubt);
        }
    }
}
