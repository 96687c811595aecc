//! Writes to a place that is only known when it runs.

use super::{Look, short};
use crate::model::insight::command::MarkKind::{WritesOutside, WritesTemporary};
use crate::server::insight::command::paths::{Reach, after_working_directory};
use crate::server::insight::command::script::{Command, RedirectionKind, Word};

pub fn look(look: &mut Look<'_>, command: &Command) {
    if command.elsewhere {
        return;
    }
    let redirected = command
        .redirections
        .iter()
        .filter(|redirection| {
            matches!(
                redirection.kind,
                RedirectionKind::Write | RedirectionKind::Append
            )
        })
        .map(|redirection| &redirection.target);
    let copied = command
        .operands()
        .filter(|_| matches!(command.program(), "tee" | "sponge"));
    for target in redirected.chain(copied) {
        if !is_unknown(look, command, target) {
            continue;
        }
        let place = short(&target.value);
        let (kind, sentence) = if is_temporary(&target.value) {
            let sentence = format!("Writes in a temporary directory: {place}");
            (WritesTemporary, sentence)
        } else {
            let sentence = format!("Writes to a place only known when it runs: {place}");
            (WritesOutside, sentence)
        };
        look.caution(command, kind, sentence, &[target]);
    }
}

/// The start of a path says where it leads: `build/$NAME.log` is in `build`, `$NAME.log` may be anywhere.
fn is_unknown(look: &Look<'_>, command: &Command, target: &Word) -> bool {
    let directory = command.directory.as_deref();
    target.dynamic
        && target.value.starts_with(['$', '`'])
        && after_working_directory(&target.value).is_none()
        && look.surroundings.reach(target, directory) == Reach::Unknown
}

fn is_temporary(path: &str) -> bool {
    ["$TMPDIR/", "${TMPDIR}/", "${TMPDIR:-/tmp}/"]
        .iter()
        .find_map(|start| path.strip_prefix(*start))
        .is_some_and(|rest| !rest.contains(".."))
}
