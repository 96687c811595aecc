//! Secrets that variables of the environment hold, known by the names of the variables.

use super::secrets::is_sender;
use super::{Look, listed, short};
use crate::model::insight::command::{
    MarkKind::{ReadsSecrets, SendsSecrets},
    Severity,
};
use crate::server::insight::command::script::{Command, RedirectionKind, Word};

/// Parts of a name that say it by themselves. `TOKENS` are counted more often than kept.
const SECRETS: &[&str] = &[
    "SECRET",
    "SECRETS",
    "TOKEN",
    "AUTHTOKEN",
    "PASSWORD",
    "PASSWORDS",
    "PGPASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "SSHPASS",
    "CREDENTIAL",
    "CREDENTIALS",
    "APIKEY",
];
/// What makes a `KEY` behind it a secret: there are keys of caches, tables and keyboards, too.
const KEYS: &[&str] = &[
    "API",
    "ACCESS",
    "ACCOUNT",
    "ADMIN",
    "APP",
    "AUTH",
    "DEPLOY",
    "ENCRYPTION",
    "JWT",
    "MASTER",
    "PRIVATE",
    "ROLE",
    "SERVICE",
    "SESSION",
    "SIGNING",
    "SSH",
];
/// At the end of a name: it says something about the secret, not the secret.
const ABOUT: &[&str] = &[
    "AGE", "COUNT", "DIR", "ENABLED", "ENDPOINT", "EXPIRY", "FILE", "ID", "LENGTH", "LIMIT",
    "NAME", "PATH", "REGION", "SIZE", "TTL", "TYPE", "URI", "URL", "VERSION",
];

pub fn look(look: &mut Look<'_>, command: &Command) {
    let found: Vec<(&Word, &str)> = secret_variables(command)
        .into_iter()
        .filter(|(word, _)| !is_script(look, command, word))
        .collect();
    if found.is_empty() {
        return;
    }
    let words: Vec<&Word> = found.iter().map(|(word, _)| *word).collect();
    let mut names: Vec<String> = found.iter().map(|(_, name)| short(name)).collect();
    names.sort();
    names.dedup();
    let names = listed(&names);
    if !is_sender(command) {
        let sentence = format!("Reads secrets from variables: {names}");
        return look.caution(command, ReadsSecrets, sentence, &words);
    }
    let severity = if only_proves_identity(command) {
        Severity::Caution
    } else {
        Severity::Danger
    };
    let sentence = format!("Sends secrets over the network: {names}");
    look.mark(command, SendsSecrets, severity, sentence, &words);
}

/// What it prints is the secret, so that the next in a pipe gets it.
pub fn prints_a_secret(command: &Command) -> bool {
    matches!(
        command.program(),
        "echo" | "printf" | "printenv" | "cat" | "base64"
    ) && !secret_variables(command).is_empty()
}

/// The words that bring a secret, and the variables it comes from.
fn secret_variables(command: &Command) -> Vec<(&Word, &str)> {
    let program = command.program();
    // These only look whether there is one, or forget it.
    if matches!(program, "test" | "[" | ":" | "true" | "unset") {
        return Vec::new();
    }
    let declares = matches!(
        program,
        "export" | "declare" | "local" | "readonly" | "typeset" | "env"
    );
    let arguments = command
        .arguments()
        .iter()
        .filter(|word| !(declares && keeps_a_telling_name(word)));
    let assignments = command
        .assignments
        .iter()
        .filter(|word| !keeps_a_telling_name(word));
    let inputs = command
        .redirections
        .iter()
        .filter(|redirection| {
            matches!(
                redirection.kind,
                RedirectionKind::HereString | RedirectionKind::HereDocument
            )
        })
        .map(|redirection| &redirection.target);
    let mut found = Vec::new();
    for word in arguments.chain(assignments).chain(inputs) {
        let read = word.reads.iter().map(String::as_str);
        let printed = (program == "printenv").then_some(word.value.as_str());
        for name in read.chain(printed) {
            if says_secret(name) {
                found.push((word, name));
            }
        }
    }
    found
}

