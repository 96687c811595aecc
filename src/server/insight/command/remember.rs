//! What later commands depend on: the variables a command sets, and the directory it leaves behind.

use super::paths;
use super::read::Reader;
use super::script::{Command, Word};
use super::state::Directory;
use super::word::Known;

/// In a plain `sh` what is assigned in front of these stays; in front of `eval` it is there for what is read.
const SPECIAL: &[&str] = &[
    ".", ":", "eval", "exec", "export", "readonly", "return", "set", "shift", "source", "times",
    "trap", "unset",
];

/// A path that is longer leads nowhere.
const LONGEST: usize = 4096;
/// Of a variable: one that is made of itself twice, again and again, must not fill the memory.
const LONGEST_VALUE: usize = 1024;
const DECLARE: &[&str] = &["export", "declare", "local", "readonly", "typeset"];

/// What is assigned in front of it may be found by what is read after it.
pub fn may_keep_assignments(command: &Command) -> bool {
    command.words.first().is_none_or(|program| {
        let may_be_nothing = program.dynamic && !program.quoted;
        may_be_nothing || SPECIAL.contains(&command.program())
    })
}

/// Behind it `X={a,b}` is an assignment, in which braces stand for themselves.
pub fn declares(command: &Command) -> bool {
    command
        .words
        .first()
        .is_some_and(|program| DECLARE.contains(&program.value.as_str()))
}

impl Reader {
    pub fn remember(&mut self, command: &Command) {
        let words = itself(&command.words);
        let Some((program, arguments)) = words.split_first() else {
            return;
        };
        match program.value.as_str() {
            name if DECLARE.contains(&name) => self.declare(program, arguments),
            "read" | "mapfile" | "readarray" | "unset" | "getopts" | "wait" | "let" => {
                arguments.iter().for_each(|word| self.forget(word));
            }
            "printf" => {
                let mut words = arguments.iter();
                match words.next().map(|word| word.value.as_str()) {
                    Some("-v") => words.next().into_iter().for_each(|word| self.forget(word)),
                    Some(option) if option.starts_with("-v") => {
                        self.state.forget(name_of(&option[2..]));
                    }
                    _ => {}
                }
            }
            "eval" | "source" | "." => {
                let is_known = program.value == "eval" && !words.iter().any(|word| word.dynamic);
                if !is_known {
                    self.state.forget_all();
                }
            }
            "cd" | "chdir" | "pushd" => {
                let is_helped = !command.assignments.is_empty();
                self.go(arguments, is_helped);
            }
            "popd" => self.state.go(Directory::Unknown),
            // it may be any of these
            _ if program.dynamic && program.name().contains(['$', '`']) => self.state.forget_all(),
            name => self.call(name),
        }
    }

    /// With `CDPATH` a name may lead anywhere.
    pub fn go(&mut self, arguments: &[Word], is_helped: bool) {
        let is_steered =
            |name| self.state.variables().contains_key(name) || self.state.is_distrusted(name);
        let is_helped = is_helped || is_steered("CDPATH");
        let is_moved = is_steered("HOME");
        let target = arguments
            .iter()
            .find(|word| !word.is_option() || word.value.is_empty());
        let directory = match target {
            _ if is_helped => Directory::InDoubt,
            // of a row of directories it left before
            Some(word) if word.value.starts_with('+') => Directory::Unknown,
            Some(word) if is_known_when_read(word) => self.join(known_part(&word.value)),
            Some(word) if word.dynamic || word.pattern || word.value == "-" => Directory::Unknown,
            Some(word) => self.join(&word.value),
            None if is_moved => Directory::Unknown,
            None => Directory::At("~".into()),
        };
        self.state.go(directory);
    }

    fn join(&self, path: &str) -> Directory {
        match paths::join(self.state.directory().as_deref(), path) {
            Some(path) if path.len() > LONGEST => Directory::InDoubt,
            Some(path) if path.starts_with('/') => Directory::At(paths::normal(&path).into()),
            Some(path) => Directory::At(path.into()),
            None => self.state.directory().clone(),
        }
    }

    fn declare(&mut self, program: &Word, arguments: &[Word]) {
        let has = |letters: &str| arguments.iter().any(|word| word.has_letter(letters));
        if has("n") && program.value != "export" {
            return self.state.distrust_all();
        }
        // as a number, in capitals: what it holds is not what is written
        let is_changed = has("iulc");
        let is_fixed = program.value == "readonly" || has("r");
        for word in arguments.iter().filter(|word| !word.is_option()) {
            if is_changed || (word.dynamic && !word.value.contains('=')) {
                self.forget(word);
            } else {
                self.assign(word, false);
            }
            if is_fixed || is_changed {
                self.state.distrust(name_of(&word.value));
            }
        }
    }

    /// The name may itself be known only when it runs.
    fn forget(&mut self, word: &Word) {
        if word.dynamic && name_of(&word.value).is_empty() {
            self.state.forget_all();
        }
        self.state.forget(name_of(&word.value));
    }

    pub fn assign(&mut self, word: &Word, append: bool) {
        let Some((target, value)) = word.value.split_once('=') else {
            return;
        };
        let name = name_of(target);
        let is_part = target.len() > name.len();
        let is_long = value.len() > LONGEST_VALUE;
        if append || is_part || is_long || word.dynamic || word.value.ends_with(')') {
            self.state.forget(name);
        } else {
            let known = Known {
                value: value.to_owned(),
                encoded: word.encoded || word.by_encoded_variable,
            };
            self.state.set(name, known);
        }
    }
}

/// `$HOME/x` and `$PWD/x` lead to a known place.
fn is_known_when_read(word: &Word) -> bool {
    let path = known_part(&word.value);
    let rest = path.strip_prefix("$HOME").unwrap_or(path);
    let is_whole = rest.is_empty() || rest.starts_with('/') || path != word.value;
    word.dynamic && !word.pattern && is_whole && !rest.contains(['$', '`', '('])
}

/// Behind `$PWD/`.
fn known_part(path: &str) -> &str {
    paths::after_working_directory(path).map_or(path, |rest| match rest.trim_start_matches('/') {
        "" => ".",
        rest => rest,
    })
}

/// `X` of `X+`, of `X[0]` and of `X=1`.
fn name_of(text: &str) -> &str {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let end = text.find(|character| !is_part(character));
    &text[..end.unwrap_or(text.len())]
}

/// `command read X` and `builtin read X` are `read X`.
fn itself(mut words: &[Word]) -> &[Word] {
    while let Some((program, rest)) = words.split_first()
        && matches!(program.value.as_str(), "command" | "builtin")
    {
        let options = rest.iter().take_while(|word| word.is_option()).count();
        words = &rest[options..];
    }
    words
}
