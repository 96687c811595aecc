//! Puts a link where a file was, or one that leads out of the project: what is written to it later lands there.

use super::writes::{overwrites, target_directory};
use super::{Look, short};
use crate::model::insight::command::MarkKind::WritesOutside;
use crate::server::insight::command::paths::Reach;
use crate::server::insight::command::script::{Command, Word};

pub fn look(look: &mut Look<'_>, command: &Command) {
    if command.elsewhere || !matches!(command.program(), "ln" | "gln") {
        return;
    }
    let operands: Vec<&Word> = command.operands().collect();
    let directory = target_directory(command);
    let (link, targets) = match (&directory, operands.split_last()) {
        // the directory is an operand, too
        (Some(directory), _) => {
            let others = operands.iter().filter(|word| word.span != directory.span);
            (Some(directory), others.copied().collect())
        }
        (None, Some((last, targets))) if !targets.is_empty() => (Some(*last), targets.to_vec()),
        _ => (None, operands),
    };
    let replaces = command.option("f", &["--force"]).is_some();
    if let Some(link) = link.filter(|_| replaces) {
        let path = look.surroundings.reach(link, command.directory.as_deref());
        let is_directory =
            matches!(path, Reach::Inside(path) if look.surroundings.is_directory(&path));
        if !is_directory {
            overwrites(look, command, link, false);
        }
    }
    for target in targets {
        leads_outside(look, command, link, target, replaces);
    }
}

fn leads_outside(
    look: &mut Look<'_>,
    command: &Command,
    link: Option<&Word>,
    target: &Word,
    replaces: bool,
) {
    let surroundings = look.surroundings;
    let is_symbolic = command.option("s", &["--symbolic"]).is_some();
    // A symbolic link is followed from where it stands.
    let from = link
        .filter(|link| is_symbolic && !link.dynamic)
        .map(|link| surroundings.reach(link, command.directory.as_deref()))
        .and_then(|reach| match reach {
            Reach::Inside(path) if surroundings.is_directory(&path) => Some(path),
            Reach::Inside(path) => path.rsplit_once('/').map(|(parent, _)| parent.to_owned()),
            _ => None,
        });
    let directory = from.as_deref().or(command.directory.as_deref());
    if let Reach::Outside(_) = surroundings.reach(target, directory) {
        let target_name = short(&target.value);
        let sentence = match link.filter(|_| replaces) {
            Some(link) => format!(
                "Replaces {} by a link that leads outside the project: {target_name}",
                short(&link.value)
            ),
            None => format!("Makes a link that leads outside the project: {target_name}"),
        };
        look.caution(command, WritesOutside, sentence, &[target]);
    }
}
