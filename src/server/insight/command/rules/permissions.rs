//! Changes who may read, write or run.

use super::{Look, list};
use crate::model::insight::command::{MarkKind::ChangesPermissions, Severity};
use crate::server::insight::command::script::{Command, Word};

pub fn look(look: &mut Look<'_>, command: &Command) {
    let recursive = command.option("R", &["--recursive"]);
    match command.program() {
        "chmod" => chmod(look, command, recursive),
        "chown" | "chgrp" => {
            let severity = if recursive.is_some() {
                Severity::Danger
            } else {
                Severity::Caution
            };
            let how = if recursive.is_some() {
                "Changes the owner recursively"
            } else {
                "Changes the owner"
            };
            let targets: Vec<&Word> = command.operands().skip(1).collect();
            look.mark(
                command,
                ChangesPermissions,
                severity,
                format!("{how}: {}", list(targets.iter().copied())),
                &targets,
            );
        }
        "setfacl" | "chattr" | "setcap" => {
            look.caution(command, ChangesPermissions, "Changes permissions", &[]);
        }
        "xattr" if command.option("dc", &[]).is_some() => {
            look.caution(
                command,
                ChangesPermissions,
                "Removes the marks of a downloaded file",
                &[],
            );
        }
        _ => {}
    }
}

fn chmod(look: &mut Look<'_>, command: &Command, recursive: Option<&Word>) {
    // `chmod -x file` takes a right away; the parser of options must not take it for one.
    let words: Vec<&Word> = command
        .arguments()
        .iter()
        .filter(|word| !word.value.starts_with("--") && !is_option_of_chmod(&word.value))
        .collect();
    let Some((mode, targets)) = words.split_first() else {
        return;
    };
    let what = match targets {
        [only] if matches!(only.value.as_str(), "." | "./") => {
            "the directory it runs in (.)".into()
        }
        targets => list(targets.iter().copied()),
    };
    let all = [&[*mode], targets].concat();
    if is_for_everybody(&mode.value) {
        let how = if recursive.is_some() {
            "Lets everybody write, recursively"
        } else {
            "Lets everybody write"
        };
        look.danger(command, ChangesPermissions, format!("{how}: {what}"), &all);
    } else if is_set_user(&mode.value) {
        look.danger(
            command,
            ChangesPermissions,
            format!("Lets it run with its owner's rights: {what}"),
            &all,
        );
    } else if let Some(option) = recursive {
        look.caution(
            command,
            ChangesPermissions,
            format!("Changes permissions recursively: {what}"),
            &[&all[..], &[option]].concat(),
        );
    } else if mode.value.contains('+') && mode.value.contains('x')
        || matches!(
            mode.value.trim_start_matches('0'),
            "755" | "775" | "700" | "750" | "711" | "555"
        )
    {
        look.caution(
            command,
            ChangesPermissions,
            format!("Makes executable: {what}"),
            &all,
        );
    }
}

/// `-R`, `-Rf`; `-x` and `-rw` are modes.
fn is_option_of_chmod(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|letters| {
        !letters.is_empty() && letters.chars().all(|letter| "RvfcHLP".contains(letter))
    })
}

fn is_for_everybody(mode: &str) -> bool {
    if !mode.is_empty() && mode.bytes().all(|byte| byte.is_ascii_digit()) {
        return mode
            .bytes()
            .last()
            .is_some_and(|others| matches!(others, b'2' | b'3' | b'6' | b'7'));
    }
    mode.split(',').any(|part| {
        part.split_once(['+', '=']).is_some_and(|(who, what)| {
            (who.contains('o') || who.contains('a')) && what.contains('w')
        })
    })
}

fn is_set_user(mode: &str) -> bool {
    if mode.len() == 4 && mode.bytes().all(|byte| byte.is_ascii_digit()) {
        return matches!(mode.as_bytes()[0], b'2'..=b'7');
    }
    mode.split_once('+')
        .is_some_and(|(_, what)| what.contains('s'))
}
