//! Replaces a file that is there, without a redirection: by a copy, a move, a download.

use super::writes::{CURL, WGET, overwrites, target_directory};
use super::{Look, list, short};
use crate::model::insight::command::MarkKind::Overwrites;
use crate::server::insight::command::paths::Reach;
use crate::server::insight::command::script::{Command, Word};

pub fn look(look: &mut Look<'_>, command: &Command) {
    if command.elsewhere {
        return;
    }
    match command.program() {
        "cp" | "mv" | "install" | "gcp" | "gmv" => copies(look, command),
        "dd" => {
            for word in command.arguments() {
                if let Some(target) = word.after("of") {
                    let target = Word {
                        value: target.to_owned(),
                        ..word.clone()
                    };
                    overwrites(look, command, &target, false);
                }
            }
        }
        "curl" | "wget" => downloads(look, command),
        _ => {}
    }
}

fn copies(look: &mut Look<'_>, command: &Command) {
    // It leaves what is there, or keeps it under another name.
    let keeps = command.option("nb", &["--no-clobber", "--backup"]);
    let makes_directories = command.program() == "install" && command.option("d", &[]).is_some();
    if keeps.is_some() || makes_directories {
        return;
    }
    let operands: Vec<&Word> = command.operands().collect();
    let directory = target_directory(command);
    let (target, sources) = match (&directory, operands.split_last()) {
        (Some(directory), _) => (directory, operands.as_slice()),
        (None, Some((last, sources))) if !sources.is_empty() => (*last, sources),
        _ => return,
    };
    let surroundings = look.surroundings;
    let Reach::Inside(path) = surroundings.reach(target, command.directory.as_deref()) else {
        return;
    };
    if !surroundings.is_directory(&path) {
        return overwrites(look, command, target, false);
    }
    // Into a directory each goes under its own name.
    let is_replaced = |source: &&Word| {
        let path = format!("{path}/{}", source.name());
        (surroundings.exists)(&path) && !surroundings.is_directory(&path)
    };
    let replaced: Vec<&Word> = sources.iter().copied().filter(is_replaced).collect();
    if !replaced.is_empty() {
        let sentence = format!(
            "Overwrites in {}: {}",
            short(&target.value),
            list(replaced.iter().copied())
        );
        look.caution(command, Overwrites, sentence, &replaced);
    }
}

fn downloads(look: &mut Look<'_>, command: &Command) {
    let words = command.arguments();
    let keeps = |word: &Word| matches!(word.value.as_str(), "-nc" | "--no-clobber");
    if words.iter().any(keeps) {
        return;
    }
    let targets = match command.program() {
        "curl" => command.values("o", CURL, &["--output"]),
        _ => command.values("O", &format!("{WGET}P"), &["--output-document"]),
    };
    for target in targets {
        overwrites(look, command, &target, false);
    }
}
