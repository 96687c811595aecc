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
    for (place, word) in given_places(command) {
        give(look, command, &place, word);
    }
}

/// What of this machine the container gets, with the word that says it.
fn given_places(command: &Command) -> Vec<(String, &Word)> {
    let words = command.arguments();
    let mut places = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let next = || words.get(index + 1).map(|next| next.value.as_str());
        let (value, is_mount) = match word.value.as_str() {
            "-v" | "--volume" => (next(), false),
            "--mount" => (next(), true),
            value => match value.split_once('=') {
                Some(("--volume" | "-v", value)) => (Some(value), false),
                Some(("--mount", value)) => (Some(value), true),
                _ => (None, false),
            },
        };
        let place = value.and_then(|value| match is_mount {
            true => value.split(',').find_map(|part| {
                let (name, place) = part.split_once('=')?;
                matches!(name, "source" | "src").then_some(place)
            }),
            false => value.split(':').next(),
        });
        // a name without a slash is a volume of its own
        let is_path = |place: &&str| place.starts_with(['/', '~', '.', '$']);
        if let Some(place) = place.filter(is_path) {
            places.push((place.to_owned(), word));
        }
    }
    places
}

fn give(look: &mut Look<'_>, command: &Command, place: &str, word: &Word) {
    if place.ends_with("docker.sock") || place.ends_with("podman.sock") {
        let sentence = "Lets a container start others, with all rights on this machine";
        return look.danger(command, RunsAsRoot, sentence, &[word]);
    }
    let target = Word {
        value: place.to_owned(),
        ..word.clone()
    };
    let reach = look
        .surroundings
        .reach(&target, command.directory.as_deref());
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
