//! Writes where the project is not, or over what is there.

use super::{Look, git_folder, short};
use crate::model::insight::command::{
    MarkKind::{Overwrites, WritesOutside, WritesTemporary},
    Severity,
};
use crate::server::insight::command::options::ALL;
use crate::server::insight::command::paths::Reach;
use crate::server::insight::command::script::{Command, RedirectionKind, Word};
use crate::server::insight::command::state::Directory;

/// Letters of `curl` and `wget` that take a value, beside those that name a file.
pub const CURL: &str = "AbcCdDeEFHKmPQrtTuUwxXyYz";
pub const WGET: &str = "aeiotTwQUlADIRBX";

const SYSTEM: &[&str] = &[
    "/etc", "/usr", "/bin", "/sbin", "/lib", "/lib64", "/boot", "/dev", "/sys", "/proc", "/root",
    "/System", "/Library",
];
/// Read by shells, sessions and tools at their start: what is written there runs later.
const STARTUP: &[&str] = &[
    ".bashrc",
    ".bash_profile",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".gitconfig",
    ".npmrc",
    ".vimrc",
];

pub fn look(look: &mut Look<'_>, command: &Command) {
    if command.elsewhere {
        return;
    }
    for redirection in &command.redirections {
        match redirection.kind {
            RedirectionKind::Write => {
                let empties = command.words.is_empty();
                writes(look, command, &redirection.target, "Writes");
                overwrites(look, command, &redirection.target, empties);
            }
            RedirectionKind::Append => writes(look, command, &redirection.target, "Appends"),
            _ => {}
        }
    }
    let operands: Vec<&Word> = command.operands().collect();
    match command.program() {
        "cp" | "mv" | "install" | "ln" | "rsync" | "scp" | "gcp" | "gmv" => {
            let last = operands.last().filter(|_| operands.len() > 1);
            if let Some(target) = target_directory(command).or_else(|| last.copied().cloned()) {
                // `host:path` is on another machine.
                if !target.value.contains(':') {
                    writes(look, command, &target, "Writes");
                }
            }
            if command.program() == "mv" {
                for source in operands.iter().take(operands.len().saturating_sub(1)) {
                    writes(look, command, source, "Moves away");
                }
            }
        }
        "tee" | "sponge" => {
            let appends = command.option("a", &["--append"]).is_some();
            for target in &operands {
                writes(
                    look,
                    command,
                    target,
                    if appends { "Appends" } else { "Writes" },
                );
                if !appends {
                    overwrites(look, command, target, false);
                }
            }
        }
        "rm" | "rmdir" | "unlink" if command.option("rR", &["--recursive"]).is_none() => {
            operands
                .iter()
                .for_each(|target| writes(look, command, target, "Deletes"));
        }
        "touch" | "mkdir" | "mktemp" => {
            operands
                .iter()
                .for_each(|target| writes(look, command, target, "Writes"));
        }
        "truncate" => {
            let sizes = command.values("s", "r", &["--size"]);
            let empties = sizes.iter().any(|size| size.value == "0");
            let is_size = |word: &Word| sizes.iter().any(|size| size.span == word.span);
            let targets = operands.iter().filter(|word| !is_size(word));
            for target in targets {
                writes(look, command, target, "Writes");
                overwrites(look, command, target, empties);
            }
        }
        "sed" | "gsed" | "perl" if command.option("i", &["--in-place"]).is_some() => {
            let scripts = usize::from(command.option("ef", &["--expression", "--file"]).is_none());
            operands
                .iter()
                .skip(scripts)
                .filter(|word| word.value.contains('/'))
                .for_each(|target| writes(look, command, target, "Changes"));
        }
        "dd" => {
            for word in command.arguments() {
                if let Some(target) = word.after("of") {
                    writes(
                        look,
                        command,
                        &Word {
                            value: target.to_owned(),
                            ..word.clone()
                        },
                        "Writes",
                    );
                }
            }
        }
        "curl" | "wget" | "tar" | "unzip" | "gcc" | "cc" | "sort" | "gpg" | "gpg2" | "aria2c"
        | "openssl" | "find" | "patch" => {
            for target in outputs(command) {
                if target.value != "-" {
                    writes(look, command, &target, "Writes");
                }
            }
        }
        "git" if command.subcommand() == "clone" => {
            if let Some(target) = operands.get(2) {
                writes(look, command, target, "Writes");
            }
        }
        "git" if command.subcommand() == "config" => {
            if let Some(option) = command
                .arguments()
                .iter()
                .find(|word| matches!(word.value.as_str(), "--global" | "--system"))
                && operands.len() > 2
            {
                look.caution(
                    command,
                    WritesOutside,
                    "Changes the git settings of all projects",
                    &[option],
                );
            }
        }
        "crontab" if command.option("l", &[]).is_none() && !command.arguments().is_empty() => {
            look.caution(
                command,
                WritesOutside,
                "Changes what runs on a schedule",
                &[],
            );
        }
        _ => {}
    }
}

