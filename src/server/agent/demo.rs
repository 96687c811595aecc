//! The demo agent: a child process that speaks the stdio protocol of the Claude Code CLI, with a script for a model.
//!
//! It lets a person see the product at work without an account, and lets tests meet every turn of the protocol. What it
//! asks for really happens once allowed: commands run, files are written (only inside the project). What it cannot do
//! honestly, such as fetching a page, it says.
//!
//! The way of a message: [`input`] reads it, [`front`] queues it, [`turn_loop`] runs a [`turn`], [`intent`] finds what is
//! wanted, [`scenes`] play it, [`stream`] writes the words, [`tools`] run what was called after [`permissions`] and
//! [`asks`], [`result`] ends it. Nothing in here knows the rest of the project.

mod about;
mod actor;
mod agent;
mod answer;
mod arguments;
mod asks;
mod clock;
mod command;
mod control;
mod environment;
mod explanations;
mod file_tools;
mod folders;
mod front;
mod hello;
mod history;
mod input;
mod intent;
mod kept_rules;
mod mode;
mod models;
mod outcomes;
mod output;
mod paths;
mod permissions;
mod plan_tools;
mod result;
mod rewind;
mod rules;
mod scenes;
mod settings;
mod shell;
mod slash;
mod start;
mod stream;
mod subagents;
mod tools;
mod transcript;
mod turn;
mod turn_loop;
mod usage;
mod words;

use std::process::ExitCode;

/// Runs the demo agent on stdin and stdout until it is told to end. `arguments` are the flags after `demo-agent`.
pub fn run(arguments: Vec<String>) -> ExitCode {
    let arguments = match arguments::parse(arguments) {
        Ok(arguments::Parsed::Run(arguments)) => *arguments,
        Ok(arguments::Parsed::Version) => {
            println!("{} (Countersign demo agent)", env!("CARGO_PKG_VERSION"));
            return ExitCode::SUCCESS;
        }
        Err(reason) => return refuse(&reason),
    };
    let environment = environment::Environment::read();
    if environment.fail_start {
        return refuse(
            "The demo agent was told to fail at its start (COUNTERSIGN_DEMO_FAIL_START).",
        );
    }
    // one thread: the order of lines on stdout then follows from the order of the code
    let runtime = match tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => return refuse(&format!("error: no runtime: {error}")),
    };
    let code = runtime.block_on(start::start_and_run(arguments, environment));
    // not waited for: a command that ignores its death must not keep this process
    runtime.shutdown_background();
    ExitCode::from(code)
}

fn refuse(reason: &str) -> ExitCode {
    eprintln!("{reason}");
    ExitCode::FAILURE
}
