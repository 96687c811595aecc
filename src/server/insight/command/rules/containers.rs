//! Lets a container reach out: the whole machine, its disk, the program that rules all containers.

use super::{Look, short};
use crate::model::insight::command::{
    MarkKind::{RunsAsRoot, WritesOutside},
    Severity,
};
use crate::server::insight::command::paths::Reach;
use crate::server::insight::command::script::{Command, Word};

pub fn look(look: &mut Look<'_>, command: &Command) {
    let starts_one = matches!(command.subcommand(), "run" | "create" | "container");
    if !matches!(command.program(), "docker" | "podman" | "nerdctl") || !starts_one {
        return;
    }
    if let Some(option) = command.option("", &["--privileged"]) {
        let sentence = "Runs in a container with all rights on this machine";
        look.danger(command, RunsAsRoot, sentence, &[option]);
    }
    for place in given_places(command) {
        give(look, command, &place);
    }
}

/// What of this machine the container gets, as the word that says it would be alone.
fn given_places(command: &Command) -> Vec<Word> {
    let volumes = command.values("v", "acehlmpuw", &["--volume"]);
    let volumes = volumes.into_iter().filter_map(|word| {
        let place = word.value.split(':').next()?.to_owned();
        Some((place, word))
    });
    let mounts = command.values("", "acehlmpuwv", &["--mount"]);
    let mounts = mounts.into_iter().filter_map(|word| {
        let place = word.value.split(',').find_map(|part| {
            let (name, place) = part.split_once('=')?;
            matches!(name, "source" | "src").then(|| place.to_owned())
        })?;
        Some((place, word))
    });
    volumes
        .chain(mounts)
        // a name without a slash is a volume of its own
        .filter(|(place, _)| place.starts_with(['/', '~', '.', '$']))
        .map(|(value, word)| Word { value, ..word })
        .collect()
}

fn give(look: &mut Look<'_>, command: &Command, word: &Word) {
    let place = word.value.as_str();
    if place.ends_with("docker.sock") || place.ends_with("podman.sock") {
        let sentence = "Lets a container start others, with all rights on this machine";
        return look.danger(command, RunsAsRoot, sentence, &[word]);
    }
    let reach = look.surroundings.reach(word, command.directory.as_deref());
    if let Reach::Outside(path) = reach {
        let is_grave = path.matches('/').count() < 2;
        let severity = if is_grave {
            Severity::Danger
        } else {
            Severity::Caution
        };
        let sentence = format!(
            "Gives a container what is outside the project: {}",
            short(place)
        );
        look.mark(command, WritesOutside, severity, sentence, &[word]);
    }
}
