//! Opens a door: listens, tunnels, or hands a shell to the network.

use super::{Look, short};
use crate::model::insight::command::MarkKind::ListensOnNetwork;

use crate::server::insight::command::script::{Command, Word};

pub fn look(look: &mut Look<'_>, command: &Command) {
    let arguments = command.arguments();
    let sockets: Vec<&Word> = command
        .redirections
        .iter()
        .map(|redirection| &redirection.target)
        .filter(|target| {
            target.value.starts_with("/dev/tcp/") || target.value.starts_with("/dev/udp/")
        })
        .collect();
    if !sockets.is_empty() {
        return look.danger(
            command,
            ListensOnNetwork,
            format!(
                "Talks to the network by a shell's own means: {}",
                short(&sockets[0].value)
            ),
            &sockets,
        );
    }
    match command.program() {
        "nc" | "ncat" | "netcat" | "nc.traditional" => {
            if let Some(option) = command.option("ec", &["--exec", "--sh-exec"]) {
                look.danger(
                    command,
                    ListensOnNetwork,
                    "Hands a shell to the network",
                    &[option],
                );
            } else if let Some(option) = command.option("l", &["--listen"]) {
                look.danger(
                    command,
                    ListensOnNetwork,
                    "Listens on the network",
                    &[option],
                );
            }
        }
        "socat" => {
            if let Some(word) = arguments
                .iter()
                .find(|word| word.value.to_ascii_uppercase().contains("LISTEN"))
            {
                look.danger(command, ListensOnNetwork, "Listens on the network", &[word]);
            } else if let Some(word) = arguments
                .iter()
                .find(|word| word.value.to_ascii_uppercase().starts_with("EXEC:"))
            {
                look.danger(
                    command,
                    ListensOnNetwork,
                    "Hands a shell to the network",
                    &[word],
                );
            }
        }
        "php" => say(
            look,
            command,
            arguments.iter().find(|word| word.value == "-S"),
        ),
        "ngrok" | "localtunnel" | "lt" | "bore" | "frpc" => look.danger(
            command,
            ListensOnNetwork,
            "Opens this machine to the internet",
            &[],
        ),
        "cloudflared" if command.subcommand() == "tunnel" => look.danger(
            command,
            ListensOnNetwork,
            "Opens this machine to the internet",
            &[],
        ),
        "tailscale" if matches!(command.subcommand(), "funnel" | "serve") => look.danger(
            command,
            ListensOnNetwork,
            "Opens this machine to others",
            &[],
        ),
        "npx" | "bunx"
            if matches!(
                command.subcommand(),
                "serve" | "http-server" | "localtunnel" | "live-server"
            ) =>
        {
            say(look, command, command.words.first())
        }
        "http-server" | "sshd" | "telnetd" => say(look, command, command.words.first()),
        "ssh" => {
            let host = arguments
                .iter()
                .position(|word| !word.is_option())
                .unwrap_or(arguments.len());
            let option = arguments.iter().take(host + 1).find(|word| {
                word.has_letter("RDL") && word.value.len() < 5 || word.value.starts_with("-R")
            });
            if let Some(option) = option {
                look.caution(
                    command,
                    ListensOnNetwork,
                    "Opens a tunnel through another machine",
                    &[option],
                );
            }
        }
        name if name.starts_with("python") => {
            let module = arguments
                .windows(2)
                .find(|pair| {
                    pair[0].value == "-m"
                        && matches!(
                            pair[1].value.as_str(),
                            "http.server" | "SimpleHTTPServer" | "pyftpdlib"
                        )
                })
                .map(|pair| &pair[1]);
            say(look, command, module);
        }
        _ => {
            let everywhere = arguments.iter().find(|word| {
                let value = word.value.rsplit('=').next().unwrap_or_default();
                value == "0.0.0.0" || value.starts_with("0.0.0.0:") || value == "::"
            });
            if let Some(word) = everywhere.filter(|_| {
                !matches!(
                    command.program(),
                    "echo" | "printf" | "grep" | "rg" | "ping" | "curl" | "git" | "sed"
                )
            }) {
                look.caution(
                    command,
                    ListensOnNetwork,
                    "Listens on all network addresses",
                    &[word],
                );
            }
        }
    }
}

fn say(look: &mut Look<'_>, command: &Command, word: Option<&Word>) {
    if let Some(word) = word {
        look.caution(command, ListensOnNetwork, "Listens on the network", &[word]);
    }
}
