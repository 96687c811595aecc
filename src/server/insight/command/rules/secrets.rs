//! Reads what is secret: into the conversation, or out to the network.

use super::environment::prints_a_secret;
use super::{Look, list};
use crate::model::insight::command::{
    MarkKind::{ReadsSecrets, SendsSecrets},
    Severity,
};
use crate::server::insight::command::globs;
use crate::server::insight::command::paths::{join, normal};
use crate::server::insight::command::script::{Command, RedirectionKind, Word};
use std::ops::Range;

/// Programs that name a file without showing what is in it.
const DO_NOT_READ: &[&str] = &[
    "echo",
    "printf",
    "test",
    "[",
    "ls",
    "ll",
    "stat",
    "touch",
    "rm",
    "mkdir",
    "rmdir",
    "chmod",
    "chown",
    "ssh",
    "ssh-add",
    "ssh-keygen",
    "git",
    "find",
    "fd",
    "cd",
    "which",
    "basename",
    "dirname",
    "readlink",
    "realpath",
    "du",
    "unlink",
    "tree",
    "export",
    "docker",
    "docker-compose",
    "kill",
    "sudo",
    "doas",
    "xargs",
    "env",
    "time",
    "timeout",
    "nohup",
    "command",
    "gh",
    "wc",
];
const NAMES: &[&str] = &[
    ".netrc",
    ".pgpass",
    ".npmrc",
    ".pypirc",
    ".git-credentials",
    ".vault-token",
    ".htpasswd",
    ".bash_history",
    ".zsh_history",
    "id_rsa",
    "id_ed25519",
    "id_ecdsa",
    "id_dsa",
    "credentials.json",
    "application_default_credentials.json",
    "service-account.json",
    "serviceAccountKey.json",
    "Login Data",
    "Cookies",
    "master.key",
    "secrets.yml",
    "secrets.yaml",
    ".credentials.json",
];
const PLACES: &[&str] = &[
    "/.aws/credentials",
    "/.docker/config.json",
    "/.kube/config",
    "/.gnupg",
    "/etc/shadow",
    "/etc/gshadow",
    "/etc/sudoers",
    "/.config/gh/hosts.yml",
    "/.password-store",
    "/Keychains/",
];

const SENDS: &str = "Sends secrets over the network";
/// So many directories one command reads from.
const MOST_BASES: usize = 16;
/// Folders that hold little else.
const FOLDERS: &[&str] = &[".ssh", ".aws", ".kube", ".gnupg", ".password-store"];

pub fn look(look: &mut Look<'_>, command: &Command) {
    let read = read(look, command);
    // Of a sender the worse is said below.
    if !read.is_empty() && !is_sender(command) {
        let grave = read.iter().any(|word| !is_environment_file(&word.value));
        let severity = if grave {
            Severity::Danger
        } else {
            Severity::Caution
        };
        look.mark(
            command,
            ReadsSecrets,
            severity,
            format!("Reads secrets: {}", list(read.iter().copied())),
            &read,
        );
    }
    if let Some(what) = keychain(command) {
        look.danger(command, ReadsSecrets, format!("Reads secrets: {what}"), &[]);
    }
    if is_environment_dump(command)
        && !look
            .script
            .pipelines
            .iter()
            .any(|stages| is_filtered(look, stages, command))
    {
        look.caution(
            command,
            ReadsSecrets,
            "Prints the whole environment, with the keys in it",
            &[],
        );
    }
    if is_sender(command) {
        let bases = bases(command);
        let sent: Vec<Word> = command
            .arguments()
            .iter()
            .filter(|word| {
                let mut inside = look.commands(&word.inside).iter();
                names_secret(&bases, word) || inside.any(|inner| reads_secret(look, inner))
            })
            .cloned()
            .collect();
        if !sent.is_empty() {
            look.danger(
                command,
                SendsSecrets,
                SENDS,
                &sent.iter().collect::<Vec<_>>(),
            );
        }
    }
}

pub fn look_at_pipe(look: &mut Look<'_>, stages: &[Range<usize>]) {
    let reads = |command: &Command| reads_secret(look, command);
    let senders = look.later(stages, reads, is_sender);
    let lists = |command: &Command| lists_secret(command);
    let readers = look.later(stages, lists, |command| {
        starts(look, command, |inner| !is_sender(inner))
    });
    let list_senders = look.later(stages, lists, |command| starts(look, command, is_sender));
    for command in senders.into_iter().chain(list_senders) {
        look.danger(command, SendsSecrets, SENDS, &[]);
    }
    for command in readers {
        let sentence = "Reads secrets: what a list names";
        look.danger(command, ReadsSecrets, sentence, &[]);
    }
}