/// `GH_TOKEN=$GITHUB_TOKEN gh …` gives a program what it has anyway; `A=$GITHUB_TOKEN` hides it.
fn keeps_a_telling_name(word: &Word) -> bool {
    word.value
        .split_once('=')
        .is_some_and(|(name, _)| says_secret(name.trim_end_matches('+')))
}

/// A word that is a script is told where the script reads the variable.
fn is_script(look: &Look<'_>, command: &Command, word: &Word) -> bool {
    look.commands(&command.starts)
        .iter()
        .any(|inner| word.span.contains(inner.span))
}

/// `curl -H "Authorization: Bearer $TOKEN"`: what a token is for, if the address is the right one.
fn only_proves_identity(command: &Command) -> bool {
    if !matches!(command.program(), "curl" | "wget" | "http" | "https" | "xh") {
        return false;
    }
    let mut before = "";
    let proves = command.arguments().iter().all(|word| {
        let follows = matches!(
            before,
            "-H" | "--header" | "-u" | "--user" | "--oauth2-bearer"
        );
        before = word.value.as_str();
        let is_header = word.is_long("--header") || word.value.starts_with("Authorization:");
        follows || is_header || !brings_a_secret(word)
    });
    let mut inputs = command.redirections.iter();
    proves && !inputs.any(|input| brings_a_secret(&input.target))
}

fn brings_a_secret(word: &Word) -> bool {
    word.reads.iter().any(|name| says_secret(name))
}

/// Small letters are left to the variables of a script: a loop over `$token` is everyday.
fn says_secret(name: &str) -> bool {
    let is_environment = |character: char| {
        character.is_ascii_uppercase() || character.is_ascii_digit() || character == '_'
    };
    if !name.chars().all(is_environment) {
        return false;
    }
    let parts: Vec<&str> = name.split('_').filter(|part| !part.is_empty()).collect();
    let is_about = parts.last().is_some_and(|last| ABOUT.contains(last));
    if is_about || parts.iter().any(|part| matches!(*part, "PUBLIC" | "MAX")) {
        return false;
    }
    let is_ending = match parts.as_slice() {
        [.., kind, "KEY" | "KEYS"] => KEYS.contains(kind),
        // `PWD` alone is a directory, `PASS` alone a number of tests
        ["MYSQL", "PWD"] | [.., _, "PASS"] => true,
        _ => false,
    };
    is_ending || parts.iter().any(|part| SECRETS.contains(part))
}

#[cfg(test)]
mod tests {
    use super::says_secret;

    #[test]
    fn names_of_secrets_are_known() {
        for name in [
            "AWS_SECRET_ACCESS_KEY",
            "GITHUB_TOKEN",
            "OPENAI_API_KEY",
            "PGPASSWORD",
            "MYSQL_PWD",
            "SMTP_PASS",
            "TOKEN",
            "NEXT_AUTH_SECRET",
            "SUPABASE_SERVICE_ROLE_KEY",
        ] {
            assert!(says_secret(name), "{name}");
        }
    }

    #[test]
    fn names_that_only_look_like_it_are_left_alone() {
        for name in [
            "",
            "_",
            "HOME",
            "PWD",
            "OLDPWD",
            "PASS",
            "KEY",
            "KEYBOARD",
            "CACHE_KEY",
            "SSH_PUBLIC_KEY",
            "TOKENIZERS_PARALLELISM",
            "MAX_TOKEN",
            "OUTPUT_TOKENS",
            "TOKEN_COUNT",
            "TOKEN_FILE",
            "AWS_ACCESS_KEY_ID",
            "SECRET_NAME",
            "SSH_AUTH_SOCK",
            "token",
            "@",
        ] {
            assert!(!says_secret(name), "{name}");
        }
    }
}
