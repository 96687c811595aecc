//! Does a rule for commands hit a command line? Each command of the line is looked at by itself, without what only stands
//! before it: variables, `sudo`, `bash -c` and the like.

use std::cell::Cell;

/// Words that run what follows them.
const WRAPPERS: [&str; 30] = [
    "sudo", "doas", "env", "command", "builtin", "exec", "eval", "nohup", "time", "nice", "ionice",
    "xargs", "stdbuf", "setsid", "timeout", "sh", "bash", "zsh", "dash", "ksh", "busybox", "then",
    "do", "else", "elif", "if", "while", "until", "!", "coproc",
];

/// Nobody wraps a command so often.
const MOST_WRAPPED: usize = 64;

/// So many commands of one line are looked at. A line with more is made to be confusing: it counts as hit.
const MOST_COMMANDS: usize = 2000;

pub fn hits(rule: &str, line: &str) -> bool {
    let left = Cell::new(MOST_COMMANDS);
    any_command(line, &left, &|command| fits(rule, command))
}

/// Every command of the line, as it stands. What writes to a file or runs something inside of something is not looked
/// through: it is not covered.
pub fn covers(rule: &str, line: &str) -> bool {
    let commands = commands(line);
    let is_plain = !line.contains(['>', '<', '`']) && !line.contains("$(");
    is_plain
        && !commands.is_empty()
        && commands
            .iter()
            .all(|command| fits(rule, &one_space(command)))
}

fn any_command(line: &str, left: &Cell<usize>, fits: &dyn Fn(&str) -> bool) -> bool {
    if fits(&one_space(line)) {
        return true;
    }
    commands(line).iter().any(|command| {
        let Some(fewer) = left.get().checked_sub(1) else {
            return true;
        };
        left.set(fewer);
        let plain = unquoted(command);
        let words: Vec<&str> = plain.split_whitespace().collect();
        let mut inner = Vec::new();
        unwrap(&words, &mut inner);
        inner.sort();
        inner.dedup();
        // what a shell is given in quotes is a line of its own; what others are given is not
        let runs_on = |inner: &String| commands(inner).len() > 1 && any_command(inner, left, fits);
        fits(&one_space(command))
            || called(&words).iter().any(|call| fits(call))
            || inner.iter().any(|inner| fits(inner) || runs_on(inner))
    })
}

/// `npm test` is that command, `npm test:*` and `npm test *` also with more behind it, a star elsewhere is anything.
pub fn fits(rule: &str, command: &str) -> bool {
    let rule = one_space(rule);
    if let Some(beginning) = rule.strip_suffix(":*") {
        return begins_with(beginning, command);
    }
    if let Some(beginning) = rule.strip_suffix(" *")
        && !beginning.contains('*')
    {
        return begins_with(beginning, command);
    }
    super::path::fits(&rule, command)
}

fn begins_with(beginning: &str, command: &str) -> bool {
    command
        .strip_prefix(beginning)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
}

/// The line cut at everything that ends one command and begins another, also inside of double quotes where commands can
/// be run, too.
fn commands(line: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let (mut single, mut double, mut escaped) = (false, false, false);
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        let ends = match character {
            _ if escaped => {
                escaped = false;
                // a line that goes on in the next one
                if character == '\n' {
                    continue;
                }
                false
            }
            '\\' if !single => {
                escaped = true;
                if characters.peek() == Some(&'\n') {
                    continue;
                }
                false
            }
            '\'' if !double => {
                single = !single;
                false
            }
            '"' if !single => {
                double = !double;
                false
            }
            '`' => !single,
            '$' if !single && characters.peek() == Some(&'(') => {
                characters.next();
                true
            }
            '<' | '>' if !single && !double && characters.peek() == Some(&'(') => {
                characters.next();
                true
            }
            ')' => !single,
            ';' | '&' | '|' | '\n' | '\r' | '(' | '{' | '}' => !single && !double,
            _ => false,
        };
        match ends {
            true => found.push(String::new()),
            false => found
                .last_mut()
                .into_iter()
                .for_each(|last| last.push(character)),
        }
    }
    found.retain(|command| !command.trim().is_empty());
    found
}

/// Without quotes and backslashes: `r\m`, `"rm"` and `rm` are one command.
fn unquoted(command: &str) -> String {
    command
        .chars()
        .filter(|character| !matches!(character, '\'' | '"' | '\\'))
        .collect()
}

/// The command as it stands, and without the path before its name.
fn called(words: &[&str]) -> Vec<String> {
    let Some((first, rest)) = words.split_first() else {
        return Vec::new();
    };
    let name = first.rsplit('/').next().unwrap_or(first);
    let short: Vec<&str> = [name].into_iter().chain(rest.iter().copied()).collect();
    vec![words.join(" "), short.join(" ")]
}

/// What is left after each word that only stands before another command. An option may have a value: both are tried.
fn unwrap(words: &[&str], found: &mut Vec<String>) {
    let Some((first, rest)) = words.split_first() else {
        return;
    };
    if found.len() > MOST_WRAPPED {
        return;
    }
    let name = first.rsplit('/').next().unwrap_or(first);
    let is_variable = first.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
    });
    if !is_variable && !WRAPPERS.contains(&name) {
        return;
    }
    let is_option = |word: &&&str| {
        word.starts_with('-') || word.chars().next().is_some_and(|c| c.is_ascii_digit())
    };
    let options = rest.iter().take_while(is_option).count();
    let after = &rest[options..];
    found.extend(called(after));
    unwrap(after, found);
    if options > 0 && !after.is_empty() {
        found.extend(called(&after[1..]));
        unwrap(&after[1..], found);
    }
}

fn one_space(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