/// `ls ~/.ssh/*`, `find ~/.ssh`: what it prints are the names of secrets, not the secrets.
fn lists_secret(command: &Command) -> bool {
    let name = command.program();
    let bases = bases(command);
    let mut operands = command.operands();
    matches!(
        name,
        "ls" | "echo" | "printf" | "tree" | "realpath" | "readlink"
    ) && operands.any(|word| names_secret(&bases, word))
        || !found(command).is_empty()
}

/// `xargs cat`: it starts what reads the files that a list names.
fn starts(look: &Look<'_>, command: &Command, is_meant: impl Fn(&Command) -> bool) -> bool {
    let inner = look.commands(&command.starts);
    matches!(command.program(), "xargs" | "gxargs" | "parallel")
        && inner
            .iter()
            .any(|inner| is_meant(inner) && !DO_NOT_READ.contains(&inner.program()))
}

fn reads_secret(look: &Look<'_>, command: &Command) -> bool {
    !read(look, command).is_empty()
        || keychain(command).is_some()
        || is_environment_dump(command)
        || prints_a_secret(command)
}

/// The words that say which secrets it reads, by itself or by what it starts on each file it finds.
fn read<'c>(look: &Look<'_>, command: &'c Command) -> Vec<&'c Word> {
    let mut words = secret_words(command);
    let mut inner = look.commands(&command.starts).iter();
    if inner.any(|inner| !DO_NOT_READ.contains(&inner.program())) {
        words.extend(found(command));
    }
    words
}

/// `find ~/.ssh`, `find ~ -name id_rsa`: the words by which it finds secrets.
fn found(command: &Command) -> Vec<&Word> {
    if !matches!(command.program(), "find" | "fd" | "fdfind") {
        return Vec::new();
    }
    let mut words = super::deletes::starts(command);
    let is_test = |word: &Word| {
        matches!(
            word.value.as_str(),
            "-name" | "-iname" | "-path" | "-wholename"
        )
    };
    let tests = command
        .arguments()
        .windows(2)
        .filter(|pair| is_test(&pair[0]));
    words.extend(tests.map(|pair| &pair[1]));
    let bases = bases(command);
    words.retain(|word| names_secret(&bases, word));
    words
}

pub fn is_sender(command: &Command) -> bool {
    matches!(
        command.program(),
        "curl"
            | "wget"
            | "nc"
            | "ncat"
            | "netcat"
            | "socat"
            | "scp"
            | "sftp"
            | "rsync"
            | "http"
            | "https"
            | "xh"
            | "telnet"
            | "mail"
            | "sendmail"
            | "ftp"
    )
}

fn secret_words(command: &Command) -> Vec<&Word> {
    let inputs = command
        .redirections
        .iter()
        .filter(|redirection| redirection.kind == RedirectionKind::Read)
        .map(|redirection| &redirection.target);
    let bases = bases(command);
    let mut words: Vec<&Word> = inputs.filter(|word| names_secret(&bases, word)).collect();
    let name = command.program();
    if DO_NOT_READ.contains(&name) {
        return words;
    }
    let operands: Vec<&Word> = command.operands().collect();
    let range = match name {
        // The first operand is what is looked for.
        "grep" | "egrep" | "fgrep" | "rg" | "ag" | "sed" | "awk" | "jq" => 1..operands.len(),
        // The last operand is written.
        "cp" | "mv" | "ln" | "install" => 0..operands.len().saturating_sub(1),
        "tee" | "vercel" | "dotenv" => 0..0,
        _ => 0..operands.len(),
    };
    words.extend(
        operands
            .get(range)
            .unwrap_or_default()
            .iter()
            .filter(|word| names_secret(&bases, word)),
    );
    words
}

/// Where its paths begin: `cd ~/.aws && cat credentials`, `tar -C ~/.aws -c credentials`.
fn bases(command: &Command) -> Vec<String> {
    let here = command.directory.as_deref();
    let mut bases: Vec<String> = here.map(str::to_owned).into_iter().collect();
    if command.program() == "tar" {
        let others = command.values("C", "fbTXgIKNVLH", &["--directory"]);
        let others = others.iter().filter_map(|base| join(here, &base.value));
        bases.extend(others.take(MOST_BASES));
    }
    bases.retain(|_| !command.elsewhere);
    bases
}

/// By itself, or from one of these places.
fn names_secret(bases: &[String], word: &Word) -> bool {
    if is_secret(&word.value) {
        return true;
    }
    let path = in_value(&word.value);
    let is_path = !word.is_option() && !path.is_empty() && !path.contains("://");
    let mut places = bases.iter().filter_map(|base| join(Some(base), path));
    is_path && places.any(|place| is_secret(&normal(&place)))
}

