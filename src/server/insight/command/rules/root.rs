//! Runs with the rights of another user.

use super::{Look, list};
use crate::model::insight::command::MarkKind::RunsAsRoot;
use crate::server::insight::command::prefixes;
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
            user(command)
        }
        "pkexec" => user(command),
        "su" | "runuser" => user(command).or_else(|| {
            command
                .operands()
                .map(|word| word.value.clone())
                .find(|name| name != "-" && is_user(name))
        }),
        "gosu" | "su-exec" => command.operands().next().map(|word| word.value.clone()),
        _ => return,
    };
    match user.as_deref() {
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

/// The user it is told to be.
fn user(command: &Command) -> Option<String> {
    let others = prefixes::find(command.program()).map_or("csgGw", |(letters, _)| letters);
    let letter = if command.program() == "pkexec" {
        ""
    } else {
        "u"
    };
    let values = command.values(letter, others, &["--user"]);
    values.into_iter().next().map(|word| word.value)
}

/// In `su -c 'rm x' name` the script is an operand too.
fn is_user(name: &str) -> bool {
    name.chars()
        .all(|character| character.is_ascii_alphanumeric() || "-_.".contains(character))
}
