//! `cargo xtask`: everything between `cargo build` and one finished binary, with nothing to install.
//!
//! - [`project`]: where things are, read from `Leptos.toml`; how cargo is called for each half.
//! - [`bundle`]: `target/site` from the compiled front end, the style sheets and `public/`.
//! - [`style`]: many style sheets into one.
//! - [`compress`]: `.br` and `.gz` beside each file that gains by it.
//! - [`dev`]: build, run, watch, build again.

mod bundle;
mod compress;
mod dev;
mod project;
mod style;

use anyhow::{Result, bail};
use project::{Half, Profile, Project};
use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask build [--release] [--frontend-only | --server-only]
    builds the front end, bundles it into target/site, and builds the server (which embeds it in a release)
cargo xtask dev [arguments of the server]
    builds, runs the server, and does so again after every change
cargo xtask wasm <cargo command> [arguments]
    runs cargo on the front end with exactly the settings of its release build, so that the work is shared";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<()> {
    let project = Project::find()?;
    match arguments.split_first() {
        Some((command, rest)) if command == "build" => build(&project, rest),
        Some((command, rest)) if command == "dev" => dev::watch(&project, rest),
        Some((command, rest)) if command == "wasm" => project.cargo_on_front_end(rest),
        Some((command, _)) if matches!(command.as_str(), "help" | "--help" | "-h") => {
            println!("{USAGE}");
            Ok(())
        }
        _ => bail!("which task?\n{USAGE}"),
    }
}

/// The site first: a release of the server embeds it.
fn build(project: &Project, flags: &[String]) -> Result<()> {
    let (profile, halves) = wanted(flags)?;
    if halves.contains(&Half::FrontEnd) {
        project.compile(Half::FrontEnd, profile)?;
        bundle::refresh(project, profile)?;
    }
    if halves.contains(&Half::Server) {
        project.compile(Half::Server, profile)?;
    }
    Ok(())
}

fn wanted(flags: &[String]) -> Result<(Profile, &'static [Half])> {
    let mut profile = Profile::Dev;
    let mut halves: &[Half] = &[Half::FrontEnd, Half::Server];
    for flag in flags {
        match flag.as_str() {
            "--release" => profile = Profile::Release,
            "--frontend-only" => halves = &[Half::FrontEnd],
            "--server-only" => halves = &[Half::Server],
            other => bail!("`{other}` is not a flag of `cargo xtask build`\n{USAGE}"),
        }
    }
    Ok((profile, halves))
}
