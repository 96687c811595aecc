//! Arguments in, exit code out.
#![recursion_limit = "512"]

use clap::Parser;
use countersign::server::agent::{demo, leftovers};
use countersign::server::clock::Clock;
use countersign::server::command_line::{Command, CommandLine, Serve, data_directory};
use countersign::server::control;
use countersign::server::run::{Failure, Server};
use countersign::server::system_words::plainly;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use tokio::signal::unix::{Signal, SignalKind, signal};

fn main() -> ExitCode {
    let command_line = CommandLine::parse();
    match command_line.command {
        Some(Command::DemoAgent { arguments }) => demo::run(arguments),
        Some(Command::LoginLink { data_dir }) => exit_code(print_link(data_dir)),
        Some(Command::Serve(serve)) => exit_code(start(serve)),
        None => exit_code(start(command_line.serve)),
    }
}

fn exit_code(result: Result<(), Failure>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("countersign: {failure}");
            ExitCode::from(match failure {
                Failure::Configuration(_) => 2,
                Failure::Other(_) => 1,
            })
        }
    }
}

fn print_link(data_dir: Option<PathBuf>) -> Result<(), Failure> {
    let directory = data_directory(data_dir).map_err(Failure::Configuration)?;
    let link = control::ask_for_link(&directory).map_err(Failure::Other)?;
    println!("{link}");
    Ok(())
}

fn start(serve: Serve) -> Result<(), Failure> {
    let config = serve.config().map_err(Failure::Configuration)?;
    let filter = tracing_subscriber::EnvFilter::try_new(&config.log).map_err(|error| {
        Failure::Configuration(format!(
            "The log filter \"{}\" is not valid: {error}.",
            config.log
        ))
    })?;
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .init();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::Other(format!("The runtime could not be started: {error}.")))?;
    runtime.block_on(async {
        let mut asked = AskedToStop::new()?;
        let data_directory = config.data_directory.clone();
        let server = Server::start(config, Clock::real()).await?;
        // exactly one line, for people and for programs that start us
        let mut stdout = std::io::stdout();
        let said = writeln!(stdout, "Countersign is ready at {}", server.link);
        said.and_then(|()| stdout.flush()).map_err(|error| {
            Failure::Other(format!(
                "The login link could not be printed: {}. Start Countersign with a standard output that can be written to.",
                plainly(&error)
            ))
        })?;
        let (stop, stopping) = tokio::sync::oneshot::channel::<()>();
        let serving = server.serve(async {
            let _ = stopping.await;
        });
        tokio::pin!(serving);
        tokio::select! {
            result = &mut serving => return result,
            () = asked.once() => drop(stop),
        }
        tokio::select! {
            result = serving => result,
            () = asked.once() => {
                // with all that they run, which nobody would find later
                leftovers::end_all(&data_directory);
                Err(Failure::Other("Stopped at once, before everything was put in order.".to_owned()))
            }
        }
    })
}

/// SIGINT (Ctrl-C), SIGTERM, SIGHUP or SIGQUIT. The first asks us to stop, the second to do it at once.
struct AskedToStop {
    interrupt: Signal,
    terminate: Signal,
    /// The terminal was closed: the agents must not go on without us.
    hang_up: Signal,
    quit: Signal,
}

impl AskedToStop {
    fn new() -> Result<Self, Failure> {
        let listen = |kind| {
            signal(kind)
                .map_err(|error| Failure::Other(format!("Signals cannot be heard: {error}.")))
        };
        Ok(Self {
            interrupt: listen(SignalKind::interrupt())?,
            terminate: listen(SignalKind::terminate())?,
            hang_up: listen(SignalKind::hangup())?,
            quit: listen(SignalKind::quit())?,
        })
    }

    async fn once(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = self.hang_up.recv() => {}
            _ = self.quit.recv() => {}
        }
    }
}