fn is_environment_file(path: &str) -> bool {
    path.rsplit('/')
        .next()
        .is_some_and(|name| name.starts_with(".env"))
}

/// `curl -d @.env`, `-F file=@.env`, `if=.env`
fn in_value(text: &str) -> &str {
    text.rsplit(['@', '=']).next().unwrap_or_default()
}

pub fn is_secret(text: &str) -> bool {
    let path = in_value(text);
    if path.contains([' ', '\n']) && !path.contains('/') {
        return false;
    }
    let name = path
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or_default();
    let environment = name == ".env"
        || name == ".env*"
        || name == ".envrc"
        || name.strip_prefix(".env.").is_some_and(|rest| {
            !matches!(
                rest,
                "example" | "sample" | "template" | "dist" | "defaults" | "schema"
            )
        });
    let in_ssh = (path.contains("/.ssh/")
        || path.starts_with(".ssh/")
        || path.ends_with("/.ssh")
        || path.ends_with("/.ssh/"))
        && !name.ends_with(".pub")
        && !matches!(name, "known_hosts" | "config" | "authorized_keys");
    let key = name.ends_with(".pem") && !name.contains("cert") && !name.contains("ca")
        || name.ends_with(".p12")
        || name.ends_with(".pfx")
        || name.ends_with(".kdbx")
        || name.ends_with(".keystore");
    let folder = FOLDERS.contains(&name);
    // `*` is too much to say what it is, `id_*` is not
    let start = name.find(['*', '?', '[']).filter(|start| *start > 1);
    let pattern = start.is_some()
        && (globs::fits(name, ".env") || NAMES.iter().any(|known| globs::fits(name, known)));
    environment
        || in_ssh
        || folder
        || pattern
        || key
        || NAMES.contains(&name)
        || PLACES.iter().any(|place| {
            path.contains(place) || path == &place[1..] || globs::fits_path(path, place)
        })
        || (path.starts_with("/proc/") && name == "environ")
}

fn keychain(command: &Command) -> Option<&'static str> {
    let operands: Vec<&str> = command
        .operands()
        .map(|word| word.value.as_str())
        .take(3)
        .collect();
    match (command.program(), operands.as_slice()) {
        ("security", [action, ..])
            if action.starts_with("find-")
                || action.starts_with("dump-")
                || *action == "export" =>
        {
            Some("the keychain")
        }
        ("secret-tool", ["lookup" | "search", ..]) => Some("the keyring"),
        ("pass", ["show", ..]) | ("op", ["read", ..]) | ("op" | "bw", ["get" | "item", ..]) => {
            Some("the password store")
        }
        ("gpg" | "gpg2", _)
            if command
                .option("", &["--export-secret-keys", "--export-secret-subkeys"])
                .is_some() =>
        {
            Some("private keys")
        }
        ("gh", ["auth", "token", ..])
        | ("gcloud", ["auth", "print-access-token" | "print-identity-token", ..]) => {
            Some("an access token")
        }
        ("aws", ["secretsmanager", "get-secret-value", ..])
        | ("vault", ["kv", "get", ..])
        | ("vault", ["read", ..]) => Some("the secret store"),
        ("kubectl" | "oc", ["get", "secret" | "secrets", ..])
            if command
                .arguments()
                .iter()
                .any(|word| word.value.starts_with("-o") || word.value.starts_with("--output")) =>
        {
            Some("secrets of the cluster")
        }
        _ => None,
    }
}

fn is_environment_dump(command: &Command) -> bool {
    match command.program() {
        "printenv" | "env" => command.arguments().is_empty(),
        "export" | "declare" => {
            command.arguments().len() == 1
                && matches!(command.arguments()[0].value.as_str(), "-p" | "-px")
        }
        _ => false,
    }
}

/// `env | grep ^PATH` shows what was looked for, not everything; `env | grep KEY` looks for the keys.
fn is_filtered(look: &Look<'_>, stages: &[Range<usize>], dump: &Command) -> bool {
    stages.windows(2).any(|pair| {
        look.commands(&pair[0])
            .iter()
            .any(|command| command.span == dump.span)
            && look.commands(&pair[1]).iter().any(|command| {
                matches!(
                    command.program(),
                    "grep" | "rg" | "egrep" | "wc" | "cut" | "awk" | "sed"
                ) && !command
                    .arguments()
                    .iter()
                    .any(|word| names_a_key(&word.value))
            })
    })
}

fn names_a_key(pattern: &str) -> bool {
    let pattern = pattern.to_ascii_uppercase();
    ["KEY", "TOKEN", "SECRET", "PASS", "CREDENTIAL"]
        .iter()
        .any(|word| pattern.contains(word))
}
