//! Deletes what lives in databases, clusters and clouds.

use super::{Look, short};
use crate::model::insight::command::{
    MarkKind::{DeletesData, Forces},
    Severity,
};
use crate::server::insight::command::script::{Command, Word};

const CLIENTS: &[&str] = &[
    "psql",
    "mysql",
    "mariadb",
    "sqlite3",
    "duckdb",
    "clickhouse-client",
    "cockroach",
    "sqlcmd",
    "usql",
    "pgcli",
    "mycli",
    "bq",
    "mongosh",
    "mongo",
    "redis-cli",
    "cqlsh",
    "snowsql",
];

pub fn look(look: &mut Look<'_>, command: &Command) {
    let name = command.program();
    if CLIENTS.contains(&name) || look_like_client(look, command) {
        let inputs = command
            .redirections
            .iter()
            .map(|redirection| &redirection.target);
        for word in command.arguments().iter().chain(inputs) {
            statements(look, command, word);
        }
        return;
    }
    let operands: Vec<&str> = command
        .operands()
        .map(|word| word.value.as_str())
        .take(4)
        .collect();
    let has = |names: &[&str]| {
        command
            .arguments()
            .iter()
            .any(|word| names.contains(&word.value.as_str()))
    };
    let (severity, sentence) = match (name, operands.as_slice()) {
        ("dropdb" | "dropuser", _) => (Severity::Danger, "Deletes a database or its user"),
        ("rails" | "rake", tasks)
            if tasks.iter().any(|task| {
                matches!(
                    *task,
                    "db:drop" | "db:reset" | "db:schema:load" | "db:purge"
                )
            }) =>
        {
            (Severity::Danger, "Deletes a database")
        }
        ("prisma", ["migrate", "reset", ..])
        | ("npx" | "bunx", ["prisma", "migrate", "reset", ..]) => {
            (Severity::Danger, "Deletes a database")
        }
        ("php", words)
            if words
                .iter()
                .any(|word| matches!(*word, "migrate:fresh" | "migrate:reset" | "db:wipe")) =>
        {
            (Severity::Danger, "Deletes a database")
        }
        ("kubectl" | "oc", words)
            if words.first() == Some(&"delete") || (words.len() > 2 && words[1] == "delete") =>
        {
            (Severity::Danger, "Deletes from the cluster")
        }
        ("kubectl" | "oc", ["drain", ..]) => (Severity::Caution, "Empties a node of the cluster"),
        ("helm", ["uninstall" | "delete", ..]) => {
            (Severity::Danger, "Removes a release from the cluster")
        }
        ("terraform" | "tofu" | "pulumi" | "terragrunt" | "cdk" | "vagrant", ["destroy", ..]) => {
            (Severity::Danger, "Destroys infrastructure")
        }
        ("terraform" | "tofu", ["apply", ..]) if has(&["-destroy", "--destroy"]) => {
            (Severity::Danger, "Destroys infrastructure")
        }
        ("terraform" | "tofu", ["state", "rm", ..]) => {
            (Severity::Danger, "Makes terraform forget a resource")
        }
        (
            "docker" | "podman",
            [
                "system" | "volume" | "image" | "container" | "network" | "builder",
                "prune",
                ..,
            ],
        ) => (Severity::Danger, "Deletes everything unused in docker"),
        ("docker" | "podman", ["volume", "rm" | "remove", ..]) => {
            (Severity::Danger, "Deletes a volume and its data")
        }
        ("docker" | "podman", ["compose", "down", ..])
        | ("docker-compose" | "podman-compose", ["down", ..])
            if has(&["-v", "--volumes"]) =>
        {
            (Severity::Danger, "Deletes the volumes and their data")
        }
        ("aws", ["s3", "rm" | "rb", ..]) if has(&["--recursive", "--force"]) => {
            (Severity::Danger, "Deletes recursively in the cloud")
        }
        ("aws", [_, action, ..])
            if action.starts_with("delete-") || action.starts_with("terminate-") =>
        {
            (Severity::Danger, "Deletes in the cloud")
        }
        ("gsutil", words) if words.contains(&"rm") => (Severity::Danger, "Deletes in the cloud"),
        ("gcloud" | "az" | "doctl" | "hcloud", words) if words.contains(&"delete") => {
            (Severity::Danger, "Deletes in the cloud")
        }
        ("gh" | "glab", ["repo" | "release" | "secret", "delete", ..]) => {
            (Severity::Danger, "Deletes on the code host")
        }
        ("heroku", [action, ..]) if action.contains("destroy") || *action == "pg:reset" => {
            (Severity::Danger, "Deletes in the cloud")
        }
        ("fly" | "flyctl", ["apps" | "volumes" | "machine", "destroy", ..]) => {
            (Severity::Danger, "Deletes in the cloud")
        }
        _ => return forces(look, command, &operands),
    };
    let words: Vec<&Word> = command.operands().take(2).collect();
    look.mark(command, DeletesData, severity, sentence, &words);
}

