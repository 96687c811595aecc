//! Owns the start: which session this is — new, resumed, forked — and what it remembers.

use std::path::Path;
use std::sync::Arc;

use tokio::sync::mpsc;
use uuid::Uuid;

use super::agent::{Agent, Beginning, State, VERSION};
use super::arguments::Arguments;
use super::environment::Environment;
use super::folders::Folders;
use super::history::{self, History};
use super::output::Output;
use super::rewind::Past;
use super::transcript::Transcript;
use super::{front, input, kept_rules, result};

/// Why there is no session to run.
enum NoStart {
    Said(String),
    /// The one failure that also speaks on stdout.
    NoSuchSession(String),
}

pub async fn start_and_run(arguments: Arguments, environment: Environment) -> u8 {
    let fail = |reason: &str| {
        eprintln!("{reason}");
        1
    };
    let project = match std::env::current_dir() {
        Ok(project) => project,
        Err(error) => return fail(&format!("error: no working directory: {error}")),
    };
    let (output, lines) = match (Output::start(), input::start()) {
        (Ok(output), Ok(lines)) => (output, lines),
        (Err(error), _) | (_, Err(error)) => return fail(&format!("error: {error}")),
    };
    let beginning = match begin(&arguments, &environment, &project) {
        Ok(beginning) => beginning,
        Err(NoStart::Said(reason)) => return fail(&reason),
        Err(NoStart::NoSuchSession(session)) => {
            let reason = format!("No conversation found with session ID: {session}");
            output.line(&result::no_such_session(&session, &reason));
            output.flush().await;
            return fail(&reason);
        }
    };
    let (exit, exits) = mpsc::unbounded_channel();
    let agent = Arc::new(Agent::new(
        arguments,
        environment,
        project,
        output,
        beginning,
        exit,
    ));
    let code = front::run(Arc::clone(&agent), lines, exits).await;
    agent.leave_no_trace();
    code
}

fn begin(
    arguments: &Arguments,
    environment: &Environment,
    project: &Path,
) -> Result<Beginning, NoStart> {
    let folders = Folders {
        root: environment.config_directory.clone(),
    };
    let earlier = match &arguments.resume {
        Some(session) => Some(session.clone()),
        None if arguments.continue_newest => Some(
            folders
                .newest_session(project)
                .ok_or_else(|| NoStart::Said("No conversation found to continue".into()))?,
        ),
        None => None,
    };
    let settings = kept_rules::Around {
        own: &folders.root,
        project,
    };
    let mut state = State::new(arguments, settings);
    let (session, path, leaf) = match earlier {
        Some(earlier) => {
            let found = folders
                .find_transcript(project, &earlier)
                .ok_or_else(|| NoStart::NoSuchSession(earlier.clone()))?;
            let history = history::load(&found).map_err(|error| {
                NoStart::Said(format!("Error: {earlier} cannot be read: {error}"))
            })?;
            let leaf = history.leaf.clone();
            remember(&mut state, history);
            if arguments.fork_session {
                let session = new_session_id(arguments, &folders, project)?;
                let path = folders.transcript(project, &session);
                history::fork(&found, &path, &session).map_err(|error| {
                    NoStart::Said(format!("Error: {earlier} cannot be copied: {error}"))
                })?;
                (session, path, leaf)
            } else {
                (earlier, found, leaf)
            }
        }
        None => {
            let session = new_session_id(arguments, &folders, project)?;
            let path = folders.transcript(project, &session);
            (session, path, None)
        }
    };
    let transcript = Transcript::new(
        path,
        leaf,
        &session,
        project,
        &environment.entrypoint,
        VERSION,
    );
    Ok(Beginning {
        session,
        transcript,
        state,
    })
}

fn new_session_id(
    arguments: &Arguments,
    folders: &Folders,
    project: &Path,
) -> Result<String, NoStart> {
    let Some(wished) = &arguments.session_id else {
        return Ok(Uuid::new_v4().to_string());
    };
    if Uuid::parse_str(wished).is_err() {
        return Err(NoStart::Said(
            "Error: Invalid session ID. Must be a valid UUID.".into(),
        ));
    }
    if folders.find_transcript(project, wished).is_some() {
        return Err(NoStart::Said(format!(
            "Error: Session ID {wished} is already in use."
        )));
    }
    Ok(wished.clone())
}

fn remember(state: &mut State, history: History) {
    state.seen = history.seen;
    state.prompts = history.prompts;
    state.resumed_prompts = Some(history.prompts);
    state.dangling = history.dangling;
    state.past = Past::of(history.said);
    state.title = history.title;
    state.usage.input_tokens = history.input_tokens;
    state.usage.output_tokens = history.output_tokens;
}