pub fn target_directory(command: &Command) -> Option<Word> {
    let takes = matches!(command.program(), "cp" | "mv" | "install" | "ln");
    let values = takes.then(|| command.values("t", "Smog", &["--target-directory"]));
    values?.into_iter().next()
}

/// Where it puts what it makes, or what it fetches.
pub fn outputs(command: &Command) -> Vec<Word> {
    match command.program() {
        "curl" => command.values("o", CURL, &["--output", "--output-dir"]),
        "wget" => command.values("OP", WGET, &["--output-document", "--directory-prefix"]),
        "tar" if packs(command) => Vec::new(),
        "tar" => command.values("C", "fbTXgIKNVLH", &["--directory"]),
        "sort" => command.values("o", "kTStz", &["--output"]),
        "gpg" | "gpg2" => command.values("o", "ruN", &["--output"]),
        "aria2c" => command.values("do", "", &["--dir", "--out"]),
        "openssl" => after(command, &["-out"]),
        "find" => after(command, &["-fprint", "-fprintf", "-fprint0", "-fls"]),
        "patch" => command.operands().take(1).cloned().collect(),
        "unzip" => command.values("d", "xP", &[]),
        "gcc" | "cc" => command.values("o", ALL, &[]),
        _ => Vec::new(),
    }
}

/// What follows one of these words.
fn after(command: &Command, names: &[&str]) -> Vec<Word> {
    let pairs = command.arguments().windows(2);
    let pairs = pairs.filter(|pair| names.contains(&pair[0].value.as_str()));
    pairs.map(|pair| pair[1].clone()).collect()
}

/// `tar -C directory -c` reads what is there.
fn packs(command: &Command) -> bool {
    let mut words = command.arguments().iter();
    let first = words.clone().next();
    let has = |letter: char| {
        let is_first =
            first.is_some_and(|first| !first.is_option() && first.value.contains(letter));
        is_first || command.option(&letter.to_string(), &[]).is_some()
    };
    let unpacks = words.any(|word| word.is_long("--extract") || word.is_long("--get"));
    let is_packing = has('c') || command.option("", &["--create"]).is_some();
    is_packing && !unpacks && !has('x')
}

fn writes(look: &mut Look<'_>, command: &Command, target: &Word, verb: &str) {
    // A process substitution is no file.
    if target.value.starts_with(">(") || target.value.starts_with("<(") {
        return;
    }
    match look
        .surroundings
        .reach(target, command.directory.as_deref())
    {
        Reach::Outside(path) if is_device(&path) => {}
        Reach::Outside(path) => {
            let grave = SYSTEM
                .iter()
                .any(|base| path == *base || path.starts_with(&format!("{base}/")))
                || path.matches('/').count() < 2
                || path.contains("/.ssh/")
                || git_folder::is_hook(&path)
                || STARTUP
                    .iter()
                    .any(|name| path.ends_with(&format!("/{name}")));
            let severity = if grave {
                Severity::Danger
            } else {
                Severity::Caution
            };
            look.mark(
                command,
                WritesOutside,
                severity,
                format!("{verb} outside the project: {}", short(&target.value)),
                &[target],
            );
        }
        Reach::Temporary(_) => {
            look.caution(
                command,
                WritesTemporary,
                format!("{verb} in a temporary directory: {}", short(&target.value)),
                &[target],
            );
        }
        Reach::Inside(path) => git_folder::writes(look, command, target, &path, verb),
        Reach::Unknown if command.directory == Directory::InDoubt && !target.dynamic => {
            let place = short(&target.value);
            let sentence = format!("{verb} in a directory only known when it runs: {place}");
            look.caution(command, WritesOutside, sentence, &[target]);
        }
        Reach::Nowhere | Reach::Unknown => {}
    }
}

/// Block devices have their own mark, network sockets too.
fn is_device(path: &str) -> bool {
    super::disks::is_disk(path) || path.starts_with("/dev/tcp/") || path.starts_with("/dev/udp/")
}

pub fn overwrites(look: &mut Look<'_>, command: &Command, target: &Word, empties: bool) {
    if let Reach::Inside(path) = look
        .surroundings
        .reach(target, command.directory.as_deref())
        && (look.surroundings.exists)(&path)
    {
        let verb = if empties { "Empties" } else { "Overwrites" };
        look.caution(
            command,
            Overwrites,
            format!("{verb}: {}", short(&target.value)),
            &[target],
        );
    }
}
