//! Runs with the rights of another user.

use super::{Look, list};
use crate::model::insight::command::MarkKind::RunsAsRoot;
use crate::server::insight::command::script::Command;

pub fn look(look: &mut Look<'_>, command: &Command) {
    let Some(program) = command.words.first() else {
        return;
    };
    let user = match command.program() {
        "sudo" | "doas" | "run0" => {
            // These only ask about rights, or give them up.
            if command
                .option("lvkKV", &["--list", "--validate", "--version", "--help"])
                .is_some_and(|option| {
                    command
                        .arguments()
                        .first()
                        .is_some_and(|first| first.span == option.span)
                })
            {
                return;
            }
            value_of(command, "u", "--user")
        }
        "pkexec" => value_of(command, "", "--user"),
        "su" | "runuser" => value_of(command, "u", "--user").or_else(|| {
            command
                .operands()
                .map(|word| word.value.as_str())
                .find(|name| *name != "-" && is_user(name))
        }),
        "gosu" | "su-exec" => command.operands().next().map(|word| word.value.as_str()),
        _ => return,
    };
    match user {
        None | Some("root" | "0") => {
            let what = command.starts.clone();
            let inner = look
                .commands(&what)
                .first()
                .map(|inner| list(inner.words.first()))
                .unwrap_or_default();
            let sentence = if inner.is_empty() {
                "Runs as root".to_owned()
            } else {
                format!("Runs as root: {inner}")
            };
            look.danger(command, RunsAsRoot, sentence, &[program]);
        }
        Some(user) => {
            let sentence = format!("Runs as another user: {}", super::short(user));
            look.caution(command, RunsAsRoot, sentence, &[program]);
        }
    }
}

fn value_of<'c>(command: &'c Command, letter: &str, long: &str) -> Option<&'c str> {
    let words = command.arguments();
    words.iter().enumerate().find_map(|(index, word)| {
        if let Some(value) = word.after(long) {
            return Some(value);
        }
        let short = !letter.is_empty() && word.value == format!("-{letter}");
        (short || word.value == long)
            .then(|| words.get(index + 1).map(|word| word.value.as_str()))?
    })
}

/// In `su -c 'rm x' name` the script is an operand too.
fn is_user(name: &str) -> bool {
    name.chars()
        .all(|character| character.is_ascii_alphanumeric() || "-_.".contains(character))
}
