//! Flags and environment variables, over the settings files.

use super::agent::AgentChoice;
use super::settings::Settings;
use crate::server::system_words::plainly;
use clap::{Args, Parser, Subcommand};
use etcetera::{BaseStrategy, choose_base_strategy};
use std::net::SocketAddr;
use std::path::PathBuf;

#[derive(Debug, Parser)]
#[command(
    name = "countersign",
    version,
    about = "Run Claude Code sessions from a browser and answer what they ask."
)]
#[command(args_conflicts_with_subcommands = true)]
pub struct CommandLine {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub serve: Serve,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the server (the default).
    Serve(Serve),
    /// Print a new login link of the running server.
    LoginLink {
        /// Its data directory, if it is not the usual one.
        #[arg(long, env = "COUNTERSIGN_DATA_DIR", value_name = "DIR")]
        data_dir: Option<PathBuf>,
    },
    /// Speak the agent protocol on stdin and stdout, as a scripted agent that needs no account.
    #[command(disable_help_flag = true)]
    DemoAgent {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
        arguments: Vec<String>,
    },
}

#[derive(Clone, Debug, Args)]
pub struct Serve {
    /// Address to listen on; port 0 picks a free one.
    #[arg(long, env = "COUNTERSIGN_ADDR", value_name = "HOST:PORT")]
    addr: Option<String>,
    /// Database, keys, logs [default: the XDG data directory + /countersign].
    #[arg(long, env = "COUNTERSIGN_DATA_DIR", value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// auto, claude, demo, or the path of a program that speaks the protocol.
    #[arg(
        long,
        env = "COUNTERSIGN_AGENT",
        default_value = "auto",
        value_name = "AGENT"
    )]
    agent: AgentChoice,
    /// A directory to offer for new sessions; may be repeated [default: the current directory].
    #[arg(long = "project", value_name = "DIR")]
    projects: Vec<PathBuf>,
    /// Settings file [default: the XDG config directory + /countersign/config.toml].
    #[arg(long, env = "COUNTERSIGN_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// What to log to stderr, e.g. info or countersign=debug [default: info, or RUST_LOG].
    #[arg(long, value_name = "FILTER")]
    log: Option<String>,
}

/// Everything the server is started with.
#[derive(Clone)]
pub struct Config {
    pub address: SocketAddr,
    pub data_directory: PathBuf,
    pub agent: AgentChoice,
    pub projects: Vec<PathBuf>,
    pub settings: Settings,
    pub token: Option<String>,
    pub log: String,
}

impl Serve {
    /// The error is one sentence for a person.
    pub fn config(self) -> Result<Config, String> {
        let base = choose_base_strategy().ok();
        let data_directory = data_directory(self.data_dir)?;
        let default_file = base
            .map(|base| base.config_dir().join("countersign/config.toml"))
            .filter(|file| file.exists());
        let settings = Settings::load(self.config.or(default_file).as_deref())?;
        let projects = match self.projects.is_empty() {
            true => vec![
                std::env::current_dir()
                    .map_err(|error| format!("The current directory cannot be used: {error}."))?,
            ],
            false => self.projects,
        };
        let projects = projects
            .into_iter()
            .map(|project| match project.canonicalize() {
                Ok(directory) if directory.is_dir() => Ok(directory),
                Ok(_) => Err(format!(
                    "The project {} is not a directory.",
                    project.display()
                )),
                Err(error) => Err(format!(
                    "The project {} cannot be used: {}.",
                    project.display(),
                    plainly(&error)
                )),
            })
            .collect::<Result<_, _>>()?;
        Ok(Config {
            address: address(self.addr)?,
            data_directory,
            agent: self.agent,
            projects,
            settings,
            token: std::env::var("COUNTERSIGN_TOKEN")
                .ok()
                .filter(|token| !token.is_empty()),
            log: self
                .log
                .or_else(|| std::env::var("RUST_LOG").ok())
                .unwrap_or_else(|| "info".to_owned()),
        })
    }
}

/// As given, or the usual one; absolute.
pub fn data_directory(given: Option<PathBuf>) -> Result<PathBuf, String> {
    let usual = || {
        choose_base_strategy()
            .ok()
            .map(|base| base.data_dir().join("countersign"))
    };
    let directory = given.or_else(usual).ok_or_else(|| {
        "There is no home directory: name a data directory with --data-dir.".to_owned()
    })?;
    // agents work elsewhere: to them a relative path would be another place
    std::path::absolute(&directory).map_err(|error| {
        format!(
            "The data directory \"{}\" cannot be found: {}.",
            directory.display(),
            plainly(&error)
        )
    })
}

/// As given, or the one of `Leptos.toml`.
fn address(given: Option<String>) -> Result<SocketAddr, String> {
    let Some(given) = given else {
        return Ok(super::router::leptos_options().site_addr);
    };
    let named = given
        .strip_prefix("localhost:")
        .map(|port| format!("127.0.0.1:{port}"));
    named.as_deref().unwrap_or(&given).parse().map_err(|_| {
        format!("\"{given}\" is no address to listen on: write HOST:PORT with a number for the host, such as 127.0.0.1:3400, or localhost:3400.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_data_directory_is_one_place_wherever_an_agent_works() {
        let here = std::env::current_dir().expect("a directory");
        let relative = data_directory(Some(PathBuf::from("data"))).expect("a directory");
        assert_eq!(relative, here.join("data"));
        let absolute = data_directory(Some(relative.clone())).expect("a directory");
        assert_eq!(absolute, relative);
    }
}