/// `echo "DROP TABLE x" | psql`: the words are the printer's, the harm is the client's.
fn look_like_client(look: &Look<'_>, command: &Command) -> bool {
    matches!(command.program(), "echo" | "printf" | "cat")
        && look.script.pipelines.iter().any(|stages| {
            stages.windows(2).any(|pair| {
                look.commands(&pair[0])
                    .iter()
                    .any(|printer| printer.span == command.span)
                    && look
                        .commands(&pair[1])
                        .iter()
                        .any(|client| CLIENTS.contains(&client.program()))
            })
        })
}

fn statements(look: &mut Look<'_>, command: &Command, word: &Word) {
    let text = word
        .value
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .to_ascii_lowercase();
    let drops = [
        "drop table",
        "drop database",
        "drop schema",
        "drop view",
        "drop index",
        "drop user",
        "drop role",
        "drop column",
        "truncate ",
        "flushall",
        "flushdb",
        "dropdatabase(",
        ".drop(",
        "deletemany({})",
        "drop keyspace",
    ];
    if let Some(found) = drops.iter().find(|needle| text.contains(**needle)) {
        let what = found.trim_end_matches(['(', ' ']).trim_start_matches('.');
        look.danger(
            command,
            DeletesData,
            format!("Deletes in a database: {}", what.to_ascii_uppercase()),
            &[word],
        );
    } else if let Some(at) = text.find("delete from") {
        let limited = text[at..]
            .split(';')
            .next()
            .is_some_and(|statement| statement.contains(" where "));
        let severity = if limited {
            Severity::Caution
        } else {
            Severity::Danger
        };
        look.mark(
            command,
            DeletesData,
            severity,
            format!("Deletes in a database: {}", short(&word.value)),
            &[word],
        );
    }
}

fn forces(look: &mut Look<'_>, command: &Command, operands: &[&str]) {
    let option = match (command.program(), operands) {
        ("docker" | "podman", ["rm" | "rmi", ..]) => command.option("f", &["--force"]),
        ("docker" | "podman", ["container" | "image", "rm", ..]) => {
            command.option("f", &["--force"])
        }
        ("npm", ["audit", "fix", ..]) => command.option("", &["--force"]),
        (
            "npm" | "bun",
            [
                "install" | "i" | "add" | "ci" | "update" | "uninstall" | "remove" | "link"
                | "dedupe" | "prune" | "rebuild",
                ..,
            ],
        ) => command.option("f", &["--force"]),
        ("pnpm" | "yarn", ["install" | "i" | "add" | "remove" | "update" | "up", ..])
        | ("yarn", []) => command.option("", &["--force"]),
        ("terraform" | "tofu", ["apply", ..]) => command
            .arguments()
            .iter()
            .find(|word| word.value.ends_with("-auto-approve")),
        ("pip" | "pip3", ["install", ..]) => command.option("", &["--break-system-packages"]),
        ("kubectl", ["replace", ..]) => command.option("", &["--force"]),
        _ => None,
    };
    if let Some(option) = option {
        look.caution(
            command,
            Forces,
            format!("Forces: {}", short(&option.value)),
            &[option],
        );
    }
}
