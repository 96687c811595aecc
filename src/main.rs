//! Arguments in, exit code out.
#![recursion_limit = "512"]

use clap::Parser;
use countersign::server::agent::demo;
use countersign::server::clock::Clock;
use countersign::server::command_line::{Command, CommandLine, Serve};
use countersign::server::run::{Failure, Server};
use std::io::Write;
use std::process::ExitCode;
use tokio::signal::unix::{SignalKind, signal};

fn main() -> ExitCode {
    let command_line = CommandLine::parse();
    match command_line.command {
        Some(Command::DemoAgent { arguments }) => demo::run(arguments),
        Some(Command::Serve(serve)) => run(serve),
        None => run(command_line.serve),
    }
}

fn run(serve: Serve) -> ExitCode {
    match start(serve) {
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
        let stop = asked_to_stop()?;
        let server = Server::start(config, Clock::real()).await?;
        // exactly one line, for people and for programs that start us
        println!("Countersign is ready at {}", server.link);
        let _ = std::io::stdout().flush();
        server.serve(stop).await
    })
}

/// Ready when someone asks us to stop. A second time ends us at once.
fn asked_to_stop() -> Result<impl Future<Output = ()> + Send + 'static, Failure> {
    let listen = |kind| {
        signal(kind).map_err(|error| Failure::Other(format!("Signals cannot be heard: {error}.")))
    };
    let (mut interrupt, mut terminate) = (
        listen(SignalKind::interrupt())?,
        listen(SignalKind::terminate())?,
    );
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}
